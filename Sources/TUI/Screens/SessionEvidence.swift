import Model

/// What the rules say of the selected visit, then what they say of nothing that lies in one session, then
/// what its device lacks.
struct SessionEvidence {
  /// Details hold at most so many findings.
  private static let mostFacts = 50
  private static let mostElsewhere = 3
  private static let mostHints = 2

  private let figures: VisitFigures
  private let shared: SharedState
  private var state: AppState { _read { yield shared.state } }

  init(_ figures: VisitFigures, _ shared: SharedState) {
    self.figures = figures
    self.shared = shared
  }

  func lines(width: Int, room: Int) -> [StyledText] {
    guard room > 0 else { return [] }
    let hints = state.findings.hints(ofStream: figures.stream)
    let findings = figures.findings
    let ofDevice = hints.isEmpty || room < 3 ? 0 : 1
    // The worst of elsewhere shows where the session's own leave room for it, their number always.
    let left = room - ofDevice - findings.count
    let ofElsewhere = state.findings.elsewhere.isEmpty || room < 2 ? 0 : left > 1 ? 2 : 1
    var lines = FindingLines.lines(
      findings,
      isJudged: figures.verdict > .insufficient,
      state,
      width: width,
      most: room - ofDevice - ofElsewhere
    )
    lines += elsewhere(width: width, most: room - lines.count - ofDevice)
    return lines + deviceHints(hints, width: width, most: min(Self.mostHints, room - lines.count))
  }

  /// Rows that no visit of an overview needs more of, its title included; the same whichever is selected.
  static func rows(_ overview: Overview, _ findings: Findings) -> Int {
    var own: [UInt64: Int] = [:]
    var leaks: [UInt64: Int] = [:]
    var hints: [Int: Int] = [:]
    for finding in findings.list {
      switch finding.subject {
      case .session(let stream, let index): own[key(stream, index), default: 0] += 1
      case .hang(let stream, let index):
        own[key(stream, overview.streams[stream].hangs[index].session), default: 0] += 1
      case .termination(let stream, let index):
        own[key(stream, overview.streams[stream].terminations[index].session), default: 0] += 1
      case .leak(let index):
        let leak = findings.leaks[index]
        leaks[key(Int(leak.stream.rawValue), leak.launch), default: 0] += 1
      case .stream(let index): hints[index, default: 0] += 1
      case .screen, .fragment, .startup, .ledger, .span, .budget: break
      }
    }
    let ofSession = (own.values.max() ?? 0) + (leaks.values.max() ?? 0)
    let elsewhere = min(findings.elsewhere.count, mostElsewhere)
    return 1 + max(1, ofSession) + (elsewhere == 0 ? 0 : elsewhere + 1)
      + min(mostHints, hints.values.max() ?? 0)
  }

  private static func key(_ stream: Int, _ index: Int?) -> UInt64 {
    UInt64(stream) << 32 | UInt64((index ?? -1) + 1)
  }

  // MARK: - Elsewhere

  /// `elsewhere: 3 critical, 1 warning · see 3 Screens`, then the worst of them.
  private func elsewhere(width: Int, most: Int) -> [StyledText] {
    let findings = state.findings.elsewhere
    guard most > 0, let worst = findings.first else { return [] }
    let critical = findings.count { $0.severity == .critical }
    let warnings = findings.count - critical
    var counts: [String] = []
    if critical > 0 { counts.append("\(QuantityText.count(critical)) critical") }
    if warnings > 0 {
      counts.append(warnings == 1 ? "1 warning" : "\(QuantityText.count(warnings)) warnings")
    }
    var head = StyledText("elsewhere: ", .muted)
    head.append(
      counts.joined(separator: ", "),
      VerdictText.role(critical > 0 ? .critical : .warning)
    )
    if let screen = screen(worst) {
      head.append(" · see \(screen.key.label) \(screen.title)", .muted)
    }
    let shown = findings.prefix(min(most - 1, Self.mostElsewhere))
    return [EvidencePane.cut(head, to: width)]
      + FindingLines.lines(Array(shown), state, width: width, most: shown.count, namesSession: true)
  }

  /// The screen that shows a finding's figures; nil for none but this one.
  private func screen(_ finding: Finding) -> Screen? {
    switch finding.subject {
    case .screen, .fragment: return .screens
    case .ledger: return .ledger
    case .span: return .timeline
    case .budget(let index): return screen(state.rulebook.budgets[index].signal)
    case .startup, .session, .hang, .termination, .leak, .stream: return nil
    }
  }

  private func screen(_ signal: BudgetSignal) -> Screen? {
    switch signal {
    case .screenTTI, .screenTTFR, .fragmentTTI, .fragmentTTFR, .freezeRate, .droppedRatio: .screens
    case .hang, .fatalHang: .hangs
    case .leak: .leaks
    case .ledger: .ledger
    case .span: .timeline
    case .startup, .watchdog: nil
    }
  }

  // MARK: - The device

  private func deviceHints(_ hints: [Finding], width: Int, most: Int) -> [StyledText] {
    guard most > 0 else { return [] }
    let text = FindingText(state.model, state.overview, state.findings)
    return hints.prefix(most).map { hint in
      EvidencePane.cut(
        StyledText("of this device: " + text.sentence(hint), .muted),
        to: width
      )
    }
  }

  // MARK: - Details

  /// Every finding with where its limit comes from, as facts of the detail pane.
  var facts: [DetailsState.Fact] {
    let findings = figures.findings
    let text = FindingText(state.model, state.overview, state.findings)
    var facts = findings.prefix(Self.mostFacts).map { finding in
      let sentence = text.sentence(finding, namesSession: false)
      let source = state.rulebook.sourceText(finding.judgement)
      return DetailsState.Fact(
        Self.word(finding),
        finding.judgement.missing == nil ? "\(sentence) (\(source))" : sentence
      )
    }
    if findings.isEmpty {
      let isJudged = figures.verdict > .insufficient
      facts.append(
        DetailsState.Fact("verdict", isJudged ? "no rule is broken" : "nothing was judged")
      )
    }
    let more = findings.count - facts.count
    if more > 0 { facts.append(DetailsState.Fact("", "and \(QuantityText.count(more)) more")) }
    return facts
  }

  private static func word(_ finding: Finding) -> String {
    switch finding.judgement.verdict {
    case .critical: "■ FAIL"
    case .warning: "▲ warn"
    case .holds, .insufficient: finding.judgement.missing == nil ? "not judged" : "hint"
    }
  }
}
