import CNetwork

/// What came over a WebSocket.
enum WebSocketEvent: Equatable {
  /// Text or bytes: what is in it says its own beginning.
  case message([UInt8])
  /// A frame that has to be sent back.
  case answer([UInt8])
  /// The server says goodbye, with a reason where it names one.
  case closed(String)
}

/// Joins the frames of a server to messages, and answers what has to be answered (RFC 6455, section 5).
struct WebSocketMessages: ~Copyable {
  struct Violation: Error, Equatable {
    var text: String
    /// The code of the close frame that says so.
    var code: UInt16
  }

  /// An opcode of a frame.
  private enum Opcode: UInt32 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  private let frames: OpaquePointer
  private let limit: Int
  private let mask: () -> UInt32
  private var message: [UInt8] = []
  private var isWithinMessage = false
  /// The payload of a control frame that may come between the frames of a message.
  private var control: [UInt8] = []
  /// Bytes of the current frame that are still to come.
  private var remaining: UInt64?

  /// Messages of more than `limit` bytes are a violation; nil without memory.
  init?(limit: Int, mask: @escaping () -> UInt32 = { .random(in: .min ... .max) }) {
    guard let frames = cn_frames_open() else { return nil }
    self.frames = frames
    self.limit = limit
    self.mask = mask
  }

  deinit { cn_frames_close(frames) }

  /// Something of a message has come, but not its end.
  var isCut: Bool { isWithinMessage }

  /// Nobody waits for the rest of the message any more.
  mutating func forget() {
    message = []
    isWithinMessage = false
  }

  /// Takes bytes, cut anywhere; nothing can be read behind a violation or a goodbye.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (WebSocketEvent) -> Void
  ) throws(Violation) {
    let bytes = bytes.bindMemory(to: UInt8.self)
    var place = 0
    while true {
      var frame = cn_frame()
      switch cn_frames_take(frames, bytes.baseAddress, bytes.count, &place, &frame) {
      case CN_FRAME_NEEDS_MORE: return
      case CN_FRAME_PART: try take(frame, body)
      default: throw Violation(text: "a frame of a length that no frame has", code: 1_002)
      }
    }
  }

  private mutating func take(
    _ frame: cn_frame,
    _ body: (WebSocketEvent) -> Void
  ) throws(Violation) {
    guard let opcode = Opcode(rawValue: frame.opcode) else {
      throw Violation(text: "a frame with the reserved opcode \(frame.opcode)", code: 1_002)
    }
    if remaining == nil { try begin(frame, opcode) }
    let left = (remaining ?? 0) - UInt64(frame.count)
    remaining = left
    let part = UnsafeBufferPointer(start: frame.bytes, count: frame.count)
    if opcode.isControl { control += part } else { message += part }
    guard left == 0 else { return }
    remaining = nil
    if opcode.isControl {
      finishControl(opcode, body)
    } else if frame.is_final != 0 {
      isWithinMessage = false
      let whole = message
      message = []
      if !whole.isEmpty { body(.message(whole)) }
    }
  }

  /// Looks at the head of a frame before anything is kept of it.
  private mutating func begin(_ frame: cn_frame, _ opcode: Opcode) throws(Violation) {
    guard frame.reserved == 0 else {
      throw Violation(text: "a frame with reserved bits, of an extension", code: 1_002)
    }
    guard frame.is_masked == 0 else {
      throw Violation(text: "a masked frame, which only clients send", code: 1_002)
    }
    remaining = frame.length
    if opcode.isControl {
      control = []
      return
    }
    guard isWithinMessage == (opcode == .continuation) else {
      let text = isWithinMessage ? "a message within another one" : "the end of no message"
      throw Violation(text: text, code: 1_002)
    }
    guard frame.length <= UInt64(limit - message.count) else {
      throw Violation(text: "a message of more than \(limit >> 20) MiB", code: 1_009)
    }
    isWithinMessage = true
  }

  private mutating func finishControl(_ opcode: Opcode, _ body: (WebSocketEvent) -> Void) {
    let payload = control
    control = []
    switch opcode {
    case .ping: body(.answer(frame(.pong, payload)))
    case .close:
      body(.answer(frame(.close, Array(payload.prefix(2)))))
      body(.closed(Self.goodbye(payload)))
    default: break
    }
  }

  /// A close frame with a code.
  func farewell(_ code: UInt16) -> [UInt8] {
    frame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])
  }

  private func frame(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: CN_CONTROL_FRAME_LIMIT) { result, count in
      guard let base = result.baseAddress else { return }
      count = cn_frames_control(opcode.rawValue, mask(), payload, payload.count, base)
    }
  }

  private static func goodbye(_ payload: [UInt8]) -> String {
    guard payload.count >= 2 else { return "closed by the server" }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    let words =
      payload.count > 2
      ? String(decoding: payload[2...], as: UTF8.self) : Self.meaning[code] ?? "code \(code)"
    return "closed by the server: \(words)"
  }

  private static let meaning = [
    1_000: "done", 1_001: "going away", 1_002: "protocol error", 1_008: "against its policy",
    1_009: "message too big", 1_011: "an error of its own", 1_012: "restarting",
    1_013: "try again later",
  ]
}
