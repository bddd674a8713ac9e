/// A picture of the screen: cells of text, role and attributes, without any colour.
///
/// Everything drawn is clipped to the grid and to the part given; a wide character is never split, and
/// text is made printable on the way (`TextWidth`), so no string of the data can leave its place.
package struct Grid: Equatable, Sendable {
  package let width: Int
  package let height: Int
  /// Row by row from the top left.
  package private(set) var cells: [Cell]

  package init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  /// The cell at a place; a blank one outside.
  package subscript(x: Int, y: Int) -> Cell {
    bounds.contains(x: x, y: y) ? cells[y * width + x] : .blank
  }

  /// Puts text from `x` on, inside `clip`, and returns the column after it.
  ///
  /// What lies left of the clip is skipped, what lies right of it is dropped; half a wide character
  /// becomes a space.
  @discardableResult
  package mutating func put(
    _ text: String,
    x: Int,
    y: Int,
    role: Role = .normal,
    attributes: CellAttributes = [],
    clip: Rect? = nil
  ) -> Int {
    let area = clip.map { $0.intersection(bounds) } ?? bounds
    var column = x
    guard y >= area.y, y < area.bottom, x < area.right else { return x }
    let look = Cell(.space, role: role, attributes: attributes)
    if let end = putAlone(text, look, x: x, y: y, in: area) { return end }
    TextWidth.forEachGlyph(in: text) { glyph in
      guard column < area.right else { return false }
      let next = column + Int(glyph.columns)
      if column >= area.x, next <= area.right {
        write(Cell(glyph, role: role, attributes: attributes), x: column, y: y)
      } else {
        for x in max(column, area.x)..<max(min(next, area.right), area.x) {
          write(Cell(.space, role: role, attributes: attributes), x: x, y: y)
        }
      }
      column = next
      return true
    }
    return min(column, area.right)
  }

  /// Puts text each of whose scalars is a cell; nil for other text.
  private mutating func putAlone(_ text: String, _ look: Cell, x: Int, y: Int, in area: Rect)
    -> Int?
  {
    guard let columns = TextWidth.columnsAlone(of: text) else { return nil }
    let end = min(x + columns, area.right)
    let first = max(x, area.x)
    guard first < end else { return end }
    open(first..<end, y: y)
    var cell = look
    // As many bytes as columns: every byte is one.
    let isWritten = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard bytes.count == columns else { return false }
      for column in first..<end {
        cell.glyph = Glyph(Unicode.Scalar(bytes[column - x]))
        cells[y * width + column] = cell
      }
      return true
    }
    if isWritten == true { return end }
    var column = x
    for scalar in text.unicodeScalars {
      guard column < end else { break }
      if column >= first {
        cell.glyph = Glyph(scalar)
        cells[y * width + column] = cell
      }
      column += 1
    }
    return end
  }

  /// Puts pieces of text one after the other.
  @discardableResult
  package mutating func put(_ text: StyledText, x: Int, y: Int, clip: Rect? = nil) -> Int {
    text.segments.reduce(x) { column, segment in
      put(
        segment.text,
        x: column,
        y: y,
        role: segment.role,
        attributes: segment.attributes,
        clip: clip
      )
    }
  }

  /// Puts text so that it ends before the right edge of `area`, in its first row.
  ///
  /// Returns the column at which it begins.
  @discardableResult
  package mutating func putRight(_ text: StyledText, in area: Rect) -> Int {
    let start = area.right - text.columns
    put(text, x: start, y: area.y, clip: area)
    return max(start, area.x)
  }

  /// Sets one cell if it is in the grid.
  package mutating func set(_ cell: Cell, x: Int, y: Int) {
    guard bounds.contains(x: x, y: y) else { return }
    guard !cell.glyph.isContinuation, !cell.glyph.isWide || x + 1 < width else {
      write(Cell(.space, role: cell.role, attributes: cell.attributes), x: x, y: y)
      return
    }
    write(cell, x: x, y: y)
  }

  /// Fills a part with one character of one column.
  package mutating func fill(_ area: Rect, with cell: Cell = .blank) {
    let part = area.intersection(bounds)
    let single = cell.glyph.columns == 1 ? cell : .blank
    guard !part.isEmpty else { return }
    for y in part.y..<part.bottom {
      open(part.x..<part.right, y: y)
      for x in part.x..<part.right { cells[y * width + x] = single }
    }
  }

  /// Draws a line over the first row of `area`, with a title set into it.
  package mutating func rule(_ area: Rect, title: StyledText? = nil) {
    fill(area.row(0), with: Cell(Glyph("─"), role: .rule))
    guard let title, area.width > 4 else { return }
    let inner = area.row(0).inset(left: 1, right: 1)
    put(" ", x: inner.x, y: inner.y, clip: inner)
    let end = put(title, x: inner.x + 1, y: inner.y, clip: inner)
    put(" ", x: end, y: inner.y, clip: inner)
  }

  /// Adds attributes to every cell of a part, whatever it holds: the selection, or a hit of the search.
  package mutating func add(_ attributes: CellAttributes, to area: Rect) {
    let part = area.intersection(bounds)
    for y in part.y..<part.bottom {
      for x in part.x..<part.right { cells[y * width + x].attributes.formUnion(attributes) }
    }
  }

  /// Marks the whole first row of `area` as the one under the cursor.
  package mutating func select(_ area: Rect) {
    add(.selected, to: area.row(0))
  }

  /// Writes a cell that is known to fit, and mends a wide character that it cuts.
  private mutating func write(_ cell: Cell, x: Int, y: Int) {
    open(x..<x + (cell.glyph.isWide ? 2 : 1), y: y)
    let index = y * width + x
    cells[index] = cell
    if cell.glyph.isWide {
      cells[index + 1] = Cell(.continuation, role: cell.role, attributes: cell.attributes)
    }
  }

  /// Mends wide characters that reach into columns which are about to be written.
  private mutating func open(_ columns: Range<Int>, y: Int) {
    let first = y * width + columns.lowerBound
    let last = y * width + columns.upperBound - 1
    if cells[first].glyph.isContinuation { cells[first - 1].glyph = .space }
    if cells[last].glyph.isWide, last + 1 < cells.count { cells[last + 1].glyph = .space }
  }
}
