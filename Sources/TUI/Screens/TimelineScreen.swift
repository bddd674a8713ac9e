import Model

/// What happened when, and at the same time: lanes over one axis, and what lies under the cursor.
enum TimelineScreen {
  /// Columns of the lanes' names.
  static func labelWidth(_ width: Int) -> Int { min(10, max(0, width) / 4) }

  static func draw(_ state: AppState, into grid: inout Grid, in area: Rect) {
    let timeline = state.timeline
    guard let index = timeline.streamIndex(state), !area.isEmpty else {
      return drawEmpty(state, into: &grid, in: area)
    }
    let summary = state.overview.streams[index]
    if timeline.items.isEmpty, summary.sessions.isEmpty {
      return drawEmpty(state, into: &grid, in: area)
    }
    let layout = TimelineLayout(state, summary, area)
    drawTitle(state, summary, into: &grid, in: layout.title)
    let axis = timeline.axis(width: layout.axisWidth)
    drawTicks(axis, state, into: &grid, in: layout.ticks)
    var lanes = TimelineLaneDrawing(state, summary, axis)
    for (lane, row) in layout.lanes {
      let name = DisplayText.cutAtEnd(lane.name, to: max(0, layout.labelWidth - 1))
      grid.put(name, x: row.x, y: row.y, role: .muted, clip: row)
      var strip = row
      _ = strip.takeLeft(layout.labelWidth)
      lanes.draw(lane, into: &grid, in: strip)
    }
    drawCursor(axis, state, layout, into: &grid)
    drawEvidence(state, layout, into: &grid)
  }

  private static func drawEmpty(_ state: AppState, into grid: inout Grid, in area: Rect) {
    let text =
      state.overview.isEmpty
      ? "no telemetry yet" : "no records with a usable time, so there is nothing to draw"
    let cut = DisplayText.cutAtEnd(text, to: area.width)
    let x = area.x + max(0, (area.width - TextWidth.columns(of: cut)) / 2)
    let y = area.y + min(area.height / 4, max(0, area.height - 1))
    grid.put(cut, x: x, y: y, role: .muted, clip: area)
  }

  // MARK: - Head

  /// `─ session 12:03:58 · 33 s · open · iPhone15,2 ───── 35 s shown ─`.
  private static func drawTitle(
    _ state: AppState,
    _ summary: StreamSummary,
    into grid: inout Grid,
    in area: Rect
  ) {
    guard !area.isEmpty else { return }
    grid.rule(area)
    var inner = area.inset(left: 1, right: 1)
    var notes = StyledText(
      " " + QuantityText.length(milliseconds: Double(state.timeline.length) / 1_000_000)
        + " shown ",
      .muted
    )
    let untimed = state.timeline.items.untimed
    if untimed > 0 {
      let noun = untimed == 1 ? "record" : "records"
      let words = " \(QuantityText.count(untimed)) \(noun) without a usable time ·"
      let note = StyledText(words, .muted)
      if note.columns + notes.columns < inner.width / 2 { notes = note + notes }
    }
    if state.isFollowing { notes = StyledText(" following ·", .accent) + notes }
    if inner.width >= 60 {
      let start = grid.putRight(notes, in: inner)
      inner.width = max(0, start - inner.x - 1)
    }
    guard let visit = state.timeline.visit(state) else { return }
    let title = EvidencePane.cut(self.title(visit, summary, state), to: inner.width - 2)
    grid.put(" ", x: inner.x, y: inner.y, clip: inner)
    let end = grid.put(title, x: inner.x + 1, y: inner.y, clip: inner)
    grid.put(" ", x: end, y: inner.y, clip: inner)
  }

  private static func title(
    _ visit: TimelineVisit,
    _ summary: StreamSummary,
    _ state: AppState
  ) -> StyledText {
    let sessions = summary.sessions[visit.sessions]
    let milliseconds = sessions.reduce(0) { $0 + $1.durationMilliseconds }
    let last = sessions.lastMeasured.map { sessions[$0].state } ?? .open
    var title = StyledText("session \(MomentText.text(visit.start, state))", .title)
    let length = QuantityText.length(milliseconds: milliseconds, isAtLeast: last == .lost)
    title.append(" · \(length) · ", .normal)
    // Its sign is a dot, and between dots that would be lost.
    title =
      title
      + (last == .unmeasured
        ? StyledText("no frames") : StateText.text(last, sessions, columns: state.width / 3))
    let resource = sessions.last?.resource ?? .empty
    let device =
      state.overview.streams.count > 1
      ? StreamText.device(summary.stream, resource, state)
      : state.model.text(state.model.resource(resource).deviceModel)
    if !device.isEmpty { title.append(" · \(device)", .muted) }
    return title
  }

  private static func drawTicks(
    _ axis: TimeAxis,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    // A label that would be cut says another time.
    for (column, label) in axis.ticks(clock: state.clock, spacing: 14)
    where column + TextWidth.columns(of: label) <= area.width {
      grid.put(label, x: area.x + column, y: area.y, role: .muted, clip: area)
    }
  }

  // MARK: - Cursor

  /// A line through the lanes wherever nothing is drawn, down to what is said of it.
  private static func drawCursor(
    _ axis: TimeAxis,
    _ state: AppState,
    _ layout: TimelineLayout,
    into grid: inout Grid
  ) {
    let instant = Timestamp(nanoseconds: state.timeline.cursor)
    guard let column = axis.column(of: instant) else { return }
    let x = layout.ticks.x + column
    let bottom = layout.lanes.last.map { $0.1.y } ?? layout.ticks.y
    for y in layout.ticks.y...max(layout.ticks.y, bottom) where grid[x, y].glyph == .space {
      grid.set(Cell(Glyph("┃"), role: .accent), x: x, y: y)
    }
    guard !layout.rule.isEmpty else { return }
    var title = StyledText("at ", .heading)
    let isFine = axis.nanosecondsPerColumn < 1e9
    title.append(state.clock.time(instant, milliseconds: isFine), .heading)
    title.append(state.clock.zoneSuffix(at: instant), .muted)
    grid.rule(layout.rule, title: title)
    let end = layout.rule.x + 3 + title.columns
    if x >= end { grid.set(Cell(Glyph("┴"), role: .accent), x: x, y: layout.rule.y) }
  }

  // MARK: - Evidence

  private static func drawEvidence(
    _ state: AppState,
    _ layout: TimelineLayout,
    into grid: inout Grid
  ) {
    var area = layout.evidence
    guard !area.isEmpty else { return }
    if area.width >= 120 {
      let side = area.takeRight(area.width * 2 / 5)
      _ = area.takeRight(2)
      let around = TimelineEvidence.around(state, width: side.width, height: side.height)
      put(around, into: &grid, in: side)
    }
    put(TimelineEvidence.lines(state, width: layout.axisWidth), into: &grid, in: area)
  }

  private static func put(_ lines: [StyledText], into grid: inout Grid, in area: Rect) {
    for (row, line) in lines.prefix(area.height).enumerated() {
      let fitted = TimelineEvidence.fitted(line, to: area.width)
      grid.put(fitted, x: area.x, y: area.y + row, clip: area)
    }
  }
}

/// Where the parts of the timeline stand.
struct TimelineLayout {
  var title: Rect
  var ticks: Rect
  /// A lane may have two rows.
  var lanes: [(TimelineLane, Rect)]
  var rule: Rect
  var evidence: Rect
  var labelWidth: Int
  var axisWidth: Int

  init(_ state: AppState, _ summary: StreamSummary, _ area: Rect) {
    labelWidth = TimelineScreen.labelWidth(area.width)
    axisWidth = max(1, area.width - labelWidth)
    var rest = area
    title = rest.takeTop(rest.height >= 3 ? 1 : 0)
    ticks = rest.takeTop(rest.height >= 3 ? 1 : 0)
    _ = ticks.takeLeft(labelWidth)
    let items = state.timeline.items
    var shown = TimelineLane.allCases.filter(items.lanes.contains)
    if shown.count > rest.height {
      let kept = shown.sorted { $0.dropOrder < $1.dropOrder }.prefix(rest.height)
      shown = shown.filter(kept.contains)
    }
    let isRoomy = rest.height - shown.count >= 16
    lanes = []
    for lane in shown {
      let rows = lane == .screens && items.hasOverlappingScreens && isRoomy ? 2 : 1
      lanes.append((lane, rest.takeTop(rows)))
    }
    // A rule with nothing below it explains nothing.
    rule = rest.takeTop(rest.height >= 2 ? 1 : 0)
    evidence = rule.isEmpty ? rest.row(-1) : rest
  }
}
