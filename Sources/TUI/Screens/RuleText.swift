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

  /// The longest wording that fits: the source of the thresholds leaves before the thresholds.
  func line(width: Int) -> StyledText {
    var line = EvidencePane.line(label, value, VerdictText.role(verdict))
    line.append(VerdictText.mark(verdict), VerdictText.role(verdict))
    let judged =
      verdict == .insufficient && !shortage.isEmpty ? "not judged, \(shortage)" : thresholds
    let endings = [
      " · \(judged) (default rule \(rule))", " · \(judged) (rule \(rule))", " · \(judged)",
    ]
    let room = width - line.columns
    let ending = endings.first { TextWidth.columns(of: $0) <= room } ?? endings[2]
    line.append(ending, .muted)
    return line
  }

  /// The same as a fact of the detail pane.
  var fact: DetailsState.Fact {
    DetailsState.Fact(label, "\(value) · \(thresholds) (default rule \(rule))")
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
