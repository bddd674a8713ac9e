import Model

extension OTLPJSONDecoder {
  /// Hashes an array value or list of pairs whose object comes next.
  ///
  /// Lists that lie deeper than `CanonicalHash.depthLimit` count as empty values.
  mutating func composite(
    _ scanner: inout JSONScanner,
    isPairs: Bool
  ) throws(JSONFault) -> AttributeValue? {
    guard try scanner.peek() == UInt8(ascii: "{") else {
      let isNull = scanner.base[scanner.position] == UInt8(ascii: "n")
      try scanner.skipValue()
      return isNull ? .empty : nil
    }
    let source = CompositeSource(
      scanner,
      from: scanner.position,
      isPairs ? .jsonPairs : .jsonArray
    )
    scanner.position &+= 1
    frames.removeAll(keepingCapacity: true)
    frames.append(OTLPJSONFrame(kind: .list, isPairs: isPairs))
    openLists = 1
    while true {
      let top = frames.count &- 1
      if let hash = try step(&scanner, top) {
        if top == 0 { return .composite(hash, source) }
        // A value's hash belongs to the frame below, which is an array, a pair or a value.
        give(hash, to: top &- 1)
      }
    }
  }

  /// Takes one step in the innermost frame; its hash when it has ended and has been removed.
  private mutating func step(
    _ scanner: inout JSONScanner,
    _ top: Int
  ) throws(JSONFault) -> UInt64? {
    switch frames[top].kind {
    case .elements:
      guard try scanner.nextElement(&frames[top].isFirst) else {
        let ended = frames.removeLast()
        // Its list goes on with what the elements made.
        frames[top &- 1].sum = ended.sum
        frames[top &- 1].array = ended.array
        return nil
      }
      return try element(&scanner, top)
    case .list:
      guard let text = try scanner.nextKey(&frames[top].isFirst) else {
        let ended = frames.removeLast()
        openLists -= 1
        return ended.isPairs ? CanonicalHash.pairs(sum: ended.sum) : ended.array.hash
      }
      guard OTLPKey(keyText.plain(text, of: scanner)) == .values,
        try scanner.take(UInt8(ascii: "["))
      else {
        try scanner.skipValue()
        return nil
      }
      var elements = OTLPJSONFrame(kind: .elements, isPairs: frames[top].isPairs)
      elements.sum = frames[top].sum
      elements.array = frames[top].array
      frames.append(elements)
      return nil
    case .pair:
      guard let text = try scanner.nextKey(&frames[top].isFirst) else {
        let ended = frames.removeLast()
        return CanonicalHash.attribute(keyHash: ended.keyHash, valueHash: ended.hash)
      }
      switch OTLPKey(keyText.plain(text, of: scanner)) {
      case .key:
        if let key = try self.text(&scanner) {
          frames[top].keyHash = ByteHash.hash(valueText.plain(key, of: scanner))
        }
      case .value: try beginValue(&scanner, top)
      default: try scanner.skipValue()
      }
      return nil
    case .value:
      guard let text = try scanner.nextKey(&frames[top].isFirst) else {
        return frames.removeLast().hash
      }
      try member(OTLPKey(keyText.plain(text, of: scanner)), &scanner, top)
      return nil
    }
  }

  /// Adds the hash of what has ended to its container.
  private mutating func give(_ hash: UInt64, to index: Int) {
    switch frames[index].kind {
    case .elements:
      if frames[index].isPairs {
        frames[index].sum &+= hash
      } else {
        frames[index].array.add(hash)
      }
    case .pair, .value, .list: frames[index].hash = hash
    }
  }

  private mutating func element(
    _ scanner: inout JSONScanner,
    _ top: Int
  ) throws(JSONFault) -> UInt64? {
    let byte = try scanner.peek()
    if frames[top].isPairs {
      if byte == UInt8(ascii: "{") {
        scanner.position &+= 1
        frames.append(OTLPJSONFrame(kind: .pair))
      } else {
        try scanner.skipValue()
      }
    } else if byte == UInt8(ascii: "{") {
      scanner.position &+= 1
      frames.append(OTLPJSONFrame(kind: .value))
    } else {
      try scanner.skipValue()
      frames[top].array.add(CanonicalHash.value(.empty))
    }
    return nil
  }

  private mutating func beginValue(
    _ scanner: inout JSONScanner,
    _ top: Int
  ) throws(JSONFault) {
    if try scanner.take(UInt8(ascii: "{")) {
      frames.append(OTLPJSONFrame(kind: .value))
    } else {
      try scanner.skipValue()
    }
  }

  private mutating func member(
    _ key: OTLPKey,
    _ scanner: inout JSONScanner,
    _ top: Int
  ) throws(JSONFault) {
    switch key {
    case .arrayValue, .kvlistValue:
      if openLists < CanonicalHash.depthLimit, try scanner.take(UInt8(ascii: "{")) {
        openLists += 1
        frames.append(OTLPJSONFrame(kind: .list, isPairs: key == .kvlistValue))
      } else {
        try scanner.skipValue()
      }
    case .stringValue, .boolValue, .intValue, .doubleValue, .bytesValue:
      if let value = try scalar(key, &scanner) {
        frames[top].hash = CanonicalHash.value(value)
      } else {
        tally.droppedValues += 1
      }
    default: try scanner.skipValue()
    }
  }

  mutating func scalar(
    _ key: OTLPKey,
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    switch key {
    case .stringValue: try stringValue(&scanner)
    case .boolValue: try boolValue(&scanner)
    case .intValue: try intValue(&scanner)
    case .doubleValue: try doubleValue(&scanner)
    default: try bytesValue(&scanner)
    }
  }
}
