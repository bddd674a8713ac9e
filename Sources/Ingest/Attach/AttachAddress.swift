/// A socket of somebody else that telemetry comes from.
package enum AttachAddress: Hashable, Sendable {
  case unix(path: String)
  case tcp(host: String, port: UInt16)
  /// A WebSocket, as a collector's remote tap is; the path begins with a slash.
  case webSocket(host: String, port: UInt16, path: String)

  /// What an address looks like.
  package static let forms = "unix:PATH, tcp://HOST:PORT or ws://HOST:PORT[/PATH]"

  /// Throws what is wrong with an address, and what may have been meant.
  package init(_ text: String) throws(AttachAddressError) {
    if text.hasPrefix("unix:") {
      // unix:///path, as collectors write it, is the same.
      let path = text.dropFirst(text.hasPrefix("unix://") ? 7 : 5)
      guard !path.isEmpty else { throw .init("the path of a socket is missing") }
      guard path.utf8.count <= Self.longestPath else {
        throw .init("the path of a socket has at most \(Self.longestPath) bytes")
      }
      self = .unix(path: String(path))
      return
    }
    guard let (scheme, rest) = Self.split(text) else {
      throw .init(Self.isHostAndPort(text) ? "tcp://\(text) or ws://\(text)?" : nil)
    }
    switch scheme.lowercased() {
    case "tcp":
      let (host, port) = try Self.authority(rest, "tcp://localhost:9000")
      self = .tcp(host: host, port: port)
    case "ws":
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      let (host, port) = try Self.authority(rest[..<end], "ws://localhost:12001")
      let path = rest[end...].prefix { $0 != "#" }
      guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .init("a path of ws:// has no spaces and no letters beyond ASCII: write them as %20")
      }
      self = .webSocket(
        host: host,
        port: port,
        path: path.hasPrefix("/") ? String(path) : "/" + path
      )
    case "wss", "https":
      throw .init("TLS is not spoken here; a tunnel to ws://localhost:PORT can")
    case "http":
      throw .init(
        "ws://\(rest) for a collector's remote tap; what is sent to perftop needs --listen"
      )
    default: throw .init("\(scheme):// is none of them")
    }
  }

  /// Bytes of `sun_path`, without the zero at its end.
  private static let longestPath = 103

  private static func split(_ text: String) -> (scheme: Substring, rest: Substring)? {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
    return (text[..<colon], text[colon...].dropFirst(3))
  }

  private static func isHostAndPort(_ text: String) -> Bool {
    (try? authority(text[...], "")) != nil
  }

  private static func authority(
    _ text: Substring,
    _ example: String
  ) throws(AttachAddressError) -> (host: String, port: UInt16) {
    guard !text.contains("@") else { throw .init("a name and a password are not sent") }
    let host: Substring
    let rest: Substring
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
    } else {
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
      guard rest.dropFirst().firstIndex(of: ":") == nil else {
        throw .init("an IPv6 address stands in brackets, as in [::1]")
      }
    }
    guard !host.isEmpty else { throw .init("the host is missing, as in \(example)") }
    guard rest.hasPrefix(":"), rest.count > 1 else {
      throw .init("the port is missing, as in \(example)")
    }
    let digits = rest.dropFirst().prefix { $0 != "/" }
    let tail = rest[digits.endIndex...]
    guard tail.isEmpty || tail == "/" else { throw .init("a path is for ws:// only") }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits),
      port > 0
    else { throw .init("a port is a number from 1 to 65535, not '\(digits)'") }
    return (String(host), port)
  }

  /// As the user would name it.
  package var text: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .tcp(let host, let port): "tcp://\(Self.authority(host, port))"
    case .webSocket(let host, let port, let path):
      "ws://\(Self.authority(host, port))\(path == "/" ? "" : path)"
    }
  }

  /// `HOST:PORT`, as a `Host` header has it.
  static func authority(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// Why an address is none.
package struct AttachAddressError: Error, Equatable, Sendable {
  /// What is wrong or was meant; nil where only the forms help.
  package var hint: String?

  init(_ hint: String?) { self.hint = hint }
}
