/// Lines of text without a cursor, such as details and help.
package enum LinePane {
  /// Draws lines from `top` on, asking only for those that show, and returns the top that was drawn.
  ///
  /// Where lines are left out above or below, the right edge says so with `↑` and `↓`.
  @discardableResult
  package static func draw(
    into grid: inout Grid,
    in area: Rect,
    lineCount: Int,
    top: Int,
    search: SearchPattern? = nil,
    line: (Int) -> StyledText
  ) -> Int {
    let first = min(max(0, top), max(0, lineCount - area.height))
    guard !area.isEmpty else { return first }
    for offset in 0..<min(area.height, lineCount - first) {
      let row = area.row(offset)
      grid.put(line(first + offset), x: row.x, y: row.y, clip: row)
      search?.mark(in: &grid, row)
    }
    if first > 0 { grid.put("↑", x: area.right - 1, y: area.y, role: .muted, clip: area) }
    if first + area.height < lineCount {
      grid.put("↓", x: area.right - 1, y: area.bottom - 1, role: .muted, clip: area)
    }
    return first
  }
}
