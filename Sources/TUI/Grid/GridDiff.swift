/// Which cells of one picture differ from another.
package enum GridDiff {
  /// Cells of one row that have to be shown again.
  package struct Run: Equatable, Sendable {
    package var y: Int
    package var columns: Range<Int>

    package init(y: Int, columns: Range<Int>) {
      self.y = y
      self.columns = columns
    }
  }

  /// Unchanged cells between two changes that are cheaper to write again than to jump over.
  private static let shortGap = 4

  /// The runs to show, from the top left; all of `new` when the sizes differ.
  ///
  /// A run never begins or ends inside a wide character of either picture.
  package static func runs(from old: Grid?, to new: Grid) -> [Run] {
    guard let old, old.width == new.width, old.height == new.height else {
      guard new.width > 0 else { return [] }
      return (0..<new.height).map { Run(y: $0, columns: 0..<new.width) }
    }
    var runs: [Run] = []
    old.cells.withUnsafeBufferPointer { before in
      new.cells.withUnsafeBufferPointer { after in
        for y in 0..<new.height {
          let row = y * new.width
          append(
            &runs,
            y: y,
            before: before[row..<row + new.width],
            after: after[row..<row + new.width]
          )
        }
      }
    }
    return runs
  }

  private static func append(
    _ runs: inout [Run],
    y: Int,
    before: Slice<UnsafeBufferPointer<Cell>>,
    after: Slice<UnsafeBufferPointer<Cell>>
  ) {
    let base = after.startIndex
    var index = base
    var open: Range<Int>?
    while index < after.endIndex {
      guard before[index] != after[index] else {
        index += 1
        continue
      }
      var start = index
      while start > base, before[start].glyph.isContinuation || after[start].glyph.isContinuation {
        start -= 1
      }
      var end = index + 1
      while end < after.endIndex,
        before[end].glyph.isContinuation || after[end].glyph.isContinuation
      {
        end += 1
      }
      let columns = start - base..<end - base
      if let current = open, columns.lowerBound - current.upperBound <= shortGap {
        open = current.lowerBound..<columns.upperBound
      } else {
        if let current = open { runs.append(Run(y: y, columns: current)) }
        open = columns
      }
      index = end
    }
    if let current = open { runs.append(Run(y: y, columns: current)) }
  }
}
