/// How often each value of a number came: what is left of values whose records are no longer kept.
///
/// Exact while there are few distinct values; then they are kept to one part in two thousand, and less
/// exactly where `coarsen` is called for want of room.
package struct CountedValues: Equatable, Sendable {
  /// Distinct values that are kept as they are.
  static let exactLimit = 4_096
  private static let exact = 64
  private static let firstBits = 11
  private static let leastBits = 4

  private var counts: [Int64: Int] = [:]
  /// Leading bits of a value that are kept.
  private var bits = exact

  init() {}

  var isEmpty: Bool { counts.isEmpty }
  var distinct: Int { counts.count }

  mutating func add(_ value: Int64) {
    counts[rounded(value), default: 0] += 1
    if bits == Self.exact, counts.count > Self.exactLimit { coarsen() }
  }

  static func + (left: CountedValues, right: CountedValues) -> CountedValues {
    var sum = left
    if right.bits < sum.bits { sum.round(to: right.bits) }
    for (value, count) in right.counts { sum.counts[sum.rounded(value), default: 0] += count }
    if sum.bits == exact, sum.counts.count > exactLimit { sum.coarsen() }
    return sum
  }

  /// Keeps fewer values, less exactly: every time a quarter, down to one part in sixteen.
  mutating func coarsen() {
    round(to: bits == Self.exact ? Self.firstBits : max(Self.leastBits, bits - 2))
  }

  private mutating func round(to bits: Int) {
    self.bits = bits
    var kept: [Int64: Int] = [:]
    for (value, count) in counts { kept[rounded(value), default: 0] += count }
    counts = kept
  }

  /// To the middle of all values with the same leading bits.
  private func rounded(_ value: Int64) -> Int64 {
    let shift = Int64.bitWidth - value.magnitude.leadingZeroBitCount - bits
    guard shift > 0 else { return value }
    let kept = value >> Int64(shift)
    return kept << Int64(shift) | 1 << Int64(shift - 1)
  }

  /// Values in rising order, found by their place.
  struct Ranked: Equatable, Sendable {
    fileprivate var values: [Int64] = []
    /// How many values there are up to and including each.
    fileprivate var ends: [Int] = []

    var count: Int { ends.last ?? 0 }

    subscript(place: Int) -> Int64 {
      var low = 0
      var high = ends.count - 1
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] > place { high = middle } else { low = middle + 1 }
      }
      return values[low]
    }
  }

  var ranked: Ranked {
    var ranked = Ranked()
    var end = 0
    for (value, count) in counts.sorted(by: { $0.key < $1.key }) {
      end += count
      ranked.values.append(value)
      ranked.ends.append(end)
    }
    return ranked
  }
}
