import Model

/// The whole picture of a state: header, the shown screen, footer.
package enum Picture {
  package static func draw(_ state: AppState) -> Grid {
    var grid = Grid(width: max(0, state.width), height: max(0, state.height))
    let layout = state.layout
    if layout.sizeClass == .tooSmall {
      grid.put("\(state.width)×\(state.height)", x: 0, y: 0, role: .muted)
      return grid
    }
    Header.draw(state, into: &grid, in: layout.header)
    drawContent(state, into: &grid, in: layout.content)
    drawFooter(state, into: &grid, in: layout.footer)
    if let problem = state.filterProblemLine, !layout.content.isEmpty {
      let row = layout.content.row(layout.content.height - 1)
      grid.fill(row)
      grid.put(problem, x: row.x, y: row.y, clip: row)
    }
    return grid
  }

  private static func drawContent(_ state: AppState, into grid: inout Grid, in area: Rect) {
    if let details = state.details {
      DetailsPane.draw(details, into: &grid, in: area)
    } else if let kind = state.listScreen {
      drawList(kind, state, into: &grid, in: area)
    } else if state.screen == .timeline {
      TimelineScreen.draw(state, into: &grid, in: area)
    } else {
      HelpScreen.draw(state, into: &grid, in: area)
    }
  }

  private static func drawList<Kind: ListScreen>(
    _ kind: Kind.Type,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    let list = state.list(state.screen)
    guard !list.entries.isEmpty else {
      let isFiltered = !state.filter.isEmpty && !state.overview.isEmpty
      let text = isFiltered ? "nothing here matches the filter" : kind.emptyText(state)
      drawEmpty(text, into: &grid, in: area)
      return
    }
    var rest = area
    if let banner = kind.banner(state) {
      let row = rest.takeTop(1)
      grid.put(banner, x: row.x, y: row.y, clip: row)
    }
    let height = kind.evidenceHeight(state, available: rest.height)
    let evidence = kind.evidenceIsAbove ? rest.takeTop(height) : rest.takeBottom(height)
    if !evidence.isEmpty {
      kind.drawEvidence(list.selected, state, into: &grid, in: evidence)
    }
    let shared = SharedState(state)
    Table(kind.columns(state), sort: list.sort ?? kind.defaultSort).draw(
      into: &grid,
      in: rest,
      rowCount: list.entries.count,
      position: list.position,
      search: state.search,
      banner: { kind.head(list.entries[$0], state) },
      cells: { kind.cells(list.entries[$0], shared) }
    )
    guard !kind.evidenceIsAbove else { return }
    drawPosition(list, rows: Table<Int>.visibleRows(height: rest.height), into: &grid, in: evidence)
  }

  /// How many rows are out of view, in the rule below the list; `↑ 12 ↓ 203 more`.
  private static func drawPosition(
    _ list: ListState,
    rows: Int,
    into grid: inout Grid,
    in rule: Rect
  ) {
    let count = list.entries.count
    guard rows > 0, count > rows, rule.width >= 30 else { return }
    let above = list.position.revealed(rowCount: count, height: rows).top
    let below = count - above - rows
    var text = above > 0 ? "↑ \(QuantityText.count(above)) " : ""
    if below > 0 { text += "↓ \(QuantityText.count(below)) " }
    grid.putRight(StyledText(" \(text)more ", .muted), in: rule.row(0).inset(right: 1))
  }

  /// Says why there is nothing, in the upper third where eyes look first.
  private static func drawEmpty(_ text: String, into grid: inout Grid, in area: Rect) {
    var y = area.y + min(area.height / 4, max(0, area.height - 1))
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let cut = DisplayText.cutAtEnd(String(line), to: area.width)
      let x = area.x + max(0, (area.width - TextWidth.columns(of: cut)) / 2)
      grid.put(cut, x: x, y: y, role: .muted, clip: area)
      y += 1
    }
  }

  private static func drawFooter(_ state: AppState, into grid: inout Grid, in area: Rect) {
    guard !area.isEmpty else { return }
    if let prompt = state.prompt {
      let purpose = state.promptPurpose
      let note = purpose == .search ? hitNote(state) : state.filterNote
      prompt.draw(into: &grid, in: area, sign: purpose.sign, note: note)
    } else if let notice = state.notice {
      grid.put(DisplayText.cutAtEnd(notice, to: area.width), x: area.x, y: area.y, clip: area)
    } else {
      var keys = area
      if state.search != nil {
        let note = hitNote(state)
        grid.putRight(note, in: keys.takeRight(note.columns + 1))
      }
      if state.details == nil, !state.filter.isEmpty || state.asking != nil {
        // A doubt about the answer matters more than keys.
        let isDoubted = state.overview.quality.note(on: state.filter) != nil
        let room = isDoubted ? keys.width : keys.width * 2 / 3
        let label = state.filterLabel(columns: room - 2)
        let field = keys.takeLeft(min(label.columns + 2, room))
        grid.put(label, x: field.x, y: field.y, clip: field)
      }
      // Over the details, the keys of lists do nothing.
      let place = state.details == nil ? state.screen : .help
      grid.put(Keymap.footer(on: place, width: keys.width), x: keys.x, y: keys.y, clip: keys)
    }
  }

  /// As in `/rooms 3/17`; the number is the hit under the cursor, or nothing when it is on none.
  private static func hitNote(_ state: AppState) -> StyledText {
    guard let search = state.search, let scan = state.hitScan else { return StyledText() }
    let text = state.prompt == nil ? "/\(search.text) " : ""
    let count = QuantityText.count(scan.count)
    if !scan.isDone {
      let found = scan.count > 0 ? "\(count) so far" : "looking"
      return StyledText("\(text)\(found), \(Int(scan.share * 100))%", .accent)
    }
    guard scan.count > 0 else { return StyledText(text + "no hits", .warning) }
    let number = scan.number(of: state.selectedHit).map { QuantityText.count($0) } ?? "–"
    return StyledText("\(text)\(number)/\(count)", .accent)
  }
}
