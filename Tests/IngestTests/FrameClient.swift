import CHeaderCompression
import Foundation

/// An HTTP/2 client that writes its frames by hand.
final class FrameClient {
  enum Kind: UInt8 {
    case data = 0, headers, priority, reset, settings, push, ping, goaway, windowUpdate,
      continuation
  }

  struct Frame: Equatable {
    var kind: Kind
    var flags: UInt8 = 0
    var stream: Int32 = 0
    var payload: [UInt8] = []

    var bytes: [UInt8] {
      let length = UInt32(payload.count)
      return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        + [kind.rawValue, flags]
        + withUnsafeBytes(of: stream.bigEndian, Array.init) + payload
    }
  }

  /// What a call was answered, of which the last headers are the trailers.
  struct Answer: Equatable {
    var headers: [[String: String]] = []
    var body: [UInt8] = []
    /// The error of a RST_STREAM that came.
    var reset: UInt32?

    var status: String? { headers.first?[":status"] }
    var code: String? { headers.last?["grpc-status"] }
    var message: String? { headers.last?["grpc-message"] }
  }

  static let endStream: UInt8 = 1
  static let endHeaders: UInt8 = 4
  static let ack: UInt8 = 1
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  private let client: RawClient
  private var received: [UInt8] = []
  private var inflater: OpaquePointer?
  private var answers: [Int32: Answer] = [:]
  private var ended: Set<Int32> = []
  private(set) var frames: [Frame] = []

  /// Greets at once, with the settings of gRPC's C library, one of which nobody knows.
  init(_ client: RawClient, settings: [(UInt16, UInt32)] = [(2, 0), (4, 4_194_304), (0xFE03, 1)]) {
    self.client = client
    nghttp2_hd_inflate_new(&inflater)
    client.send(Self.preface + Frame(kind: .settings, payload: Self.settings(settings)).bytes)
  }

  deinit { nghttp2_hd_inflate_del(inflater) }

  static func settings(_ values: [(UInt16, UInt32)]) -> [UInt8] {
    values.flatMap { id, value in
      withUnsafeBytes(of: id.bigEndian, Array.init)
        + withUnsafeBytes(of: value.bigEndian, Array.init)
    }
  }

  func send(_ frames: Frame...) { client.send(frames.flatMap(\.bytes)) }
  func send(all frames: [Frame]) { client.send(frames.flatMap(\.bytes)) }

  /// Headers as literals without a table.
  static func block(_ headers: [(String, String)]) -> [UInt8] {
    func text(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8)
      guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
      var rest = bytes.count - 127
      var length: [UInt8] = [127]
      while rest >= 128 {
        length.append(UInt8(rest & 127) | 128)
        rest >>= 7
      }
      return length + [UInt8(rest)] + bytes
    }
    return headers.flatMap { [0] + text($0) + text($1) }
  }

  /// The headers of a call of the trace service.
  static func call(
    path: String = "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    type: String = "application/grpc",
    method: String = "POST",
    _ more: [(String, String)] = []
  ) -> [(String, String)] {
    [
      (":method", method), (":scheme", "http"), (":path", path), (":authority", "localhost"),
      ("te", "trailers"), ("content-type", type),
    ] + more
  }

  static func head(
    _ stream: Int32,
    _ headers: [(String, String)] = call(),
    ends: Bool = false
  ) -> Frame {
    Frame(
      kind: .headers,
      flags: endHeaders | (ends ? endStream : 0),
      stream: stream,
      payload: block(headers)
    )
  }

  /// A message in its frame of gRPC.
  static func message(_ bytes: [UInt8], isCompressed: Bool = false, claims: Int? = nil) -> [UInt8] {
    [isCompressed ? 1 : 0]
      + withUnsafeBytes(of: UInt32(claims ?? bytes.count).bigEndian, Array.init) + bytes
  }

  /// DATA frames of at most `size` bytes.
  static func data(_ stream: Int32, _ bytes: [UInt8], size: Int = 16_384, ends: Bool = true)
    -> [Frame]
  {
    let starts = Array(stride(from: 0, to: max(bytes.count, 1), by: size))
    return starts.map { start in
      let isLast = start == starts.last
      return Frame(
        kind: .data,
        flags: isLast && ends ? endStream : 0,
        stream: stream,
        payload: Array(bytes[start..<min(start + size, bytes.count)])
      )
    }
  }

  /// A whole call with one message.
  func post(
    _ stream: Int32,
    _ message: [UInt8],
    _ headers: [(String, String)] = call()
  ) {
    send(all: [Self.head(stream, headers)] + Self.data(stream, message))
  }

  /// What a call is answered; nil when the connection ends before, or nothing comes.
  func answer(_ stream: Int32) -> Answer? {
    while !ended.contains(stream) {
      guard takeFrame() != nil else { return nil }
    }
    return answers[stream]
  }

  /// Waits for a frame of a kind.
  func frame(_ kind: Kind, where matches: (Frame) -> Bool = { _ in true }) -> Frame? {
    while true {
      if let index = frames.firstIndex(where: { $0.kind == kind && matches($0) }) {
        return frames.remove(at: index)
      }
      guard takeFrame() != nil else { return nil }
    }
  }

  /// The error that the connection was ended with.
  func farewell() -> UInt32? {
    frame(.goaway).map { $0.payload[4..<8].reduce(0) { $0 << 8 | UInt32($1) } }
  }

  func isEnded() -> Bool {
    while takeFrame() != nil {}
    return client.isEnded()
  }

  /// The next frame, which is answered where it has to be; nil when the connection ends.
  private func takeFrame() -> Frame? {
    while received.count < 9 || received.count < 9 + length {
      guard let more = client.receive() else { return nil }
      received += more
    }
    let head = received.prefix(9)
    let payload = Array(received[9..<9 + length])
    received.removeFirst(9 + payload.count)
    guard let kind = Kind(rawValue: head[3]) else { return takeFrame() }
    let stream = Int32(head[5..<9].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF)
    let frame = Frame(kind: kind, flags: head[4], stream: stream, payload: payload)
    note(frame)
    frames.append(frame)
    return frame
  }

  private var length: Int { received.prefix(3).reduce(0) { $0 << 8 | Int($1) } }

  private func note(_ frame: Frame) {
    switch frame.kind {
    case .headers: answers[frame.stream, default: Answer()].headers.append(inflated(frame.payload))
    case .data: answers[frame.stream, default: Answer()].body += frame.payload
    case .reset:
      let error = frame.payload.reduce(0) { $0 << 8 | UInt32($1) }
      answers[frame.stream, default: Answer()].reset = error
      ended.insert(frame.stream)
    default: return
    }
    if frame.kind != .reset, frame.flags & Self.endStream != 0 { ended.insert(frame.stream) }
  }

  private func inflated(_ block: [UInt8]) -> [String: String] {
    var headers: [String: String] = [:]
    var rest = block
    while true {
      var pair = nghttp2_nv()
      var flags: Int32 = 0
      let used = nghttp2_hd_inflate_hd2(inflater, &pair, &flags, &rest, rest.count, 1)
      guard used >= 0 else { return headers }
      rest.removeFirst(used)
      if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
        let name = UnsafeBufferPointer(start: pair.name, count: pair.namelen)
        let value = UnsafeBufferPointer(start: pair.value, count: pair.valuelen)
        headers[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
      }
      if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
        nghttp2_hd_inflate_end_headers(inflater)
        return headers
      }
      if used == 0 && flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) == 0 { return headers }
    }
  }
}
