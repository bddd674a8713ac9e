#if canImport(Glibc)
import Glibc
#endif

/// Sockets of tests that speak for themselves.
enum RawSocket {
  /// Sends everything, or as much as the other side takes before it leaves.
  static func send(_ bytes: [UInt8], to socket: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }
}
