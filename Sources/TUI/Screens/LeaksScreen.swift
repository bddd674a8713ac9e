import Model

/// What leaks and since when: a row per class, the worst first, warnings in sentences below.
enum LeaksScreen: ListScreen {
  private enum Column: Int {
    case name, app, count, instances, most, rate, first, last, verdict
  }

  static let ascending: Set<Int> = [Column.name.rawValue, Column.app.rawValue]

  static func columns(_ state: AppState) -> [TableColumn<Int>] {
    let moment = MomentText.width(state)
    let widths = state.digest.widths
    var columns = [
      TableColumn(
        Column.name.rawValue,
        "CLASS",
        width: .flexible(minimum: 18, weight: 1),
        cut: .inMiddle
      ),
      .number(Column.count, "LEAKS", max(6, widths.leaks)),
      .number(Column.instances, "INSTANCES", max(9, widths.instances), dropOrder: 4),
      .number(Column.most, "IN A LAUNCH", 11, dropOrder: 1),
      .number(Column.rate, "PER HOUR", 8, dropOrder: 3),
      TableColumn(Column.first.rawValue, "FIRST", width: .fixed(moment), dropOrder: 2),
      TableColumn(Column.last.rawValue, "LAST", width: .fixed(moment)),
      TableColumn(Column.verdict.rawValue, "VERDICT", width: .fixed(7)),
    ]
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
    return columns
  }

  // MARK: - Rows

  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry] {
    let leaks = state.overview.leaks
    let entries = leaks.indices.map { index in
      let key = GroupKey(signal: .leak, app: leaks[index].app, name: leaks[index].className)
      return ListEntry(.group(key), index)
    }
    let natural =
      entries
      .sorted(isDescending: true) { .count(leaks[$0.first].count) }
      .sorted(isDescending: true) { .count(leaks[$0.first].mostInLaunch) }
    guard let sort, let column = Column(rawValue: sort.column) else { return natural }
    let hours = state.digest.sessionHours
    return natural.sorted(isDescending: sort.isDescending) { value(of: $0, column, hours, state) }
  }

  private static func value(
    of entry: ListEntry,
    _ column: Column,
    _ hours: [Symbol: Double],
    _ state: AppState
  ) -> SortValue? {
    let leak = state.overview.leaks[entry.first]
    switch column {
    case .name: return .text(name(leak, state))
    case .app: return .text(state.model.text(leak.app))
    case .count: return .count(leak.count)
    case .instances: return .count(leak.instances)
    case .most: return .count(leak.mostInLaunch)
    case .rate: return .known(perHour(leak, hours))
    case .first: return leak.firstSeen == .max ? nil : .number(Double(leak.firstSeen))
    case .last: return leak.lastSeen == .min ? nil : .number(Double(leak.lastSeen))
    case .verdict: return .count(verdict(leak, state).rawValue)
    }
  }

  static func cells(_ entry: ListEntry, _ shared: SharedState) -> (Int, Int) -> StyledText {
    let leak = shared.state.overview.leaks[entry.first]
    return { column, _ in
      Column(rawValue: column).map { cell(leak, $0, shared.state) } ?? StyledText()
    }
  }

  private static func cell(
    _ leak: LeakFigures,
    _ column: Column,
    _ state: AppState
  ) -> StyledText {
    switch column {
    case .name: return StyledText(name(leak, state))
    case .app: return StyledText(state.model.text(leak.app), .muted)
    case .count: return StyledText(QuantityText.count(leak.count))
    case .instances: return StyledText(QuantityText.count(leak.instances))
    case .most:
      return StyledText(
        QuantityText.count(leak.mostInLaunch),
        VerdictText.role(verdict(leak, state))
      )
    case .rate:
      let rate = QuantityText.ratio(perHour(leak, state.digest.sessionHours))
      return ListText.judged(rate, .holds)
    case .first: return MomentText.cell(leak.firstSeen, state)
    case .last: return MomentText.cell(leak.lastSeen, state)
    case .verdict: return VerdictText.badge(verdict(leak, state))
    }
  }

  private static func name(_ leak: LeakFigures, _ state: AppState) -> String {
    leak.isOverflow ? "other" : state.model.text(leak.className)
  }

  /// Of the launch for which it is worst.
  private static func judgement(_ leak: LeakFigures, _ state: AppState) -> Judgement {
    state.findings.leakJudgement(leak) ?? state.rulebook.leakRepeated(count: leak.mostInLaunch)
  }

  private static func verdict(_ leak: LeakFigures, _ state: AppState) -> Verdict {
    judgement(leak, state).verdict
  }

  /// Leaks per hour of the app's sessions; nil where no session was measured.
  private static func perHour(_ leak: LeakFigures, _ hours: [Symbol: Double]) -> Double? {
    guard let hours = hours[leak.app], hours > 0 else { return nil }
    return Double(leak.count) / hours
  }

  // MARK: - What a row stands for

  static func searchText(_ entry: ListEntry, _ state: AppState) -> String {
    let leak = state.overview.leaks[entry.first]
    return name(leak, state) + " " + state.model.text(leak.app)
  }

  /// The newest leak of the class.
  static func record(_ entry: ListEntry, _ state: AppState) -> Int? {
    state.overview.leaks[entry.first].rows.map(Int.init).max { left, right in
      state.model.store[left].start < state.model.store[right].start
    }
  }

  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] {
    let leak = state.overview.leaks[entry.first]
    return [
      rule(leak, state).fact, DetailsState.Fact("seen", seen(leak, state)),
      DetailsState.Fact("shown", "the newest leak of the class"),
    ]
  }

  static func emptyText(_ state: AppState) -> String {
    state.model.quality.receivedLogs + state.model.quality.receivedSpans == 0
      ? "no telemetry yet" : "no leak was reported"
  }

  // MARK: - Evidence

  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    guard let entry else { return }
    let leak = state.overview.leaks[entry.first]
    let app = state.digest.hasSeveralApps ? " · " + state.model.text(leak.app) : ""
    let title = DisplayText.cutInMiddle(name(leak, state), to: max(0, area.width - 6 - app.count))
    let launches = LeakLaunches(leak, state)
    EvidencePane.draw(
      title: EvidencePane.cut(
        StyledText([Segment(title, .title), Segment(app, .muted)]),
        to: max(0, area.width - 6)
      ),
      lines: { width in
        var lines = RuleText.lines([rule(leak, state)], width: width)
        lines.append(EvidencePane.line("seen", seen(leak, state)))
        lines.append(EvidencePane.line("launches", launches.text(state)))
        if let strip = launches.strip(state, width: width) { lines.append(strip) }
        // Those of the other classes, for the answer at one glance.
        lines += sentences(state, width: width, room: area.height - 1 - lines.count)
        return lines
      },
      into: &grid,
      in: area
    )
  }

  private static func rule(_ leak: LeakFigures, _ state: AppState) -> RuleText {
    RuleText(
      label: "at most",
      value: "\(times(leak.mostInLaunch)) in one launch",
      judgement(leak, state),
      state.rulebook
    )
  }

  private static func seen(_ leak: LeakFigures, _ state: AppState) -> String {
    let instances =
      leak.instances == 1 ? "1 instance" : "\(QuantityText.count(leak.instances)) instances"
    return "\(times(leak.count)), \(instances), first \(MomentText.zoned(leak.firstSeen, state)), "
      + "last \(MomentText.zoned(leak.lastSeen, state))"
  }

  private static func times(_ count: Int) -> String {
    count == 1 ? "once" : "\(QuantityText.count(count)) times"
  }

  /// `RoomListVC leaked 7 times in one launch (5 is critical)`, for every class that breaks the rule.
  private static func sentences(_ state: AppState, width: Int, room: Int) -> [StyledText] {
    let broken = entries(state, sort: nil).map { state.overview.leaks[$0.first] }
      .filter { verdict($0, state) >= .warning }
    guard room > 0 else { return [] }
    var lines = broken.prefix(room).map { leak in
      let judgement = judgement(leak, state)
      let verdict = judgement.verdict
      let limit = judgement.limit ?? 0
      let word = verdict == .critical ? "critical" : "a warning"
      let end =
        " leaked \(times(leak.mostInLaunch)) in one launch (\(JudgedText.number(limit)) is \(word))"
      let mark = verdict == .critical ? "■ " : "▲ "
      let app = state.digest.hasSeveralApps ? " in " + state.model.text(leak.app) : ""
      let spare = max(8, width - TextWidth.columns(of: app + end) - 2)
      return StyledText([
        Segment(mark, VerdictText.role(verdict)),
        Segment(DisplayText.cutInMiddle(name(leak, state), to: spare)), Segment(app + end),
      ])
    }
    if broken.count > lines.count, !lines.isEmpty {
      let more = QuantityText.count(broken.count - lines.count + 1)
      lines[lines.count - 1] = StyledText("and \(more) more classes", .muted)
    }
    return lines
  }
}

/// The leaks of one class by launch and over time.
private struct LeakLaunches {
  private static let most = 5
  /// How often in each of the newest launches, the newest first, one more than are shown.
  private var counts: [(start: Int64, count: Int)] = []
  private var times: [Int64] = []

  init(_ leak: LeakFigures, _ state: AppState) {
    times.reserveCapacity(leak.rows.count)
    for number in leak.rows {
      let row = state.model.store[Int(number)]
      guard row.isTimed else { continue }
      times.append(row.start)
      let place = state.digest.place(of: row.stream)
      let start = place.flatMap { state.overview.streams[$0].launchStart(at: row.start) }
      count(start ?? .min)
    }
  }

  private mutating func count(_ start: Int64) {
    guard let place = counts.firstIndex(where: { $0.start <= start }) else {
      if counts.count <= Self.most { counts.append((start, 1)) }
      return
    }
    if counts[place].start == start {
      counts[place].count += 1
    } else {
      counts.insert((start, 1), at: place)
      // Whatever leaves is older than all that are shown, and stays so.
      if counts.count > Self.most + 1 { counts.removeLast() }
    }
  }

  func text(_ state: AppState) -> String {
    let shown = counts.prefix(Self.most).map { launch in
      let count = QuantityText.count(launch.count)
      return launch.start == .min
        ? "before the first known \(count)×"
        : "\(MomentText.text(launch.start, state)) \(count)×"
    }
    let more = counts.count > shown.count ? ", …" : ""
    return shown.isEmpty ? QuantityText.unknown : shown.joined(separator: ", ") + more
  }

  /// Leaks over the whole time of the data; nil where it has no length.
  func strip(_ state: AppState, width: Int) -> StyledText? {
    let (from, to) = (state.overview.earliest, state.overview.now)
    let columns = min(width - EvidencePane.labelWidth - 2 * MomentText.width(state) - 2, 100)
    guard from < to, columns >= 10, !times.isEmpty else { return nil }
    let axis = TimeAxis(
      start: Timestamp(nanoseconds: from),
      end: Timestamp(nanoseconds: to),
      width: columns
    )
    var counts = [Int](repeating: 0, count: columns)
    for time in times {
      if let column = axis.column(of: Timestamp(nanoseconds: time)) { counts[column] += 1 }
    }
    let strip = Charts.sparkline(
      counts.map { $0 == 0 ? nil : Double($0) },
      maximum: Double(counts.max() ?? 1),
      width: columns
    )
    var line = EvidencePane.line("when", MomentText.text(from, state) + " ", .muted)
    line.append(DisplayText.field(strip, columns: columns))
    line.append(" " + MomentText.text(to, state), .muted)
    return line
  }
}
