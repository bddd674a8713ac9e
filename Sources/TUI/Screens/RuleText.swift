import Model

/// A number with what judges it: the value, the thresholds, and where they come from.
struct RuleText {
  /// What was measured, such as `TTI P90`.
  var label: String
  var value: String
  var verdict: Verdict
  /// The thresholds in words, such as `warning from 1 s, critical 3 s`.
  var thresholds: String
  /// Where they come from: in full, shorter, and as one name.
  private var sources: [String]
  /// What is missing when there is too little to judge, such as `5 needed`.
  var shortage = ""

  /// What a rule says of a number; `thresholds` and `shortage` where there are better words for them.
  init(
    label: String,
    value: String,
    _ judgement: Judgement,
    _ rulebook: Rulebook,
    thresholds: String? = nil,
    shortage: String? = nil
  ) {
    self.label = label
    self.value = value
    verdict = judgement.verdict
    self.thresholds = thresholds ?? Self.words(judgement)
    let rule = judgement.rule.rawValue
    if let budget = rulebook.budget(judgement.threshold.source) {
      sources = ["budgets file, entry \(budget.id)", "budget \(budget.id)", budget.id]
    } else {
      sources = ["default rule \(rule)", "rule \(rule)", rule]
    }
    self.shortage = shortage ?? JudgedText.reason(judgement)
  }

  /// A number that nothing judges.
  init(label: String, value: String, unjudged rule: RuleID, shortage: String) {
    self.label = label
    self.value = value
    verdict = .insufficient
    thresholds = ""
    sources = ["default rule \(rule.rawValue)", "rule \(rule.rawValue)", rule.rawValue]
    self.shortage = shortage
  }

  /// Lines with one wording: the longest that fits them all, so that they read alike.
  static func lines(_ rules: [RuleText], width: Int) -> [StyledText] {
    for wording in Wording.allCases {
      let lines = rules.map { $0.line(wording) }
      if wording == .thresholds || lines.allSatisfy({ $0.columns <= width }) { return lines }
    }
    return []
  }

  /// How much is said of where the thresholds come from.
  private enum Wording: CaseIterable {
    case full, short, name, thresholds
  }

  private func line(_ wording: Wording) -> StyledText {
    var line = EvidencePane.line(label, value, VerdictText.role(verdict))
    line.append(VerdictText.mark(verdict), VerdictText.role(verdict))
    let source =
      switch wording {
      case .full: " (\(sources[0]))"
      case .short: " (\(sources[1]))"
      case .name: " (\(sources[2]))"
      case .thresholds: ""
      }
    line.append(" · " + judged + source, .muted)
    return line
  }

  private var judged: String {
    verdict == .insufficient && !shortage.isEmpty ? "not judged, \(shortage)" : thresholds
  }

  /// The same as a fact of the detail pane.
  var fact: DetailsState.Fact {
    let marked = value + VerdictText.mark(verdict)
    return DetailsState.Fact(label, "\(marked) · \(judgedBy)")
  }

  /// The thresholds and where they come from.
  var judgedBy: String { "\(judged) (\(sources[0]))" }

  /// `warning from 1 s, critical 3 s`; of a budget `warning above 1 s, limit 1.5 s`.
  static func words(_ judgement: Judgement) -> String {
    let threshold = judgement.threshold
    // Beside the value a rate needs no unit.
    let isRate = judgement.unit == .millisecondsPerSecond
    let text = { isRate ? JudgedText.number($0) : JudgedText.limit($0, judgement.unit) }
    let warning = text(threshold.warning)
    let critical = text(threshold.critical)
    guard threshold.allowsLimit else { return words(warning, critical) }
    return warning == critical ? "limit \(critical)" : "warning above \(warning), limit \(critical)"
  }

  static func words(_ warning: String, _ critical: String) -> String {
    "warning from \(warning), critical \(critical)"
  }

  /// Round thresholds without digits that say nothing: `250 ms`, `1 s`, `1.5 s`.
  static func short(_ milliseconds: Double) -> String {
    JudgedText.limit(milliseconds, .milliseconds)
  }
}
