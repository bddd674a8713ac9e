/// What an entry of the budgets file is about.
package enum BudgetSignal: String, CaseIterable, Sendable {
  case startup
  case screenTTI = "screen-tti"
  case screenTTFR = "screen-ttfr"
  case fragmentTTI = "fragment-tti"
  case fragmentTTFR = "fragment-ttfr"
  case freezeRate = "freeze-rate"
  case droppedRatio = "dropped-ratio"
  case hang
  case fatalHang = "fatal-hang"
  case watchdog
  case leak
  case ledger
  case span

  /// The default rule that an entry with this statistic replaces, if it is one.
  package func defaultRule(_ statistic: Statistic) -> RuleID? {
    switch (self, statistic) {
    case (.startup, .p90): .startupSlow
    case (.screenTTI, .p90): .ttiSlow
    case (.screenTTFR, .p90): .ttfrSlow
    case (.fragmentTTI, .p90): .fragmentTTISlow
    case (.freezeRate, .mean): .freezeRate
    case (.droppedRatio, .mean): .droppedFrames
    case (.hang, .max): .hang
    case (.leak, .count): .leakRepeated
    case (.ledger, .p90): .ledgerOverBudget
    default: nil
    }
  }

  /// The statistics that mean something for the signal.
  ///
  /// Of ratios, `mean` is the one of all frames together; of a watchdog termination or a leak there is no
  /// value, only their number.
  package var statistics: [Statistic] {
    switch self {
    case .freezeRate, .droppedRatio: Statistic.allCases.filter { !$0.isCounting }
    case .watchdog, .leak: Statistic.allCases.filter(\.isCounting)
    default: Statistic.allCases
    }
  }

  package func unit(_ statistic: Statistic) -> JudgedUnit {
    switch statistic {
    case .count: .count
    case .rate: .perHour
    case .share: .ratio
    default:
      self == .freezeRate ? .millisecondsPerSecond : self == .droppedRatio ? .ratio : .milliseconds
    }
  }
}

/// What an entry's `match` may ask for besides its signal, as the file writes it.
package enum BudgetMatchKey: String, CaseIterable, Sendable {
  case screen, name, app, version, device, attributes
}

extension BudgetSignal {
  /// The keys that records of the signal can answer.
  ///
  /// A launch and a termination have no name; only what screens measure, and a hang by the screen on top, have
  /// a screen; a ledger line is written without the app and device that it comes from.
  package var matchKeys: [BudgetMatchKey] {
    switch self {
    case .screenTTI, .screenTTFR, .freezeRate, .droppedRatio, .hang, .fatalHang:
      BudgetMatchKey.allCases
    case .fragmentTTI, .fragmentTTFR, .leak, .span: BudgetMatchKey.allCases.filter { $0 != .screen }
    case .startup, .watchdog: [.app, .version, .device, .attributes]
    case .ledger: [.name]
    }
  }
}

/// Which records an entry of the budgets file is about; what is nil matches everything.
package struct BudgetMatch: Equatable, Sendable {
  package struct Attribute: Equatable, Sendable {
    package var key: String
    package var value: Glob
    /// The file has a number here: it equals the same number however that is printed (3 and 3.0).
    package var number: Double?

    package init(key: String, value: Glob, number: Double? = nil) {
      self.key = key
      self.value = value
      self.number = number
    }

    package func matches(_ text: String) -> Bool {
      if value.matches(text) { return true }
      guard let number, let other = Double(text) else { return false }
      return other == number
    }
  }

  /// The screen, fragment, class, ledger name or span; of a hang its top screen.
  package var name: Glob?
  package var app: Glob?
  package var version: Glob?
  /// The device's model or id.
  package var device: Glob?
  package var attributes: [Attribute] = []

  package init() {}

  /// Only the name (and app) decide, so that all figures of a name match or none.
  var isWhole: Bool { version == nil && device == nil && attributes.isEmpty }
}

/// One entry of the budgets file.
package struct Budget: Equatable, Sendable {
  package var id: String
  package var signal: BudgetSignal
  package var match = BudgetMatch()
  package var statistic: Statistic
  /// The greatest value that holds, in the unit of signal and statistic.
  package var limit: Double
  /// From above this value on there is a warning.
  package var warn: Double?
  /// Nil: that of the default rule, else 1.
  package var minimumSample: Int?

  package init(id: String, signal: BudgetSignal, statistic: Statistic, limit: Double) {
    self.id = id
    self.signal = signal
    self.statistic = statistic
    self.limit = limit
  }

  var isOfFrames: Bool { signal == .freezeRate || signal == .droppedRatio }

  /// The default rule that it replaces where it covers the subject.
  package var defaultRule: RuleID? { signal.defaultRule(statistic) }

  func threshold(_ index: Int, _ scale: HitchScale) -> Threshold {
    let usual = defaultRule.map { DefaultRules.threshold($0, scale).minimumSample }
    return Threshold(
      warning: min(warn ?? limit, limit),
      critical: limit,
      minimumSample: minimumSample ?? usual ?? 1,
      allowsLimit: true,
      source: .budget(index)
    )
  }
}

/// A pattern in which `*` stands for any text, also none; everything else stands for itself.
package struct Glob: Equatable, Sendable {
  package let pattern: String
  private let parts: [Substring]

  package init(_ pattern: String) {
    self.pattern = pattern
    parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
  }

  package func matches(_ text: String) -> Bool {
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return text == pattern
    }
    var rest = text[...]
    guard rest.hasPrefix(first) else { return false }
    rest = rest.dropFirst(first.count)
    guard rest.hasSuffix(last), rest.count >= last.count else { return false }
    rest = rest.dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let end = rest.end(of: part) else { return false }
      rest = rest[end...]
    }
    return true
  }
}

extension Substring {
  /// Where the first occurrence of a text ends.
  fileprivate func end(of text: Substring) -> Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
