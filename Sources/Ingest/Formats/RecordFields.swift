import Model

/// What has been gathered of the record that is being assembled.
struct RecordFields: ~Copyable {
  var seen = AttributeKeySet()
  /// Keys of `seen` whose number is in `numbers`.
  var withNumber = AttributeKeySet()
  /// Keys of `seen` whose value was no number in range.
  var withBadNumber = AttributeKeySet()
  let numbers: UnsafeMutablePointer<UInt32>
  /// The sum of the hashes of everything said so far.
  var content: UInt64 = 0
  var attributeCount = 0
  /// Values of the record that were cut.
  var truncatedCount = 0
  var nameHash: UInt64 = 0
  var screen = Symbol.none
  var fragment = Symbol.none
  var topScreen = Symbol.none
  var className = Symbol.none
  var eventName = Symbol.none
  var isLeak = false
  /// The beginning of a log's body as text.
  var body: [UInt8] = []

  init() {
    numbers = .allocate(capacity: Int(AttributeKey.lastNumber.rawValue) + 1)
    numbers.initialize(repeating: 0, count: Int(AttributeKey.lastNumber.rawValue) + 1)
  }

  deinit { numbers.deallocate() }

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
    body.removeAll(keepingCapacity: true)
  }

  /// The gathered numbers in their slots.
  ///
  /// Where several keys share a slot, the one that belongs to the signal wins, then the first of
  /// `AttributeKey`.
  @inline(__always)
  func measurements(for signal: Signal, _ keys: borrowing AttributeKeyTable) -> Measurements {
    var result = Measurements()
    let own = withNumber.rawValue & keys.own(of: signal).rawValue
    put(own, keys, into: &result)
    put(withNumber.rawValue & ~own, keys, into: &result)
    return result
  }

  @inline(__always)
  private func put(
    _ set: UInt64,
    _ keys: borrowing AttributeKeyTable,
    into result: inout Measurements
  ) {
    var left = set
    while left != 0 {
      let number = left.trailingZeroBitCount
      left &= left &- 1
      let slot = keys.slot(ofNumber: number)
      if !result.contains(slot) { result[slot] = numbers[number] }
    }
  }
}
