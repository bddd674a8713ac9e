/// One column of a table.
package struct TableColumn<ID: Hashable & Sendable>: Sendable {
  package enum Width: Hashable, Sendable {
    case fixed(Int)
    /// At least so many columns; what is left over goes to flexible columns in proportion to weight.
    case flexible(minimum: Int, weight: Int)
  }

  package enum Cut: Sendable {
    case atEnd
    case inMiddle
  }

  package var id: ID
  package var title: String
  package var width: Width
  package var alignment: Alignment
  package var cut: Cut
  /// Columns with greater numbers leave first when there is no room, equal ones from the right; 0 stays.
  package var dropOrder: Int

  package init(
    _ id: ID,
    _ title: String,
    width: Width,
    alignment: Alignment = .left,
    cut: Cut = .atEnd,
    dropOrder: Int = 0
  ) {
    self.id = id
    self.title = title
    self.width = width
    self.alignment = alignment
    self.cut = cut
    self.dropOrder = dropOrder
  }

  fileprivate var minimum: Int {
    switch width {
    case .fixed(let columns): columns
    case .flexible(let minimum, _): minimum
    }
  }
}

/// What a table sorts by.
package struct TableSort<ID: Hashable & Sendable>: Hashable, Sendable {
  package var column: ID
  package var isDescending: Bool

  package init(_ column: ID, isDescending: Bool) {
    self.column = column
    self.isDescending = isDescending
  }
}

/// A header and rows in columns; only rows and columns that show are asked for.
package struct Table<ID: Hashable & Sendable>: Sendable {
  package var columns: [TableColumn<ID>]
  package var sort: TableSort<ID>?
  /// Empty cells between columns.
  package var gap = 2

  package init(_ columns: [TableColumn<ID>], sort: TableSort<ID>? = nil) {
    self.columns = columns
    self.sort = sort
  }

  /// A column that has a place, counted from the table's left edge.
  package struct PlacedColumn: Sendable {
    package var column: TableColumn<ID>
    package var x: Int
    package var width: Int
  }

  /// The columns that fit into `width`, with their places.
  package func layout(width: Int) -> [PlacedColumn] {
    var kept = columns
    var needed = kept.reduce(0) { $0 + $1.minimum } + gap * max(0, kept.count - 1)
    while needed > width, let index = nextToDrop(kept) {
      needed -= kept[index].minimum + gap
      kept.remove(at: index)
    }
    var spare = max(0, width - needed)
    var weights = kept.reduce(0) { $0 + $1.weight }
    var x = 0
    return kept.map { column in
      var size = column.minimum
      if column.weight > 0 {
        let share = spare * column.weight / weights
        size += share
        spare -= share
        weights -= column.weight
      }
      defer { x += size + gap }
      return PlacedColumn(column: column, x: x, width: min(size, max(0, width - x)))
    }
  }

  private func nextToDrop(_ kept: [TableColumn<ID>]) -> Int? {
    guard kept.count > 1, let most = kept.map(\.dropOrder).max(), most > 0 else { return nil }
    return kept.lastIndex { $0.dropOrder == most }
  }

  /// How many rows show in a part of this height: one goes to the header.
  package static func visibleRows(height: Int) -> Int { max(0, height - 1) }

  /// Draws header and rows, the row under the cursor marked over its whole width.
  ///
  /// `banner` gives a text that fills a whole row instead of columns, such as the head of a group. `hit` is
  /// the search whose matches are marked. Returns the position drawn, which shows the cursor.
  @discardableResult
  package func draw(
    into grid: inout Grid,
    in area: Rect,
    rowCount: Int,
    position: ScrollPosition,
    search: SearchPattern? = nil,
    showsSelection: Bool = true,
    banner: (Int) -> StyledText? = { _ in nil },
    cells: (_ row: Int) -> (_ column: ID, _ width: Int) -> StyledText
  ) -> ScrollPosition {
    var rest = area
    let header = rest.takeTop(1)
    let placed = layout(width: area.width)
    let position = position.revealed(rowCount: rowCount, height: rest.height)
    guard !area.isEmpty else { return position }
    drawHeader(placed, into: &grid, in: header)
    for line in 0..<min(rest.height, rowCount - position.top) {
      let row = position.top + line
      let place = rest.row(line)
      if let text = banner(row) {
        grid.put(text, x: place.x, y: place.y, clip: place)
      } else {
        let cell = cells(row)
        for item in placed {
          let field = Rect(x: place.x + item.x, y: place.y, width: item.width, height: 1)
          Self.draw(cell(item.column.id, item.width), of: item.column, into: &grid, in: field)
        }
      }
      search?.mark(in: &grid, place)
      if showsSelection, row == position.selected { grid.select(place) }
    }
    return position
  }

  private func drawHeader(_ placed: [PlacedColumn], into grid: inout Grid, in area: Rect) {
    for item in placed {
      var title = StyledText(item.column.title, .heading)
      if let sort, sort.column == item.column.id {
        title.append(sort.isDescending ? "▼" : "▲", .accent)
      }
      // The sort mark may stand in a gap, so that the title keeps its room: after it, or before the last.
      guard item.width > 0 else { continue }
      let extra = title.columns > item.width ? min(1, gap) : 0
      let isLast = item.x + item.width + extra > area.width
      let shift = isLast ? min(extra, item.x) : 0
      if shift > 0, let mark = title.segments.popLast() { title.segments.insert(mark, at: 0) }
      let field = Rect(
        x: area.x + item.x - shift,
        y: area.y,
        width: item.width + extra,
        height: 1
      )
      Self.draw(title, of: item.column, into: &grid, in: field.intersection(area))
    }
  }

  private static func draw(
    _ text: StyledText,
    of column: TableColumn<ID>,
    into grid: inout Grid,
    in field: Rect
  ) {
    guard field.width > 0 else { return }
    let columns = text.columns
    if columns <= field.width {
      let indent = column.alignment == .right ? field.width - columns : 0
      grid.put(text, x: field.x + indent, y: field.y, clip: field)
    } else if text.segments.count == 1, let only = text.segments.first {
      let cut =
        column.cut == .inMiddle
        ? DisplayText.cutInMiddle(only.text, to: field.width)
        : DisplayText.cutAtEnd(only.text, to: field.width)
      grid.put(
        cut,
        x: field.x,
        y: field.y,
        role: only.role,
        attributes: only.attributes,
        clip: field
      )
    } else {
      grid.put(text, x: field.x, y: field.y, clip: field)
      grid.put("…", x: field.right - 1, y: field.y, role: .muted, clip: field)
    }
  }
}

extension TableColumn {
  fileprivate var weight: Int {
    if case .flexible(_, let weight) = width { return max(0, weight) }
    return 0
  }
}
