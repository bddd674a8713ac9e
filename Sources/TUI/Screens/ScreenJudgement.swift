import Model

/// The figures of a screen or fragment against the default rules.
struct ScreenJudgement {
  let figures: ScreenFigures
  private let isFragment: Bool
  private let scale: HitchScale
  let name: String

  /// `part` is 0 for screens and 1 for fragments.
  init(_ figures: ScreenFigures, _ part: Int, _ state: AppState) {
    self.figures = figures
    isFragment = part == 1
    scale = state.model.options.hitchScale
    name = figures.isOverflow ? "other" : state.model.text(figures.name)
  }

  private var ttiThreshold: Threshold { isFragment ? DefaultRules.fragmentTTI : DefaultRules.tti }

  var ttiVerdict: Verdict {
    ttiThreshold.verdict(figures.tti.quantile(0.9), sample: figures.tti.count)
  }

  /// The first frame of a fragment has no threshold.
  var ttfrVerdict: Verdict {
    guard !isFragment else { return .insufficient }
    return DefaultRules.ttfr.verdict(figures.ttfr.quantile(0.9), sample: figures.ttfr.count)
  }

  var freezeVerdict: Verdict {
    guard isMeasured else { return .insufficient }
    return DefaultRules.freezeRate(scale)
      .verdict(figures.frames?.freezeMillisecondsPerSecond, sample: frameCount)
  }

  var droppedVerdict: Verdict {
    guard isMeasured else { return .insufficient }
    return DefaultRules.droppedFrames.verdict(figures.frames?.droppedRatio, sample: frameCount)
  }

  /// The worst of them.
  var verdict: Verdict {
    [ttiVerdict, ttfrVerdict, freezeVerdict, droppedVerdict].max() ?? .insufficient
  }

  /// Freeze time of a visit on average, milliseconds.
  var freezePerVisit: Double? {
    guard figures.visits > 0, let freeze = figures.frames?.freezeMilliseconds else { return nil }
    return Double(freeze) / Double(figures.visits)
  }

  private var frameCount: Int { figures.frames.map { $0.total + $0.dropped } ?? 0 }

  /// Whether enough of the visits was measured for frames to be judged.
  private var isMeasured: Bool {
    figures.frames != nil && (figures.coverage ?? 1) >= DefaultRules.minimumCoverage
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
    if !figures.tti.isEmpty {
      rules.append(
        rule("TTI P90", figures.tti, ttiThreshold, ttiVerdict, ttiRule)
      )
    }
    if !isFragment, !figures.ttfr.isEmpty {
      rules.append(rule("TTFR P90", figures.ttfr, DefaultRules.ttfr, ttfrVerdict, "ttfr-slow"))
    }
    return rules + frameRules
  }

  private var ttiRule: String { isFragment ? "fragment-tti-slow" : "tti-slow" }

  private func rule(
    _ label: String,
    _ values: Distribution,
    _ threshold: Threshold,
    _ verdict: Verdict,
    _ rule: String
  ) -> RuleText {
    RuleText(
      label: label,
      value: "\(duration(values.quantile(0.9))) of \(QuantityText.count(values.count))",
      verdict: verdict,
      thresholds: RuleText.milliseconds(threshold),
      rule: rule,
      shortage: "\(threshold.minimumSample) needed"
    )
  }

  private var frameRules: [RuleText] {
    guard let frames = figures.frames else { return [] }
    let threshold = DefaultRules.freezeRate(scale)
    let shortage =
      isMeasured
      ? "\(threshold.minimumSample) frames needed"
      : "\(QuantityText.percent(figures.coverage)) of the visits measured"
    let visits = figures.visits == 1 ? "1 visit" : "\(QuantityText.count(figures.visits)) visits"
    return [
      RuleText(
        label: "freeze",
        value: "\(QuantityText.ratio(frames.freezeMillisecondsPerSecond)) ms/s in \(visits)",
        verdict: freezeVerdict,
        thresholds: RuleText.words(
          RuleText.number(threshold.warning),
          RuleText.number(threshold.critical)
        ),
        rule: "freeze-rate",
        shortage: shortage
      ),
      RuleText(
        label: "dropped",
        value:
          "\(QuantityText.percent(frames.droppedRatio)) of \(QuantityText.count(frameCount)) frames",
        verdict: droppedVerdict,
        thresholds: RuleText.words(
          RuleText.number(DefaultRules.droppedFrames.warning * 100) + "%",
          RuleText.number(DefaultRules.droppedFrames.critical * 100) + "%"
        ),
        rule: "dropped-frames",
        shortage: shortage
      ),
    ]
  }

  private func duration(_ milliseconds: Double?) -> String {
    QuantityText.duration(milliseconds: milliseconds)
  }
}
