import Model

/// The figures of a screen or fragment with what the rules say of them.
struct ScreenJudgement {
  let figures: ScreenFigures
  private let isFragment: Bool
  private let rulebook: Rulebook
  let name: String

  /// `part` is 0 for screens and 1 for fragments.
  init(_ figures: ScreenFigures, _ part: Int, _ state: AppState) {
    self.figures = figures
    isFragment = part == 1
    rulebook = state.rulebook
    name = figures.isOverflow ? "other" : state.model.text(figures.name)
  }

  private var tti: Judgement {
    isFragment ? rulebook.fragmentTTISlow(figures) : rulebook.ttiSlow(figures)
  }

  private var freeze: Judgement { rulebook.freezeRate(MeasuredFrames(figures)) }
  private var dropped: Judgement { rulebook.droppedFrames(MeasuredFrames(figures)) }

  var ttiVerdict: Verdict { tti.verdict }

  /// The first frame of a fragment has no threshold.
  var ttfrVerdict: Verdict {
    isFragment ? .insufficient : rulebook.ttfrSlow(figures).verdict
  }

  var freezeVerdict: Verdict { freeze.verdict }
  var droppedVerdict: Verdict { dropped.verdict }

  /// The worst of them.
  var verdict: Verdict {
    max(
      ttiVerdict,
      ttfrVerdict,
      freezeVerdict,
      droppedVerdict,
      rulebook.verdictApart(figures)
    )
  }

  /// Whether an entry of a budgets file takes the place of a default rule.
  var isBudgeted: Bool {
    [tti, rulebook.ttfrSlow(figures), freeze, dropped].contains { $0.threshold.allowsLimit }
  }

  /// Freeze time of a visit on average, milliseconds.
  var freezePerVisit: Double? {
    guard figures.visits > 0, let freeze = figures.frames?.freezeMilliseconds else { return nil }
    return Double(freeze) / Double(figures.visits)
  }

  // MARK: - In words

  /// `P50 412 ms, P99 2.87 s, max 3.02 s · 2 cancelled, 1 open`.
  var spread: String {
    let tti = figures.tti
    var text =
      tti.isEmpty
      ? "none measured"
      : "P50 \(duration(tti.quantile(0.5))), P99 \(duration(tti.quantile(0.99))), "
        + "max \(duration(tti.maximum))"
    text += " · \(QuantityText.count(figures.cancelled)) cancelled"
    if figures.open > 0 { text += ", \(QuantityText.count(figures.open)) open" }
    return text
  }

  var rules: [RuleText] {
    var rules: [RuleText] = []
    if !figures.tti.isEmpty { rules.append(rule("TTI P90", tti)) }
    if !isFragment, !figures.ttfr.isEmpty {
      rules.append(rule("TTFR P90", rulebook.ttfrSlow(figures)))
    }
    return rules + frameRules
  }

  private func rule(_ label: String, _ judgement: Judgement) -> RuleText {
    RuleText(
      label: label,
      value: "\(JudgedText.value(judgement)) of \(QuantityText.count(judgement.sample))",
      judgement,
      rulebook
    )
  }

  private var frameRules: [RuleText] {
    guard let frames = figures.frames else { return [] }
    let count = QuantityText.count(frames.total + frames.dropped)
    let visits = figures.visits == 1 ? "1 visit" : "\(QuantityText.count(figures.visits)) visits"
    return [
      frameRule(
        "freeze",
        "\(JudgedText.value(freeze)) in \(visits)",
        freeze
      ),
      frameRule(
        "dropped",
        "\(JudgedText.value(dropped)) of \(count) frames",
        dropped
      ),
    ]
  }

  private func frameRule(_ label: String, _ value: String, _ judgement: Judgement) -> RuleText {
    let coverage = judgement.lowCoverage.map {
      "only \(JudgedText.coverage($0)) of the visits measured"
    }
    return RuleText(label: label, value: value, judgement, rulebook, shortage: coverage)
  }

  private func duration(_ milliseconds: Double?) -> String {
    QuantityText.duration(milliseconds: milliseconds)
  }
}
