import Model

extension RecordAssembler {
  /// The set of what is held of the current record, but for the keys that its signal reserves.
  ///
  /// A known set costs a look-up; a new one is announced. Spans and logs of others (`isOther`) have numbers
  /// of their own, so that they never take PerformanceSuite's.
  mutating func hostAttributes(reserved: AttributeKeySet, isOther: Bool) -> AttributeSetID {
    guard !fields.held.isIncomplete else { return .overflow }
    let entries = fields.held.entries
    guard let hash = setHash(of: entries, but: reserved) else { return .none }
    if let known = isOther ? otherSets.find(hash) : recordSets.find(hash) { return known }
    guard isOther ? otherSets.hasRoom : recordSets.hasRoom else { return .overflow }
    let (attributes, byteCount) = symbols(of: entries, but: reserved)
    let (id, isNew) =
      isOther
      ? otherSets.remember(attributes, byteCount: byteCount, hash: hash)
      : recordSets.remember(attributes, byteCount: byteCount, hash: hash)
    if isNew { telemetry.observe(.attributes(id, attributes)) }
    return id
  }

  /// The set of the pending resource's attributes that `Resource` has no place for.
  mutating func resourceAttributes() -> AttributeSetID {
    guard !pendingHeld.isIncomplete else { return .overflow }
    let entries = pendingHeld.entries
    guard let hash = setHash(of: entries, but: []) else { return .none }
    if let known = resourceSets.find(hash) { return known }
    guard resourceSets.hasRoom else { return .overflow }
    let (attributes, byteCount) = symbols(of: entries, but: [])
    let (id, isNew) = resourceSets.remember(attributes, byteCount: byteCount, hash: hash)
    if isNew { telemetry.observe(.attributes(id, attributes)) }
    return id
  }

  /// The hash of the entries as a set; nil when it is empty.
  private func setHash(
    of entries: UnsafeBufferPointer<HeldAttributes.Entry>,
    but reserved: AttributeKeySet
  ) -> UInt64? {
    var sum: UInt64 = 0
    var count: UInt64 = 0
    for entry in entries where reserved.isDisjoint(with: entry.known) {
      sum &+= entry.hash
      count &+= 1
    }
    return count == 0 ? nil : ByteHash.mix(sum ^ ByteHash.secret0, count ^ ByteHash.secret3)
  }

  /// Attributes by the text of their keys; of several with the same key the first by its value's text.
  private mutating func symbols(
    of entries: UnsafeBufferPointer<HeldAttributes.Entry>,
    but reserved: AttributeKeySet
  ) -> (attributes: [HostAttribute], byteCount: Int) {
    var attributes: [HostAttribute] = []
    for entry in entries where reserved.isDisjoint(with: entry.known) {
      let key = symbol(entry.key)
      attributes.append(HostAttribute(key: key, value: symbol(of: entry.value)))
    }
    attributes.sort { left, right in
      left.key == right.key
        ? precedes(left.value, right.value) : precedes(left.key, right.key)
    }
    var distinct: [HostAttribute] = []
    var byteCount = 0
    for attribute in attributes where attribute.key != distinct.last?.key {
      distinct.append(attribute)
      byteCount += symbols.bytes(of: attribute.key).count
      byteCount += symbols.bytes(of: attribute.value).count
    }
    return (distinct, byteCount)
  }

  private func precedes(_ left: Symbol, _ right: Symbol) -> Bool {
    symbols.bytes(of: left).lexicographicallyPrecedes(symbols.bytes(of: right))
  }

  private mutating func symbol(of value: HeldAttributes.Value) -> Symbol {
    var text: String
    switch value {
    case .text(let bytes): return symbol(bytes)
    case .bool(let flag): text = flag ? "true" : "false"
    case .int(let number): text = String(number)
    case .double(let number): text = String(number)
    case .composite(let hash, let source): text = CompositeText.text(of: source, hash: hash)
    }
    return text.withUTF8 { symbol(UnsafeRawBufferPointer($0)) }
  }
}
