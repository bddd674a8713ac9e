import Model

/// Writes one JSON value as UTF-8; the caller keeps objects and arrays balanced.
///
/// Elements of an array that is a member of the outermost object go on lines of their own, so that a
/// report can be read and compared with line tools.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var depth = 0
  private var needsComma = false

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func object(_ key: StaticString? = nil, _ body: (inout JSONWriter) -> Void) {
    open(key, "{")
    body(&self)
    close("}")
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
    add(String(value))
  }

  /// An instant in UTC with nanoseconds.
  mutating func member(_ key: StaticString, time nanoseconds: Int64) {
    begin(key)
    let civil = CivilTime(Timestamp(nanoseconds: nanoseconds))
    bytes.append(UInt8(ascii: "\""))
    digits(civil.year, 4)
    digits(civil.month, 2, after: "-")
    digits(civil.day, 2, after: "-")
    digits(civil.hour, 2, after: "T")
    digits(civil.minute, 2, after: ":")
    digits(civil.second, 2, after: ":")
    digits(civil.nanosecond, 9, after: ".")
    bytes.append(UInt8(ascii: "Z"))
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func digits(_ value: Int, _ count: Int, after mark: Unicode.Scalar? = nil) {
    if let mark { bytes.append(UInt8(truncatingIfNeeded: mark.value)) }
    var divisor = 1
    for _ in 1..<count { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
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
      add(String(Int(value)))
    } else {
      add("\(value)")
    }
  }

  private mutating func open(_ key: StaticString?, _ bracket: Unicode.Scalar) {
    begin(key)
    if depth == 2, key == nil { add("\n") }
    bytes.append(UInt8(truncatingIfNeeded: bracket.value))
    depth += 1
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    depth -= 1
    bytes.append(UInt8(truncatingIfNeeded: bracket.value))
    needsComma = true
  }

  private mutating func begin(_ key: StaticString?) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    guard let key else { return }
    if depth == 1 { bytes.append(UInt8(ascii: "\n")) }
    // Keys are plain ASCII words of the schema.
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  private mutating func quote(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { utf8 in
      let isPlain = utf8.allSatisfy {
        $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
      if isPlain { bytes.append(contentsOf: utf8) } else { escape(utf8) }
    }
    bytes.append(UInt8(ascii: "\""))
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
      default: bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
      }
    }
  }
}
