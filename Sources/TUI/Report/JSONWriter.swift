import Model

/// Writes one JSON value as UTF-8; the caller keeps objects and arrays balanced.
///
/// What is written goes to `sink` in pieces, so that a report of any size takes little memory.
///
/// Elements of an array that is a member of the outermost object go on lines of their own, so that a
/// report can be read and compared with line tools.
struct JSONWriter: ~Copyable {
  /// Enough for few calls of the sink, little enough to stay in the cache.
  private static let pieceSize = 1 << 16

  private var buffer = ByteBuffer(capacity: 2 * JSONWriter.pieceSize)
  private let sink: (UnsafeBufferPointer<UInt8>) -> Void
  private var depth: Int
  private var needsComma: Bool

  /// `depth` and `needsComma` continue what another writer began.
  init(
    depth: Int = 0,
    needsComma: Bool = false,
    sink: @escaping (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    self.depth = depth
    self.needsComma = needsComma
    self.sink = sink
  }

  /// Passes on the rest.
  mutating func finish() {
    buffer.drain(sink)
  }

  mutating func object(_ key: StaticString? = nil, _ body: (inout JSONWriter) -> Void) {
    open(key, "{")
    body(&self)
    close("}")
  }

  /// An element of an array or the outermost value; `object` in two halves.
  mutating func beginObject() { open(nil, "{") }

  mutating func endObject() { close("}") }

  mutating func beginArray(_ key: StaticString) { open(key, "[") }

  mutating func endArray() { close("]") }

  mutating func array(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
    open(key, "[")
    body(&self)
    close("]")
  }

  mutating func array<Element>(
    _ key: StaticString,
    _ elements: some Sequence<Element>,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    open(key, "[")
    for element in elements { body(&self, element) }
    close("]")
  }

  mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    begin(key)
    quote(value)
  }

  mutating func member(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    begin(key)
    add(value)
  }

  /// A member whose name comes from the user.
  mutating func member(name: String, _ value: Int) {
    begin(nil)
    quote(name)
    buffer.append(UInt8(ascii: ":"))
    add(value)
  }

  /// An instant in UTC with nanoseconds.
  mutating func member(_ key: StaticString, time nanoseconds: Int64) {
    begin(key)
    let civil = CivilTime(Timestamp(nanoseconds: nanoseconds))
    buffer.append(UInt8(ascii: "\""))
    buffer.append(digits: civil.year, width: 4)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(digits: civil.month, width: 2)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(digits: civil.day, width: 2)
    buffer.append(UInt8(ascii: "T"))
    buffer.append(digits: civil.hour, width: 2)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(digits: civil.minute, width: 2)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(digits: civil.second, width: 2)
    buffer.append(UInt8(ascii: "."))
    buffer.append(digits: civil.nanosecond, width: 9)
    buffer.append(UInt8(ascii: "Z"))
    buffer.append(UInt8(ascii: "\""))
  }

  /// 16 hex digits as a string.
  mutating func member(_ key: StaticString, hex value: UInt64) {
    begin(key)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(hex: value)
    buffer.append(UInt8(ascii: "\""))
  }

  mutating func member(_ key: StaticString, _ value: Bool) {
    begin(key)
    add(value ? "true" : "false")
  }

  /// A value that is not finite is left out: JSON has no word for it.
  mutating func member(_ key: StaticString, _ value: Double?) {
    guard let value, value.isFinite else { return }
    begin(key)
    if value == value.rounded(), abs(value) < 1e15 {
      add(Int(value))
    } else {
      add(value.description)
    }
  }

  private mutating func open(_ key: StaticString?, _ bracket: Unicode.Scalar) {
    begin(key)
    if depth == 2, key == nil { add("\n") }
    buffer.append(UInt8(truncatingIfNeeded: bracket.value))
    depth += 1
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    depth -= 1
    buffer.append(UInt8(truncatingIfNeeded: bracket.value))
    needsComma = true
    if buffer.count > Self.pieceSize { buffer.drain(sink) }
  }

  private mutating func begin(_ key: StaticString?) {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = true
    guard let key else { return }
    if depth == 1 { buffer.append(UInt8(ascii: "\n")) }
    // Keys are plain ASCII words of the schema.
    let bytes = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
    buffer.append(key: bytes)
  }

  private mutating func add(_ value: Int) {
    if value < 0 { buffer.append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    guard magnitude <= UInt(Int.max) else { return add(String(magnitude)) }
    var width = 1
    var limit = 10
    while width < 18, Int(magnitude) >= limit {
      width += 1
      limit *= 10
    }
    guard Int(magnitude) < limit else { return add(String(magnitude)) }
    buffer.append(digits: Int(magnitude), width: width)
  }

  private mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { buffer.append($0) }
  }

  private mutating func quote(_ value: String) {
    buffer.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { utf8 in
      if Self.isPlain(utf8) { buffer.append(utf8) } else { escape(utf8) }
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Whether nothing in it needs an escape: printable ASCII without quotes and backslashes.
  private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    let bytes = UnsafeRawBufferPointer(utf8)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var at = 0
    // Eight at a time; a borrow can only report one byte too many, which the escape then copies.
    while at + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let control = word &- ones &* 0x20
      let delete = word &+ ones
      let quote = (word ^ ones &* 0x22) &- ones
      let backslash = (word ^ ones &* 0x5C) &- ones
      if (word | control | delete | quote | backslash) & high != 0 { return false }
      at += 8
    }
    return bytes[at...].allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
  }

  private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"": add("\\\"")
      case "\\": add("\\\\")
      case "\n": add("\\n")
      case "\r": add("\\r")
      case "\t": add("\\t")
      // The report may be printed on a terminal: nothing in it may act as a control sequence.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        add("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
      default: add(String(scalar))
      }
    }
  }
}
