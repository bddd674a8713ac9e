import Model

/// Which screen is slow and which one stutters: a row per screen, worst first, then the fragments.
enum ScreensScreen: ListScreen {
  private enum Column: Int {
    case name, group, app, count, median, p90, p99, whisker, ttfr, cancelled, visits, freeze
    case perVisit
    case verdict
  }

  static let ascending: Set<Int> = [
    Column.name.rawValue, Column.group.rawValue, Column.app.rawValue,
  ]
  static let unsortable: Set<Int> = [Column.whisker.rawValue]

  static func columns(_ state: AppState) -> [TableColumn<Int>] {
    let widths = state.digest.widths
    var columns = fixedColumns(values: max(5, widths.values), visits: max(6, widths.visits))
    if state.digest.hasSeveralApps {
      let app = TableColumn(
        Column.app.rawValue,
        "APP",
        width: .fixed(10),
        cut: .inMiddle,
        dropOrder: 1
      )
      columns.insert(app, at: 1)
    }
    if let grouping = state.model.options.groupBy {
      let group = TableColumn(
        Column.group.rawValue,
        grouping.word.uppercased(),
        width: .flexible(minimum: 12, weight: 1),
        cut: .inMiddle,
        dropOrder: 1
      )
      columns.insert(group, at: 1)
    }
    let placed = Table(columns).layout(width: state.width)
    if let width = placed.first(where: { $0.column.id == Column.whisker.rawValue })?.width,
      let index = columns.firstIndex(where: { $0.id == Column.whisker.rawValue })
    {
      columns[index].title = TTIChart.title(TTIChart.axis(state, width: width))
    }
    return columns
  }

  private static func fixedColumns(values: Int, visits: Int) -> [TableColumn<Int>] {
    [
      TableColumn(
        Column.name.rawValue,
        "SCREEN",
        width: .flexible(minimum: 18, weight: 2),
        cut: .inMiddle
      ),
      .number(Column.count, "N", values, dropOrder: 2),
      .number(Column.median, "P50", 7, dropOrder: 5),
      .number(Column.p90, "TTI P90", 7, dropOrder: 0),
      .number(Column.p99, "P99", 7, dropOrder: 8),
      TableColumn(
        Column.whisker.rawValue,
        "",
        width: .flexible(minimum: 16, weight: 3),
        dropOrder: 3
      ),
      .number(Column.ttfr, "TTFR P90", 8, dropOrder: 6),
      .number(Column.cancelled, "CANCELLED", 9, dropOrder: 10),
      .number(Column.visits, "VISITS", visits, dropOrder: 9),
      .number(Column.freeze, "FREEZE ms/s", 11, dropOrder: 1),
      .number(Column.perVisit, "PER VISIT", 9, dropOrder: 7),
      TableColumn(Column.verdict.rawValue, "VERDICT", width: .fixed(7)),
    ]
  }

  // MARK: - Rows

  /// `first` is 0 for screens and 1 for fragments, `second` the index among them.
  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry] {
    let screens = part(0, .screenTTI, state, sort)
    let fragments = part(1, .fragmentTTI, state, sort)
    guard !fragments.isEmpty else { return screens }
    return screens + [ListEntry(.section(1), 1)] + fragments
  }

  private static func part(
    _ part: Int,
    _ signal: Signal,
    _ state: AppState,
    _ sort: TableSort<Int>?
  ) -> [ListEntry] {
    let figures = part == 0 ? state.overview.screens : state.overview.fragments
    let entries = figures.indices.map { index in
      let key = GroupKey(signal: signal, app: figures[index].app, name: figures[index].name)
      return ListEntry(
        figures[index].group.map { .part(key, $0, figures[index].groupPrefix) } ?? .group(key),
        part,
        index
      )
    }
    // The slowest first, and of those the ones that break a rule.
    let natural =
      entries
      .sorted(isDescending: true) { .known(figures[$0.second].tti.quantile(0.9)) }
      .sorted(isDescending: true) {
        .count(ScreenJudgement(figures[$0.second], part, state).verdict.rawValue)
      }
    guard let sort, let column = Column(rawValue: sort.column) else { return natural }
    return natural.sorted(isDescending: sort.isDescending) { value(of: $0, column, state) }
  }

  private static func judgement(_ entry: ListEntry, _ state: AppState) -> ScreenJudgement {
    let overview = state.overview
    let figures = entry.first == 0 ? overview.screens : overview.fragments
    return ScreenJudgement(figures[entry.second], entry.first, state)
  }

  private static func value(
    of entry: ListEntry,
    _ column: Column,
    _ state: AppState
  ) -> SortValue? {
    let judged = judgement(entry, state)
    let figures = judged.figures
    switch column {
    case .name: return .text(judged.name)
    case .group: return state.model.groupText(figures).map { .text($0) }
    case .app: return .text(state.model.text(figures.app))
    case .count: return .count(figures.tti.count)
    case .median: return .known(figures.tti.quantile(0.5))
    case .p90: return .known(figures.tti.quantile(0.9))
    case .p99: return .known(figures.tti.quantile(0.99))
    case .ttfr: return .known(figures.ttfr.quantile(0.9))
    case .cancelled: return .count(figures.cancelled)
    case .visits: return .count(figures.visits)
    case .freeze: return .known(figures.frames?.freezeMillisecondsPerSecond)
    case .perVisit: return .known(judged.freezePerVisit)
    case .verdict: return .count(judged.verdict.rawValue)
    case .whisker: return nil
    }
  }

  static func head(_ entry: ListEntry, _ state: AppState) -> StyledText? {
    guard entry.isHead else { return nil }
    let count = QuantityText.count(state.overview.fragments.count)
    return StyledText([Segment("fragments", .title), Segment("  \(count)", .muted)])
  }

  static func cells(_ entry: ListEntry, _ shared: SharedState) -> (Int, Int) -> StyledText {
    guard !entry.isHead else { return { _, _ in StyledText() } }
    let judged = judgement(entry, shared.state)
    return { column, width in
      Column(rawValue: column).map { cell(judged, $0, width, shared) } ?? StyledText()
    }
  }

  private static func cell(
    _ judged: ScreenJudgement,
    _ column: Column,
    _ width: Int,
    _ shared: SharedState
  ) -> StyledText {
    let tti = judged.figures.tti
    switch column {
    case .name: return StyledText(judged.name)
    case .group:
      let isKnown = shared.state.model.groupText(judged.figures) != nil
      return StyledText(groupText(judged.figures, shared.state), isKnown ? .normal : .muted)
    case .app: return StyledText(shared.state.model.text(judged.figures.app), .muted)
    case .count: return ListText.count(tti.count)
    case .median: return ListText.duration(tti.quantile(0.5))
    case .p90: return ListText.duration(tti.quantile(0.9), judged.ttiVerdict)
    case .p99: return ListText.duration(tti.quantile(0.99))
    case .whisker:
      return TTIChart.whisker(tti, TTIChart.axis(shared.state, width: width))
    case .ttfr: return ListText.duration(judged.figures.ttfr.quantile(0.9), judged.ttfrVerdict)
    case .cancelled: return ListText.count(judged.figures.cancelled)
    case .visits: return ListText.count(judged.figures.visits)
    case .freeze:
      let rate = judged.figures.frames?.freezeMillisecondsPerSecond
      return ListText.judged(QuantityText.ratio(rate), judged.freezeVerdict)
    case .perVisit: return ListText.duration(judged.freezePerVisit)
    case .verdict: return VerdictText.badge(judged.verdict)
    }
  }

  // MARK: - What a row stands for

  static func searchText(_ entry: ListEntry, _ state: AppState) -> String {
    let judged = judgement(entry, state)
    var parts = [judged.name]
    if judged.figures.group != nil { parts.append(groupText(judged.figures, state)) }
    if state.digest.hasSeveralApps { parts.append(state.model.text(judged.figures.app)) }
    return parts.joined(separator: " ")
  }

  /// What a part of a screen's records shares, or that they lack it.
  private static func groupText(_ figures: ScreenFigures, _ state: AppState) -> String {
    state.model.groupLabel(figures)
  }

  /// The record of the slowest TTI, else the newest rendering.
  static func record(_ entry: ListEntry, _ state: AppState) -> Int? {
    let rows = judgement(entry, state).figures.rows.map(Int.init)
    let measured = rows.filter {
      let row = state.model.store[$0]
      return row.signal != .screenRendering && !row.outcome.isError && row.primaryValue != nil
    }
    let slowest = measured.max { left, right in
      let (a, b) = (state.model.store[left], state.model.store[right])
      return (a.primary, a.start) < (b.primary, b.start)
    }
    return slowest ?? rows.last
  }

  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] {
    let judged = judgement(entry, state)
    let spread = DetailsState.Fact("TTI spread", judged.spread)
    return judged.rules.map(\.fact) + [spread] + endings(judged.figures)
      + [DetailsState.Fact("shown", "the slowest TTI")]
      + SameTimeText.facts(record(entry, state), state)
  }

  /// How measurements began and ended, where not in the usual way.
  private static func endings(_ figures: ScreenFigures) -> [DetailsState.Fact] {
    let counts = [
      (figures.cancelled, "cancelled", "left before it was ready"),
      (figures.open, "open", "not ended yet"),
      (figures.readyFallback, "ready_fallback", "readiness was never told, did-appear counts"),
      (figures.customStart, "custom_start", "measured from the creation of the screen"),
    ]
    return counts.filter { $0.0 > 0 }.map { count, word, meaning in
      DetailsState.Fact(word, "\(QuantityText.count(count)): \(meaning)")
    }
  }

  static func emptyText(_ state: AppState) -> String {
    state.model.quality.receivedSpans == 0
      ? "no telemetry yet" : "no screen or fragment was measured in this data"
  }

  // MARK: - Evidence

  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    guard let entry, !entry.isHead else { return }
    let judged = judgement(entry, state)
    var title = StyledText(DisplayText.cutInMiddle(judged.name, to: area.width / 3), .title)
    if judged.figures.group != nil {
      title.append(" · " + DisplayText.cutInMiddle(groupText(judged.figures, state), to: 24))
    }
    if state.digest.hasSeveralApps {
      let app = state.model.text(judged.figures.app)
      title.append(" · " + DisplayText.cutInMiddle(app, to: 20))
    }
    let last = MomentText.zoned(judged.figures.lastSeen, state)
    title.append(" · last seen \(last)", .muted)
    title.append(judged.isBudgeted ? " · judged by budgets" : " · judged by default rules", .muted)
    EvidencePane.draw(
      title: title,
      lines: { width in
        var lines = RuleText.lines(judged.rules, width: width)
        lines.append(EvidencePane.line("TTI", judged.spread))
        return lines
      },
      chart: { width in
        TTIChart.distribution(judged.figures.tti, state, width: width)
      },
      chartMayBeCut: true,
      into: &grid,
      in: area
    )
  }
}
