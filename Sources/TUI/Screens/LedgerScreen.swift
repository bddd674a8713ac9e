import Model

/// What was slow on the device: a row per name of the ledger, the worst first, with their events below.
enum LedgerScreen: ListScreen {
  private enum Column: Int {
    case name, kind, count, median, p90, max, budget, over, last, verdict
  }

  static let ascending: Set<Int> = [Column.name.rawValue, Column.kind.rawValue]

  static func columns(_ state: AppState) -> [TableColumn<Int>] {
    [
      TableColumn(
        Column.name.rawValue,
        "NAME",
        width: .flexible(minimum: 16, weight: 1),
        cut: .inMiddle
      ),
      TableColumn(Column.kind.rawValue, "KIND", width: .fixed(7), dropOrder: 6),
      .number(Column.count, "EVENTS", max(6, state.digest.widths.ledgerEvents)),
      .number(Column.median, "P50", 7, dropOrder: 5),
      .number(Column.p90, "P90", 7),
      .number(Column.max, "MAX", 7, dropOrder: 1),
      .number(Column.budget, "BUDGET", 7, dropOrder: 3),
      .number(Column.over, "÷BUDGET", 7, dropOrder: 2),
      TableColumn(
        Column.last.rawValue,
        "LAST",
        width: .fixed(MomentText.width(state)),
        dropOrder: 4
      ),
      TableColumn(Column.verdict.rawValue, "VERDICT", width: .fixed(7)),
    ]
  }

  // MARK: - Rows

  /// `first` is the index of the name plus one; 0 is the row of all names, which stays on top.
  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry] {
    let ledger = state.overview.ledger
    guard !ledger.isEmpty else { return [] }
    let entries = ledger.indices.map { ListEntry(.name(ledger[$0].name), $0 + 1) }
    let natural =
      entries
      .sorted(isDescending: true) { .count(ledger[$0.first - 1].count) }
      .sorted(isDescending: true) { .known(LedgerJudgement(ledger[$0.first - 1], state).ratio) }
      .sorted(isDescending: true) {
        .count(LedgerJudgement(ledger[$0.first - 1], state).verdict.rawValue)
      }
    let all = [ListEntry(.name(.none), 0)]
    guard let sort, let column = Column(rawValue: sort.column) else { return all + natural }
    return all
      + natural.sorted(isDescending: sort.isDescending) {
        value(of: ledger[$0.first - 1], column, state)
      }
  }

  private static func value(
    of figures: LedgerFigures,
    _ column: Column,
    _ state: AppState
  ) -> SortValue? {
    switch column {
    case .name: .text(state.model.text(figures.name))
    case .kind: .text(figures.kind.ledgerKind)
    case .count: .count(figures.count)
    case .median: .known(figures.duration.quantile(0.5))
    case .p90: .known(figures.duration.quantile(0.9))
    case .max: .known(figures.duration.maximum)
    case .budget: .known(figures.budget.map(Double.init))
    case .over: .known(LedgerJudgement(figures, state).ratio)
    case .last: figures.lastSeen == .min ? nil : .number(Double(figures.lastSeen))
    case .verdict: .count(LedgerJudgement(figures, state).verdict.rawValue)
    }
  }

  static func figures(_ entry: ListEntry?, _ state: AppState) -> LedgerFigures? {
    guard let entry, entry.first > 0, entry.first <= state.overview.ledger.count else { return nil }
    return state.overview.ledger[entry.first - 1]
  }

  static func cells(_ entry: ListEntry, _ shared: SharedState) -> (Int, Int) -> StyledText {
    { column, _ in cell(entry, column, shared.state) }
  }

  private static func cell(_ entry: ListEntry, _ column: Int, _ state: AppState) -> StyledText {
    guard let column = Column(rawValue: column) else { return StyledText() }
    guard let figures = figures(entry, state) else { return totalCell(column, state) }
    let judged = LedgerJudgement(figures, state)
    switch column {
    case .name: return StyledText(state.model.text(figures.name), nameRole(entry, state))
    case .kind: return StyledText(figures.kind.ledgerKind, .muted)
    case .count: return StyledText(QuantityText.count(figures.count))
    case .median:
      let median = ListText.duration(figures.duration.quantile(0.5))
      // What only lists the slow ones has no median worth its name.
      return figures.isCensored
        ? StyledText(median.segments.map { Segment($0.text, .muted) }) : median
    case .p90: return ListText.duration(figures.duration.quantile(0.9), judged.verdict)
    case .max: return ListText.duration(figures.duration.maximum)
    case .budget:
      let budget = judged.budget.map { RuleText.short($0) }
      return StyledText(budget ?? QuantityText.unknown, .muted)
    case .over: return ListText.judged(judged.ratioText, judged.verdict)
    case .last: return MomentText.cell(figures.lastSeen, state)
    case .verdict: return VerdictText.badge(judged.verdict)
    }
  }

  private static func totalCell(_ column: Column, _ state: AppState) -> StyledText {
    let ledger = state.overview.ledger
    switch column {
    case .name: return StyledText("all names", nameRole(ListEntry(.name(.none), 0), state))
    case .count: return StyledText(QuantityText.count(ledger.reduce(0) { $0 + $1.count }))
    case .max: return ListText.duration(ledger.compactMap(\.duration.maximum).max())
    case .last: return MomentText.cell(ledger.map(\.lastSeen).max() ?? .min, state)
    default: return StyledText()
    }
  }

  /// Whose events show is seen while the cursor is among the events, too.
  private static func nameRole(_ entry: ListEntry, _ state: AppState) -> Role {
    let selected = state.list(.ledger, pane: .names).selected
    return state.ledgerPane == .events && selected?.key == entry.key ? .title : .normal
  }

  static func banner(_ state: AppState) -> StyledText? {
    guard state.layout.sizeClass != .compact, state.overview.ledger.contains(where: \.isCensored)
    else { return nil }
    let long =
      "only events over budget are recorded: counts and tails mean something, medians do not"
    let short = "only events over budget are recorded: trust counts and tails, not medians"
    return StyledText(state.width >= TextWidth.columns(of: long) ? long : short, .muted)
  }

  // MARK: - What a row stands for

  static func searchText(_ entry: ListEntry, _ state: AppState) -> String {
    guard let figures = figures(entry, state) else { return "all names" }
    return state.model.text(figures.name) + " " + figures.kind.ledgerKind
  }

  /// The slowest event, or the newest where none has a duration.
  static func record(_ entry: ListEntry, _ state: AppState) -> Int? {
    let store = state.model.store
    let rows = figures(entry, state)?.rows ?? state.overview.ledger.flatMap(\.rows)
    return rows.map(Int.init).max { left, right in
      let (a, b) = (store[left], store[right])
      return (a.ledgerNanoseconds ?? -1, a.end) < (b.ledgerNanoseconds ?? -1, b.end)
    }
  }

  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] {
    let shown = DetailsState.Fact("shown", "the slowest event")
    guard let figures = figures(entry, state) else { return [shown] }
    return [LedgerJudgement(figures, state).rule.fact, shown]
  }

  static func emptyText(_ state: AppState) -> String {
    "no ledger in this data\ngive its file: perftop ledger.jsonl, perftop --follow ledger.jsonl"
  }

  // MARK: - Evidence: the events of the selected name

  /// Rows of the names, their header included; the rest is for the events.
  static func namesHeight(_ state: AppState, available: Int) -> Int {
    guard state.layout.sizeClass != .compact else { return available }
    return min(state.overview.ledger.count + 2, max(3, available * 3 / 5))
  }

  static func evidenceHeight(_ state: AppState, available: Int) -> Int {
    available - namesHeight(state, available: available)
  }

  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    var rest = area
    grid.rule(rest.takeTop(1), title: LedgerEventsScreen.title(state))
    let list = state.list(.ledger, pane: .events)
    let shared = SharedState(state)
    Table(LedgerEventsScreen.columns(state), sort: list.sort).draw(
      into: &grid,
      in: rest,
      rowCount: list.entries.count,
      position: list.position,
      showsSelection: false,
      cells: { LedgerEventsScreen.cells(list.entries[$0], shared) }
    )
  }
}

/// The figures of a ledger name against its budget.
struct LedgerJudgement {
  let figures: LedgerFigures
  private let rulebook: Rulebook
  /// Nil where the name has no budget.
  private let judgement: Judgement?

  init(_ figures: LedgerFigures, _ state: AppState) {
    self.figures = figures
    rulebook = state.rulebook
    // Hangs have no budget: they are judged as such, by the longest.
    judgement =
      figures.kind == .ledgerHang
      ? rulebook.hang(milliseconds: figures.duration.maximum)
      : rulebook.ledgerOverBudget(figures)
  }

  /// Milliseconds; nil where there is none.
  var budget: Double? {
    figures.kind == .ledgerHang ? nil : judgement?.threshold.limit
  }

  /// P90 ÷ budget; nil where either is unknown.
  var ratio: Double? {
    guard let budget, budget > 0 else { return nil }
    return figures.duration.quantile(0.9).map { $0 / budget }
  }

  var ratioText: String { LedgerJudgement.times(ratio) }

  /// `1.4×`; `–` for what is not known.
  static func times(_ ratio: Double?) -> String {
    ratio.map { JudgedText.times($0) + "×" } ?? QuantityText.unknown
  }

  var verdict: Verdict { judgement?.verdict ?? .insufficient }

  var rule: RuleText {
    let p90 =
      judgement.map { JudgedText.value($0) }
      ?? QuantityText.duration(milliseconds: figures.duration.quantile(0.9))
    guard let judgement else {
      return RuleText(
        label: "P90",
        value: "\(p90) of \(QuantityText.count(figures.duration.count))",
        unjudged: .ledgerOverBudget,
        shortage: "it has no budget"
      )
    }
    if figures.kind == .ledgerHang {
      return RuleText(
        label: "longest",
        value: p90,
        judgement,
        rulebook,
        thresholds: "warning for any hang, critical from 5 s"
      )
    }
    let isDefault = judgement.threshold.source == .ledger
    return RuleText(
      label: "P90",
      value: "\(p90) of \(QuantityText.count(figures.duration.count)), \(ratioText) its budget",
      judgement,
      rulebook,
      thresholds: isDefault
        ? RuleText.words(
          JudgedText.number(DefaultRules.ledger.warning) + "×",
          JudgedText.number(DefaultRules.ledger.critical) + "×"
        ) : nil
    )
  }
}
