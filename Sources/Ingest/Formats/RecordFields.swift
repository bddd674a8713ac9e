import Model

/// What has been gathered of the record that is being assembled.
struct RecordFields: ~Copyable {
  var seen = AttributeKeySet()
  /// Keys of `seen` whose number is in `numbers`.
  var withNumber = AttributeKeySet()
  /// Keys of `seen` whose value was no number in range.
  var withBadNumber = AttributeKeySet()
  let numbers: UnsafeMutablePointer<UInt32>
  /// Room for the values of `Measurements`.
  private let slots: UnsafeMutablePointer<UInt32>
  /// The sum of the hashes of everything said so far.
  var content: UInt64 = 0
  var attributeCount = 0
  /// Values of the record that were cut.
  var truncatedCount = 0
  var nameHash: UInt64 = 0
  /// The `ByteHash` of the attribute being taken, when it is a text.
  private(set) var textHash: UInt64 = 0
  /// The symbol of that text, once somebody has asked for it.
  var textSymbol = Symbol.none
  var screen = Symbol.none
  var fragment = Symbol.none
  var topScreen = Symbol.none
  var className = Symbol.none
  var eventName = Symbol.none
  var isLeak = false
  /// Keys whose attributes are not held, because they are the signal's own.
  var reserved = AttributeKeySet()
  var held = HeldAttributes()
  /// The beginning of a log's body as text.
  var body: [UInt8] = []

  init() {
    numbers = .allocate(capacity: Int(AttributeKey.lastNumber.rawValue) + 1)
    slots = .allocate(capacity: Measurements.slotCount)
    slots.initialize(repeating: 0, count: Measurements.slotCount)
    numbers.initialize(repeating: 0, count: Int(AttributeKey.lastNumber.rawValue) + 1)
  }

  deinit {
    numbers.deallocate()
    slots.deallocate()
  }

  mutating func reset() {
    seen = AttributeKeySet(rawValue: 0)
    withNumber = AttributeKeySet(rawValue: 0)
    withBadNumber = AttributeKeySet(rawValue: 0)
    content = 0
    attributeCount = 0
    truncatedCount = 0
    nameHash = 0
    screen = .none
    fragment = .none
    topScreen = .none
    className = .none
    eventName = .none
    isLeak = false
    reserved = AttributeKeySet.handled
    if !held.isEmpty { held.removeAll() }
    if !body.isEmpty { body.removeAll(keepingCapacity: true) }
  }

  /// The canonical hash of the value of the attribute being taken.
  @inline(__always)
  mutating func valueHash(_ value: AttributeValue) -> UInt64 {
    textSymbol = .none
    guard case .string(let bytes) = value else { return CanonicalHash.value(value) }
    textHash = ByteHash.hash(bytes)
    return CanonicalHash.string(hash: textHash)
  }

  /// The attribute being taken is a text that was taken before, with what was found out about it then.
  @inline(__always)
  mutating func expectText(hash: UInt64, symbol: Symbol) {
    textHash = hash
    textSymbol = symbol
  }

  /// The gathered numbers in their slots.
  ///
  /// Where several keys share a slot, the one that belongs to the signal wins, then the first of
  /// `AttributeKey`.
  @inline(__always)
  func measurements(for signal: Signal, _ keys: borrowing AttributeKeyTable) -> Measurements {
    let own = withNumber.rawValue & keys.own(of: signal).rawValue
    var present: UInt16 = 0
    put(own, keys, &present)
    put(withNumber.rawValue & ~own, keys, &present)
    return Measurements(present: present, values: slots)
  }

  @inline(__always)
  private func put(
    _ set: UInt64,
    _ keys: borrowing AttributeKeyTable,
    _ present: inout UInt16
  ) {
    var left = set
    while left != 0 {
      let number = left.trailingZeroBitCount
      left &= left &- 1
      let slot = keys.slot(ofNumber: number).rawValue
      let bit: UInt16 = 1 &<< UInt16(slot)
      guard present & bit == 0 else { continue }
      present |= bit
      slots[Int(slot)] = numbers[number]
    }
  }
}
