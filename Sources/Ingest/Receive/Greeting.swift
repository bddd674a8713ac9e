/// What a connection speaks, by its first bytes.
enum Greeting: Equatable {
  case http
  /// HTTP/2 without encryption, which gRPC speaks.
  case http2
  case tls
  case other

  /// More bytes than this are never needed.
  private static let size = 24
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// Nil when more bytes are needed.
  init?(_ first: ArraySlice<UInt8>) {
    let isBegun = Self.preface.starts(with: first)
    if first.starts(with: Self.preface) {
      self = .http2
    } else if first.starts(with: [0x16, 0x03]) {
      self = .tls
    } else if let space = first.firstIndex(of: UInt8(ascii: " ")), space > first.startIndex,
      first[..<space].allSatisfy(Self.isToken), !isBegun
    {
      self = .http
    } else if first.allSatisfy(Self.isToken) || isBegun || first == [0x16] {
      // A method, the preface, or a hello may go on.
      guard first.count < Self.size else {
        self = .other
        return
      }
      return nil
    } else if first.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
      return nil
    } else if first.first == 0x0D || first.first == 0x0A {
      // Empty lines before a request are to be passed over.
      self = .http
    } else {
      self = .other
    }
  }

  /// Whether there is a NUL, where the library would see the end of a text, in the part of the head that is there.
  static func hasNULInHead(_ first: ArraySlice<UInt8>) -> Bool {
    guard let place = first.firstIndex(of: 0) else { return false }
    let head = first[..<place]
    return !zip(head.indices, head.indices.dropFirst(3)).contains { start, end in
      head[start...end].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A])
    }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
