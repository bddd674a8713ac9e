import Model

/// The part of a screen that explains the selected row: sentences, and a chart beside or below them.
enum EvidencePane {
  /// More than any pane has to say at a time; further rows are the list's.
  private static let highest = 14

  /// Nothing below 80×24, where Enter opens the same in full; else about a third of the room.
  static func height(_ state: AppState, available: Int) -> Int {
    state.layout.sizeClass == .compact ? 0 : min(highest, max(7, available / 3))
  }

  /// Columns of the chart where it stands beside the sentences; 0 where it stands below them.
  static func sideWidth(_ width: Int) -> Int { width >= 150 ? width * 2 / 5 : 0 }

  /// Draws the title, the sentences, and the chart for the width that it gets.
  ///
  /// Where there is no room for the whole chart, its first lines show if they mean something alone.
  static func draw(
    title: StyledText,
    lines: (_ width: Int) -> [StyledText],
    chart: (_ width: Int) -> [StyledText] = { _ in [] },
    chartMayBeCut: Bool = false,
    into grid: inout Grid,
    in area: Rect
  ) {
    var rest = area
    grid.rule(rest.takeTop(1), title: title)
    let side = sideWidth(rest.width)
    guard side > 0 else {
      let above = lines(rest.width)
      put(above, into: &grid, in: rest.takeTop(above.count))
      let below = chart(rest.width)
      if below.count <= rest.height || chartMayBeCut { put(below, into: &grid, in: rest) }
      return
    }
    put(chart(side), into: &grid, in: rest.takeRight(side))
    _ = rest.takeRight(2)
    put(lines(rest.width), into: &grid, in: rest)
  }

  private static func put(_ lines: [StyledText], into grid: inout Grid, in area: Rect) {
    for (row, line) in lines.prefix(area.height).enumerated() {
      grid.put(cut(line, to: area.width), x: area.x, y: area.y + row, clip: area)
    }
  }

  /// A line that is too long ends in `…`.
  static func cut(_ line: StyledText, to width: Int) -> StyledText {
    guard line.columns > width else { return line }
    var room = width
    var cut = StyledText()
    for segment in line.segments {
      let columns = TextWidth.columns(of: segment.text)
      guard columns >= room else {
        cut.segments.append(segment)
        room -= columns
        continue
      }
      // One column more than there is room for makes the cut show.
      let text = columns == room ? segment.text + "…" : segment.text
      cut.append(DisplayText.cutAtEnd(text, to: room), segment.role, attributes: segment.attributes)
      break
    }
    return cut
  }

  /// A muted word in a column of its own, then the text.
  static func line(_ label: String, _ text: StyledText) -> StyledText {
    StyledText(DisplayText.field(label, columns: labelWidth), .muted) + text
  }

  static func line(_ label: String, _ text: String, _ role: Role = .normal) -> StyledText {
    line(label, StyledText(text, role))
  }

  static let labelWidth = 10
}
