import Model

/// Which session was bad: a row per visit, grouped by device where there are several, newest first.
enum SessionsScreen: ListScreen {
  enum Column: Int {
    case state, start, length, launch, exit, screens, tti, frames, dropped, freeze, hangs, leaks
    case verdict
  }

  static let isNewestFirst = true
  static let ascending: Set<Int> = [Column.state.rawValue]

  static func columns(_ state: AppState) -> [TableColumn<Int>] {
    var columns = columns
    if let start = columns.firstIndex(where: { $0.id == Column.start.rawValue }) {
      columns[start].width = .fixed(MomentText.width(state))
    }
    if let first = columns.firstIndex(where: { $0.id == Column.state.rawValue }) {
      columns[first].width = .fixed(stateWidth(state))
    }
    return columns
  }

  /// Room for the rejected parts of a visit in words, where there are some.
  static func stateWidth(_ state: AppState) -> Int {
    state.digest.hasPartlyRejectedVisits && state.width >= 120 ? 25 : 13
  }

  private static let columns: [TableColumn<Int>] = [
    TableColumn(Column.state.rawValue, "STATE", width: .fixed(13)),
    TableColumn(Column.start.rawValue, "START", width: .fixed(8)),
    TableColumn(Column.length.rawValue, "LENGTH", width: .fixed(8), alignment: .right),
    TableColumn(
      Column.launch.rawValue,
      "LAUNCH",
      width: .fixed(7),
      alignment: .right,
      dropOrder: 4
    ),
    TableColumn(Column.exit.rawValue, "PREV EXIT", width: .fixed(9), dropOrder: 10),
    TableColumn(
      Column.screens.rawValue,
      "SCREENS",
      width: .fixed(7),
      alignment: .right,
      dropOrder: 8
    ),
    TableColumn(Column.tti.rawValue, "TTI P90", width: .fixed(7), alignment: .right, dropOrder: 1),
    TableColumn(
      Column.frames.rawValue,
      "FRAMES",
      width: .fixed(8),
      alignment: .right,
      dropOrder: 9
    ),
    TableColumn(
      Column.dropped.rawValue,
      "DROP%",
      width: .fixed(6),
      alignment: .right,
      dropOrder: 7
    ),
    TableColumn(Column.freeze.rawValue, "FREEZE ms/s", width: .flexible(minimum: 11, weight: 1)),
    TableColumn(Column.hangs.rawValue, "HANGS", width: .fixed(5), alignment: .right, dropOrder: 3),
    TableColumn(Column.leaks.rawValue, "LEAKS", width: .fixed(5), alignment: .right, dropOrder: 5),
    TableColumn(Column.verdict.rawValue, "VERDICT", width: .fixed(7)),
  ]

  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry] {
    guard let sort else { return state.digest.visitRows }
    let shared = SharedState(state)
    return state.digest.visitRows.filter { !$0.isHead }.sorted(isDescending: sort.isDescending) {
      .known(VisitFigures($0, shared).sortValue(Column(rawValue: sort.column)))
    }
  }

  /// The rows in their natural order: the device that was heard of last first, its newest visit first.
  static func naturalRows(_ overview: Overview) -> [ListEntry] {
    let streams = overview.streams
    // Of a large capture there are many: a copy of each would cost more than its rows.
    var groups: [(newest: Int64, stream: Int)] = []
    for index in streams.indices where !streams[index].visits.isEmpty {
      groups.append((streams[index].sessions.reduce(.min) { max($0, $1.end) }, index))
    }
    let only = groups.first.map { visitEntries(streams[$0.stream], $0.stream) } ?? []
    guard groups.count > 1 else { return only }
    groups.sort { ($0.newest, $1.stream) > ($1.newest, $0.stream) }
    var entries: [ListEntry] = []
    entries.reserveCapacity(groups.count * 3)
    for (_, index) in groups {
      entries.append(ListEntry(.head(streams[index].stream), index))
      entries += visitEntries(streams[index], index)
    }
    return entries
  }

  /// Newest first; keys count visits within their launch from the oldest on.
  private static func visitEntries(
    _ summary: borrowing StreamSummary,
    _ index: Int
  ) -> [ListEntry] {
    var ordinals: [Int: Int] = [:]
    var rows: [ListEntry] = []
    let isAlone = summary.visits.count == 1
    for number in summary.visits.indices {
      let launch = summary.sessions[summary.visits[number].sessions.lowerBound].launch
      let ordinal = isAlone ? 0 : ordinals[launch ?? -1, default: 0]
      if !isAlone { ordinals[launch ?? -1] = ordinal + 1 }
      let start = launch.map { summary.launches[$0].start } ?? .min
      rows.append(
        ListEntry(.visit(summary.stream, launch: start, ordinal: ordinal), index, number)
      )
    }
    return rows.reversed()
  }

  static func head(_ entry: ListEntry, _ state: AppState) -> StyledText? {
    guard case .head(let stream) = entry.key else { return nil }
    let summary = state.overview.streams[entry.first]
    return StreamText.head(summary, stream, state)
  }

  static func cells(_ entry: ListEntry, _ state: SharedState) -> (Int, Int) -> StyledText {
    let figures = VisitFigures(entry, state)
    return { figures.cell(Column(rawValue: $0), width: $1) }
  }

  static func searchText(_ entry: ListEntry, _ state: AppState) -> String {
    VisitFigures(entry, SharedState(state)).searchText
  }

  static func record(_ entry: ListEntry, _ state: AppState) -> Int? {
    let figures = VisitFigures(entry, SharedState(state))
    let row = figures.sessions.lazy
      .compactMap { $0.renderingRows.first ?? $0.items.first }.first.map(Int.init)
    return row ?? figures.termination?.row
  }

  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] {
    VisitFigures(entry, SharedState(state)).facts
  }

  static func emptyText(_ state: AppState) -> String {
    state.model.quality.receivedSpans == 0 ? "no telemetry yet" : "no sessions in this data"
  }

  // MARK: - Evidence

  static func evidenceHeight(_ state: AppState, available: Int) -> Int {
    guard state.layout.sizeClass != .compact else { return 0 }
    return min(max(7, available / 3), max(4, state.digest.sessionPaneRows))
  }

  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    guard let entry, !entry.isHead else { return }
    let shared = SharedState(state)
    let figures = VisitFigures(entry, shared)
    var title = StyledText("session of \(MomentText.zoned(figures.start, state))", .title)
    if state.digest.hasSeveralApps, let app = figures.app { title.append(" · \(app)") }
    if let session = figures.lastMeasured {
      title.append(" · \(session.state.rawValue): \(session.reason)", .muted)
    }
    EvidencePane.draw(
      title: EvidencePane.cut(title, to: max(0, area.width - 6)),
      lines: { SessionEvidence(figures, shared).lines(width: $0, room: area.height - 1) },
      into: &grid,
      in: area
    )
  }
}
