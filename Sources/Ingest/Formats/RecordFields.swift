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
    seen = []
    withNumber = []
    withBadNumber = []
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
  func measurements(for signal: Signal) -> Measurements {
    var result = Measurements()
    guard !withNumber.isEmpty else { return result }
    let own = withNumber.intersection(.own(of: signal))
    put(own, into: &result)
    if own != withNumber { put(withNumber.subtracting(own), into: &result) }
    return result
  }

  @inline(__always)
  private func put(_ keys: AttributeKeySet, into result: inout Measurements) {
    var left = keys.rawValue
    while left != 0 {
      let number = left.trailingZeroBitCount
      left &= left &- 1
      guard
        let slot = AttributeKey(rawValue: UInt8(truncatingIfNeeded: number))?.measurement,
        !result.contains(slot)
      else { continue }
      result[slot] = numbers[number]
    }
  }
}
