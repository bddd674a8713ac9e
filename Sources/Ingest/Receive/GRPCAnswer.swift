/// What a gRPC call is answered.
struct GRPCAnswer: Equatable {
  /// The status of HTTP; another one than 200 is for what is no gRPC call.
  var status = 200
  var code: GRPCCode
  var message = ""
  /// The response; nil where there is none, so that the head is the whole answer.
  var response: [UInt8]?
  /// The sender has to try again in a second.
  var retries = false

  /// Everything was taken, or all but some records.
  static func taken(_ signal: ReceivedSignal, rejected: Int, problem: String?) -> GRPCAnswer {
    let body = HTTPAnswer.taken(.protobuf, signal, rejected: rejected, problem: problem).body
    return GRPCAnswer(code: .ok, response: body)
  }

  static func failure(_ code: GRPCCode, _ message: String) -> GRPCAnswer {
    GRPCAnswer(code: code, message: message)
  }

  static var busy: GRPCAnswer {
    GRPCAnswer(code: .unavailable, message: "busy; try again in a second", retries: true)
  }

  /// Names and values in turn, of the head; of the whole answer where there is no response.
  var headers: [String] {
    guard status == 200 else {
      return [":status", String(status), "content-type", "text/plain; charset=utf-8"]
    }
    let head = [
      ":status", "200", "content-type", "application/grpc",
      "grpc-accept-encoding", "identity,gzip,deflate,zstd",
    ]
    return response == nil ? head + trailers : head
  }

  /// Names and values in turn, after the response.
  var trailers: [String] {
    var trailers = ["grpc-status", String(code.rawValue)]
    if !message.isEmpty { trailers += ["grpc-message", Self.percentEncoded(message)] }
    guard retries else { return trailers }
    // Clients in Go and Java read the one, those in Python the other.
    let delay = Self.retryDelay
    var detail = ProtobufMessage()
    detail.add(1, Array("type.googleapis.com/google.rpc.RetryInfo".utf8))
    detail.add(2, delay)
    var status = ProtobufMessage()
    status.add(1, UInt64(code.rawValue))
    status.add(2, Array(message.utf8))
    status.add(3, detail.bytes)
    trailers += ["grpc-status-details-bin", Self.base64(status.bytes)]
    trailers += ["google.rpc.retryinfo-bin", Self.base64(delay)]
    return trailers
  }

  /// The response in its frame, or the text for what is no gRPC call.
  var body: [UInt8] {
    guard status == 200 else { return Array((message + "\n").utf8) }
    guard let response else { return [] }
    return [0] + withUnsafeBytes(of: UInt32(response.count).bigEndian, Array.init) + response
  }

  /// A `google.rpc.RetryInfo` of one second.
  private static var retryDelay: [UInt8] {
    var duration = ProtobufMessage()
    duration.add(1, 1)
    var info = ProtobufMessage()
    info.add(1, duration.bytes)
    return info.bytes
  }

  /// Without padding, as metadata has it.
  private static func base64(_ bytes: [UInt8]) -> String {
    let text = bytes.withUnsafeBytes { DetailsText.base64($0) }
    return String(text.prefix { $0 != "=" })
  }

  /// Printable ASCII but for the percent sign stays as it is.
  static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
