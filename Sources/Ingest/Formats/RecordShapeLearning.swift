import Model

extension OTLPJSONDecoder {
  /// A path that is being added to the tree.
  private struct Path {
    /// The last node.
    var place: Int
    /// Where the bytes behind its hole begin.
    var from: Int
    /// What was in that hole.
    var attribute = RecordShapes.Attribute()
    var key = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Keeps the shape of a record that was read from `start` to the scanner's position.
  @inline(never)
  func learn(
    _ root: Int,
    from start: Int,
    _ scanner: JSONScanner,
    _ keys: borrowing AttributeKeyTable
  ) {
    guard shapes.isWorthLearning() else { return }
    var record = JSONScanner(base: scanner.base, position: start &+ 1, end: scanner.position)
    var path = Path(place: root, from: start)
    var first = true
    do throws(JSONFault) {
      while let text = try record.nextKey(&first) {
        let member = OTLPKey(keyText.plain(text, of: record))
        if member == .attributes, try record.take(UInt8(ascii: "[")) {
          guard try learnAttributes(root, &record, &path, keys) else { return }
        } else {
          guard try learnMember(member, root, &record, &path) else { return }
        }
      }
      _ = add(&path, .end, at: record.position, to: record.position, record)
    } catch {
      // What was read a moment ago is right.
      return
    }
  }

  private func add(
    _ path: inout Path,
    _ hole: RecordShapes.Hole,
    at start: Int,
    to end: Int,
    _ scanner: JSONScanner,
    member: OTLPKey = .unknown,
    expected: AttributeKey? = nil
  ) -> Bool {
    let node = shapes.add(
      after: path.place,
      scanner.bytes(from: path.from, to: start),
      path.attribute,
      key: path.key,
      hole,
      member: member,
      expected: expected
    )
    guard let node else { return false }
    path = Path(place: node, from: end)
    return true
  }

  // MARK: - Members

  private func learnMember(
    _ member: OTLPKey,
    _ root: Int,
    _ scanner: inout JSONScanner,
    _ path: inout Path
  ) throws(JSONFault) -> Bool {
    let byte = try scanner.peek()
    let isText = byte == UInt8(ascii: "\"")
    let start = scanner.position
    try scanner.skipValue()
    let end = scanner.position
    if root == RecordShapes.span, member == .kind, end == start &+ 1 {
      return add(&path, .kind, at: start, to: end, scanner)
    }
    // What says nothing is no hole: `"status":{}`.
    if end == start &+ 2, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return true }
    let count = isText ? end &- start &- 2 : 0
    let hole: RecordShapes.Hole =
      switch member {
      case .traceId where count == 32: .traceID
      case .spanId where count == 16: .spanID
      case .parentSpanId where count == 16: .parentID
      case .name where isText: .name
      case .startTimeUnixNano where count == 19: .startTime
      case .endTimeUnixNano where count == 19: .endTime
      default: .member
      }
    if root == RecordShapes.span, hole != .member {
      return add(&path, hole, at: start &+ 1, to: end &- 1, scanner)
    }
    return add(&path, .member, at: start, to: end, scanner, member: member)
  }

  // MARK: - Attributes

  /// False where an element of the list is no attribute written as usual.
  private func learnAttributes(
    _ root: Int,
    _ scanner: inout JSONScanner,
    _ path: inout Path,
    _ keys: borrowing AttributeKeyTable
  ) throws(JSONFault) -> Bool {
    var first = true
    while try scanner.nextElement(&first) {
      guard try scanner.take(UInt8(ascii: "{")) else { return false }
      var key: JSONText?
      var value: Range<Int>?
      var innerFirst = true
      while let text = try scanner.nextKey(&innerFirst) {
        switch OTLPKey(keyText.plain(text, of: scanner)) {
        case .key:
          guard key == nil, try scanner.peek() == UInt8(ascii: "\"") else { return false }
          key = try scanner.string()
        case .value:
          guard value == nil else { return false }
          _ = try scanner.peek()
          let start = scanner.position
          try scanner.skipValue()
          value = start..<scanner.position
        default: return false
        }
      }
      guard let key, !key.isEscaped, let value else { return false }
      let name = scanner.bytes(of: key)
      let hash = ByteHash.hash(name)
      let known = keys.key(hash: hash)
      let (hole, place) = try Self.hole(of: value, scanner)
      let isSession = hole == .text && (known == .sessionID || known == .hostSessionID)
      let (start, end) = (place.lowerBound, place.upperBound)
      let expected = isSession ? known : nil
      guard add(&path, hole, at: start, to: end, scanner, expected: expected) else { return false }
      path.attribute = RecordShapes.Attribute(
        use: root == RecordShapes.span ? Self.use(of: hole, known) : .attribute,
        key: known,
        keyHash: hash,
        keyCount: name.count
      )
      path.key = name
    }
    return true
  }

  private static func use(
    of hole: RecordShapes.Hole,
    _ key: AttributeKey?
  ) -> RecordShapes.Use {
    switch (hole, key) {
    case (.text, .screenName), (.text, .fragmentName), (.text, .hangTopScreen),
      (.text, .sessionID), (.text, .hostSessionID), (.text, .appState):
      .symbol
    case (.quotedInt, let key?), (.bareInt, let key?):
      key.rawValue <= AttributeKey.lastNumber.rawValue ? .number : .attribute
    default: .attribute
    }
  }

  /// Which part of a value is the hole.
  private static func hole(
    of value: Range<Int>,
    _ scanner: JSONScanner
  ) throws(JSONFault) -> (RecordShapes.Hole, Range<Int>) {
    var inner = scanner
    inner.position = value.lowerBound
    var first = true
    guard try inner.take(UInt8(ascii: "{")), let key = try inner.nextKey(&first) else {
      return (.other, value)
    }
    let kind = key.isEscaped ? .unknown : OTLPKey(inner.bytes(of: key))
    let byte = try inner.peek()
    let isText = byte == UInt8(ascii: "\"")
    let start = inner.position
    try inner.skipValue()
    let end = inner.position
    guard try inner.nextKey(&first) == nil else { return (.other, value) }
    switch kind {
    case .stringValue where isText: return (.text, start &+ 1..<end &- 1)
    case .intValue where isText && end &- start > 2: return (.quotedInt, start &+ 1..<end &- 1)
    case .intValue where byte &- 0x30 < 10: return (.bareInt, start..<end)
    case .boolValue where byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f"):
      return (.bool, start..<end)
    default: return (.other, value)
    }
  }
}
