import Model

extension RecordAssembler {
  /// The set of what is held of the current record, but for the keys that its signal reserves.
  ///
  /// A known set costs a look-up; a new one is announced.
  mutating func hostAttributes(reserved: AttributeKeySet) -> AttributeSetID {
    var sum: UInt64 = 0
    var count: UInt64 = 0
    for entry in fields.held.entries where reserved.isDisjoint(with: entry.known) {
      sum &+= entry.hash
      count &+= 1
    }
    guard !fields.held.isIncomplete else { return .overflow }
    guard count > 0 else { return .none }
    let hash = ByteHash.mix(sum ^ ByteHash.secret0, count ^ ByteHash.secret3)
    return recordSets.find(hash) ?? newHostAttributes(hash, reserved)
  }

  @inline(never)
  private mutating func newHostAttributes(
    _ hash: UInt64,
    _ reserved: AttributeKeySet
  ) -> AttributeSetID {
    guard recordSets.hasRoom else { return .overflow }
    var held = HeldAttributes()
    swap(&held, &fields.held)
    defer { swap(&held, &fields.held) }
    let (attributes, byteCount) = symbols(of: held, reserved)
    guard !attributes.isEmpty else { return .none }
    let (id, isNew) = recordSets.remember(attributes, byteCount: byteCount, hash: hash)
    if isNew { telemetry.observe(.attributes(id, attributes)) }
    return id
  }

  /// The set of a resource's attributes that `Resource` has no place for.
  mutating func resourceAttributes(of held: HeldAttributes) -> AttributeSetID {
    guard !held.isIncomplete else { return .overflow }
    guard !held.entries.isEmpty else { return .none }
    let sum = held.entries.reduce(0) { $0 &+ $1.hash }
    let count = UInt64(held.entries.count)
    let hash = ByteHash.mix(sum ^ ByteHash.secret0, count ^ ByteHash.secret3)
    if let known = resourceSets.find(hash) { return known }
    guard resourceSets.hasRoom else { return .overflow }
    let (attributes, byteCount) = symbols(of: held, [])
    guard !attributes.isEmpty else { return .none }
    let (id, isNew) = resourceSets.remember(attributes, byteCount: byteCount, hash: hash)
    if isNew { telemetry.observe(.attributes(id, attributes)) }
    return id
  }

  /// Attributes by the text of their keys; of several with the same key the first by its value's text.
  private mutating func symbols(
    of held: HeldAttributes,
    _ reserved: AttributeKeySet
  ) -> (attributes: [HostAttribute], byteCount: Int) {
    var attributes: [HostAttribute] = []
    for entry in held.entries where reserved.isDisjoint(with: entry.known) {
      let key = held.withBytes(entry.key) { symbol($0) }
      attributes.append(HostAttribute(key: key, value: symbol(of: entry.value, held)))
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

  private mutating func symbol(
    of value: HeldAttributes.Value,
    _ held: HeldAttributes
  ) -> Symbol {
    var text: String
    switch value {
    case .text(let range): return held.withBytes(range) { symbol($0) }
    case .bool(let flag): text = flag ? "true" : "false"
    case .int(let number): text = String(number)
    case .double(let number): text = String(number)
    // Its own words are in the details; here it only has to differ from other ones.
    case .composite(let hash): text = "[…] " + DetailsText.hex(hash).prefix(8)
    }
    return text.withUTF8 { symbol(UnsafeRawBufferPointer($0)) }
  }
}
