/// A rule, and what it is applied to: one line of the table.
struct Rule: Sendable {
  enum Scope: Sendable {
    case startups(@Sendable (Rulebook, StartupGroup) -> Judgement)
    case screens(@Sendable (Rulebook, ScreenFigures) -> Judgement)
    case fragments(@Sendable (Rulebook, ScreenFigures) -> Judgement)
    /// Sessions and screens.
    case frames(@Sendable (Rulebook, MeasuredFrames) -> Judgement)
    case hangs(@Sendable (Rulebook, Hang) -> Judgement)
    /// With the app's state in the data's own word.
    case terminations(@Sendable (Rulebook, Termination, String) -> Judgement)
    case leaks(@Sendable (Rulebook, LeakGroup) -> Judgement)
    case ledger(@Sendable (Rulebook, LedgerFigures) -> Judgement?)
    /// Several checks, each of every stream.
    case streams([MissingDataRules.Check])
  }

  var id: RuleID
  var scope: Scope

  init(_ id: RuleID, _ scope: Scope) {
    self.id = id
    self.scope = scope
  }

  /// Every rule; a new one is a function, its line here, and its test.
  static let all: [Rule] = [
    Rule(.ttiSlow, .screens { $0.ttiSlow($1) }),
    Rule(.ttfrSlow, .screens { $0.ttfrSlow($1) }),
    Rule(.fragmentTTISlow, .fragments { $0.fragmentTTISlow($1) }),
    Rule(.startupSlow, .startups { $0.startupSlow($1) }),
    Rule(.freezeRate, .frames { $0.freezeRate($1) }),
    Rule(.droppedFrames, .frames { $0.droppedFrames($1) }),
    Rule(.hang, .hangs { $0.hang($1) }),
    Rule(.watchdog, .terminations { $0.watchdog($1, appState: $2) }),
    Rule(.leakRepeated, .leaks { $0.leakRepeated($1) }),
    Rule(.ledgerOverBudget, .ledger { $0.ledgerOverBudget($1) }),
    Rule(.dataMissing, .streams(MissingDataRules.all)),
  ]
}

extension Rulebook {
  /// `tti-slow`: how long a screen takes to become usable.
  package func ttiSlow(_ figures: ScreenFigures) -> Judgement {
    percentile(.ttiSlow, judged(.ttiSlow, of: figures).tti, figures)
  }

  /// `ttfr-slow`: how long a screen takes to show its first frame.
  package func ttfrSlow(_ figures: ScreenFigures) -> Judgement {
    percentile(.ttfrSlow, judged(.ttfrSlow, of: figures).ttfr, figures)
  }

  /// `fragment-tti-slow`: how long a part of a screen takes to become usable.
  package func fragmentTTISlow(_ figures: ScreenFigures) -> Judgement {
    percentile(.fragmentTTISlow, judged(.fragmentTTISlow, of: figures).tti, figures)
  }

  /// `startup-slow`: how long a version takes to launch.
  package func startupSlow(_ group: StartupGroup) -> Judgement {
    let group = judged(group)
    return Judgement(
      .startupSlow,
      .p90,
      group.total.quantile(0.9),
      .milliseconds,
      sample: group.total.count,
      threshold(.startupSlow, app: group.app, name: group.version)
    )
  }

  private func percentile(
    _ rule: RuleID,
    _ values: Distribution,
    _ figures: ScreenFigures
  ) -> Judgement {
    Judgement(
      rule,
      .p90,
      values.quantile(0.9),
      .milliseconds,
      sample: values.count,
      threshold(rule, app: figures.app, name: figures.name)
    )
  }

  // MARK: - Frames

  /// `freeze-rate`: for how much of the time on screen the picture stood still.
  package func freezeRate(_ measured: MeasuredFrames) -> Judgement {
    let measured = judged(.freezeRate, of: measured)
    return Self.frames(.freezeRate, .freezeRate, measured, threshold(.freezeRate, measured.subject))
  }

  /// `dropped-frames`: how many of the expected frames were not shown.
  package func droppedFrames(_ measured: MeasuredFrames) -> Judgement {
    let measured = judged(.droppedFrames, of: measured)
    let threshold = threshold(.droppedFrames, measured.subject)
    return Self.frames(.droppedFrames, .droppedRatio, measured, threshold)
  }

  /// The worse of both.
  package func frames(_ measured: MeasuredFrames) -> Verdict {
    max(freezeRate(measured).verdict, droppedFrames(measured).verdict)
  }

  /// Judges frames by one of their two ratios.
  static func frames(
    _ rule: RuleID,
    _ signal: BudgetSignal,
    _ measured: MeasuredFrames,
    _ threshold: Threshold
  ) -> Judgement {
    var judgement = Judgement(
      rule,
      .mean,
      measured.ratio(signal),
      signal.unit(.mean),
      sample: measured.frames.map { $0.total + $0.dropped } ?? 0,
      threshold
    )
    if let coverage = measured.coverage, coverage < DefaultRules.minimumCoverage {
      judgement.verdict = .insufficient
      judgement.lowCoverage = coverage
    } else if judgement.verdict > .holds, measured.frames?.isPacedByDisplay == true {
      // The display sets the pace, not the app.
      judgement.verdict = .holds
    }
    return judgement
  }

  // MARK: - Hangs, terminations, leaks

  /// `hang`: any is a warning; a long or fatal one is critical.
  package func hang(_ hang: Hang) -> Judgement {
    var judgement = length(
      hang.duration.map(Double.init),
      threshold(.hang, .row(hang.row))
    )
    switch hang.type {
    case .cancelled: judgement.verdict = .insufficient
    case .open where judgement.threshold.source == .defaultRule: judgement.verdict = .warning
    case .fatal:
      // Entries about fatal hangs judge them by their number; otherwise none is allowed.
      let isOverridden = threshold(.hang, .fatalHangs).source != .defaultRule
      judgement.threshold = Threshold(warning: 0, critical: 0, minimumSample: 1)
      judgement.verdict = isOverridden ? .holds : .critical
    case .open, .nonFatal: break
    }
    return judgement
  }

  /// A hang of which the length alone is known, such as a ledger's longest.
  package func hang(milliseconds: Double?) -> Judgement {
    length(milliseconds, threshold(.hang))
  }

  private func length(_ milliseconds: Double?, _ threshold: Threshold) -> Judgement {
    Judgement(.hang, .max, milliseconds, .milliseconds, sample: 1, threshold)
  }

  /// `watchdog`: critical while the app was in use, a warning after memory warnings.
  package func watchdog(_ termination: Termination, appState: String) -> Judgement {
    var judgement = Judgement(
      .watchdog,
      .count,
      Double(termination.memoryWarnings ?? 0),
      .count,
      sample: 1,
      threshold(.watchdog)
    )
    if termination.memoryWarnings == nil {
      // Unknown is no 0, and breaks nothing.
      judgement.value = nil
      judgement.verdict = .holds
    }
    if threshold(.watchdog, .terminations).source != .defaultRule {
      judgement.verdict = .holds
    } else if appState == "active" {
      judgement.verdict = .critical
    }
    return judgement
  }

  /// `leak-repeated`: how often a class leaked in one launch; once may be a slow release.
  package func leakRepeated(_ group: LeakGroup) -> Judgement {
    leakRepeated(judged(group).rows.count, threshold(.leakRepeated, group.subject))
  }

  /// Leaks of which the number alone is known.
  package func leakRepeated(count: Int) -> Judgement {
    leakRepeated(count, threshold(.leakRepeated))
  }

  private func leakRepeated(_ count: Int, _ threshold: Threshold) -> Judgement {
    Judgement(.leakRepeated, .count, Double(count), .count, sample: count, threshold)
  }

  /// `ledger-over-budget`: how a ledger name stands to its budget; nil where it has none.
  package func ledgerOverBudget(_ figures: LedgerFigures) -> Judgement? {
    guard let threshold = ledgerThreshold(figures.name, budget: figures.budget) else { return nil }
    return Judgement(
      .ledgerOverBudget,
      .p90,
      figures.duration.quantile(0.9),
      .milliseconds,
      sample: figures.duration.count,
      threshold
    )
  }

  /// Milliseconds; nil for a name without a budget.
  package func ledgerThreshold(_ name: Symbol, budget: Int?) -> Threshold? {
    var threshold = threshold(.ledgerOverBudget, app: .none, name: name)
    guard threshold.source == .defaultRule else { return threshold }
    guard let budget, budget > 0 else { return nil }
    threshold.warning *= Double(budget)
    threshold.critical *= Double(budget)
    threshold.source = .ledger
    return threshold
  }
}
