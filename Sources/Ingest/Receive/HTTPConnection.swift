import CNetwork

/// A connection that speaks HTTP/1, and what it is doing.
final class HTTPConnection: OpenConnection {
  enum Phase {
    case idle
    /// The request line has come.
    case head
    case body
  }

  let socket: Int32
  /// Index of the address that it came to.
  let listener: Int
  /// Came to an address that only this machine reaches.
  let isLoopback: Bool
  /// On the monotonic clock: when the phase began, or a byte of the body came last.
  private(set) var since: Int64
  private(set) var phase = Phase.head
  /// Ended from here; the library has not noticed yet.
  private(set) var isEnded = false
  private var requestStart: Int64

  /// `acceptedAt` counts for the first request, of which something has come.
  init(socket: Int32, listener: Int, isLoopback: Bool, acceptedAt: Int64) {
    self.socket = socket
    self.listener = listener
    self.isLoopback = isLoopback
    since = acceptedAt
    requestStart = acceptedAt
  }

  func enter(_ phase: Phase, at now: Int64) {
    if phase == .head, self.phase == .idle { requestStart = now }
    self.phase = phase
    since = now
  }

  var idleSince: Int64? { phase == .idle ? since : nil }

  var requestSince: Int64? { phase == .idle ? nil : requestStart }

  func end() { end(saying: nil) }

  /// When patience ends.
  func deadline(_ settings: ReceiverSettings) -> Int64 {
    switch phase {
    case .idle: since + settings.idlePatience
    case .head: min(since + settings.headPatience, requestStart + settings.requestPatience)
    case .body: min(since + settings.bodyPatience, requestStart + settings.requestPatience)
    }
  }

  /// Ends the connection; the library closes the socket when it sees that.
  func end(saying answer: String?) {
    if let answer { Self.say(answer, to: socket) }
    isEnded = true
    cn_shut_down(socket)
  }

  /// An answer past the library, for what it gives no chance to answer.
  static func say(_ status: String, _ hint: String = "", to socket: Int32) {
    let body = hint.isEmpty ? "" : hint + "\n"
    let head =
      "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    let bytes = Array((head + body).utf8)
    _ = cn_send(socket, bytes, bytes.count)
  }
}

/// A request while it comes.
final class HTTPRequest {
  let signal: ReceivedSignal
  let content: HTTPContent
  let coding: ContentCoding
  var body: [UInt8] = []
  /// Bytes that count in the room for bodies.
  var held = 0

  init(signal: ReceivedSignal, content: HTTPContent, coding: ContentCoding) {
    self.signal = signal
    self.content = content
    self.coding = coding
  }
}

/// The head of a request, as far as it decides whether its body is wanted.
struct HTTPHead {
  var method: String
  var path: String
  var version: String
  /// The first header of a name, in lower case.
  var header: (String) -> String?
  /// How many headers have a name.
  var count: (String) -> Int
  var hasNUL = false
  /// Sent to an address that only this machine reaches.
  var isLoopback = false

  /// The request that begins with it, or why there is none.
  func request(_ settings: ReceiverSettings) -> Result<HTTPRequest, HTTPRefusal> {
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      return .failure(HTTPRefusal(505, .unimplemented, "\(version) is not spoken here"))
    }
    guard !hasNUL, count("content-length") <= 1, count("host") <= 1,
      count("content-length") == 0 || count("transfer-encoding") == 0
    else { return .failure(HTTPRefusal(400, .invalidArgument, "the head contradicts itself")) }
    guard let signal = ReceivedSignal(path: Self.path(of: path)) else {
      let text =
        "nothing is received at \(path.prefix(100)); there are /v1/traces, /v1/logs, /v1/metrics"
      return .failure(HTTPRefusal(404, .unimplemented, text))
    }
    guard method == "POST" else {
      var refusal = HTTPRefusal(405, .unimplemented, "\(method.prefix(20)) is not done; POST is")
      refusal.answer.headers = [("Allow", "POST")]
      return .failure(refusal)
    }
    if let refusal = trespass(settings) { return .failure(refusal) }
    guard let content = header("content-type").flatMap(HTTPContent.init(type:)) else {
      let text = "the content type has to be application/x-protobuf or application/json"
      return .failure(HTTPRefusal(415, .invalidArgument, text))
    }
    guard let coding = ContentCoding(header("content-encoding") ?? "") else {
      let text = "the content encoding has to be gzip, deflate, zstd or identity"
      return .failure(HTTPRefusal(415, .invalidArgument, text))
    }
    if let refusal = lengthRefusal(settings, content) { return .failure(refusal) }
    return .success(HTTPRequest(signal: signal, content: content, coding: coding))
  }

  /// The path of a target, which may name the whole address.
  private static func path(of target: String) -> String {
    guard target.lowercased().hasPrefix("http://") else { return target }
    return String(target.dropFirst(7).drop { $0 != "/" })
  }

  /// Who may not send at all: pages in a browser, under whatever name, and whoever lacks the token.
  private func trespass(_ settings: ReceiverSettings) -> HTTPRefusal? {
    if let origin = header("origin"), !Self.isLocal(origin: origin) {
      let text = "pages of \(origin.prefix(100)) may not send here"
      return HTTPRefusal(403, .permissionDenied, text)
    }
    guard let token = settings.token else { return rebinding() }
    let given = header("authorization") ?? ""
    let isKnown =
      given.lowercased().hasPrefix("bearer ") && Token.equal(String(given.dropFirst(7)), token)
    if isKnown { return nil }
    var refusal = HTTPRefusal(401, .unauthenticated, "a bearer token is needed")
    refusal.answer.headers = [("WWW-Authenticate", "Bearer")]
    return refusal
  }

  /// A page reaches a loopback address through a name of its own that leads there.
  private func rebinding() -> HTTPRefusal? {
    guard isLoopback, let host = header("host"), !ListenAddress.isUnclaimable(host) else {
      return nil
    }
    let text = "\(host.prefix(100)) is no name of this machine: send to localhost, or set a --token"
    return HTTPRefusal(403, .permissionDenied, text)
  }

  private static func isLocal(origin: String) -> Bool {
    let schemes = ["http://", "https://"]
    guard let scheme = schemes.first(where: origin.lowercased().hasPrefix) else { return false }
    let authority = origin.dropFirst(scheme.count)
    if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
    return ListenAddress.isLoopback(authority.prefix { $0 != ":" && $0 != "/" })
  }

  private func lengthRefusal(_ settings: ReceiverSettings, _ content: HTTPContent) -> HTTPRefusal? {
    if let expectation = header("expect"), expectation.lowercased() != "100-continue" {
      return HTTPRefusal(417, .invalidArgument, "that cannot be expected", content)
    }
    guard let length = header("content-length") else {
      if header("transfer-encoding") != nil { return nil }
      return HTTPRefusal(411, .invalidArgument, "the length of the body is missing", content)
    }
    guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return HTTPRefusal(400, .invalidArgument, "the content length is no number", content)
    }
    guard let bytes = Int(length), bytes <= settings.bodyLimit else {
      return .tooLarge(settings, content)
    }
    return nil
  }
}

/// Why a request is not taken.
struct HTTPRefusal: Error {
  var answer: HTTPAnswer
  /// For the list of problems.
  var text: String

  init(_ status: UInt32, _ code: GRPCCode, _ text: String, _ content: HTTPContent = .text) {
    answer = .failure(status, code, text, content)
    self.text = text
  }

  static func tooLarge(_ settings: ReceiverSettings, _ content: HTTPContent) -> HTTPRefusal {
    let text = "the body is larger than \(settings.bodyLimit) bytes (--max-body)"
    return HTTPRefusal(413, .resourceExhausted, text, content)
  }
}

/// Comparing secrets.
enum Token {
  /// Takes the same time wherever they differ.
  static func equal(_ given: String, _ token: String) -> Bool {
    let given = Array(given.utf8)
    let token = Array(token.utf8)
    var difference = UInt8(given.count == token.count ? 0 : 1)
    for index in token.indices {
      difference |= token[index] ^ (index < given.count ? given[index] : 0)
    }
    return difference == 0
  }
}
