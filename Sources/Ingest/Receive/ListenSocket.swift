import CNetwork
import CPlatform

/// Why nobody can be listened to at an address, and what helps.
package struct ListenFailure: Error, Equatable, Sendable {
  package var text: String
}

/// A socket that takes connections, closed when nobody needs it any more.
package final class ListenSocket: Sendable {
  /// With the port that the system chose where none was given.
  package let address: ListenAddress
  let descriptor: Int32
  /// The file to remove at the end; nil when it was.
  private let path: Guarded<String?>

  /// Listens at an address; a socket's file that nobody listens at any more is replaced.
  package init(_ address: ListenAddress) throws(ListenFailure) {
    switch address {
    case .tcp(let host, let port):
      descriptor = cn_listen_tcp(host, port)
      guard descriptor >= 0 else { throw Self.failure(descriptor, address, host: host, port: port) }
      self.address = .tcp(host: host, port: cn_local_port(descriptor))
      path = Guarded(nil)
    case .unix(let path):
      var status = cp_file_status()
      if cp_status_of_link(path, &status) == 0 {
        guard status.kind == CP_FILE_PIPE else {
          throw ListenFailure(
            text: "\(address.text): there is a file of that name, which is no socket"
          )
        }
        guard cn_is_answered(path) == 0 else {
          throw ListenFailure(text: "\(address.text): somebody listens there already")
        }
        unlink(path)
      }
      descriptor = cn_listen_unix(path)
      guard descriptor >= 0 else {
        throw ListenFailure(text: "\(address.text): \(SystemError(-descriptor).text)")
      }
      self.address = address
      self.path = Guarded(path)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    withdraw()
  }

  /// Removes the socket's file: a program that ends takes nothing apart.
  func withdraw() {
    path.withLock { path in
      if let path { unlink(path) }
      path = nil
    }
  }

  private static func failure(
    _ error: Int32,
    _ address: ListenAddress,
    host: String,
    port: UInt16
  ) -> ListenFailure {
    let reason =
      switch error {
      case CN_UNKNOWN_HOST: "no address of '\(host)' is known"
      case -EADDRINUSE:
        "port \(port) is taken, perhaps by a collector; try --listen :\(other(than: port))"
      case -EADDRNOTAVAIL: "this machine has no such address"
      case -EACCES: "ports below 1024 need more rights; try --listen :\(other(than: port))"
      default: SystemError(-error).text
      }
    return ListenFailure(text: "\(address.text): \(reason)")
  }

  private static func other(than port: UInt16) -> UInt16 {
    port == 4317 || port == 4318 ? port + 1_000 : 5318
  }
}
