/// Where a list is: the row under the cursor and the first row shown.
///
/// A value: moving is arithmetic, and drawing with a position that no longer fits the rows is safe.
package struct ScrollPosition: Hashable, Sendable {
  package var selected: Int
  package var top: Int

  package init(selected: Int = 0, top: Int = 0) {
    self.selected = selected
    self.top = top
  }

  package enum Move: Sendable {
    case by(Int)
    case pages(Int)
    case halfPages(Int)
    case top
    case bottom
  }

  /// Moves the cursor and scrolls no more than needed to show it.
  package mutating func move(_ move: Move, rowCount: Int, height: Int) {
    switch move {
    case .by(let rows): selected += rows
    case .pages(let pages):
      selected += pages * max(1, height - 1)
      top += pages * max(1, height - 1)
    case .halfPages(let halves):
      selected += halves * max(1, height / 2)
      top += halves * max(1, height / 2)
    case .top: selected = 0
    case .bottom: selected = rowCount - 1
    }
    self = revealed(rowCount: rowCount, height: height)
  }

  /// Follows the selected record to its new row and keeps its place on the screen where possible.
  package mutating func follow(to row: Int, rowCount: Int, height: Int) {
    top += row - selected
    selected = row
    self = revealed(rowCount: rowCount, height: height)
  }

  /// The nearest position in which the cursor is on a row and the row is shown.
  package func revealed(rowCount: Int, height: Int) -> ScrollPosition {
    guard rowCount > 0, height > 0 else { return ScrollPosition() }
    let row = min(max(0, selected), rowCount - 1)
    let lastTop = max(0, rowCount - height)
    let first = min(max(top, row - height + 1), row)
    return ScrollPosition(selected: row, top: min(max(0, first), lastTop))
  }
}
