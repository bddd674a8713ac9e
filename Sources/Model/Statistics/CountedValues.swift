/// How often each value of a number came: what is left of values whose records are no longer kept.
///
/// Exact while there are few distinct values; then they are kept to one part in two thousand.
package struct CountedValues: Equatable, Sendable {
  /// Distinct values that are kept as they are.
  static let exactLimit = 4_096
  private static let keptBits = 11

  private var counts: [Int64: Int] = [:]
  private var isExact = true

  init() {}

  var isEmpty: Bool { counts.isEmpty }
  var distinct: Int { counts.count }

  mutating func add(_ value: Int64) {
    counts[isExact ? value : Self.rounded(value), default: 0] += 1
    if isExact, counts.count > Self.exactLimit { round() }
  }

  static func + (left: CountedValues, right: CountedValues) -> CountedValues {
    var sum = left
    if !right.isExact, sum.isExact { sum.round() }
    for (value, count) in right.counts {
      sum.counts[sum.isExact ? value : rounded(value), default: 0] += count
    }
    if sum.isExact, sum.counts.count > exactLimit { sum.round() }
    return sum
  }

  private mutating func round() {
    isExact = false
    var rounded: [Int64: Int] = [:]
    for (value, count) in counts { rounded[Self.rounded(value), default: 0] += count }
    counts = rounded
  }

  /// To the middle of all values with the same leading bits.
  private static func rounded(_ value: Int64) -> Int64 {
    let shift = Int64.bitWidth - value.magnitude.leadingZeroBitCount - keptBits
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
