import Model

/// Is it hanging now, where and for how long: every hang, the newest first, an open one on top for good.
enum HangsScreen: ListScreen {
  enum Column: Int {
    case type, time, duration, screen, app, session, version, device, origin
  }

  static let isNewestFirst = true
  static let ascending: Set<Int> = [
    Column.type.rawValue, Column.screen.rawValue, Column.app.rawValue, Column.version.rawValue,
    Column.device.rawValue, Column.origin.rawValue,
  ]

  static func columns(_ state: AppState) -> [TableColumn<Int>] {
    let moment = MomentText.width(state)
    var columns = [
      column(.time, "TIME", moment),
      TableColumn(Column.duration.rawValue, "DURATION", width: .fixed(8), alignment: .right),
      column(.type, "TYPE", 9),
      TableColumn(
        Column.screen.rawValue,
        "SCREEN",
        width: .flexible(minimum: 14, weight: 1),
        cut: .inMiddle
      ),
      column(.session, "IN SESSION", moment + 2, dropOrder: 1),
      column(.version, "VERSION", 8, dropOrder: 3),
    ]
    if state.digest.hasSeveralApps {
      columns.insert(column(.app, "APP", 10, dropOrder: 1), at: 4)
    }
    if state.overview.streams.count > 1 {
      columns.append(column(.device, "DEVICE", 16, dropOrder: 2))
    }
    if hasLedger(state) { columns.append(column(.origin, "FROM", 6, dropOrder: 4)) }
    return columns
  }

  private static func column(
    _ column: Column,
    _ title: String,
    _ width: Int,
    dropOrder: Int = 0
  ) -> TableColumn<Int> {
    TableColumn(
      column.rawValue,
      title,
      width: .fixed(width),
      cut: .inMiddle,
      dropOrder: dropOrder
    )
  }

  /// Where every hang has the same origin, nothing needs to be said of it.
  private static func hasLedger(_ state: AppState) -> Bool {
    state.overview.signalCounts[Int(Signal.ledgerHang.rawValue)] > 0
  }

  // MARK: - Rows

  /// `first` is the stream, `second` the hang among the stream's.
  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry] {
    var entries: [ListEntry] = []
    let streams = state.overview.streams
    for index in streams.indices {
      for (number, hang) in streams[index].hangs.enumerated() {
        entries.append(ListEntry(RecordText.key(hang.row, state), index, number))
      }
    }
    let newest = newestFirst(entries, state)
    guard let sort, let column = Column(rawValue: sort.column) else { return newest }
    let state = SharedState(state)
    return newest.sorted(isDescending: sort.isDescending) {
      HangFigures($0, state).value(column)
    }
  }

  private static func newestFirst(_ entries: [ListEntry], _ state: AppState) -> [ListEntry] {
    let streams = state.overview.streams
    let timed = entries.map { (entry: $0, time: streams[$0.first].hangs[$0.second].trueStart) }
    return timed.enumerated().sorted { left, right in
      if left.element.time == right.element.time { return left.offset < right.offset }
      return left.element.time > right.element.time
    }
    .map(\.element.entry)
  }

  static func banner(_ state: AppState) -> StyledText? {
    guard state.overview.totals.openHangs > 0 else { return nil }
    var last: (entry: ListEntry, time: Int64)?
    var count = 0
    let streams = state.overview.streams
    for index in streams.indices {
      for (number, hang) in streams[index].hangs.enumerated() where hang.type == .open {
        count += 1
        if let known = last, known.time >= hang.trueStart { continue }
        last = (ListEntry(.record(0), index, number), hang.trueStart)
      }
    }
    guard let entry = last?.entry else { return nil }
    let newest = HangFigures(entry, SharedState(state))
    let verdict = state.rulebook.hang(newest.hang).verdict
    let mark = VerdictText.mark(verdict).drop { $0 == " " }
    let role = verdict > .holds ? VerdictText.role(verdict) : .title
    var text = StyledText(mark.isEmpty ? "" : mark + " ", role, attributes: .bold)
    text.append("hanging ", role, attributes: .bold)
    text.append("since \(MomentText.zoned(newest.hang.trueStart, state))")
    if !newest.screen.isEmpty {
      text.append(" on ")
      text.append(DisplayText.cutInMiddle(newest.screen, to: max(14, state.width / 3)), .title)
    }
    text.append(" · no end seen", .muted)
    if count > 1 { text.append(" · \(QuantityText.count(count - 1)) more open", .muted) }
    return EvidencePane.cut(text, to: state.width)
  }

  static func cells(_ entry: ListEntry, _ state: SharedState) -> (Int, Int) -> StyledText {
    let figures = HangFigures(entry, state)
    return { column, _ in
      guard let column = Column(rawValue: column) else { return StyledText() }
      var text = figures.cell(column)
      if figures.hang.type == .cancelled {
        for index in text.segments.indices { text.segments[index].role = .muted }
      }
      return text
    }
  }

  // MARK: - What a row stands for

  static func searchText(_ entry: ListEntry, _ state: AppState) -> String {
    let figures = HangFigures(entry, SharedState(state))
    let time = MomentText.text(figures.hang.trueStart, state)
    let app = state.digest.hasSeveralApps ? figures.appName : ""
    let words = [figures.typeText, figures.screen, app, time, figures.version, figures.device]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  static func record(_ entry: ListEntry, _ state: AppState) -> Int? {
    HangFigures(entry, SharedState(state)).hang.row
  }

  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] {
    HangFigures(entry, SharedState(state)).sentences.map { DetailsState.Fact($0.label, $0.text) }
      + SameTimeText.facts(record(entry, state), state)
  }

  static func emptyText(_ state: AppState) -> String {
    guard state.model.quality.receivedSpans + state.model.quality.receivedLedgerEvents > 0 else {
      return "no telemetry yet"
    }
    return "no hang was reported\ndebug builds of PerformanceSuite report none"
  }

  // MARK: - Evidence

  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    guard let entry else { return }
    let figures = HangFigures(entry, SharedState(state))
    var title = StyledText(figures.typeText + " hang", .title)
    for name in [figures.screen, figures.app, figures.device] where !name.isEmpty {
      title.append(" · " + DisplayText.cutInMiddle(name, to: area.width / 4), .muted)
    }
    EvidencePane.draw(
      title: title,
      lines: { width in
        RuleText.lines([figures.rule], width: width)
          + figures.sentences.dropFirst().map { EvidencePane.line($0.label, $0.text) }
      },
      chart: { state.digest.hangBands.lines(selected: figures.hang.duration, width: $0) },
      into: &grid,
      in: area
    )
  }
}
