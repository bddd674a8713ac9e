import Model

/// The value of an attribute whose hole was passed, until what follows tells its key.
private struct WaitingValue {
  var number: Int64 = 0
  var text = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Of a text that was expected, what is known of it.
  var expected: UnsafeMutablePointer<RecentTexts.Entry>?
  /// The text stands in the data as it is, without escapes.
  var isVerbatim = false
  /// Of any other hole; nil is a value that OTLP does not know.
  var other: AttributeValue?
}

extension OTLPJSONDecoder {
  /// Reads the object of a record or resource, which begins at the scanner's position, up to its end.
  @inline(__always)
  mutating func members(
    of owner: Owner,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) -> RecordTimes {
    let start = scanner.position
    var times = RecordTimes()
    begin(owner, at: start, &assembler)
    let dropped = tally.droppedValues
    if follow(owner, &scanner, &times, into: &assembler) {
      shapes.reward()
      return times
    }
    // What was taken on the way into the tree is taken again.
    scanner.position = start
    tally.droppedValues = dropped
    return try otherMembers(of: owner, &scanner, into: &assembler)
  }

  /// Reads an object that is like none in the tree, and learns it.
  @inline(never)
  private mutating func otherMembers(
    of owner: Owner,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) -> RecordTimes {
    let start = scanner.position
    var times = RecordTimes()
    begin(owner, at: start, &assembler)
    var first = true
    scanner.position &+= 1
    while let text = try scanner.nextKey(&first) {
      let key = OTLPKey(keyText.plain(text, of: scanner))
      try member(key, of: owner, &scanner, &times, into: &assembler)
    }
    learn(Self.root(of: owner), from: start, scanner, assembler.keys)
    return times
  }

  @inline(__always)
  private static func root(of owner: Owner) -> Int {
    switch owner {
    case .span, .part: RecordShapes.span
    case .log: RecordShapes.log
    case .resource: RecordShapes.resource
    }
  }

  @inline(__always)
  private func begin(_ owner: Owner, at start: Int, _ assembler: inout RecordAssembler) {
    let offset = streamOffset &+ UInt64(start)
    let place = RecordPlace(source: source, offset: offset, length: 0)
    switch owner {
    case .span: assembler.beginSpan(place: place)
    case .log: assembler.beginLog(place: place)
    case .resource: assembler.beginResource()
    case .part: break
    }
  }

  @inline(__always)
  private mutating func member(
    _ key: OTLPKey,
    of owner: Owner,
    _ scanner: inout JSONScanner,
    _ times: inout RecordTimes,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    switch owner {
    case .span: try spanMember(key, &scanner, &times, into: &assembler)
    case .log: try logMember(key, &scanner, &times, into: &assembler)
    case .resource:
      guard key == .attributes else { return try scanner.skipValue() }
      _ = try attributes(of: .resource, &scanner, into: &assembler)
    case .part: try scanner.skipValue()
    }
  }

  // MARK: - Following a shape

  /// Reads the record if it is of a kind in the tree; false, with anything consumed, otherwise.
  @inline(__always)
  private mutating func follow(
    _ owner: Owner,
    _ scanner: inout JSONScanner,
    _ times: inout RecordTimes,
    into assembler: inout RecordAssembler
  ) -> Bool {
    let nodes = shapes.nodes
    var place = nodes + Self.root(of: owner)
    var value = WaitingValue()
    while let node = RecordShapes.next(after: place, of: nodes, scanner) {
      scanner.position &+= node.pointee.count
      switch node.pointee.attribute.use {
      case .none: break
      case .number: takeNumber(value.number, node, into: &assembler)
      case .symbol: takeSymbol(value.text, value.expected, value.isVerbatim, node, into: &assembler)
      case .attribute: take(value, place.pointee.hole, node, of: owner, into: &assembler)
      }
      place = node
      switch node.pointee.hole {
      case .end: return true
      case .traceID:
        guard let high = scanner.hex16(), let low = scanner.hex16() else { return false }
        assembler.span.traceHigh = high
        assembler.span.traceLow = low
      case .spanID:
        guard let id = scanner.hex16() else { return false }
        assembler.span.spanID = id
      case .parentID:
        guard let id = scanner.hex16() else { return false }
        assembler.span.parentID = id
      case .kind:
        guard let digit = scanner.digits(atMost: 1) else { return false }
        assembler.spanContent(CanonicalHash.number(field: 6, UInt64(bitPattern: digit)))
      case .startTime:
        guard let time = scanner.nanoseconds() else { return false }
        times.start = .value(time)
      case .endTime:
        guard let time = scanner.nanoseconds() else { return false }
        times.end = .value(time)
      case .name:
        guard let name = scanner.verbatimText() else { return false }
        takeName(name, into: &assembler)
      case .text:
        let start = scanner.position
        if let key = node.pointee.expected, let known = recentTexts.repeated(key, scanner) {
          value.expected = known
          value.text = known.pointee.bytes
          scanner.position &+= value.text.count
        } else {
          guard let text = scanner.verbatimText() ?? escapedText(from: start, &scanner) else {
            return false
          }
          value.text = text
          value.expected = nil
          value.isVerbatim = text.count == scanner.position &- start
        }
      case .quotedInt:
        // Eighteen digits fit into 64 bits whatever they are.
        guard let number = scanner.digits(atMost: 18) else { return false }
        value.number = number
      case .bareInt:
        let start = scanner.position
        guard let number = scanner.digits(atMost: 18),
          scanner.base[start] != UInt8(ascii: "0") || scanner.position == start &+ 1
        else { return false }
        value.number = number
      case .member, .bool, .other:
        guard readValue(&value, node, of: owner, &scanner, &times, into: &assembler) else {
          return false
        }
      }
    }
    return false
  }

  /// Reads what is in a hole of no particular form; false where it is no JSON.
  @inline(never)
  private mutating func readValue(
    _ value: inout WaitingValue,
    _ node: UnsafeMutablePointer<RecordShapes.Node>,
    of owner: Owner,
    _ scanner: inout JSONScanner,
    _ times: inout RecordTimes,
    into assembler: inout RecordAssembler
  ) -> Bool {
    do throws(JSONFault) {
      switch node.pointee.hole {
      case .member:
        try member(node.pointee.member, of: owner, &scanner, &times, into: &assembler)
      case .bool: value.other = try boolValue(&scanner)
      default: value.other = try anyValue(&scanner)
      }
      return true
    } catch {
      return false
    }
  }

  /// The text that begins at `start`, has escapes and ends before the scanner's new position.
  @inline(never)
  private mutating func escapedText(
    from start: Int,
    _ scanner: inout JSONScanner
  ) -> UnsafeRawBufferPointer? {
    scanner.position = start &- 1
    do throws(JSONFault) {
      let text = try scanner.string()
      scanner.position &-= 1
      return valueText.plain(text, of: scanner)
    } catch {
      return nil
    }
  }

  // MARK: - Taking what was in a hole

  @inline(__always)
  private func takeName(
    _ name: UnsafeRawBufferPointer,
    into assembler: inout RecordAssembler
  ) {
    let recent = recentTexts.place(of: name)
    if RecentTexts.holds(recent, name) {
      assembler.spanName(recent.pointee.symbol, hash: recent.pointee.hash)
    } else {
      assembler.spanName(name)
      keep(name, assembler.span.name, hash: assembler.fields.nameHash, assembler)
    }
  }

  @inline(__always)
  private func takeNumber(
    _ number: Int64,
    _ node: UnsafeMutablePointer<RecordShapes.Node>,
    into assembler: inout RecordAssembler
  ) {
    let hash = CanonicalHash.attribute(
      keyHash: node.pointee.attribute.keyHash,
      valueHash: CanonicalHash.value(.int(number))
    )
    guard let key = node.pointee.attribute.key else { return }
    assembler.spanNumber(key, RecordShapes.key(of: node), number, hash: hash)
  }

  @inline(__always)
  private func takeSymbol(
    _ text: UnsafeRawBufferPointer,
    _ expected: UnsafeMutablePointer<RecentTexts.Entry>?,
    _ isVerbatim: Bool,
    _ node: UnsafeMutablePointer<RecordShapes.Node>,
    into assembler: inout RecordAssembler
  ) {
    var known = expected
    if known == nil {
      let recent = recentTexts.place(of: text)
      if RecentTexts.holds(recent, text) { known = recent }
    }
    let textHash = known?.pointee.hash ?? ByteHash.hash(text)
    let hash = CanonicalHash.attribute(
      keyHash: node.pointee.attribute.keyHash,
      valueHash: CanonicalHash.string(hash: textHash)
    )
    let key = node.pointee.attribute.key
    guard let key = assembler.attribute(key, RecordShapes.key(of: node), .string(text), hash: hash)
    else { return }
    if let known {
      assembler.spanSymbol(key, known.pointee.symbol)
      if node.pointee.expected != nil { recentTexts.expect(key, known.pointee) }
    } else {
      takeNewSymbol(key, text, hash: textHash, isVerbatim, into: &assembler)
    }
  }

  @inline(never)
  private func takeNewSymbol(
    _ key: AttributeKey,
    _ text: UnsafeRawBufferPointer,
    hash: UInt64,
    _ isVerbatim: Bool,
    into assembler: inout RecordAssembler
  ) {
    let symbol = assembler.spanSymbol(key, text, hash: hash)
    if isVerbatim { keep(text, symbol, hash: hash, assembler) }
  }

  /// Keeps a text that stands in the data as it is, with its symbol.
  private func keep(
    _ text: UnsafeRawBufferPointer,
    _ symbol: Symbol,
    hash: UInt64,
    _ assembler: borrowing RecordAssembler
  ) {
    recentTexts.keep(text, assembler.symbols.bytes(of: symbol), hash: hash, symbol: symbol)
  }

  /// Takes any value that was in a hole as that of an attribute.
  @inline(never)
  private mutating func take(
    _ waiting: WaitingValue,
    _ hole: RecordShapes.Hole,
    _ node: UnsafeMutablePointer<RecordShapes.Node>,
    of owner: Owner,
    into assembler: inout RecordAssembler
  ) {
    let value: AttributeValue? =
      switch hole {
      case .quotedInt, .bareInt: .int(waiting.number)
      case .text: .string(waiting.text)
      default: waiting.other
      }
    guard let value else {
      tally.droppedValues += 1
      return
    }
    let attribute = node.pointee.attribute
    let hash = CanonicalHash.attribute(
      keyHash: attribute.keyHash,
      valueHash: assembler.fields.valueHash(value)
    )
    let key = RecordShapes.key(of: node)
    switch owner {
    case .span: assembler.spanAttribute(attribute.key, key, value, hash: hash)
    case .log: assembler.logAttribute(attribute.key, key, value, hash: hash)
    case .resource:
      assembler.resourceAttribute(attribute.key, key, value, hash: hash)
    case .part: break
    }
  }
}

// MARK: - Holes

extension JSONScanner {
  /// Moves behind sixteen hexadecimal digits; nil when they are none.
  @inline(__always)
  fileprivate mutating func hex16() -> UInt64? {
    guard position &+ 16 <= end else { return nil }
    defer { position &+= 16 }
    return Digits.hex16(UnsafeRawPointer(base + position))
  }

  /// Moves behind nineteen digits; nil when they are none.
  @inline(__always)
  fileprivate mutating func nanoseconds() -> UInt64? {
    guard position &+ 19 <= end else { return nil }
    defer { position &+= 19 }
    return Digits.unsigned(bytes(from: position, to: position &+ 19))
  }

  /// Moves behind all digits that come next; nil when there are none.
  @inline(__always)
  fileprivate mutating func digits(atMost count: Int) -> Int64? {
    let start = position
    let limit = min(start &+ count, end)
    var number: Int64 = 0
    while position < limit, base[position] &- 0x30 < 10 {
      number = number &* 10 &+ Int64(base[position] &- 0x30)
      position &+= 1
    }
    return position > start ? number : nil
  }

  /// The text before the next quote, which is not consumed; nil when it has escapes or breaks off.
  @inline(__always)
  fileprivate mutating func verbatimText() -> UnsafeRawBufferPointer? {
    let start = position
    skipPlain()
    guard position < end, base[position] == UInt8(ascii: "\"") else { return nil }
    return bytes(from: start, to: position)
  }
}
