/// Writes a value that holds others as compact JSON of the plain values, the same for every encoding.
///
/// Pairs come in the order of their keys' bytes, as some encodings have none of their own. Bytes are base64,
/// absent values `null`, numbers that JSON lacks texts as OTLP's JSON has them. What lies deeper than
/// `CanonicalHash.depthLimit` is `null`, as it counts.
struct CompositeText {
  private var text = ""
  private var count = 0
  private var reader = CompositeReader()

  private init() {}

  /// The text of the value; of one that is longer than names may be, its beginning and its hash.
  ///
  /// Bytes that are a value by themselves come without quotes, as texts do.
  static func text(of source: CompositeSource, hash: UInt64) -> String {
    var writer = CompositeText()
    if case .bytes(let bytes) = writer.reader.content(of: source) {
      writer.add(bytes.withUnsafeBytes { DetailsText.base64($0) })
    } else {
      writer.write(source, depth: 0)
    }
    guard writer.isFull else { return writer.text }
    let beginning = writer.text.unicodeScalars.prefix(SymbolTable.scalarLimit + 1)
    return String(beginning) + DetailsText.hex(hash)
  }

  private var isFull: Bool { count > SymbolTable.scalarLimit }

  private mutating func add(_ part: String) {
    text += part
    count += part.unicodeScalars.count
  }

  /// Goes as deep as the limit lets it.
  private mutating func write(_ source: CompositeSource, depth: Int) {
    switch reader.content(of: source) {
    case .null: add("null")
    case .bool(let flag): add(flag ? "true" : "false")
    case .int(let number): add(String(number))
    case .double(let number): add(Self.text(of: number))
    case .text(let text): add(JSONQuote.quoted(text))
    case .bytes(let bytes): add("\"" + bytes.withUnsafeBytes { DetailsText.base64($0) } + "\"")
    case .array(let list):
      guard depth < CanonicalHash.depthLimit else { return add("null") }
      var separator = "["
      for element in reader.elements(of: list) where !isFull {
        add(separator)
        write(element, depth: depth + 1)
        separator = ","
      }
      add(separator == "[" ? "[]" : "]")
    case .pairs(let list):
      guard depth < CanonicalHash.depthLimit else { return add("null") }
      var separator = "{"
      for pair in reader.pairs(of: list) where !isFull {
        add(separator)
        add(JSONQuote.quoted(pair.key))
        add(":")
        write(pair.value, depth: depth + 1)
        separator = ","
      }
      add(separator == "{" ? "{}" : "}")
    }
  }

  private static func text(of number: Double) -> String {
    if number.isNaN { return "\"NaN\"" }
    if number.isInfinite { return number < 0 ? "\"-Infinity\"" : "\"Infinity\"" }
    return String(number)
  }
}
