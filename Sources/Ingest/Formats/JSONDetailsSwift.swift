import Model

/// Shapes of opentelemetry-swift's own JSON, shown as what they stand for.
extension JSONDetailsDecoder {
  /// Whether the bytes are a record that opentelemetry-swift wrote without OTLP.
  static func isSwiftExport(_ scanner: JSONScanner) -> Bool {
    guard scanner.base[scanner.position] == UInt8(ascii: "{") else { return false }
    var decoder = SwiftExportDecoder(source: SourceID(0))
    do throws(JSONFault) { return try decoder.shape(scanner) != nil } catch { return false }
  }

  /// Reads `{"int":{"_0":5}}`, `{"description":"5"}`, `{"idHi":1,"idLo":2}` and their like as one value.
  ///
  /// False, with nothing consumed, for any other object.
  mutating func swiftExport(_ key: String, _ depth: Int) throws(JSONFault) -> Bool {
    var inner = scanner
    var isList = false
    switch try enter(&inner) {
    case "idHi", "idLo", "id": return try identifier(key, depth)
    case "description": break
    case "string", "bool", "int", "double":
      guard try enter(&inner) == "_0" else { return false }
    case "array", "set", "stringArray", "boolArray", "intArray", "doubleArray":
      guard try enter(&inner) == "_0" else { return false }
      isList = true
    default: return false
    }
    if isList, try inner.peek() == UInt8(ascii: "{") {
      let name = try enter(&inner)
      guard name == "values" || name == "labels" else { return false }
    }
    try scanner.skipValue()
    frames.append(.jump(scanner.position))
    scanner = inner
    if try scanner.take(UInt8(ascii: "{")) {
      add(key, "", depth)
      frames.append(.object(depth: depth + 1, isFirst: true))
    } else {
      try field(key, depth)
    }
    return true
  }

  /// The first key of the object that comes next, with the scanner behind it; nil without one.
  private func enter(_ scanner: inout JSONScanner) throws(JSONFault) -> String? {
    guard try scanner.take(UInt8(ascii: "{")) else { return nil }
    var isFirst = true
    guard let key = try scanner.nextKey(&isFirst), key.count <= 15 else { return nil }
    return String(decoding: text.plain(key, of: scanner), as: UTF8.self)
  }

  /// An id in the hexadecimal digits that everything else writes it in.
  private mutating func identifier(_ key: String, _ depth: Int) throws(JSONFault) -> Bool {
    var inner = scanner
    var high: UInt64?
    var low: UInt64?
    var isFirst = true
    inner.position += 1
    while let name = try inner.nextKey(&isFirst) {
      guard try inner.peek() &- 0x30 < 10 else { return false }
      let half = try inner.number().uint64
      if text.plain(name, of: inner).elementsEqual("idHi".utf8) { high = half } else { low = half }
    }
    guard let low else { return false }
    add(key, (high.map { DetailsText.hex($0) } ?? "") + DetailsText.hex(low), depth)
    scanner = inner
    return true
  }
}
