package import Model

/// Something on a lane of the timeline.
package struct LaneItem: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    /// A full bar with sub-column edges; shorter than a column it is `▏`.
    case bar
    /// A low line, such as the time on screen after a measurement has ended.
    case low
    /// A row of one character of one column, such as `■`.
    case run(Character)
    /// One character at the start, whatever the end.
    case point(Character)
  }

  package var start: Timestamp
  /// Nil while it lasts: it runs to now and ends in `┄`.
  package var end: Timestamp?
  package var shape: Shape
  package var role: Role
  /// Stands after the item, or before it, where there is room.
  package var label: String
  package var isSelected: Bool

  package init(
    start: Timestamp,
    end: Timestamp?,
    shape: Shape = .bar,
    role: Role = .normal,
    label: String = "",
    isSelected: Bool = false
  ) {
    self.start = start
    self.end = end
    self.shape = shape
    self.role = role
    self.label = label
    self.isSelected = isSelected
  }
}

/// Draws lanes: one row of things on a time axis.
package enum TimelineLanes {
  /// Draws items in their order, later ones over earlier ones, then labels where cells are still free.
  ///
  /// `area` is the row, as wide as the axis. What lies outside the axis is clipped; an item that begins
  /// before it has no left edge.
  package static func draw(
    _ items: [LaneItem],
    on axis: TimeAxis,
    now: Timestamp,
    into grid: inout Grid,
    in area: Rect
  ) {
    let row = Rect(x: area.x, y: area.y, width: min(area.width, axis.width), height: area.height)
      .row(0).intersection(grid.bounds)
    guard !row.isEmpty else { return }
    var taken = [Bool](repeating: false, count: row.width)
    var labels: [(item: LaneItem, columns: Range<Int>)] = []
    for item in items {
      guard let columns = columns(of: item, on: axis, now: now, width: row.width) else { continue }
      draw(item, in: columns, on: axis, now: now, into: &grid, row: row)
      for column in columns { taken[column] = true }
      if !item.label.isEmpty { labels.append((item, columns)) }
    }
    for (item, columns) in labels {
      let size = TextWidth.columns(of: item.label)
      let attributes: CellAttributes = item.isSelected ? [.selected] : []
      guard let start = labelStart(size: size, beside: columns, taken: taken) else { continue }
      grid.put(
        item.label,
        x: row.x + start,
        y: row.y,
        role: item.role,
        attributes: attributes,
        clip: row
      )
      for column in start..<start + size { taken[column] = true }
    }
  }

  /// The columns an item covers; nil when none is in the picture.
  private static func columns(
    of item: LaneItem,
    on axis: TimeAxis,
    now: Timestamp,
    width: Int
  ) -> Range<Int>? {
    let end = max(item.start, item.end ?? now)
    guard item.start <= axis.end, end >= axis.start else { return nil }
    let first = axis.place(of: item.start)
    if case .point = item.shape {
      guard let column = axis.column(of: item.start), column < width else { return nil }
      return column..<column + 1
    }
    let left = Int(min(max(0, first), Double(width - 1)))
    // An end exactly on a column's edge does not reach into that column.
    let right = Int(min(max(0, axis.place(of: end)), Double(width)).rounded(.up))
    return left..<max(left + 1, min(right, width))
  }

  private static func draw(
    _ item: LaneItem,
    in columns: Range<Int>,
    on axis: TimeAxis,
    now: Timestamp,
    into grid: inout Grid,
    row: Rect
  ) {
    let glyphs: [Character]
    switch item.shape {
    case .point(let character), .run(let character):
      glyphs = Array(repeating: character, count: columns.count)
    case .low:
      glyphs = Array(repeating: "▁", count: columns.count)
    case .bar:
      let end = max(item.start, item.end ?? now)
      glyphs = bar(
        from: axis.place(of: item.start) - Double(columns.lowerBound),
        to: axis.place(of: end) - Double(columns.lowerBound),
        width: columns.count
      )
    }
    let attributes: CellAttributes = item.isSelected ? [.selected] : []
    for (offset, character) in glyphs.enumerated() {
      let x = row.x + columns.lowerBound + offset
      let isTail = item.end == nil && offset == glyphs.count - 1 && glyphs.count > 1
      let shown = isTail ? "┄" : String(character)
      grid.put(shown, x: x, y: row.y, role: item.role, attributes: attributes, clip: row)
    }
  }

  /// A bar between two places of a field of columns: `▐` or `▕` where it starts inside one, eighths at
  /// its end, `▏` where it is shorter than a column.
  static func bar(from start: Double, to end: Double, width: Int) -> [Character] {
    guard end - start >= 1 || start < 0 || end > Double(width) else {
      if width == 1 { return ["▏"] }
      // It crosses an edge: the column with more of it shows it.
      return 1 - start >= end - 1 ? ["▕", " "] : [" ", "▏"]
    }
    return (0..<width).map { column in
      let head = start - Double(column)
      let tail = end - Double(column)
      if head > 0 { return head <= 0.125 ? "█" : head <= 0.6875 ? "▐" : "▕" }
      guard tail < 1 else { return "█" }
      let eighths = Int((tail * 8).rounded())
      return eighths >= 8 ? "█" : Charts.leftBlock(max(1, eighths)).first ?? " "
    }
  }

  /// Where a label has room: a cell after the item, a cell before it, or right before it.
  private static func labelStart(size: Int, beside columns: Range<Int>, taken: [Bool]) -> Int? {
    let after = columns.upperBound + 1
    if after + size <= taken.count, !taken[columns.upperBound..<after + size].contains(true) {
      return after
    }
    return [columns.lowerBound - 1 - size, columns.lowerBound - size].first { before in
      before >= 0 && !taken[before..<columns.lowerBound].contains(true)
    }
  }
}
