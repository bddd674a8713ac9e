import Model

/// The events of the selected ledger name, or of all, the newest first; the names stay above.
enum LedgerEventsScreen: ListScreen {
  private enum Column: Int {
    case time, name, duration, over, detail
  }

  static let isNewestFirst = true
  static let ascending: Set<Int> = [Column.name.rawValue, Column.detail.rawValue]
  static let evidenceIsAbove = true

  static func columns(_ state: AppState) -> [TableColumn<Int>] {
    [
      TableColumn(Column.time.rawValue, "TIME", width: .fixed(MomentText.width(state) + 4)),
      TableColumn(
        Column.name.rawValue,
        "NAME",
        width: .flexible(minimum: 12, weight: 1),
        cut: .inMiddle
      ),
      TableColumn(Column.duration.rawValue, "DURATION", width: .fixed(8), alignment: .right),
      TableColumn(
        Column.over.rawValue,
        "÷BUDGET",
        width: .fixed(7),
        alignment: .right,
        dropOrder: 2
      ),
      TableColumn(
        Column.detail.rawValue,
        "DETAIL",
        width: .flexible(minimum: 12, weight: 2),
        cut: .inMiddle,
        dropOrder: 1
      ),
    ]
  }

  /// `events of api.get`.
  static func title(_ state: AppState) -> StyledText {
    let names = state.list(.ledger, pane: .names)
    let name = LedgerScreen.figures(names.selected, state).map { state.model.text($0.name) }
    var title = StyledText("events of ", .muted)
    title.append(name.map { DisplayText.cutInMiddle($0, to: 40) } ?? "all names", .title)
    let isSorted = state.list(.ledger, pane: .events).sort != nil
    title.append(isSorted ? "" : ", newest first", .muted)
    return title
  }

  // MARK: - Rows

  /// `first` is the row of the event.
  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry] {
    let names = state.list(.ledger, pane: .names)
    let store = state.model.store
    let rows =
      LedgerScreen.figures(names.selected, state)?.rows ?? state.overview.ledger.flatMap(\.rows)
    let newest = rows.map { (row: $0, end: store[Int($0)].isTimed ? store[Int($0)].end : .min) }
      .sorted { ($0.end, $0.row) > ($1.end, $1.row) }
      .map { ListEntry(RecordText.key(Int($0.row), state), Int($0.row)) }
    guard let sort, let column = Column(rawValue: sort.column) else { return newest }
    let budgets = budgets(state)
    return newest.sorted(isDescending: sort.isDescending) { entry in
      let row = store[entry.first]
      let text = state.model.text
      switch column {
      case .time: return row.isTimed ? .number(Double(row.end)) : nil
      case .name: return .text(text(row.name))
      case .duration: return .known(row.ledgerNanoseconds.map(Double.init))
      case .over: return .known(over(row, budgets[row.name]))
      case .detail: return row.subject.isPresent ? .text(text(row.subject)) : nil
      }
    }
  }

  private static func budgets(_ state: AppState) -> [Symbol: Int] {
    var budgets: [Symbol: Int] = [:]
    for figures in state.overview.ledger { budgets[figures.name] = figures.budget }
    return budgets
  }

  private static func over(_ row: RecordRow, _ budget: Int?) -> Double? {
    guard let budget, budget > 0, let length = row.ledgerNanoseconds else { return nil }
    return Double(length) / 1_000_000 / Double(budget)
  }

  /// One event is judged by its budget as a name is, but only what is critical gets colour: every
  /// event here is over its budget.
  private static func verdict(_ row: RecordRow, _ budget: Int?, _ state: AppState) -> Verdict {
    let length = row.ledgerNanoseconds.map { Double($0) / 1_000_000 }
    if row.signal == .ledgerHang {
      return state.rulebook.hang(milliseconds: length ?? 0).verdict
    }
    guard let length, let limits = state.rulebook.ledgerThreshold(row.name, budget: budget) else {
      return .holds
    }
    return limits.verdict(length) == .critical ? .critical : .holds
  }

  static func cells(_ entry: ListEntry, _ shared: SharedState) -> (Int, Int) -> StyledText {
    { column, _ in cell(entry, column, shared.state) }
  }

  private static func cell(_ entry: ListEntry, _ column: Int, _ state: AppState) -> StyledText {
    guard let column = Column(rawValue: column) else { return StyledText() }
    let row = state.model.store[entry.first]
    let budget = LedgerNames.seam(state.model.text(row.name))?.budget
    let ratio = over(row, budget)
    switch column {
    case .time:
      guard row.isTimed else { return StyledText(QuantityText.unknown, .muted) }
      let time = state.clock.time(row.endTime, milliseconds: true)
      return StyledText(MomentText.text(row.end, state).dropLast(8) + time)
    case .name: return StyledText(state.model.text(row.name))
    case .duration:
      let text = QuantityText.duration(nanoseconds: row.ledgerNanoseconds)
      return ListText.judged(text, verdict(row, budget, state))
    case .over:
      return ListText.judged(LedgerJudgement.times(ratio), verdict(row, budget, state))
    case .detail: return StyledText(state.model.text(row.subject), .muted)
    }
  }

  // MARK: - What a row stands for

  static func searchText(_ entry: ListEntry, _ state: AppState) -> String {
    let row = state.model.store[entry.first]
    let words = [state.model.text(row.name), state.model.text(row.subject)]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  static func record(_ entry: ListEntry, _ state: AppState) -> Int? { entry.first }

  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] {
    let row = state.model.store[entry.first]
    var facts = [
      DetailsState.Fact(
        "duration",
        QuantityText.duration(nanoseconds: row.ledgerNanoseconds)
      )
    ]
    if let budget = LedgerNames.seam(state.model.text(row.name))?.budget {
      let times = LedgerJudgement.times(over(row, budget))
      facts.append(
        DetailsState.Fact("budget", "\(RuleText.short(Double(budget))), \(times) of it used")
      )
    }
    if row.subject.isPresent {
      facts.append(DetailsState.Fact("detail", state.model.text(row.subject)))
    }
    return facts
  }

  static func banner(_ state: AppState) -> StyledText? { LedgerScreen.banner(state) }

  static func emptyText(_ state: AppState) -> String { LedgerScreen.emptyText(state) }

  // MARK: - Evidence: the names

  /// The names and the rule below them stand where they stand when they have the cursor.
  static func evidenceHeight(_ state: AppState, available: Int) -> Int {
    guard state.layout.sizeClass != .compact else { return 0 }
    return LedgerScreen.namesHeight(state, available: available) + 1
  }

  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    var rest = area
    grid.rule(rest.takeBottom(1), title: title(state))
    let list = state.list(.ledger, pane: .names)
    let shared = SharedState(state)
    Table(LedgerScreen.columns(state), sort: list.sort).draw(
      into: &grid,
      in: rest,
      rowCount: list.entries.count,
      position: list.position,
      showsSelection: false,
      cells: { LedgerScreen.cells(list.entries[$0], shared) }
    )
  }
}
