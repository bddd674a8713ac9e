/// A rule by its name, in the order in which rules are listed.
package enum RuleID: String, CaseIterable, Sendable {
  case hang
  case watchdog
  case ttiSlow = "tti-slow"
  case ttfrSlow = "ttfr-slow"
  case fragmentTTISlow = "fragment-tti-slow"
  case startupSlow = "startup-slow"
  case freezeRate = "freeze-rate"
  case droppedFrames = "dropped-frames"
  case leakRepeated = "leak-repeated"
  case ledgerOverBudget = "ledger-over-budget"
  case dataMissing = "data-missing"
  /// An entry of the budgets file that replaces no default rule; reports name the entry.
  case budget
}

/// How many values become the one that is judged.
package enum Statistic: String, CaseIterable, Sendable {
  case p50, p75, p90, p95, p99, max, mean
  /// How many there are.
  case count
  /// How many there are per hour of session.
  case rate
  /// The share of sessions that have one.
  case share

  /// The fraction of a percentile; nil for other statistics.
  package var fraction: Double? {
    switch self {
    case .p50: 0.5
    case .p75: 0.75
    case .p90: 0.9
    case .p95: 0.95
    case .p99: 0.99
    default: nil
    }
  }

  /// Counts records instead of reading a value of each.
  package var isCounting: Bool { self == .count || self == .rate || self == .share }
}

/// What a judged value is measured in, as reports write it.
package enum JudgedUnit: String, Sendable {
  case milliseconds = "ms"
  case millisecondsPerSecond = "ms/s"
  case ratio
  case count
  case perHour = "per hour"
  case hertz = "Hz"
}

/// What a stream lacks, or what makes its numbers mean less than they seem to.
package enum MissingData: String, CaseIterable, Sendable {
  case startup
  case hangs
  case sessionID = "session.id"
  case coverage
  case refreshRate = "refresh rate"
  case topScreen = "top screen"
  case terminationCause = "termination cause"
  case status

  /// It can be said of single sessions; the others are about the stream as a whole.
  var isOfSessions: Bool {
    switch self {
    case .coverage, .refreshRate, .terminationCause, .status: true
    case .startup, .hangs, .sessionID, .topScreen: false
    }
  }
}

/// A number against what it may be: what a rule says of one subject.
package struct Judgement: Equatable, Sendable {
  package var rule: RuleID
  package var statistic: Statistic
  package var unit: JudgedUnit
  @OptionalMeasure package var value: Double?
  /// Values (frames for frame rules) behind the number.
  package var sample: Int
  package var threshold: Threshold
  package var verdict: Verdict
  /// Measured time ÷ all time, where it is too little to judge.
  @OptionalMeasure package var lowCoverage: Double? = nil
  package var missing: MissingData?

  package init(
    _ rule: RuleID,
    _ statistic: Statistic,
    _ value: Double?,
    _ unit: JudgedUnit,
    sample: Int,
    _ threshold: Threshold
  ) {
    self.rule = rule
    self.statistic = statistic
    self.value = value
    self.unit = unit
    self.sample = sample
    self.threshold = threshold
    verdict = threshold.verdict(value, sample: sample)
  }

  /// Its sample is frames: those of all sessions or visits together.
  package var countsFrames: Bool {
    statistic == .mean && (unit == .millisecondsPerSecond || unit == .ratio)
  }

  /// The verdict that more evidence for the same value would bring.
  package var tendency: Verdict {
    guard verdict == .insufficient, let value else { return verdict }
    return threshold.verdict(value)
  }

  /// The limit that is broken, else the first that would be; nil where there is none.
  package var limit: Double? {
    if missing != nil || rule == .watchdog && threshold.source == .defaultRule { return nil }
    // What a ledger name may take is its budget, by however much it is broken.
    if threshold.source == .ledger { return threshold.warning }
    return tendency == .critical ? threshold.critical : threshold.warning
  }

  /// How many times the limit the value is, for putting the worst first.
  package var excess: Double {
    guard let value else { return 0 }
    let limit = threshold.critical.isFinite ? threshold.critical : threshold.warning
    return limit > 0 && limit.isFinite ? value / limit : value
  }
}
