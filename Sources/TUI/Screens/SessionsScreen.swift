import Model

/// Which session was bad: a row per visit, grouped by device where there are several, newest first.
enum SessionsScreen: ListScreen {
  private enum Column: Int {
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
    return columns
  }

  /// Columns of the strip beside the freeze rate.
  private static func stripWidth(_ state: AppState) -> Int {
    let placed = Table(columns(state)).layout(width: state.width)
    let column = placed.first { $0.column.id == Column.freeze.rawValue }
    return max(0, (column?.width ?? 0) - 6)
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
    let streams = state.overview.streams
    var groups: [(newest: Int64, rows: [ListEntry])] = []
    for (index, summary) in streams.enumerated() where !summary.visits.isEmpty {
      var rows = visitEntries(summary, index)
      if let sort { rows = ordered(rows, by: sort, state) }
      let newest = summary.sessions.map(\.end).max() ?? .min
      groups.append((newest, rows))
    }
    guard groups.count > 1 else { return groups.first?.rows ?? [] }
    if let sort { return ordered(groups.flatMap(\.rows), by: sort, state) }
    groups.sort { $0.newest > $1.newest }
    return groups.flatMap { group -> [ListEntry] in
      guard let first = group.rows.first else { return [] }
      let head = ListEntry(.head(streams[first.first].stream), first.first)
      return [head] + group.rows
    }
  }

  /// Newest first; keys count visits within their launch from the oldest on.
  private static func visitEntries(_ summary: StreamSummary, _ index: Int) -> [ListEntry] {
    var ordinals: [Int: Int] = [:]
    let rows = summary.visits.enumerated().map { number, visit in
      let launch = summary.sessions[visit.sessions.lowerBound].launch
      let ordinal = ordinals[launch ?? -1, default: 0]
      ordinals[launch ?? -1] = ordinal + 1
      let start = launch.map { summary.launches[$0].start } ?? .min
      return ListEntry(.visit(summary.stream, launch: start, ordinal: ordinal), index, number)
    }
    return rows.reversed()
  }

  private static func ordered(
    _ rows: [ListEntry],
    by sort: TableSort<Int>,
    _ state: AppState
  ) -> [ListEntry] {
    rows.sorted(isDescending: sort.isDescending) {
      .known(VisitFigures($0, state).sortValue(Column(rawValue: sort.column)))
    }
  }

  static func head(_ entry: ListEntry, _ state: AppState) -> StyledText? {
    guard case .head(let stream) = entry.key else { return nil }
    let summary = state.overview.streams[entry.first]
    return StreamText.head(summary, stream, state)
  }

  static func cell(_ entry: ListEntry, _ column: Int, _ state: AppState) -> StyledText {
    VisitFigures(entry, state).cell(Column(rawValue: column))
  }

  static func searchText(_ entry: ListEntry, _ state: AppState) -> String {
    VisitFigures(entry, state).searchText
  }

  static func record(_ entry: ListEntry, _ state: AppState) -> Int? {
    let figures = VisitFigures(entry, state)
    let row = figures.sessions.lazy
      .compactMap { $0.renderingRows.first ?? $0.items.first }.first.map(Int.init)
    return row ?? figures.termination?.row
  }

  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] {
    VisitFigures(entry, state).facts
  }

  static func emptyText(_ state: AppState) -> String {
    state.model.quality.receivedSpans == 0 ? "no telemetry yet" : "no sessions in this data"
  }

  // MARK: - Evidence

  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    guard let entry, !entry.isHead else { return }
    let figures = VisitFigures(entry, state)
    var title = StyledText("session of \(MomentText.zoned(figures.start, state))", .title)
    if let session = figures.sessions.last {
      title.append(" · \(session.state.rawValue): \(session.reason)", .muted)
    }
    EvidencePane.draw(
      title: EvidencePane.cut(title, to: max(0, area.width - 6)),
      lines: {
        FindingLines.lines(
          figures.findings,
          isJudged: figures.verdict > .insufficient,
          state,
          width: $0,
          most: area.height - 1
        )
      },
      into: &grid,
      in: area
    )
  }

  /// One visit's sessions and what they add up to.
  private struct VisitFigures {
    let state: AppState
    let summary: StreamSummary
    let sessions: ArraySlice<Session>
    /// The stream's place in the overview.
    private let stream: Int
    /// Hangs whose end has not been seen.
    let openHangs: Int

    init(_ entry: ListEntry, _ state: AppState) {
      self.state = state
      stream = entry.first
      summary = state.overview.streams[entry.first]
      sessions =
        entry.isHead ? [] : summary.sessions[summary.visits[entry.second].sessions]
      let range = sessions.indices
      openHangs = summary.hangs.count {
        $0.type == .open && $0.session.map(range.contains) == true
      }
    }

    /// The last session's state: it is what the visit came to.
    var stateWord: SessionState { sessions.last?.state ?? .open }
    var start: Int64 { sessions.first?.start ?? 0 }
    var end: Int64 { sessions.map(\.end).max() ?? 0 }
    var length: Double { sessions.reduce(0) { $0 + $1.durationMilliseconds } }
    var fatalHangs: Int { sessions.reduce(0) { $0 + $1.fatalHangs } }
    var hangs: Int {
      sessions.reduce(openHangs) { $0 + $1.nonFatalHangs + $1.fatalHangs }
    }
    var leaks: Int { sessions.reduce(0) { $0 + $1.leaks } }
    /// The termination that ended it.
    var termination: Termination? {
      let range = sessions.indices
      return summary.terminations.first { $0.session.map(range.contains) == true }
    }
    var screens: Int { sessions.map(\.screens).max() ?? 0 }
    var ttiP90: Double? { sessions.compactMap(\.ttiP90).max() }

    var frames: FrameFigures? {
      sessions.compactMap(\.frames).reduce(nil) { sum, next in sum.map { $0 + next } ?? next }
    }

    /// The launch whose first visit this is.
    var launch: Launch? {
      guard let first = sessions.first, let index = first.launch else { return nil }
      let isFirst = summary.sessions.first { $0.launch == index }?.start == first.start
      return isFirst ? summary.launches[index] : nil
    }

    /// The worst of everything in the visit.
    var verdict: Verdict {
      state.findings.verdict(
        of: sessions.indices,
        in: stream,
        of: state.overview,
        freezeVerdict,
        droppedVerdict,
        state.model
      )
    }

    /// Of the session for which it is worst.
    private var freezeVerdict: Verdict { worst { state.rulebook.freezeRate($0).verdict } }
    private var droppedVerdict: Verdict { worst { state.rulebook.droppedFrames($0).verdict } }

    private func worst(_ judge: (MeasuredFrames) -> Verdict) -> Verdict {
      sessions.indices.map { judge(MeasuredFrames(sessions[$0], $0)) }.max() ?? .insufficient
    }

    /// What the rules say of the visit, the worst first.
    var findings: [Finding] {
      state.findings.findings(of: sessions.indices, in: stream, of: state.overview)
    }

    var isUnended: Bool {
      [.open, .stale, .lost, .unmeasured].contains(stateWord)
    }

    func sortValue(_ column: Column?) -> Double? {
      switch column {
      case .state: Double(SessionState.allCases.firstIndex(of: stateWord) ?? 0)
      case .start: Double(start)
      case .length: length
      case .launch: launch?.totalMilliseconds.map(Double.init)
      case .exit:
        launch.flatMap { ExitCause.allCases.firstIndex(of: $0.previousExit) }
          .map(Double.init)
      case .screens: Double(screens)
      case .tti: ttiP90
      case .frames: frames.map { Double($0.total) }
      case .dropped: frames?.droppedRatio
      case .freeze: frames?.freezeMillisecondsPerSecond
      case .hangs: Double(hangs)
      case .leaks: Double(leaks)
      case .verdict: Double(verdict.rawValue)
      case nil: nil
      }
    }

    func cell(_ column: Column?) -> StyledText {
      switch column {
      case .state: StateText.text(stateWord, parts: sessions.count)
      case .start: MomentText.cell(start, state)
      case .length:
        // Of a process of which only its death is told nothing has a length.
        length == 0 && isUnended
          ? StyledText(QuantityText.unknown, .muted)
          : StyledText(QuantityText.length(milliseconds: length, isAtLeast: isUnended))
      case .launch: launchCell
      case .exit: exitCell
      case .screens: counted(screens)
      case .tti:
        judged(
          QuantityText.duration(milliseconds: ttiP90),
          state.rulebook.threshold(.ttiSlow).verdict(
            ttiP90,
            sample: sessions.reduce(0) { $0 + $1.ttiCount }
          )
        )
      case .frames: StyledText(QuantityText.count(frames?.total))
      case .dropped:
        judged(QuantityText.percent(frames?.droppedRatio), droppedVerdict)
      case .freeze: freezeCell
      case .hangs:
        hangs == 0
          ? StyledText("–", .muted)
          : StyledText(
            fatalHangs > 0 ? "\(hangs) F" : openHangs > 0 ? "\(hangs) ●" : "\(hangs)",
            fatalHangs > 0 ? .critical : .warning
          )
      case .leaks: counted(leaks, warnFrom: 2)
      case .verdict: VerdictText.badge(verdict)
      case nil: StyledText()
      }
    }

    private var launchCell: StyledText {
      guard let launch else { return StyledText("–", .muted) }
      let total = launch.totalMilliseconds.map(Double.init)
      let text = QuantityText.duration(milliseconds: total)
      if launch.isPrewarmed { return StyledText("prewarm", .muted) }
      return judged(text, LaunchText.verdict(launch, state))
    }

    /// How the process before this launch ended.
    private var exitCell: StyledText {
      switch launch?.previousExit {
      case nil, .unknown: StyledText("–", .muted)
      case .clean: StyledText("clean", .muted)
      case .hang: StyledText("hang", .critical)
      case .watchdog: StyledText("watchdog", .warning)
      case .lost: StyledText("lost", .warning)
      }
    }

    private var freezeCell: StyledText {
      let rate = frames?.freezeMillisecondsPerSecond
      guard rate != nil else { return StyledText("–", .muted) }
      var text = StyledText(
        DisplayText.field(QuantityText.ratio(rate), columns: 5, alignment: .right),
        VerdictText.role(freezeVerdict)
      )
      let strip = FreezeStrip.strip(sessions, state, width: SessionsScreen.stripWidth(state))
      if !strip.isEmpty { text.append(" " + strip, .muted) }
      return text
    }

    private func judged(_ text: String, _ verdict: Verdict) -> StyledText {
      StyledText(text, text == QuantityText.unknown ? .muted : VerdictText.role(verdict))
    }

    private func counted(_ count: Int, warnFrom: Int = .max) -> StyledText {
      count == 0
        ? StyledText("–", .muted)
        : StyledText(QuantityText.count(count), count >= warnFrom ? .warning : .normal)
    }

    var searchText: String {
      guard let session = sessions.first else { return "" }
      let resource = state.model.resource(session.resource)
      let parts = [resource.app, resource.version, resource.deviceModel, session.sessionID]
      return "\(stateWord.rawValue) \(MomentText.text(start, state)) "
        + parts.map(state.model.text).filter { !$0.isEmpty }.joined(separator: " ")
    }

    var facts: [DetailsState.Fact] {
      var facts: [DetailsState.Fact] = []
      for session in sessions {
        let from = state.clock.dateTime(Timestamp(nanoseconds: session.start))
        let length = QuantityText.length(milliseconds: session.durationMilliseconds)
        facts.append(DetailsState.Fact("session", "\(from), \(length)"))
        facts.append(
          DetailsState.Fact("state", "\(session.state.rawValue): \(session.reason)")
        )
        guard let frames = session.frames else { continue }
        facts.append(
          DetailsState.Fact(
            "frames",
            "\(QuantityText.count(frames.total)) rendered, "
              + "\(QuantityText.count(frames.dropped)) dropped "
              + "(\(QuantityText.percent(frames.droppedRatio))), freeze "
              + QuantityText.duration(milliseconds: frames.freezeMilliseconds.map(Double.init))
          )
        )
        facts.append(
          DetailsState.Fact(
            "display",
            "about \(QuantityText.ratio(frames.impliedHertz)) Hz, "
              + "\(QuantityText.ratio(frames.effectiveFrameRate)) fps, "
              + "\(QuantityText.percent(session.coverage)) of the session measured"
          )
        )
      }
      if let launch { facts.append(contentsOf: LaunchText.facts(launch, state)) }
      return facts
    }
  }
}
