import Model

/// One item of the timeline in words.
struct TimelineText {
  let item: TimelineItem
  let state: AppState
  private let row: RecordRow?

  init(_ item: TimelineItem, _ state: AppState) {
    self.item = item
    self.state = state
    row = item.row.map { state.model.store[$0] }
  }

  private var summary: StreamSummary? {
    state.timeline.streamIndex(state).map { state.overview.streams[$0] }
  }

  private var hang: HangFigures? {
    guard case .hang(let index) = item.origin, let stream = state.timeline.streamIndex(state) else {
      return nil
    }
    return HangFigures(ListEntry(.record(0), stream, index), SharedState(state))
  }

  private var launch: Launch? {
    guard case .launch(let index) = item.origin else { return nil }
    return summary?.launches[index]
  }

  private var termination: Termination? {
    guard case .termination(let index) = item.origin else { return nil }
    return summary?.terminations[index]
  }

  /// Screen, class or name; empty where there is none.
  var subject: String {
    guard let row else { return "" }
    switch item.lane {
    case .ledger:
      let detail = state.model.text(row.subject)
      return state.model.text(row.name) + (detail.isEmpty ? "" : " " + detail)
    case .launch, .watchdog, .state: return ""
    default: return state.model.text(row.subject)
    }
  }

  /// What it is called in a sentence and at the left of its line.
  var noun: String {
    switch item.lane {
    case .state: "session"
    case .launch: "launch"
    case .screens: "tti"
    case .fragments: "fragment"
    case .rendering: row?.signal == .ledgerHitch ? "hitch" : "visit"
    case .hangs: "hang"
    case .leaks: "leak"
    case .watchdog: "watchdog"
    case .ledger: "ledger"
    case .other: row?.signal == .otherLog ? "log" : "span"
    }
  }

  /// Stands beside the item where there is room.
  var label: String {
    switch item.lane {
    case .hangs:
      guard let hang else { return "" }
      return hang.hang.type == .fatal
        ? "\(hang.durationText) fatal, told by next launch" : hang.durationText
    case .launch:
      guard let launch, row != nil else { return "launch" }
      if launch.isPrewarmed { return "prewarmed" }
      return launch.totalMilliseconds == nil ? "launch" : length
    case .screens, .fragments: return item.verdict >= .warning ? "\(subject) \(length)" : subject
    case .watchdog: return "watchdog, told by next launch"
    case .rendering: return ""
    case .ledger: return item.verdict == .critical ? "\(name) \(length)" : name
    case .leaks, .other: return subject
    case .state: return ""
    }
  }

  private var name: String { row.map { state.model.text($0.name) } ?? "" }

  /// `1.21 s`; `≥` while it lasts, nothing for an instant.
  var length: String {
    if let launch { return launch.totalMilliseconds.map { milliseconds($0) } ?? "" }
    if let hang { return hang.durationText }
    guard let row else { return "" }
    if item.isOpen {
      return "≥" + QuantityText.duration(nanoseconds: item.end - item.start)
    }
    switch item.lane {
    case .screens, .fragments:
      return row.outcome.isError ? "cancelled" : milliseconds(row.primaryValue.map(Int.init))
    case .leaks, .watchdog: return ""
    default:
      return item.end > item.start
        ? QuantityText.duration(nanoseconds: item.end - item.start) : ""
    }
  }

  private func milliseconds(_ value: Int?) -> String {
    QuantityText.duration(milliseconds: value.map(Double.init))
  }

  /// `tti Details 2.87 s`.
  var title: String { [noun, subject, length].filter { !$0.isEmpty }.joined(separator: " ") }

  /// How it stands in lists: frames are judged where they are told, and a ledger holds nothing but
  /// what was over budget.
  var role: Role {
    if item.lane == .ledger { return item.verdict == .critical ? .warning : .normal }
    return VerdictText.role(item.urgency)
  }

  // MARK: - The line at the cursor

  /// What it is, how long, and what judges it.
  var sentence: StyledText {
    let mark = StyledText(VerdictText.mark(item.verdict), role)
    var text = StyledText()
    switch item.lane {
    case .hangs:
      guard let hang else { return text }
      text.append(hang.durationText, role)
      text = text + mark
      text.append("  \(hang.typeText)  \(hang.screen)")
      for remark in hangRemarks(hang.hang) { text.append(remark, .muted) }
    case .screens, .fragments:
      text.append(subject + "  ", .title)
      text.append(judgedLength, role)
      text = text + mark
      if let first = row?.secondaryValue {
        text.append("  first frame \(milliseconds(Int(first)))")
      }
      if let row {
        let threshold = TimelineGathering.threshold(row, state)
        text.append("  budget \(RuleText.short(threshold.limit))", .muted)
        text.append(" (\(thresholdSource(threshold)))", .muted)
      }
    case .rendering: return frames
    case .launch:
      guard let launch else { return text }
      let unknown = launch.row == nil ? "no app-startup span" : "not measured"
      text.append(length.isEmpty ? unknown : length, role)
      text = text + mark
      text.append(launchParts(launch))
    case .leaks: text.append(subject)
    case .watchdog: return watchdog
    case .ledger:
      text.append(subject)
      text.append("  \(length)", role)
      let budget = LedgerNames.seam(name)?.budget
      if let row, let limits = state.rulebook.ledgerThreshold(row.name, budget: budget) {
        text.append("  budget \(RuleText.short(limits.limit))", .muted)
      }
    case .other, .state: text.append("\(subject)  \(length)")
    }
    return text
  }

  /// The length with digits enough beside its budget.
  private var judgedLength: String {
    guard let row, !item.isOpen, !row.outcome.isError, let value = row.primaryValue else {
      return length
    }
    let threshold = TimelineGathering.threshold(row, state)
    let limits = [threshold.warning, threshold.critical]
    return JudgedText.value(Double(value), .milliseconds, beside: limits)
  }

  private func thresholdSource(_ threshold: Threshold) -> String {
    if let budget = state.rulebook.budget(threshold.source) { return "budget \(budget.id)" }
    return "default rule \(item.lane == .screens ? "tti-slow" : "fragment-tti-slow")"
  }

  private func hangRemarks(_ hang: Hang) -> [String] {
    if hang.type == .fatal { return ["  told by next launch"] }
    if hang.origin == .ledger { return ["  recorded from 250 ms on"] }
    let threshold = Double(state.model.options.hangThreshold) / 1_000_000
    return ["  over \(RuleText.short(threshold))", " (hang threshold)"]
  }

  private var frames: StyledText {
    guard let row else { return StyledText() }
    if row.signal == .ledgerHitch { return StyledText("\(subject)  \(length)") }
    let extra = state.model.store.extra(of: row)
    guard let frames = FrameFigures(extra.measurements) else {
      return StyledText("\(subject)  not measured", .muted)
    }
    var text = StyledText(subject + "  ", .title)
    text.append(
      "\(QuantityText.count(frames.dropped)) dropped (\(QuantityText.percent(frames.droppedRatio))),"
        + " freeze \(milliseconds(frames.freezeMilliseconds))"
    )
    let role = VerdictText.role(item.verdict)
    text.append("  \(QuantityText.ratio(frames.freezeMillisecondsPerSecond)) ms/s", role)
    text.append(VerdictText.mark(item.verdict), role)
    text.append("  in this visit", .muted)
    return text
  }

  private func launchParts(_ launch: Launch) -> String {
    var text = ""
    if let premain = launch.premainMilliseconds {
      text += "  \(milliseconds(premain)) before main"
    }
    if launch.isPrewarmed { text += "  prewarmed, not judged" }
    let exit = launch.previousExit
    return text + (exit == .unknown ? "" : "  previous exit \(exit.rawValue)")
  }

  private var watchdog: StyledText {
    var text = StyledText("terminated", VerdictText.role(item.verdict))
    text.append(VerdictText.mark(item.verdict), VerdictText.role(item.verdict))
    if let warnings = termination?.memoryWarnings {
      text.append("  \(warnings) memory \(warnings == 1 ? "warning" : "warnings")")
    }
    let appState = termination.map { state.model.text($0.appState) } ?? ""
    if !appState.isEmpty { text.append("  app state \(appState)") }
    text.append("  told by next launch", .muted)
    return text
  }

  // MARK: - Details

  /// Facts of the detail pane; `index` is the item's place in the stream.
  func facts(_ index: Int) -> [DetailsState.Fact] {
    var facts: [DetailsState.Fact] = []
    if let hang {
      facts = hang.sentences.map { DetailsState.Fact($0.label, $0.text) }
    } else if let launch {
      facts = LaunchText.facts(launch, state)
    } else {
      let words = sentence.segments.map(\.text).joined()
      facts = [DetailsState.Fact(noun, words)]
    }
    for line in TimelineEvidence.sameTime(index, state) {
      facts.append(DetailsState.Fact("same time", line.segments.map(\.text).joined()))
    }
    return facts
  }
}
