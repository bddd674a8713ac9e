// Values that hold others in OTLP's JSON; `composite` hashes the same.
extension OTLPJSONDecoder {
  /// What the `AnyValue` that comes next is; of several members the last that can be one counts.
  mutating func content(_ scanner: inout JSONScanner) throws(JSONFault) -> CompositeContent {
    var content = CompositeContent.null
    guard try scanner.take(UInt8(ascii: "{")) else { return content }
    var first = true
    while let text = try scanner.nextKey(&first) {
      let key = OTLPKey(keyText.plain(text, of: scanner))
      let isObject = try scanner.peek() == UInt8(ascii: "{")
      let start = scanner.position
      switch key {
      case .arrayValue, .kvlistValue:
        try scanner.skipValue()
        guard isObject else { continue }
        let end = scanner.bytes(from: start, to: scanner.position)
        content =
          key == .arrayValue
          ? .array(CompositeSource(end, .jsonArray)) : .pairs(CompositeSource(end, .jsonPairs))
      case .bytesValue: content = try bytesContent(&scanner) ?? content
      case .stringValue, .boolValue, .intValue, .doubleValue:
        if let value = try scalar(key, &scanner) { content = CompositeContent(value) }
      default: try scanner.skipValue()
      }
    }
    return content
  }

  /// The bytes that come next as base64; nil when they are none.
  mutating func bytesContent(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> CompositeContent? {
    guard try scanner.peek() == UInt8(ascii: "\"") else {
      return try bytesValue(&scanner).map { CompositeContent($0) }
    }
    return Base64.decode(valueText.plain(try scanner.string(), of: scanner)).map { .bytes($0) }
  }

  /// The elements of the array value whose object comes next.
  mutating func elements(
    _ scanner: inout JSONScanner,
    into elements: inout CompositeElements
  ) throws(JSONFault) {
    var first = true
    while try nextList(&scanner, &first) {
      var isFirst = true
      while try scanner.nextElement(&isFirst) {
        elements.add(try skipped(&scanner, .jsonValue))
      }
    }
  }

  /// The pairs of the list whose object comes next; elements that are none do not count.
  mutating func pairs(
    _ scanner: inout JSONScanner,
    into pairs: inout CompositePairs
  ) throws(JSONFault) {
    var first = true
    while try nextList(&scanner, &first) {
      var isFirst = true
      while try scanner.nextElement(&isFirst) {
        guard try scanner.take(UInt8(ascii: "{")) else {
          try scanner.skipValue()
          continue
        }
        try addPair(&scanner, to: &pairs)
      }
    }
  }

  /// Goes behind the bracket of the next `values` of an object; `first` is true before its brace.
  private mutating func nextList(
    _ scanner: inout JSONScanner,
    _ first: inout Bool
  ) throws(JSONFault) -> Bool {
    if first { guard try scanner.take(UInt8(ascii: "{")) else { return false } }
    while let text = try scanner.nextKey(&first) {
      let isList = OTLPKey(keyText.plain(text, of: scanner)) == .values
      if isList, try scanner.take(UInt8(ascii: "[")) { return true }
      try scanner.skipValue()
    }
    return false
  }

  private mutating func addPair(
    _ scanner: inout JSONScanner,
    to pairs: inout CompositePairs
  ) throws(JSONFault) {
    var key = UnsafeRawBufferPointer(start: nil, count: 0)
    var value = CompositeSource(key, .jsonValue)
    var first = true
    while let text = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(text, of: scanner)) {
      case .key:
        if let text = try self.text(&scanner) { key = nameText.plain(text, of: scanner) }
      case .value: value = try skipped(&scanner, .jsonValue)
      default: try scanner.skipValue()
      }
    }
    pairs.add(key, value)
  }
}

// Values that hold others in opentelemetry-swift's own JSON; `value` hashes the same.
extension SwiftExportDecoder {
  /// What the `AttributeValue` that comes next is.
  mutating func content(_ scanner: inout JSONScanner) throws(JSONFault) -> CompositeContent {
    var inner = scanner
    var first = true
    guard try inner.take(UInt8(ascii: "{")), let text = try inner.nextKey(&first),
      let tag = Tag(keyText.plain(text, of: inner)), tag.isList
    else { return CompositeContent(try value(&scanner, depth: 0)) }
    first = true
    guard try inner.take(UInt8(ascii: "{")), let text = try inner.nextKey(&first),
      keyText.plain(text, of: inner).elementsEqual("_0".utf8)
    else { return .null }
    let source = try skipped(&inner, .swiftList(tag))
    return tag == .set ? .pairs(source) : .array(source)
  }

  /// The elements of the list that comes next, or of the one in its `values`.
  mutating func elements(
    _ scanner: inout JSONScanner,
    of tag: Tag,
    into elements: inout CompositeElements
  ) throws(JSONFault) {
    if try scanner.peek() == UInt8(ascii: "{") {
      var values: JSONScanner?
      try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
        if OTLPKey(decoder.keyText.plain(key, of: scanner)) == .values { values = scanner }
      }
      guard let values else { return }
      scanner = values
    }
    guard try scanner.take(UInt8(ascii: "[")) else { return }
    var first = true
    while try scanner.nextElement(&first) {
      elements.add(try skipped(&scanner, tag.element.map { .swiftElement($0) } ?? .swiftValue))
    }
  }

  /// The members of `labels` of the object that comes next.
  mutating func labels(
    _ scanner: inout JSONScanner,
    into pairs: inout CompositePairs
  ) throws(JSONFault) {
    guard try scanner.take(UInt8(ascii: "{")) else { return }
    var first = true
    while let text = try scanner.nextKey(&first) {
      guard keyText.plain(text, of: scanner).elementsEqual("labels".utf8),
        try scanner.take(UInt8(ascii: "{"))
      else {
        try scanner.skipValue()
        continue
      }
      var isFirst = true
      while let key = try scanner.nextKey(&isFirst) {
        let value = try skipped(&scanner, .swiftValue)
        pairs.add(nameText.plain(key, of: scanner), value)
      }
    }
  }
}

/// The value that comes next, for later.
private func skipped(
  _ scanner: inout JSONScanner,
  _ form: CompositeSource.Form
) throws(JSONFault) -> CompositeSource {
  _ = try scanner.peek()
  let start = scanner.position
  try scanner.skipValue()
  return CompositeSource(scanner.bytes(from: start, to: scanner.position), form)
}
