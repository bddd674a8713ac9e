/// The rows with the greatest sizes, the greatest first.
package struct WorstRows: Sendable {
  /// How many are kept.
  package static let most = 10

  package private(set) var rows: [UInt32] = []
  private var sizes: [Int64] = []
  /// What is smaller has no place any more.
  private var least = Int64.min

  /// Of equal sizes, what precedes comes first, so that the order of arrival does not matter.
  @inline(__always)
  mutating func add(_ row: UInt32, _ size: Int64, _ precedes: (UInt32, UInt32) -> Bool) {
    if size >= least { insert(row, size, precedes) }
  }

  private mutating func insert(
    _ row: UInt32,
    _ size: Int64,
    _ precedes: (UInt32, UInt32) -> Bool
  ) {
    let place =
      sizes.indices.first { size > sizes[$0] || (size == sizes[$0] && precedes(row, rows[$0])) }
      ?? sizes.count
    guard place < Self.most else { return }
    rows.insert(row, at: place)
    sizes.insert(size, at: place)
    if rows.count > Self.most {
      rows.removeLast()
      sizes.removeLast()
    }
    if sizes.count == Self.most, let last = sizes.last { least = last }
  }
}
