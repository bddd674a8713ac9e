/// Findings as the few figures at the top of every screen part them.
package enum FindingKind: Int, CaseIterable, Sendable {
  case startup
  /// How soon screens and fragments show something and are usable.
  case tti
  /// Freeze time and dropped frames, of sessions and of screens.
  case frames
  case hangs
  case leaks
  case terminations
  /// Ledger names, other spans, and what is missing.
  case other

  init(_ rule: RuleID) {
    self =
      switch rule {
      case .startupSlow: .startup
      case .ttiSlow, .ttfrSlow, .fragmentTTISlow: .tti
      case .freezeRate, .droppedFrames: .frames
      case .hang: .hangs
      case .leakRepeated: .leaks
      case .watchdog: .terminations
      case .ledgerOverBudget, .dataMissing, .budget: .other
      }
  }

  init(_ signal: BudgetSignal) {
    self =
      switch signal {
      case .startup: .startup
      case .screenTTI, .screenTTFR, .fragmentTTI, .fragmentTTFR: .tti
      case .freezeRate, .droppedRatio: .frames
      case .hang, .fatalHang: .hangs
      case .leak: .leaks
      case .watchdog: .terminations
      case .ledger, .span: .other
      }
  }
}

extension Findings {
  /// An entry of the budgets file is of its signal's kind.
  package func kind(_ finding: Finding) -> FindingKind {
    rulebook.budget(finding.judgement.threshold.source).map { FindingKind($0.signal) }
      ?? FindingKind(finding.judgement.rule)
  }
}

extension FindingSubject {
  /// It lies in one session, or is a session or its stream; all others are about several sessions.
  var isOfSession: Bool {
    switch self {
    case .session, .hang, .termination, .leak, .stream: true
    case .screen, .fragment, .startup, .ledger, .span, .budget: false
    }
  }
}
