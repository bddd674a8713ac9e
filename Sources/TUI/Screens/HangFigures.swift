import Model

/// One hang of a list with what surrounds it.
struct HangFigures {
  private let shared: SharedState
  private var state: AppState { _read { yield shared.state } }
  private let summary: StreamSummary
  let hang: Hang
  private let row: RecordRow

  init(_ entry: ListEntry, _ shared: SharedState) {
    self.shared = shared
    summary = shared.state.overview.streams[entry.first]
    hang = summary.hangs[entry.second]
    row = shared.state.model.store[hang.row]
  }

  /// The top screen that the app's logging named, or the ledger line's detail; empty when unknown.
  var screen: String { state.model.text(row.subject) }
  var version: String { ListText.version(state.model.resource(row.resource), state) }
  var appName: String { state.model.text(state.model.resource(row.resource).app) }
  /// `Shop 8.42.1`.
  var app: String {
    [appName, version]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  var device: String { StreamText.device(summary.stream, row.resource, state) }

  var typeText: String {
    switch hang.type {
    case .fatal: "fatal"
    case .nonFatal: "non-fatal"
    case .open: "open"
    case .cancelled: "cancelled"
    }
  }

  private var session: Session? { hang.session.map { summary.sessions[$0] } }

  var durationText: String {
    if let duration = hang.duration { return QuantityText.duration(milliseconds: Double(duration)) }
    guard hang.type == .open, hang.end > hang.start else { return QuantityText.unknown }
    return "≥" + QuantityText.duration(nanoseconds: hang.end - hang.start)
  }

  func value(_ column: HangsScreen.Column) -> SortValue? {
    switch column {
    case .type: .text(typeText)
    case .time: .number(Double(hang.trueStart))
    case .duration: .known(hang.duration.map(Double.init))
    case .screen: screen.isEmpty ? nil : .text(screen)
    case .app: appName.isEmpty ? nil : .text(appName)
    case .session: .known(session.map { Double($0.start) })
    case .version: version.isEmpty ? nil : .text(version)
    case .device: .text(device)
    case .origin: .text(hang.origin.rawValue)
    }
  }

  func cell(_ column: HangsScreen.Column) -> StyledText {
    let verdict = state.rulebook.hang(hang).verdict
    switch column {
    case .type:
      // The letter is that of the list of sessions.
      return hang.type == .fatal
        ? StyledText("fatal F", VerdictText.role(verdict), attributes: .bold)
        : StyledText(typeText, hang.type == .open ? VerdictText.role(verdict) : .normal)
    case .time: return MomentText.cell(hang.trueStart, state)
    case .duration: return ListText.judged(durationText, verdict)
    case .screen: return screenCell
    case .app: return unlessEmpty(appName)
    case .session:
      guard let session else { return StyledText("–", .muted) }
      let (sign, role) = StateText.sign(session.state)
      return StyledText(sign + " ", role) + MomentText.cell(session.start, state)
    case .version: return unlessEmpty(version)
    case .device: return unlessEmpty(device)
    case .origin: return StyledText(hang.origin.rawValue, .muted)
    }
  }

  private var screenCell: StyledText {
    guard hang.duringStartup else { return unlessEmpty(screen) }
    return screen.isEmpty
      ? StyledText("(startup)", .muted)
      : StyledText([Segment(screen), Segment(" (startup)", .muted)])
  }

  private func unlessEmpty(_ text: String) -> StyledText {
    text.isEmpty ? StyledText("–", .muted) : StyledText(text)
  }

  // MARK: - In words

  var rule: RuleText {
    let judgement = state.rulebook.hang(hang)
    return RuleText(
      label: "length",
      value: hang.duration == nil ? durationText : JudgedText.value(judgement),
      judgement,
      state.rulebook,
      thresholds: judgement.threshold.source == .defaultRule
        ? "warning for any hang, critical from 5 s or fatal" : nil,
      shortage: hang.type == .cancelled ? "it was cancelled" : "it has not ended"
    )
  }

  /// The length with its rule, when it was, how the report differs, and the session.
  var sentences: [(label: String, text: String)] {
    var sentences = [(rule.label, "\(rule.value) · \(rule.judgedBy)")]
    sentences.append(("when", window(hang.trueStart, hang.trueEnd)))
    if hang.start != hang.trueStart {
      let shift = QuantityText.duration(nanoseconds: hang.start - hang.trueStart)
      sentences.append(
        (
          "reported", "\(window(hang.start, hang.end)), \(shift) late: 1.5 × the hang threshold"
        )
      )
    }
    sentences.append(("session", sessionText))
    return sentences
  }

  /// `non-fatal, 2.31 s on Search at 12:03:11Z`, for lists of the session's hangs.
  var words: String {
    let place = screen.isEmpty ? "" : " on \(screen)"
    return "\(typeText), \(durationText)\(place) at \(MomentText.zoned(hang.trueStart, state))"
      + (hang.duringStartup ? ", during startup" : "")
  }

  private func window(_ start: Int64, _ end: Int64) -> String {
    let from = Timestamp(nanoseconds: start)
    let date = MomentText.text(start, state).dropLast(8)
    let text = date + state.clock.time(from, milliseconds: true)
    guard hang.type != .open, end > start else {
      return "from \(text)" + state.clock.zoneSuffix(at: from)
    }
    let until = Timestamp(nanoseconds: end)
    return "\(text) – \(state.clock.time(until, milliseconds: true))"
      + state.clock.zoneSuffix(at: until)
  }

  private var sessionText: String {
    guard let session else { return "unknown" + told }
    var text = "\(session.state.rawValue), from \(MomentText.zoned(session.start, state))"
    if hang.duringStartup { text += ", during startup" }
    return text + told
  }

  private var told: String {
    if hang.origin == .ledger { return " · told by the ledger" }
    guard hang.type == .fatal else { return "" }
    let told = " · told by the next launch"
    guard let time = hang.toldAt, let delay = hang.delay else { return told }
    return told + " at \(MomentText.zoned(time, state)), "
      + QuantityText.length(milliseconds: Double(delay) / 1_000_000) + " later"
  }
}

/// How long hangs are, in the bands of Apple's tools: micro-hangs from 250 ms, hangs from 500 ms.
struct HangBands: Sendable {
  private static let limits = [0, 250, 500, 1000, 2000, 5000]
  private static let names = ["<250 ms", "250 ms", "500 ms", "1 s", "2 s", "≥5 s"]
  private static let columns = 11
  private var counts = [Int](repeating: 0, count: 6)

  mutating func add(_ hang: Hang) {
    if let duration = hang.duration { counts[Self.band(duration)] += 1 }
  }

  private static func band(_ duration: Int) -> Int {
    limits.lastIndex { $0 <= duration } ?? 0
  }

  /// Bands side by side with their counts and shares below; the band of the selected hang stands out.
  func lines(selected: Int?, width: Int) -> [StyledText] {
    guard width >= EvidencePane.labelWidth + Self.columns * Self.names.count else { return [] }
    let all = counts.reduce(0, +)
    var names = EvidencePane.line("all hangs", StyledText())
    var bars = EvidencePane.line("", StyledText())
    for (index, name) in Self.names.enumerated() {
      let isSelected = selected.map(Self.band) == index
      names.append(DisplayText.field(name, columns: Self.columns), isSelected ? .title : .muted)
      let count = counts[index]
      let number = count == 0 ? "–" : QuantityText.count(count)
      let bar = Charts.bar(Double(count) / Double(max(1, all)), width: max(0, 9 - number.count))
      bars.append(number, count == 0 ? .muted : .normal)
      let rest = Self.columns - TextWidth.columns(of: number)
      bars.append(DisplayText.field(" " + bar, columns: rest), .muted)
    }
    return [names, bars]
  }
}
