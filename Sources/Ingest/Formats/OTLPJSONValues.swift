import Model

/// One open container while a nested value is hashed.
struct OTLPJSONFrame {
  enum Kind {
    /// Inside the braces of a value.
    case value
    /// Inside the braces of an array value or a list of pairs.
    case list
    /// Inside the brackets of `values`.
    case elements
    /// Inside the braces of a pair.
    case pair
  }

  var kind: Kind
  var isPairs = false
  var isFirst = true
  var hash: UInt64 = CanonicalHash.value(.empty)
  var keyHash: UInt64 = ByteHash.hash(UnsafeRawBufferPointer(start: nil, count: 0))
  var sum: UInt64 = 0
  var array = CanonicalHash.List()
}

extension OTLPJSONDecoder {
  // MARK: - Attributes

  /// Reads a list of attributes for their owner; the sum of their hashes for a `part`, else 0.
  ///
  /// Anything but a list is dropped, as is an attribute that is no object or holds no such value.
  @inline(__always)
  mutating func attributes(
    of owner: Owner,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) -> UInt64 {
    guard try scanner.take(UInt8(ascii: "[")) else {
      if try scanner.peek() != UInt8(ascii: "n") { tally.droppedValues += 1 }
      try scanner.skipValue()
      return 0
    }
    var sum: UInt64 = 0
    var first = true
    while try scanner.nextElement(&first) {
      guard try scanner.peek() == UInt8(ascii: "{") else {
        if scanner.base[scanner.position] != UInt8(ascii: "n") { tally.droppedValues += 1 }
        try scanner.skipValue()
        continue
      }
      guard let (key, value) = try pair(&scanner) else {
        tally.droppedValues += 1
        continue
      }
      switch owner {
      case .span: assembler.spanAttribute(key: key, value: value)
      case .log: assembler.logAttribute(key: key, value: value)
      case .resource: assembler.resourceAttribute(key: key, value: value)
      case .part: sum &+= CanonicalHash.attribute(key: key, value: value)
      }
    }
    return sum
  }

  /// Reads the object of one attribute; nil when its value is none that OTLP knows.
  @inline(__always)
  private mutating func pair(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> (key: UnsafeRawBufferPointer, value: AttributeValue)? {
    if let pair = try compactPair(&scanner) { return pair }
    return try tolerantPair(&scanner)
  }

  @inline(never)
  private mutating func tolerantPair(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> (key: UnsafeRawBufferPointer, value: AttributeValue)? {
    var key: JSONText?
    var valuePosition: Int?
    var first = true
    scanner.position &+= 1
    while let text = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(text, of: scanner)) {
      case .key: key = try self.text(&scanner)
      case .value:
        valuePosition = scanner.position
        try scanner.skipValue()
      default: try scanner.skipValue()
      }
    }
    let name = key.map { nameText.plain($0, of: scanner) }
    let bytes = name ?? UnsafeRawBufferPointer(start: nil, count: 0)
    guard let valuePosition else { return (bytes, .empty) }
    var inner = scanner
    inner.position = valuePosition
    guard let value = try anyValue(&inner) else { return nil }
    return (bytes, value)
  }

  // MARK: - Values

  /// Reads one value; nil when it is none that OTLP knows.
  ///
  /// Of several members the last counts.
  @inline(__always)
  mutating func anyValue(_ scanner: inout JSONScanner) throws(JSONFault) -> AttributeValue? {
    guard try scanner.take(UInt8(ascii: "{")) else { return try bareValue(&scanner) }
    var value: AttributeValue? = .empty
    var first = true
    while let text = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(text, of: scanner)) {
      case .stringValue: value = try stringValue(&scanner)
      case .intValue: value = try intValue(&scanner)
      case .boolValue: value = try boolValue(&scanner)
      case .doubleValue: value = try doubleValue(&scanner)
      case .arrayValue: value = try composite(&scanner, isPairs: false)
      case .kvlistValue: value = try composite(&scanner, isPairs: true)
      case .bytesValue: value = try bytesValue(&scanner)
      case .value: value = try wrappedValue(&scanner)
      default: try scanner.skipValue()
      }
    }
    return value
  }

  /// A value without the object that names its kind.
  @inline(never)
  private mutating func bareValue(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    switch try scanner.peek() {
    case UInt8(ascii: "\""): return try stringValue(&scanner)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return try boolValue(&scanner)
    case UInt8(ascii: "-"), 0x30...0x39:
      let number = try scanner.number()
      return number.int64.map { .int($0) } ?? .double(number.double)
    case UInt8(ascii: "n"):
      try scanner.skipValue()
      return .empty
    default:
      try scanner.skipValue()
      return nil
    }
  }

  /// `{"StringValue":"x"}` inside of `Value`, as Go's encoding/json writes the generated structs.
  @inline(never)
  private mutating func wrappedValue(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    guard try scanner.take(UInt8(ascii: "{")) else { return try bareValue(&scanner) }
    var value: AttributeValue? = .empty
    var first = true
    while let text = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(text, of: scanner)) {
      case .stringValue: value = try stringValue(&scanner)
      case .intValue: value = try intValue(&scanner)
      case .boolValue: value = try boolValue(&scanner)
      case .doubleValue: value = try doubleValue(&scanner)
      default: try scanner.skipValue()
      }
    }
    return value
  }

  @inline(__always)
  mutating func stringValue(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    guard try scanner.peek() == UInt8(ascii: "\"") else { return try otherString(&scanner) }
    return .string(valueText.plain(try scanner.string(), of: scanner))
  }

  /// A number or truth value that stands where a string must: its own words.
  private mutating func otherString(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    let byte = scanner.base[scanner.position]
    let start = scanner.position
    try scanner.skipValue()
    switch byte {
    case UInt8(ascii: "n"): return .empty
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
    default: return .string(scanner.bytes(from: start, to: scanner.position))
    }
  }

  @inline(__always)
  mutating func intValue(_ scanner: inout JSONScanner) throws(JSONFault) -> AttributeValue? {
    if try scanner.peek() == UInt8(ascii: "\"") {
      let text = try scanner.string()
      if text.count <= 18, !text.isEscaped, let value = Digits.unsigned(scanner.bytes(of: text)) {
        return .int(Int64(value))
      }
      return JSONNumber.parse(keyText.plain(text, of: scanner))?.int64.map { .int($0) }
    }
    return try otherInt(&scanner)
  }

  private mutating func otherInt(_ scanner: inout JSONScanner) throws(JSONFault) -> AttributeValue?
  {
    switch try scanner.peek() {
    case UInt8(ascii: "-"), 0x30...0x39: return try scanner.number().int64.map { .int($0) }
    case UInt8(ascii: "n"):
      try scanner.skipValue()
      return .empty
    case UInt8(ascii: "{"):
      guard case .value(let bits) = try unsigned(&scanner) else { return nil }
      return .int(Int64(bitPattern: bits))
    default:
      try scanner.skipValue()
      return nil
    }
  }

  @inline(__always)
  mutating func boolValue(_ scanner: inout JSONScanner) throws(JSONFault) -> AttributeValue? {
    switch try scanner.peek() {
    case UInt8(ascii: "t"):
      try scanner.literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try scanner.literal("false")
      return .bool(false)
    default: return try otherBool(&scanner)
    }
  }

  private mutating func otherBool(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    let start = scanner.position
    let byte = try scanner.peek()
    try scanner.skipValue()
    switch byte {
    case UInt8(ascii: "n"): return .empty
    case UInt8(ascii: "0"): return .bool(false)
    case UInt8(ascii: "1"): return .bool(true)
    case UInt8(ascii: "\""):
      let text = scanner.bytes(from: start &+ 1, to: scanner.position &- 1)
      if text.elementsEqual("true".utf8) { return .bool(true) }
      return text.elementsEqual("false".utf8) ? .bool(false) : nil
    default: return nil
    }
  }

  mutating func doubleValue(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    switch try scanner.peek() {
    case UInt8(ascii: "-"), 0x30...0x39: return .double(try scanner.number().double)
    case UInt8(ascii: "\""):
      let text = keyText.plain(try scanner.string(), of: scanner)
      if text.elementsEqual("NaN".utf8) { return .double(.nan) }
      if text.elementsEqual("Infinity".utf8) { return .double(.infinity) }
      if text.elementsEqual("-Infinity".utf8) { return .double(-.infinity) }
      return JSONNumber.parse(text).map { .double($0.double) }
    case UInt8(ascii: "n"):
      try scanner.skipValue()
      return .empty
    default:
      try scanner.skipValue()
      return nil
    }
  }

  mutating func bytesValue(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    guard try scanner.peek() == UInt8(ascii: "\"") else {
      let isNull = scanner.base[scanner.position] == UInt8(ascii: "n")
      try scanner.skipValue()
      return isNull ? .empty : nil
    }
    let source = CompositeSource(scanner, from: scanner.position, .jsonBytes)
    let text = valueText.plain(try scanner.string(), of: scanner)
    return Base64.decode(text).map { bytes in
      .composite(bytes.withUnsafeBytes { CanonicalHash.bytes($0) }, source)
    }
  }
}
