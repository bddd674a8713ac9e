/// Writes one JSON value into text; the caller keeps objects and arrays balanced.
///
/// Elements of an array that is a member of the outermost object go on lines of their own, so that a
/// report can be read and compared with line tools.
struct JSONWriter {
  private(set) var text = ""
  private var depth = 0
  private var needsComma = false

  mutating func object(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) {
    open(key, "{")
    body(&self)
    close("}")
  }

  mutating func array<Element>(
    _ key: String,
    _ elements: some Sequence<Element>,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    open(key, "[")
    for element in elements { body(&self, element) }
    close("]")
  }

  mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    begin(key)
    quote(value)
  }

  mutating func member(_ key: String, _ value: Int?) {
    guard let value else { return }
    begin(key)
    text += String(value)
  }

  mutating func member(_ key: String, _ value: Bool) {
    begin(key)
    text += value ? "true" : "false"
  }

  /// A value that is not finite is left out: JSON has no word for it.
  mutating func member(_ key: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    begin(key)
    if value == value.rounded(), abs(value) < 1e15 {
      text += String(Int(value))
    } else {
      text += "\(value)"
    }
  }

  private mutating func open(_ key: String?, _ bracket: String) {
    begin(key)
    if depth == 2, key == nil { text += "\n" }
    text += bracket
    depth += 1
    needsComma = false
  }

  private mutating func close(_ bracket: String) {
    depth -= 1
    text += bracket
    needsComma = true
  }

  private mutating func begin(_ key: String?) {
    if needsComma { text += "," }
    needsComma = true
    guard let key else { return }
    if depth == 1 { text += "\n" }
    quote(key)
    text += ":"
  }

  private mutating func quote(_ value: String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // The report may be printed on a terminal: nothing in it may act as a control sequence.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
