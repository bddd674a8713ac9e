import Model

extension RecordAssembler {
  /// Takes an attribute into the record's content and numbers.
  ///
  /// Returns its key where the key is known, comes for the first time and is no number.
  @inline(__always)
  mutating func attribute(
    key: UnsafeRawBufferPointer,
    value: AttributeValue
  ) -> AttributeKey? {
    let keyHash = ByteHash.hash(key)
    let valueHash = fields.valueHash(value)
    let hash = CanonicalHash.attribute(keyHash: keyHash, valueHash: valueHash)
    return attribute(keys.key(hash: keyHash), key, value, hash: hash)
  }

  /// As above, with what the key's and the value's hashes say.
  @inline(__always)
  mutating func attribute(
    _ known: AttributeKey?,
    _ key: UnsafeRawBufferPointer,
    _ value: AttributeValue,
    hash: UInt64
  ) -> AttributeKey? {
    fields.attributeCount &+= 1
    guard let known else {
      fields.content &+= hash
      fields.held.hold(key: key, value: value, hash: hash, known: AttributeKeySet())
      return nil
    }
    let bit = AttributeKeySet(known)
    guard fields.seen.isDisjoint(with: bit) else {
      fields.content &+= CanonicalHash.repeated(hash)
      return nil
    }
    fields.content &+= hash
    if case .empty = value { return nil }
    fields.seen.formUnion(bit)
    if fields.reserved.isDisjoint(with: bit) {
      fields.held.hold(key: key, value: value, hash: hash, known: bit)
    }
    guard known.rawValue <= AttributeKey.lastNumber.rawValue else { return known }
    if let number = Self.number(value) {
      fields.numbers[Int(known.rawValue)] = number
      fields.withNumber.formUnion(bit)
    } else {
      fields.withBadNumber.formUnion(bit)
    }
    return nil
  }

  /// As above for a whole number under a key that has a place for numbers.
  @inline(__always)
  mutating func spanNumber(
    _ known: AttributeKey,
    _ key: UnsafeRawBufferPointer,
    _ number: Int64,
    hash: UInt64
  ) {
    fields.attributeCount &+= 1
    let bit = AttributeKeySet(known)
    guard fields.seen.isDisjoint(with: bit) else {
      fields.content &+= CanonicalHash.repeated(hash)
      return
    }
    fields.content &+= hash
    fields.seen.formUnion(bit)
    if fields.reserved.isDisjoint(with: bit) {
      fields.held.hold(key: key, value: .int(number), hash: hash, known: bit)
    }
    if let number = UInt32(exactly: number) {
      fields.numbers[Int(known.rawValue)] = number
      fields.withNumber.formUnion(bit)
    } else {
      fields.withBadNumber.formUnion(bit)
    }
  }

  /// A value as a count or milliseconds; nil when it is no whole number in 0...UInt32.max.
  @inline(__always)
  static func number(_ value: AttributeValue) -> UInt32? {
    switch value {
    case .int(let number): UInt32(exactly: number)
    case .double(let number): UInt32(exactly: number)
    case .string(let digits): parse(digits)
    case .bool, .composite, .empty: nil
    }
  }

  private static func parse(_ digits: UnsafeRawBufferPointer) -> UInt32? {
    guard digits.count > 0, digits.count <= 10 else { return nil }
    var result: UInt64 = 0
    for digit in digits {
      guard digit >= 48, digit <= 57 else { return nil }
      result = result * 10 + UInt64(digit - 48)
    }
    return UInt32(exactly: result)
  }

  /// Observes what was cut or unreadable in the record that has just been observed.
  @inline(__always)
  mutating func reportDoubts(at place: RecordPlace) {
    if fields.truncatedCount > 0 {
      observe(.counted(.truncatedValues, count: fields.truncatedCount, source: place.source))
    }
    if !fields.withBadNumber.isEmpty { reportBadNumbers(at: place) }
  }

  @inline(never)
  private mutating func reportBadNumbers(at place: RecordPlace) {
    for key in AttributeKey.allCases
    where !fields.withBadNumber.isDisjoint(with: AttributeKeySet(key)) {
      observe(
        .problem(
          Problem(
            source: place.source,
            kind: .malformed,
            offset: place.offset,
            line: line,
            text: "\(key.text) is not a whole number from 0 to \(UInt32.max)"
          )
        )
      )
    }
  }
}
