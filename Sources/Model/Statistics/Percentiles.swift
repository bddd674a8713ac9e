/// The distribution of one number, exact.
package struct Distribution: Equatable, Sendable {
  /// In rising order.
  package private(set) var sorted: [Int64]
  /// How many units of the values make one of the results: 1, or 1,000,000 for nanoseconds shown as ms.
  private var divisor: Double

  package init(_ values: [Int64] = [], divisor: Double = 1) {
    sorted = values.sortedValues()
    self.divisor = divisor
  }

  package var count: Int { sorted.count }
  package var isEmpty: Bool { sorted.isEmpty }
  package var maximum: Double? { sorted.last.map { Double($0) / divisor } }
  package var minimum: Double? { sorted.first.map { Double($0) / divisor } }

  /// Nil without values.
  package var mean: Double? {
    guard !sorted.isEmpty else { return nil }
    return sorted.reduce(0) { $0 + Double($1) } / Double(sorted.count) / divisor
  }

  /// Linear between closest ranks (R's type 7, numpy's default); nil without values.
  ///
  /// The fraction is 0 ... 1.
  package func quantile(_ fraction: Double) -> Double? {
    Model.quantile(fraction, of: sorted.count) { Double(sorted[$0]) }.map { $0 / divisor }
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
