/// How a number stands against its thresholds.
package enum Verdict: Int, Comparable, Sendable {
  /// Not enough evidence to judge.
  case insufficient
  case holds
  case warning
  case critical

  package static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
}

/// Where a threshold comes from.
package enum ThresholdSource: Equatable, Sendable {
  case defaultRule
  /// An entry of the budgets file, by its place in the list.
  case budget(Int)
  /// The budget that the app's own code gives a ledger name.
  case ledger
}

/// A threshold pair and the evidence that it asks for.
package struct Threshold: Equatable, Sendable {
  package var warning: Double
  /// Equal to `warning` where there is only one limit.
  package var critical: Double
  /// The least number of values (frames for frame rules) that can be judged.
  @SmallCount package var minimumSample: Int
  /// A value equal to the limit still holds: so it is of budgets, not of the default rules.
  package var allowsLimit = false
  package var source = ThresholdSource.defaultRule

  /// The one to name: a budget's own limit, else where warnings begin.
  package var limit: Double { allowsLimit ? critical : warning }

  package func verdict(_ value: Double?, sample: Int) -> Verdict {
    guard let value, sample >= minimumSample else { return .insufficient }
    return verdict(value)
  }

  /// What the value would be with enough evidence.
  package func verdict(_ value: Double) -> Verdict {
    if isBroken(value, critical) { return .critical }
    return isBroken(value, warning) ? .warning : .holds
  }

  private func isBroken(_ value: Double, _ limit: Double) -> Bool {
    allowsLimit ? value > limit : value >= limit
  }
}

/// The default rules: what is too slow when no budget says otherwise.
package enum DefaultRules {
  /// 90th percentile of a screen's TTI, milliseconds.
  package static let tti = Threshold(warning: 1000, critical: 3000, minimumSample: 5)
  /// 90th percentile of a screen's TTFR; 250 ms is where Apple's tools start to report delays.
  package static let ttfr = Threshold(warning: 250, critical: 1000, minimumSample: 5)
  package static let fragmentTTI = Threshold(warning: 500, critical: 2000, minimumSample: 5)
  /// 90th percentile of startup; 5 s is Android vitals' "excessive" cold start.
  package static let startup = Threshold(warning: 2000, critical: 5000, minimumSample: 5)
  package static let droppedFrames = Threshold(warning: 0.01, critical: 0.05, minimumSample: 300)
  /// Any hang is a warning.
  package static let hang = Threshold(warning: 0, critical: 5000, minimumSample: 1)
  /// Memory warnings before a termination.
  package static let watchdog = Threshold(warning: 1, critical: .infinity, minimumSample: 1)
  /// Leaks of one class in one launch.
  package static let leak = Threshold(warning: 2, critical: 5, minimumSample: 1)
  /// 90th percentile of a ledger name ÷ its budget.
  package static let ledger = Threshold(warning: 1, critical: 3, minimumSample: 3)
  /// Below this share of measured time, frames are not judged.
  package static let minimumCoverage = 0.5

  package static func freezeRate(_ scale: HitchScale) -> Threshold {
    Threshold(warning: scale.warning, critical: scale.critical, minimumSample: 300)
  }

  /// The threshold of a rule; of `ledger-over-budget` in milliseconds for a budget.
  package static func threshold(_ rule: RuleID, _ scale: HitchScale) -> Threshold {
    switch rule {
    case .ttiSlow: tti
    case .ttfrSlow: ttfr
    case .fragmentTTISlow: fragmentTTI
    case .startupSlow: startup
    case .freezeRate: freezeRate(scale)
    case .droppedFrames: droppedFrames
    case .hang: hang
    case .watchdog: watchdog
    case .leakRepeated: leak
    case .ledgerOverBudget: ledger
    case .dataMissing, .budget: Threshold(warning: .infinity, critical: .infinity, minimumSample: 0)
    }
  }
}
