import Model

extension SwiftExportDecoder {
  /// The ids of the span that a log record or a link belongs to.
  struct Context {
    var traceHigh: UInt64 = 0
    var traceLow: UInt64 = 0
    var spanID: UInt64 = 0
    /// The W3C trace flags.
    var flags: UInt64 = 0
  }

  // MARK: - Objects

  /// Passes each member of the object that comes next, whose reader need not go on behind the value.
  ///
  /// Anything but an object has none.
  mutating func members(
    _ scanner: inout JSONScanner,
    _ body: (inout Self, JSONText, inout JSONScanner) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    guard try scanner.take(UInt8(ascii: "{")) else { return try scanner.skipValue() }
    var first = true
    while let key = try scanner.nextKey(&first) {
      _ = try scanner.peek()
      var inner = scanner
      try scanner.skipValue()
      try body(&self, key, &inner)
    }
  }

  // MARK: - Attributes

  /// Passes each attribute of the object that comes next; how many there are.
  mutating func attributes(
    _ scanner: inout JSONScanner,
    _ body: (UnsafeRawBufferPointer, AttributeValue) -> Void
  ) throws(JSONFault) -> UInt64 {
    var count: UInt64 = 0
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      count &+= 1
      guard let value = try decoder.value(&scanner) else {
        decoder.droppedValues += 1
        return
      }
      body(decoder.nameText.plain(key, of: scanner), value)
    }
    return count
  }

  mutating func attributeSum(_ scanner: inout JSONScanner) throws(JSONFault) -> UInt64 {
    var sum: UInt64 = 0
    _ = try attributes(&scanner) { sum &+= CanonicalHash.attribute(key: $0, value: $1) }
    return sum
  }

  /// Reads `{"int":{"_0":5}}` and its like, or `{"description":"5"}` as it is printed; nil for others.
  mutating func value(
    _ scanner: inout JSONScanner,
    depth: Int = 0
  ) throws(JSONFault) -> AttributeValue? {
    guard try scanner.take(UInt8(ascii: "{")) else { return nil }
    var first = true
    guard let text = try scanner.nextKey(&first) else { return .empty }
    guard let tag = Tag(keyText.plain(text, of: scanner)) else { return nil }
    if tag == .description {
      return try self.text(&scanner, valueText).map { .string($0) }
    }
    guard try scanner.take(UInt8(ascii: "{")) else { return nil }
    first = true
    guard let inner = try scanner.nextKey(&first),
      keyText.plain(inner, of: scanner).elementsEqual("_0".utf8)
    else { return nil }
    switch tag {
    case .description, .string: return try self.text(&scanner, valueText).map { .string($0) }
    case .bool:
      let byte = try scanner.peek()
      return byte == 0x74 ? .bool(true) : byte == 0x66 ? .bool(false) : nil
    case .int: return try number(&scanner, exactly: { $0.int64 }).map { .int($0) }
    case .double: return try number(&scanner).map { .double($0) }
    case .array, .stringArray, .boolArray, .intArray, .doubleArray, .set:
      _ = try scanner.peek()
      let source = CompositeSource(scanner, from: scanner.position, .swiftList(tag))
      if tag == .set { return .composite(try pairs(&scanner, depth), source) }
      return try list(&scanner, of: tag.element, depth).map { .composite($0, source) }
    }
  }

  /// What a value's only member is called.
  enum Tag: String {
    case description, string, bool, int, double, array, set
    // Of earlier releases, with bare elements.
    case stringArray, boolArray, intArray, doubleArray

    var isList: Bool { self == .array || self == .set || element != nil }

    /// What the elements of such a list are; nil where each has a tag of its own.
    var element: Tag? {
      switch self {
      case .stringArray: .string
      case .boolArray: .bool
      case .intArray: .int
      case .doubleArray: .double
      default: nil
      }
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
      // No longer text stays off the heap.
      guard bytes.count <= 15 else { return nil }
      self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The hash of the array that comes next, or of the one in `values`; elements without a tag are of the kind given.
  private mutating func list(
    _ scanner: inout JSONScanner,
    of kind: Tag?,
    _ depth: Int
  ) throws(JSONFault) -> UInt64? {
    if try scanner.peek() == UInt8(ascii: "{") {
      var values: JSONScanner?
      try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
        if OTLPKey(decoder.keyText.plain(key, of: scanner)) == .values { values = scanner }
      }
      guard var values else { return CanonicalHash.List().hash }
      guard try values.peek() == UInt8(ascii: "[") else { return nil }
      return try list(&values, of: kind, depth)
    }
    guard try scanner.take(UInt8(ascii: "[")) else { return nil }
    var hashes = CanonicalHash.List()
    var first = true
    while try scanner.nextElement(&first) {
      _ = try scanner.peek()
      var element = scanner
      try scanner.skipValue()
      hashes.add(CanonicalHash.value(try self.element(&element, of: kind, depth) ?? .empty))
    }
    return hashes.hash
  }

  mutating func element(
    _ scanner: inout JSONScanner,
    of kind: Tag?,
    _ depth: Int
  ) throws(JSONFault) -> AttributeValue? {
    switch kind {
    case .string: return try text(&scanner, valueText).map { .string($0) }
    case .int: return try number(&scanner, exactly: { $0.int64 }).map { .int($0) }
    case .double: return try number(&scanner).map { .double($0) }
    case .bool: return .bool(try scanner.peek() == 0x74)
    default:
      return depth + 1 < CanonicalHash.depthLimit ? try value(&scanner, depth: depth + 1) : .empty
    }
  }

  /// The hash of `{"labels":{key: value, …}}`.
  private mutating func pairs(
    _ scanner: inout JSONScanner,
    _ depth: Int
  ) throws(JSONFault) -> UInt64 {
    var sum: UInt64 = 0
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      guard decoder.keyText.plain(key, of: scanner).elementsEqual("labels".utf8) else { return }
      try decoder.members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
        let isDeep = depth + 1 >= CanonicalHash.depthLimit
        let hash = CanonicalHash.value(
          isDeep ? .empty : try decoder.value(&scanner, depth: depth + 1) ?? .empty
        )
        sum &+= CanonicalHash.attribute(
          keyHash: ByteHash.hash(decoder.nameText.plain(key, of: scanner)),
          valueHash: hash
        )
      }
    }
    return CanonicalHash.pairs(sum: sum)
  }

  // MARK: - Scalars

  /// The string that comes next; nil when it is none.
  func text(
    _ scanner: inout JSONScanner,
    _ buffer: JSONTextBuffer
  ) throws(JSONFault) -> UnsafeRawBufferPointer? {
    guard try scanner.peek() == UInt8(ascii: "\"") else { return nil }
    return buffer.plain(try scanner.string(), of: scanner)
  }

  /// The number that comes next; nil when it is none.
  func number<Number>(
    _ scanner: inout JSONScanner,
    exactly convert: (JSONNumber) -> Number?
  ) throws(JSONFault) -> Number? {
    let byte = try scanner.peek()
    guard byte == UInt8(ascii: "-") || byte &- 0x30 < 10 else { return nil }
    return convert(try scanner.number())
  }

  func number(_ scanner: inout JSONScanner) throws(JSONFault) -> Double? {
    try number(&scanner, exactly: { $0.double })
  }

  func unsigned(_ scanner: inout JSONScanner) throws(JSONFault) -> UInt64? {
    try number(&scanner, exactly: { $0.uint64 })
  }

  /// The number in the member; nil when it is no number or not there.
  func seconds(_ key: SwiftExportKey, _ object: JSONScanner) throws(JSONFault) -> Double? {
    guard var scanner = member(key, of: object) else { return nil }
    return try number(&scanner)
  }

  /// The time in the member, 0 when it is not there; nil when it is no number.
  func time(_ key: SwiftExportKey, _ object: JSONScanner) throws(JSONFault) -> UInt64? {
    guard var scanner = member(key, of: object), try scanner.peek() != UInt8(ascii: "n") else {
      return 0
    }
    return try number(&scanner).map(SwiftExportTime.unixNanoseconds)
  }

  // MARK: - Identifiers

  /// `{"idHi":…,"idLo":…}` or hexadecimal text; zeros when it is neither.
  ///
  /// Halves are whole numbers of 64 bits: one that some other program has passed through a float is no id.
  mutating func traceID(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> (high: UInt64, low: UInt64) {
    if try scanner.peek() == UInt8(ascii: "\"") {
      return try text(&scanner, keyText).flatMap { IdentifierText.traceID($0) } ?? (0, 0)
    }
    var high: UInt64?
    var low: UInt64?
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      let key = decoder.keyText.plain(key, of: scanner)
      let half = try decoder.number(&scanner, exactly: { $0.wholeID })
      if key.elementsEqual("idHi".utf8) { high = half }
      if key.elementsEqual("idLo".utf8) { low = half }
    }
    guard let high, let low else { return (0, 0) }
    return (high, low)
  }

  /// `{"id":…}` or hexadecimal text; 0 when it is neither.
  mutating func spanID(_ scanner: inout JSONScanner) throws(JSONFault) -> UInt64 {
    if try scanner.peek() == UInt8(ascii: "\"") {
      return try text(&scanner, keyText).flatMap { IdentifierText.spanID($0) } ?? 0
    }
    var id: UInt64?
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      let isID = decoder.keyText.plain(key, of: scanner).elementsEqual("id".utf8)
      if isID { id = try decoder.number(&scanner, exactly: { $0.wholeID }) }
    }
    return id ?? 0
  }

  /// `{"traceId":…,"spanId":…,"traceFlags":{"options":1},…}`.
  mutating func spanContext(_ scanner: inout JSONScanner) throws(JSONFault) -> Context {
    var context = Context()
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      let text = decoder.keyText.plain(key, of: scanner)
      let isFlags = text.elementsEqual("traceFlags".utf8)
      switch SwiftExportKey(text) {
      case .traceId: (context.traceHigh, context.traceLow) = try decoder.traceID(&scanner)
      case .spanId: context.spanID = try decoder.spanID(&scanner)
      default:
        guard isFlags else { return }
        try decoder.members(&scanner) { (decoder, _, scanner) throws(JSONFault) in
          context.flags = try decoder.unsigned(&scanner) ?? 0
        }
      }
    }
    return context
  }
}

extension JSONNumber {
  /// The number as 64 bits when it was written as a whole number.
  fileprivate var wholeID: UInt64? {
    if case .double = self { return nil }
    return uint64
  }
}
