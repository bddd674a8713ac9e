import CPlatform
import Ingest

/// The addresses of `--listen`, and the token that senders need.
enum ListenOption {
  /// Opens the sockets before anything else happens; false when one cannot be had, said on standard error.
  static func open(_ arguments: inout Arguments) -> Bool {
    let addresses = addresses(arguments)
    guard !addresses.isEmpty else {
      guard arguments.token == nil else {
        StandardError.line("perftop: --token is for --listen, which is missing")
        return false
      }
      return true
    }
    var settings = ReceiverSettings()
    settings.bodyLimit = arguments.maxBody
    if let source = arguments.token {
      guard let token = token(source) else { return false }
      settings.token = token
    }
    do throws(ListenFailure) {
      arguments.listening = try Listening(addresses, settings: settings)
    } catch {
      StandardError.line("perftop: --listen \(error.text)")
      return false
    }
    for address in addresses where !address.isLocal {
      let advice = settings.token == nil ? "; --token keeps strangers out" : ""
      StandardError.line(
        "perftop: --listen \(address.text): everybody who reaches this machine can send\(advice)"
      )
    }
    return true
  }

  /// Each once, in the order given.
  private static func addresses(_ arguments: Arguments) -> [ListenAddress] {
    var addresses: [ListenAddress] = []
    for case .listen(let address) in arguments.sources {
      for address in address.map({ [$0] }) ?? ListenAddress.defaults
      where !addresses.contains(address) {
        addresses.append(address)
      }
    }
    return addresses
  }

  /// The first line of a file, or an environment variable; says why there is none.
  private static func token(_ source: String) -> String? {
    let name = String(source.drop { $0 != ":" }.dropFirst())
    let text: String?
    if source.hasPrefix("env:") {
      text = getenv(name).map { String(cString: $0) }
    } else {
      text = firstLine(of: name)
    }
    guard let text, !text.isEmpty else {
      StandardError.line("perftop: --token \(source): there is no token in it")
      return nil
    }
    return text
  }

  private static func firstLine(of path: String) -> String? {
    let descriptor = cp_open_to_read(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = cp_read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let line = bytes.prefix(Int(count)).prefix { $0 != 0x0A && $0 != 0x0D }
    return String(decoding: line, as: UTF8.self)
  }

  /// What to paste into a collector's configuration, so that it sends here what it receives.
  static func collectorConfiguration(_ arguments: Arguments) -> String {
    let headers =
      arguments.token == nil
      ? "" : "\n    headers: { Authorization: \"Bearer ${env:PERFTOP_TOKEN}\" }"
    // Over HTTP where that is received: its exporter is in every distribution of the collector.
    let addresses = addresses(arguments)
    let usual = addresses.first { !$0.isForGRPC && !$0.isUnix }
    guard let address = usual ?? addresses.first else { return "" }
    let exporter = usual == nil ? "otlp_grpc/perftop" : "otlp_http/perftop"
    let endpoint = usual == nil ? address.grpcTarget : "http://\(address.text)"
    let plain = usual == nil ? "\n    tls: { insecure: true }" : ""
    return """
      # Add the exporter to a collector, and its name to the pipelines whose data perftop is to show.
      exporters:
        \(exporter):
          endpoint: "\(endpoint)"\(plain)
          compression: none\(headers)
          # While perftop is closed, nothing is kept back for it.
          retry_on_failure: { enabled: false }
          sending_queue: { queue_size: 100 }

      service:
        pipelines:
          traces: { exporters: [\(exporter)] }
          logs: { exporters: [\(exporter)] }

      """
  }
}
