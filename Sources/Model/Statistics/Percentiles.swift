/// The distribution of one number, exact.
package struct Distribution: Equatable, Sendable {
  /// In rising order; in four bytes each where that is enough for all.
  private enum Values: Equatable, Sendable {
    case small([UInt32])
    case large([Int64])
    case counted(CountedValues.Ranked)
  }

  private var values: Values
  /// How many units of the values make one of the results: 1, or 1,000,000 for nanoseconds shown as ms.
  private var divisor: Double

  package init(_ values: [Int64] = [], divisor: Double = 1) {
    let sorted = values.sortedValues()
    let isSmall = (sorted.first ?? 0) >= 0 && (sorted.last ?? 0) <= Int64(UInt32.max)
    self.values =
      isSmall ? .small(sorted.map { UInt32(truncatingIfNeeded: $0) }) : .large(sorted)
    self.divisor = divisor
  }

  /// Plain values together with counted ones.
  init(_ values: [Int64], and counted: CountedValues?, divisor: Double = 1) {
    self.init(counted?.isEmpty == false ? [] : values, divisor: divisor)
    guard var all = counted, !all.isEmpty else { return }
    for value in values { all.add(value) }
    self.values = .counted(all.ranked)
  }

  package var count: Int {
    switch values {
    case .small(let values): values.count
    case .large(let values): values.count
    case .counted(let ranked): ranked.count
    }
  }

  package var isEmpty: Bool { count == 0 }
  package var maximum: Double? { isEmpty ? nil : Double(self[count - 1]) / divisor }
  package var minimum: Double? { isEmpty ? nil : Double(self[0]) / divisor }

  /// The value at a place of the rising order, undivided.
  package subscript(place: Int) -> Int64 {
    switch values {
    case .small(let values): Int64(values[place])
    case .large(let values): values[place]
    case .counted(let ranked): ranked[place]
    }
  }

  /// How many values there are at each of `columns` places, to which `column` sends them in their order.
  ///
  /// Values are undivided; those for which `column` is nil are not counted, if all are from some value on.
  package func counts(columns: Int, _ column: (Int64) -> Int?) -> [Int] {
    var counts = [Int](repeating: 0, count: columns)
    // Values between two of one column are of that column, too.
    var parts = isEmpty ? [] : [(low: 0, high: count - 1)]
    while let (low, high) = parts.popLast() {
      let first = column(self[low])
      if first == column(self[high]) {
        if let first { counts[first] += high - low + 1 }
      } else {
        let middle = (low + high) / 2
        parts.append((low, middle))
        parts.append((middle + 1, high))
      }
    }
    return counts
  }

  /// Nil without values.
  package var mean: Double? {
    guard !isEmpty else { return nil }
    return (0..<count).reduce(0) { $0 + Double(self[$1]) } / Double(count) / divisor
  }

  /// Linear between closest ranks (R's type 7, numpy's default); nil without values.
  ///
  /// The fraction is 0 ... 1.
  package func quantile(_ fraction: Double) -> Double? {
    Model.quantile(fraction, of: count) { Double(self[$0]) }.map { $0 / divisor }
  }

  /// The same over the values of several distributions of one unit, without bringing them together.
  package static func quantile(_ fraction: Double, ofAll parts: [Distribution]) -> Double? {
    let count = parts.reduce(0) { $0 + $1.count }
    let divisor = parts.first?.divisor ?? 1
    return Model.quantile(fraction, of: count) { Double(value(at: $0, ofAll: parts)) / divisor }
  }

  /// The value that would be at a place if all were sorted together.
  private static func value(at place: Int, ofAll parts: [Distribution]) -> Int64 {
    let known = parts.filter { !$0.isEmpty }
    guard var low = known.map({ $0[0] }).min(), var high = known.map({ $0[$0.count - 1] }).max()
    else { return 0 }
    // The least value that more than `place` values do not exceed.
    while low < high {
      let middle = low + (high - low) / 2
      let below = known.reduce(0) { $0 + $1.count(upTo: middle) }
      if below > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func count(upTo limit: Int64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Of values in rising order, by their places: linear between closest ranks; nil without values.
func quantile(_ fraction: Double, of count: Int, _ value: (Int) -> Double) -> Double? {
  guard count > 0 else { return nil }
  let rank = fraction * Double(count - 1)
  let lower = Int(rank.rounded(.down))
  let below = value(lower)
  guard lower < count - 1 else { return below }
  return below + (rank - Double(lower)) * (value(lower + 1) - below)
}
