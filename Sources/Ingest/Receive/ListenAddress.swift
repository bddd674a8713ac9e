import Model

/// Where senders reach perftop.
package enum ListenAddress: Hashable, Sendable {
  case tcp(host: String, port: UInt16)
  case unix(path: String)

  /// OTLP's own ports, for this machine alone.
  package static let defaults: [ListenAddress] = [
    .tcp(host: "127.0.0.1", port: 4318), .tcp(host: "127.0.0.1", port: grpcPort),
  ]
  /// Where nobody expects anything but gRPC; everywhere else both are spoken.
  private static let grpcPort: UInt16 = 4317

  /// `HOST:PORT`, `:PORT` for this machine alone, `[::1]:PORT`, `unix:PATH`; nil for anything else.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = text.dropFirst(5)
      guard !path.isEmpty else { return nil }
      self = .unix(path: String(path))
      return
    }
    guard let colon = text.lastIndex(of: ":"),
      let port = Self.port(text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    self = .tcp(host: host.isEmpty ? "127.0.0.1" : String(host), port: port)
  }

  private static func port(_ text: Substring) -> UInt16? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt16(text)
  }

  /// As a sender would name it.
  package var text: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }

  /// HTTP/1 is answered with a hint.
  package var isForGRPC: Bool {
    if case .tcp(_, let port) = self { port == Self.grpcPort } else { false }
  }

  package var isUnix: Bool {
    if case .unix = self { true } else { false }
  }

  /// As clients of gRPC name it.
  package var grpcTarget: String {
    if case .unix(let path) = self, path.hasPrefix("/") { "unix://\(path)" } else { text }
  }

  /// What a sender is told.
  func endpoint(needsToken: Bool) -> Endpoint {
    let url =
      switch self {
      case .tcp("0.0.0.0", let port), .tcp("::", let port): "http://THIS-MACHINE:\(port)"
      case .tcp: "http://\(text)"
      case .unix: grpcTarget
      }
    return Endpoint(
      url: url,
      protocolName: isForGRPC || isUnix ? "grpc" : "http/protobuf",
      needsToken: needsToken,
      isLocal: isLocal
    )
  }

  /// Only senders on this machine reach it.
  package var isLocal: Bool {
    switch self {
    case .tcp(let host, _): Self.isLoopback(host)
    case .unix: true
    }
  }

  /// A port that only this machine reaches, pages in its browser included.
  var isLoopback: Bool {
    if case .tcp(let host, _) = self { Self.isLoopback(host) } else { false }
  }

  /// Whether a `Host` is an address, or a name that nobody can register to let it lead here.
  ///
  /// Containers reach their host under names below `internal`, which the public DNS does not have.
  static func isUnclaimable(_ authority: String) -> Bool {
    if authority.hasPrefix("[") { return true }
    let host = authority.prefix { $0 != ":" }.lowercased()
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return isLoopback(host) || host.hasSuffix(".internal")
      || parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Names that lead to this machine, whoever resolves them.
  static func isLoopback(_ host: some StringProtocol) -> Bool {
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
