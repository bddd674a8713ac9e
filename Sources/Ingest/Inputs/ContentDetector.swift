/// What bytes are, judged by their beginning and never by a file name.
enum Content: Equatable, Sendable {
  /// JSON or any other text, and binary data that nothing else claims: the JSON decoder counts it.
  case json
  /// OTLP protobuf, bare or with lengths in front: the protobuf decoder tells them apart.
  case protobuf
  case gzip
  case zstd
  /// zstd frames, each after its length in 4 bytes, big-endian: the collector's compressed files.
  case zstdFrames
  /// A format that is not read; the name is for people.
  case refused(String)
}

enum ContentDetector {
  /// More bytes than this are never needed for a verdict.
  static let headSize = 4_096

  /// The content that begins with `head`, or nil when more bytes are needed to tell.
  ///
  /// Never nil when `isComplete` says that nothing follows `head`.
  static func detect(_ head: [UInt8], isComplete: Bool) -> Content? {
    let canWait = !isComplete && head.count < headSize
    if canWait, head.count < 4 { return nil }
    switch signature(of: head) {
    case .known(let content): return content
    case .tooShort where canWait: return nil
    case .tooShort, .unknown: break
    }
    if let content = zstdFrames(head) { return content }
    if let content = utf16(head) { return .refused(content) }
    return protobuf(head, canWait: canWait, isComplete: isComplete)
  }

  /// Tells protobuf from text: a bare request begins with a line end, a length may be any character.
  private static func protobuf(_ head: [UInt8], canWait: Bool, isComplete: Bool) -> Content? {
    guard head.count >= 2 else { return canWait ? nil : .json }
    let mayBe = head[0] == 0x0A || head[1] == 0x0A || head[0] < 0x08
    guard mayBe else {
      return canWait && head.allSatisfy(isBlank) ? nil : .json
    }
    if canWait, head.count < 16 { return nil }
    if head[0] == 0x0A, isRequest(head[...], isCut: true) {
      // Pretty JSON after a blank line has the same lengths, but no control characters.
      guard isText(head.prefix(64)) else { return .protobuf }
      return canWait && head.count < 64 ? nil : .json
    }
    if head[0] < 0x08, startsWithFrames(head, isComplete: isComplete) { return .protobuf }
    if isVarintDelimited(head) { return .protobuf }
    return canWait && head.allSatisfy(isBlank) ? nil : .json
  }

  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0 || byte == 0x1E
  }

  // MARK: - Signatures

  private enum Verdict {
    case known(Content)
    case tooShort
    case unknown
  }

  /// First bytes of formats, from their specifications.
  private static let signatures: [([UInt8], Content)] = [
    ([0x1F, 0x8B], .gzip),
    ([0x28, 0xB5, 0x2F, 0xFD], .zstd),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .refused("xz")),
    ([0x50, 0x4B, 0x03, 0x04], .refused("zip")),
    ([0x50, 0x4B, 0x05, 0x06], .refused("zip")),
    ([0x42, 0x5A, 0x68], .refused("bzip2")),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .refused("7-Zip")),
    ([0x04, 0x22, 0x4D, 0x18], .refused("LZ4")),
    (Array("PAR1".utf8), .refused("Parquet")),
    (Array("SQLite format 3\0".utf8), .refused("SQLite")),
    (Array("bplist00".utf8), .refused("binary property list")),
    (Array("%PDF-".utf8), .refused("PDF")),
    (Array("GIF8".utf8), .refused("GIF")),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .refused("PNG")),
    ([0xFF, 0xD8, 0xFF], .refused("JPEG")),
    (SpoolFrame.magic, .refused("a segment of a spool outside of a file")),
    ([0x7F, 0x45, 0x4C, 0x46], .refused("ELF program")),
    ([0xCF, 0xFA, 0xED, 0xFE], .refused("Mach-O program")),
    ([0xCA, 0xFE, 0xBA, 0xBE], .refused("Mach-O program")),
    ([0x4F, 0x62, 0x6A, 0x01], .refused("Avro")),
  ]

  private static func signature(of head: [UInt8]) -> Verdict {
    var isPrefix = false
    for (magic, content) in signatures {
      if head.starts(with: magic) { return .known(content) }
      if magic.starts(with: head) { isPrefix = true }
    }
    return isPrefix ? .tooShort : .unknown
  }

  // MARK: - Frames

  private static func length(_ head: [UInt8], at offset: Int) -> Int? {
    guard offset + 4 <= head.count else { return nil }
    return head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func zstdFrames(_ head: [UInt8]) -> Content? {
    guard let length = length(head, at: 0), length >= 9 else { return nil }
    return head[4...].starts(with: [0x28, 0xB5, 0x2F, 0xFD]) ? .zstdFrames : nil
  }

  /// Whether length-prefixed requests begin here; zero lengths in front do not count against it.
  private static func startsWithFrames(_ head: [UInt8], isComplete: Bool) -> Bool {
    var offset = 0
    while let length = length(head, at: offset) {
      offset += 4
      guard length > 0 else { continue }
      let end = offset + length
      let body = head[min(offset, head.count)..<min(end, head.count)]
      if isRequest(body, isCut: end > head.count) { return true }
      // A JSON text after three NULs looks like a length of 91 or 123.
      let isBrace = length == 0x5B || length == 0x7B
      guard head[0] == 0 else { return false }
      if !isBrace, body.first == 0x0A { return true }
      return isComplete && end == head.count
    }
    return false
  }

  /// Whether bytes are a request: field 1, whose own first field is 1, 2 or 3 and fits into it.
  private static func isRequest(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> Bool {
    guard let (length, start) = lengthDelimited(bytes, tags: [0x0A]) else { return false }
    guard isCut || start + length <= bytes.endIndex else { return false }
    guard length > 0 else { return false }
    let inner = bytes[start..<min(start + length, bytes.endIndex)]
    guard let (innerLength, innerStart) = lengthDelimited(inner, tags: [0x0A, 0x12, 0x1A]) else {
      return false
    }
    return innerStart + innerLength <= start + length
  }

  private static func isVarintDelimited(_ head: [UInt8]) -> Bool {
    guard let (length, start) = varint(head[...]), length >= 4, start < head.count else {
      return false
    }
    let body = head[start..<min(start + length, head.count)]
    guard isRequest(body, isCut: start + length > head.count) else { return false }
    // One request with one resource fills its message exactly; text never does.
    guard let (inner, innerStart) = lengthDelimited(body, tags: [0x0A]) else { return false }
    return innerStart + inner == start + length
  }

  /// The length after one of the tags, and where its content starts.
  private static func lengthDelimited(
    _ bytes: ArraySlice<UInt8>,
    tags: [UInt8]
  ) -> (length: Int, start: Int)? {
    guard let tag = bytes.first, tags.contains(tag),
      let (length, start) = varint(bytes.dropFirst())
    else { return nil }
    return (length, start)
  }

  private static func varint(_ bytes: ArraySlice<UInt8>) -> (value: Int, end: Int)? {
    var value = 0
    for (position, byte) in bytes.prefix(5).enumerated() {
      value |= Int(byte & 0x7F) << (7 * position)
      if byte < 0x80 { return (value, bytes.startIndex + position + 1) }
    }
    return nil
  }

  // MARK: - UTF-16

  private static func utf16(_ head: [UInt8]) -> String? {
    guard head.count >= 4 else { return nil }
    let braces: [UInt8] = [0x7B, 0x5B]
    switch (head[0], head[1], head[2], head[3]) {
    case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF): return "UTF-32 text"
    case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _): return "UTF-16 text"
    case (let first, 0, let second, 0) where braces.contains(first) && second != 0:
      return "UTF-16 text"
    case (0, let first, 0, let second) where braces.contains(first) && second != 0:
      return "UTF-16 text"
    default: return nil
    }
  }
}
