import Model

/// Short cuts for OTLP JSON as the collector writes it: without white space and in a fixed order.
///
/// Each reads what it expects to the last byte or consumes nothing, so that the general way can take over.
extension OTLPJSONDecoder {
  private enum Word {
    /// `{"key":"`.
    static let key: UInt64 = 0x223A_2279_656B_227B
    /// `"value":`.
    static let value: UInt64 = 0x3A22_6575_6C61_7622
    /// `{"string`, the beginning of a text.
    static let string: UInt64 = 0x676E_6972_7473_227B
    /// `{"intVal`, the beginning of an integer.
    static let int: UInt64 = 0x6C61_5674_6E69_227B
    /// `Value":"`, the end of both.
    static let opening: UInt64 = 0x223A_2265_756C_6156
  }

  // MARK: - Attributes

  /// Reads `{"key":"…","value":{…}}`; nil, with nothing consumed, when it is written otherwise.
  @inline(__always)
  mutating func compactPair(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> (key: UnsafeRawBufferPointer, value: AttributeValue)? {
    let start = scanner.position
    guard start &+ 8 <= scanner.end, scanner.word(at: start) == Word.key else { return nil }
    scanner.position = start &+ 7
    let key = try scanner.string()
    let next = scanner.position
    guard !key.isEscaped, next &+ 9 <= scanner.end, scanner.base[next] == UInt8(ascii: ","),
      scanner.word(at: next &+ 1) == Word.value
    else {
      scanner.position = start
      return nil
    }
    scanner.position = next &+ 9
    if let value = try compactValue(&scanner) { return (scanner.bytes(of: key), value) }
    guard let value = try anyValue(&scanner), try scanner.take(UInt8(ascii: "}")) else {
      scanner.position = start
      return nil
    }
    return (scanner.bytes(of: key), value)
  }

  /// Reads a text or a short integer with the brackets that close it and its pair.
  @inline(__always)
  private mutating func compactValue(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    let start = scanner.position
    guard start &+ 16 <= scanner.end else { return nil }
    let first = scanner.word(at: start)
    if first == Word.string {
      guard scanner.word(at: start &+ 8) == Word.opening else { return nil }
      scanner.position = start &+ 15
      let text = try scanner.string()
      if closesPair(&scanner) { return .string(valueText.plain(text, of: scanner)) }
    } else if first == Word.int {
      guard scanner.word(at: start &+ 5) == Word.opening else { return nil }
      var index = start &+ 13
      let limit = min(index &+ 18, scanner.end)
      var number: Int64 = 0
      while index < limit, scanner.base[index] &- 0x30 < 10 {
        number = number &* 10 &+ Int64(scanner.base[index] &- 0x30)
        index &+= 1
      }
      if index > start &+ 13, index < scanner.end, scanner.base[index] == UInt8(ascii: "\"") {
        scanner.position = index &+ 1
        if closesPair(&scanner) { return .int(number) }
      }
    }
    scanner.position = start
    return nil
  }

  /// Consumes `}}`.
  @inline(__always)
  private func closesPair(_ scanner: inout JSONScanner) -> Bool {
    let next = scanner.position
    guard next &+ 2 <= scanner.end, scanner.base[next] == UInt8(ascii: "}"),
      scanner.base[next &+ 1] == UInt8(ascii: "}")
    else { return false }
    scanner.position = next &+ 2
    return true
  }
}
