import Model

/// A number with what judges it: the value, the thresholds, and where they come from.
struct RuleText {
  /// What was measured, such as `TTI P90`.
  var label: String
  var value: String
  var verdict: Verdict
  /// The thresholds in words, such as `warning from 1 s, critical 3 s`.
  var thresholds: String
  var rule: String
  /// What is missing when there is too little to judge, such as `5 needed`.
  var shortage = ""

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
    case defaultRule, rule, name, thresholds
  }

  private func line(_ wording: Wording) -> StyledText {
    var line = EvidencePane.line(label, value, VerdictText.role(verdict))
    line.append(VerdictText.mark(verdict), VerdictText.role(verdict))
    let source =
      switch wording {
      case .defaultRule: " (default rule \(rule))"
      case .rule: " (rule \(rule))"
      case .name: " (\(rule))"
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
    return DetailsState.Fact(label, "\(marked) · \(judged) (default rule \(rule))")
  }

  /// `warning from 1 s, critical 3 s`.
  static func milliseconds(_ threshold: Threshold) -> String {
    words(short(threshold.warning), short(threshold.critical))
  }

  static func words(_ warning: String, _ critical: String) -> String {
    "warning from \(warning), critical \(critical)"
  }

  /// Round thresholds without digits that say nothing: `250 ms`, `1 s`, `1.5 s`.
  static func short(_ milliseconds: Double) -> String {
    guard milliseconds >= 1000 else { return number(milliseconds) + " ms" }
    return number(milliseconds / 1000) + " s"
  }

  static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15
      ? QuantityText.count(Int(value)) : QuantityText.ratio(value)
  }
}
