import CPlatform
import Foundation
#if canImport(Glibc)
import Glibc
#endif
import Model

@testable import Ingest

/// A receiver on a port of its own, whose events are taken as they come.
final class ReceiverProbe {
  let port: UInt16
  let address: ListenAddress
  private let mailbox: Mailbox
  private let thread: IngestThread
  private var events: [TelemetryEvent] = []

  /// `change` alters what is asked of senders.
  init(
    _ address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
    mailbox: Mailbox = Mailbox(),
    spool: SpoolSettings? = nil,
    recording: Recording? = nil,
    ending: LiveLimits? = nil,
    _ change: (inout ReceiverSettings) -> Void = { _ in }
  ) throws {
    var settings = ReceiverSettings()
    change(&settings)
    let listening = try Listening([address], settings: settings)
    self.address = listening.sockets[0].address
    if case .tcp(_, let port) = self.address { self.port = port } else { port = 0 }
    var options = IngestOptions { .wallClock }
    options.spool = spool
    options.recording = recording
    options.ending = ending
    self.mailbox = mailbox
    thread = IngestThread(requests: [.listen(listening)], options: options, mailbox: mailbox)
    thread.start()
  }

  deinit {
    mailbox.cancel()
    thread.stop()
    thread.join()
  }

  /// Everything that was observed so far: what was acknowledged is in it.
  func observed() -> [TelemetryEvent] {
    events += mailbox.take().flatMap(\.events)
    return events
  }

  var spanNames: Int {
    observed().count { if case .span = $0 { true } else { false } }
  }

  var problems: [String] {
    observed().compactMap { if case .problem(let problem) = $0 { problem.text } else { nil } }
  }

  /// Waits until the run has ended by itself.
  func waitForEnd() {
    thread.join()
  }

  /// Waits until everything before has been told, which an answer to a further request says.
  func settle() throws {
    let client = try client()
    client.post(Array("{}".utf8))
    guard client.answer()?.status == 200 else { throw RawClient.Failure() }
  }

  func client() throws -> RawClient { try RawClient(port: port) }
}

/// A client that sends bytes as they are.
final class RawClient {
  struct Answer: Equatable {
    var status: Int
    var head: String
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Failure: Error {}

  private let socket: Int32
  private var received: [UInt8] = []

  convenience init(port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try self.init(AF_INET, address)
  }

  convenience init(path: String) throws {
    try self.init(AF_UNIX, Self.address(path))
  }

  private init<Address>(_ family: Int32, _ address: Address) throws {
    socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
    let error = Self.with(address) { connect(socket, $0, $1) }
    guard error == 0 else { throw Failure() }
    wait(seconds: 20)
  }

  /// Leaves the file of a socket that nobody listens at, as a receiver that was killed does.
  static func leaveFile(_ path: String) {
    let stale = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    _ = with(address(path)) { bind(stale, $0, $1) }
    close(stale)
  }

  private static func address(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  private static func with<Address, Result>(
    _ address: Address,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  deinit { close(socket) }

  /// A test that fails must not wait for ever.
  private func wait(seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { RawSocket.send(bytes, to: socket) }

  /// A whole request.
  func post(
    _ body: [UInt8],
    path: String = "/v1/traces",
    type: String = "application/json",
    headers: String = ""
  ) {
    send(
      Array(
        """
        POST \(path) HTTP/1.1\r
        Host: localhost\r
        Content-Type: \(type)\r
        Content-Length: \(body.count)\r
        \(headers)\r

        """.utf8
      ) + body
    )
  }

  /// The bytes that come next; nil when the connection ends, or nothing comes.
  func receive() -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &piece, piece.count, 0)
    return count > 0 ? Array(piece.prefix(count)) : nil
  }

  private func receiveMore() -> Bool {
    guard let piece = receive() else { return false }
    received += piece
    return true
  }

  /// The next answer; nil when the connection ends, or nothing comes.
  func answer() -> Answer? {
    while true {
      if let answer = takeAnswer() { return answer }
      guard receiveMore() else { return nil }
    }
  }

  private func takeAnswer() -> Answer? {
    let text = String(decoding: received, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let head = String(text[..<end.lowerBound])
    let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    let start = head.utf8.count + 4
    let length =
      head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    guard received.count >= start + length else { return nil }
    let body = Array(received[start..<start + length])
    received.removeFirst(start + length)
    return Answer(status: status, head: head, body: body)
  }

  /// True once the other side has ended the connection.
  func isEnded() -> Bool {
    while receiveMore() {}
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 0 || errno == ECONNRESET
  }

  /// Ends with a reset instead of a farewell.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutdown(socket, Int32(SHUT_RDWR))
  }
}

/// Requests of a single span each.
enum RequestBodies {
  /// `number` makes the ids.
  static func json(_ number: Int, start: String = "1800000000000000000") -> [UInt8] {
    let id = String(format: "%016x", number + 1)
    return Array(
      """
      {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0123456789abcdef\(id)","spanId":"\(id)",\
      "name":"work","startTimeUnixNano":"\(start)","endTimeUnixNano":"1800000000100000000"}]}]}]}
      """.utf8
    )
  }

  static func protobuf(_ number: Int) -> [UInt8] {
    let id = withUnsafeBytes(of: UInt64(number + 1).bigEndian, Array.init)
    let span =
      ProtobufBytes.bytes(1, id + id) + ProtobufBytes.bytes(2, id)
      + ProtobufBytes.text(5, "work") + ProtobufBytes.fixed64(7, 1_800_000_000_000_000_000)
      + ProtobufBytes.fixed64(8, 1_800_000_000_100_000_000)
    return ProtobufBytes.bytes(1, ProtobufBytes.bytes(2, ProtobufBytes.bytes(2, span)))
  }
}
