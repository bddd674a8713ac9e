import CNetwork

/// The HTTP request that opens a WebSocket, and the answer to it (RFC 6455, section 4).
struct WebSocketHandshake {
  /// Bytes of an answer's head at most.
  static let headLimit = 16 << 10

  private let authority: String
  private let path: String
  /// `Sec-WebSocket-Key`.
  let key: String
  private var head: [UInt8] = []

  /// Base64 of 16 random bytes unless a key is given.
  init(authority: String, path: String, key: String? = nil) {
    self.authority = authority
    self.path = path
    self.key = key ?? Self.nonce()
  }

  private static func nonce() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return text(ofSize: CN_NONCE_SIZE) { cn_websocket_nonce(bytes, $0) }
  }

  /// What the server has to answer in `Sec-WebSocket-Accept`.
  static func accept(_ key: String) -> String {
    text(ofSize: CN_ACCEPT_SIZE) { cn_websocket_accept(key, key.utf8.count, $0) }
  }

  private static func text(ofSize size: Int, _ write: (UnsafeMutablePointer<CChar>) -> Void)
    -> String
  {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { characters in
      guard let base = characters.baseAddress else { return "" }
      write(base)
      return String(decoding: UnsafeRawBufferPointer(characters), as: UTF8.self)
    }
  }

  /// Servers that look at `Origin` refuse whoever sends none, so a page of this machine is named.
  var request: [UInt8] {
    Array(
      """
      GET \(path) HTTP/1.1\r
      Host: \(authority)\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Key: \(key)\r
      Sec-WebSocket-Version: 13\r
      Origin: http://localhost\r
      User-Agent: perftop\r
      \r

      """.utf8
    )
  }

  /// Takes what came; the first bytes behind the head once it is there, nil before.
  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(AttachEnd) -> [UInt8]? {
    let before = max(0, head.count - 3)
    head += bytes
    guard head.starts(with: "HTTP/".utf8.prefix(head.count)) else {
      throw AttachEnd(reason: "answers in another protocol than HTTP")
    }
    guard let end = Self.endOfHead(head, from: before) else {
      guard head.count <= Self.headLimit else {
        throw AttachEnd(reason: "its answer has a head without an end")
      }
      return nil
    }
    try check(HTTPAnswerHead(head[..<end]))
    return Array(head[(end + 4)...])
  }

  private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (start...max(start, bytes.count - 4)).first { place in
      place + 4 <= bytes.count && bytes[place..<place + 4].elementsEqual([13, 10, 13, 10])
    }
  }

  private func check(_ answer: HTTPAnswerHead) throws(AttachEnd) {
    guard answer.status == 101 else { throw Self.refusal(answer) }
    guard answer.has("upgrade", "websocket"), answer.has("connection", "upgrade") else {
      throw AttachEnd(reason: "answers 101, but not with a WebSocket")
    }
    guard answer["sec-websocket-accept"] == Self.accept(key) else {
      throw AttachEnd(reason: "its Sec-WebSocket-Accept is wrong: no WebSocket server")
    }
    guard answer["sec-websocket-extensions"] ?? "" == "",
      answer["sec-websocket-protocol"] ?? "" == ""
    else { throw AttachEnd(reason: "wants a WebSocket extension that was not asked for") }
  }

  /// A request that was wrong is wrong the next time, too; everything else may pass.
  private static func refusal(_ answer: HTTPAnswerHead) -> AttachEnd {
    let line = answer.reason.isEmpty ? "\(answer.status)" : "\(answer.status) \(answer.reason)"
    let advice: String? =
      switch answer.status {
      case 200..<300: "a web server, no WebSocket: is the port the tap's?"
      case 300..<400: answer["location"].map { "moved to \($0.prefix(200)): attach to that" }
      case 401, 407: "a login is asked for, which perftop does not send"
      case 403: "clients from here are not let in"
      case 404: "there is nothing at this path"
      case 426: "another version of WebSocket, or TLS, is asked for"
      default: nil
      }
    return AttachEnd(
      reason: advice.map { "\(line), \($0)" } ?? line,
      isFinal: (400..<500).contains(answer.status)
    )
  }
}

/// The head of an HTTP answer.
struct HTTPAnswerHead {
  /// 0 where there is none.
  let status: Int
  let reason: String
  /// In the order they came, names in lower case.
  private let fields: [(name: String, value: String)]

  init(_ bytes: ArraySlice<UInt8>) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
    status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    reason = words.count > 2 ? String(words[2].prefix(60)) : ""
    fields = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...]
      return (line[..<colon].lowercased(), Self.trimmed(value))
    }
  }

  /// The first field of a name.
  subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Whether one of the words of a field is this one, however it is written.
  func has(_ name: String, _ word: String) -> Bool {
    fields.contains { field in
      field.name == name
        && field.value.split(separator: ",").contains { Self.trimmed($0).lowercased() == word }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }
}
