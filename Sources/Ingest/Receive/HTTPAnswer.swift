import Model

/// The encoding of a request's body, in which it is answered.
enum HTTPContent {
  case json, protobuf, text

  /// Nil for a media type that is not OTLP's; parameters do not matter.
  init?(type: String) {
    let name = type.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
    switch String(name).lowercased().filter({ $0 != " " && $0 != "\t" }) {
    case "application/json": self = .json
    case "application/x-protobuf", "application/protobuf": self = .protobuf
    default: return nil
    }
  }

  var type: String {
    switch self {
    case .json: "application/json"
    case .protobuf: "application/x-protobuf"
    case .text: "text/plain; charset=utf-8"
    }
  }
}

/// What a request is answered.
struct HTTPAnswer: Equatable {
  var status: UInt32
  var content: HTTPContent
  var body: [UInt8]
  var headers: [(name: String, value: String)] = []

  static func == (left: HTTPAnswer, right: HTTPAnswer) -> Bool {
    left.status == right.status && left.body == right.body && left.content == right.content
      && left.headers.elementsEqual(right.headers) { $0 == $1 }
  }

  /// Everything was taken, or all but some records.
  static func taken(
    _ content: HTTPContent,
    _ signal: ReceivedSignal,
    rejected: Int,
    problem: String?
  ) -> HTTPAnswer {
    guard let problem else {
      return HTTPAnswer(status: 200, content: content, body: content == .json ? [0x7B, 0x7D] : [])
    }
    guard content == .json else {
      var partial = ProtobufMessage()
      partial.add(1, UInt64(rejected))
      partial.add(2, Array(problem.utf8))
      var response = ProtobufMessage()
      response.add(1, partial.bytes)
      return HTTPAnswer(status: 200, content: content, body: response.bytes)
    }
    // 64-bit numbers are strings in protobuf's JSON; zero is left out.
    let count = rejected == 0 ? "" : "\"\(signal.rejectedMember)\":\"\(rejected)\","
    let text = "{\"partialSuccess\":{\(count)\"errorMessage\":\(JSONQuote.quoted(problem))}}"
    return HTTPAnswer(status: 200, content: content, body: Array(text.utf8))
  }

  /// A `google.rpc.Status` in the request's encoding; `code` is one of gRPC's.
  static func failure(
    _ status: UInt32,
    _ code: GRPCCode,
    _ message: String,
    _ content: HTTPContent = .text
  ) -> HTTPAnswer {
    let body: [UInt8]
    switch content {
    case .text: body = Array((message + "\n").utf8)
    case .json:
      body = Array("{\"code\":\(code.rawValue),\"message\":\(JSONQuote.quoted(message))}".utf8)
    case .protobuf:
      var status = ProtobufMessage()
      status.add(1, UInt64(code.rawValue))
      status.add(2, Array(message.utf8))
      body = status.bytes
    }
    return HTTPAnswer(status: status, content: content, body: body)
  }

  /// The sender has to try again in a second.
  static func busy(_ content: HTTPContent) -> HTTPAnswer {
    var answer = failure(503, .unavailable, "busy; try again in a second", content)
    answer.headers = [("Retry-After", "1")]
    return answer
  }
}

/// Codes of `google.rpc.Code`.
enum GRPCCode: UInt8 {
  case ok = 0
  case invalidArgument = 3
  case permissionDenied = 7
  case resourceExhausted = 8
  case unimplemented = 12
  case internalError = 13
  case unavailable = 14
  case unauthenticated = 16
}

/// A protobuf message that is written.
struct ProtobufMessage {
  private(set) var bytes: [UInt8] = []

  /// A varint field; zero, the default, is left out.
  mutating func add(_ field: UInt8, _ value: UInt64) {
    guard value != 0 else { return }
    bytes.append(field << 3)
    append(varint: value)
  }

  /// A field with a length; nothing where it is empty.
  mutating func add(_ field: UInt8, _ value: [UInt8]) {
    guard !value.isEmpty else { return }
    bytes.append(field << 3 | 2)
    append(varint: UInt64(value.count))
    bytes += value
  }

  private mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
