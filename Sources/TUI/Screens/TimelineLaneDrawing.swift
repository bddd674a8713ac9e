import Model

/// The lanes of one window: what falls into the same column is one thing, the one that matters most.
struct TimelineLaneDrawing {
  private let state: AppState
  private let summary: StreamSummary
  private let axis: TimeAxis
  /// For each lane the shown item of each column in which items start, and how many it stands for.
  private var shown: [TimelineLane: [(index: Int, count: Int)?]] = [:]
  private var freeze: [(rate: Double?, verdict: Verdict)]

  init(_ state: AppState, _ summary: StreamSummary, _ axis: TimeAxis) {
    self.state = state
    self.summary = summary
    self.axis = axis
    freeze = Array(repeating: (nil, .insufficient), count: axis.width)
    gather()
  }

  private mutating func gather() {
    let items = state.timeline.items
    var best = TimelineLane.allCases.map { _ in
      [(index: Int, count: Int)?](repeating: nil, count: axis.width)
    }
    var strip = freeze
    let (from, to) = (axis.start.nanoseconds, axis.end.nanoseconds)
    items.forEach(from: from, to: to) { index, item in
      let first = column(item.start)
      if item.lane == .rendering, let rate = item.freezeRate {
        for column in first...max(first, column(item.end)) where rate >= strip[column].rate ?? 0 {
          strip[column] = (rate, item.verdict)
        }
        return
      }
      let lane = Int(item.lane.rawValue)
      guard let known = best[lane][first] else {
        best[lane][first] = (index, 1)
        return
      }
      let wins = matters(index, item, more: known.index, items.items[known.index])
      best[lane][first] = (wins ? index : known.index, known.count + 1)
    }
    freeze = strip
    for lane in TimelineLane.allCases { shown[lane] = best[Int(lane.rawValue)] }
  }

  private func matters(_ index: Int, _ item: TimelineItem, more other: Int, _ known: TimelineItem)
    -> Bool
  {
    if index == state.timeline.selected { return true }
    if other == state.timeline.selected { return false }
    if item.verdict != known.verdict { return item.verdict > known.verdict }
    return item.end - item.start > known.end - known.start
  }

  /// The column of an instant; the nearest one outside.
  private func column(_ instant: Int64) -> Int {
    let place = axis.place(of: Timestamp(nanoseconds: instant))
    return Int(min(max(0, place), Double(max(0, axis.width - 1))))
  }

  // MARK: - Drawing

  mutating func draw(_ lane: TimelineLane, into grid: inout Grid, in area: Rect) {
    switch lane {
    case .state: drawSessions(into: &grid, in: area)
    case .rendering:
      drawStrip(into: &grid, in: area)
      put(laneItems(lane), into: &grid, in: area)
    case .screens where area.height > 1:
      let rows = twoRows(shown[lane] ?? [])
      put(rows.0.flatMap(drawn), into: &grid, in: area.row(0))
      put(rows.1.flatMap(drawn), into: &grid, in: area.row(1))
    default: put(laneItems(lane), into: &grid, in: area.row(0))
    }
  }

  private func put(_ items: [LaneItem], into grid: inout Grid, in area: Rect) {
    let now = Timestamp(nanoseconds: max(state.overview.now, axis.start.nanoseconds))
    TimelineLanes.draw(items, on: axis, now: now, into: &grid, in: area)
  }

  private func laneItems(_ lane: TimelineLane) -> [LaneItem] {
    (shown[lane] ?? []).compactMap { $0 }.flatMap(drawn)
  }

  /// What begins before the first row is free goes to the second one.
  private func twoRows(
    _ columns: [(index: Int, count: Int)?]
  ) -> ([(index: Int, count: Int)], [(index: Int, count: Int)]) {
    var rows: ([(index: Int, count: Int)], [(index: Int, count: Int)]) = ([], [])
    var free = Int64.min
    for entry in columns.lazy.compactMap({ $0 }) {
      let item = state.timeline.items.items[entry.index]
      if item.start < free {
        rows.1.append(entry)
      } else {
        rows.0.append(entry)
        free = item.end
      }
    }
    return rows
  }

  private func drawn(_ entry: (index: Int, count: Int)) -> [LaneItem] {
    let item = state.timeline.items.items[entry.index]
    let text = TimelineText(item, state)
    var label = text.label
    if entry.count > 1, !label.isEmpty { label += " ×\(QuantityText.count(entry.count))" }
    let (shape, role) = look(item)
    var items = [
      LaneItem(
        start: Timestamp(nanoseconds: item.start),
        end: item.isOpen ? nil : Timestamp(nanoseconds: item.end),
        shape: shape,
        role: role,
        label: label,
        isSelected: entry.index == state.timeline.selected
      )
    ]
    if let blank = beforeFirstFrame(item, role: role) { items.append(blank) }
    items[items.count - 1].isSelected = items[0].isSelected
    return items
  }

  private func look(_ item: TimelineItem) -> (LaneItem.Shape, Role) {
    let row = item.row.map { state.model.store[$0] }
    switch item.lane {
    case .hangs:
      if item.verdict == .insufficient { return (.run("▨"), .muted) }
      let isShort = item.end - item.start < 500_000_000 && !item.isOpen
      return (.run(isShort ? "▪" : "■"), VerdictText.role(item.verdict))
    case .leaks: return (.point("◆"), .normal)
    case .watchdog: return (.point("✗"), VerdictText.role(item.verdict))
    case .rendering: return (.point("▪"), .normal)
    case .launch:
      guard let row else { return (.point("▸"), .muted) }
      if row.outcome.isError || row.flags.contains(.prewarmed) { return (.low, .muted) }
      return (.bar, VerdictText.role(item.verdict))
    case .screens, .fragments:
      if row?.outcome.isError ?? false { return (.low, .muted) }
      return (.bar, VerdictText.role(item.verdict))
    case .ledger:
      let role = TimelineText(item, state).role
      return isPoint(item) ? (.point("·"), role) : (.bar, role)
    case .other: return isPoint(item) ? (.point("·"), .muted) : (.bar, .muted)
    case .state: return (.run("━"), .muted)
    }
  }

  private func isPoint(_ item: TimelineItem) -> Bool {
    Double(item.end - item.start) < axis.nanosecondsPerColumn && !item.isOpen
  }

  /// The part of a TTI before the first frame, in whole columns: nothing was on screen yet.
  private func beforeFirstFrame(_ item: TimelineItem, role: Role) -> LaneItem? {
    guard item.lane == .screens || item.lane == .fragments, let number = item.row else {
      return nil
    }
    let row = state.model.store[number]
    guard !row.outcome.isError, let first = row.secondaryValue else { return nil }
    let size = axis.nanosecondsPerColumn
    let from = axis.place(of: Timestamp(nanoseconds: item.start)).rounded(.up)
    let shown = Timestamp(nanoseconds: item.start).advanced(byMilliseconds: Int64(first))
    let to = axis.place(of: min(shown, Timestamp(nanoseconds: item.end))).rounded(.down)
    let last = min(to, Double(axis.width))
    guard last - max(0, from) >= 1 else { return nil }
    return LaneItem(
      start: axis.start.advanced(byNanoseconds: Int64((max(0, from) + 0.25) * size)),
      end: axis.start.advanced(byNanoseconds: Int64((last - 0.25) * size)),
      shape: .run("░"),
      role: role
    )
  }

  // MARK: - Sessions and freezes

  /// Runs of the foreground, each with its state in words where there is room.
  private func drawSessions(into grid: inout Grid, in area: Rect) {
    var known = [Session?](repeating: nil, count: axis.width)
    for session in summary.sessions
    where session.start <= axis.end.nanoseconds && session.end >= axis.start.nanoseconds {
      let first = column(session.start)
      if known[first].map({ $0.end < session.end }) ?? true { known[first] = session }
    }
    for session in known.lazy.compactMap({ $0 }) {
      let (sign, role) = StateText.sign(session.state)
      let first = column(session.start)
      // An end exactly on a column's edge does not reach into that column.
      let place = axis.place(of: Timestamp(nanoseconds: session.end)).rounded(.up)
      let last = min(max(first, Int(min(place, Double(axis.width))) - 1), axis.width - 1)
      let run = Rect(x: area.x + first, y: area.y, width: last - first + 1, height: 1)
        .intersection(area)
      grid.fill(run, with: Cell(Glyph("━"), role: .muted))
      let word = session.state == .unmeasured ? "no frames" : session.state.rawValue
      let text = " \(sign) \(word) "
      if TextWidth.columns(of: text) + 2 <= run.width {
        grid.put(text, x: run.x + 1, y: run.y, role: role == .muted ? .normal : role, clip: run)
      }
    }
  }

  private func drawStrip(into grid: inout Grid, in area: Rect) {
    // The same scale in every window, so that moving it changes no height.
    let maximum = 2 * state.model.options.hitchScale.critical
    for (column, slot) in freeze.enumerated() where slot.rate != nil {
      let level = Charts.sparkline([slot.rate], maximum: maximum, width: 1)
      let role = VerdictText.role(slot.verdict)
      grid.put(
        level,
        x: area.x + column,
        y: area.y,
        role: role == .normal ? .muted : role,
        clip: area.row(0)
      )
    }
    guard let selected = state.timeline.selected else { return }
    let item = state.timeline.items.items[selected]
    guard item.lane == .rendering, item.start <= axis.end.nanoseconds,
      item.end >= axis.start.nanoseconds
    else { return }
    let first = column(item.start)
    let run = Rect(x: area.x + first, y: area.y, width: column(item.end) - first + 1, height: 1)
    grid.add(.selected, to: run.intersection(area))
  }
}
