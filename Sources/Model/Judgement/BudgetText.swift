// Entries of the budgets file in words.
extension Budget {
  /// What is judged, such as `TTI` or `number of fatal hangs`.
  var noun: String {
    switch statistic {
    case .count: "number of \(signal.plural)"
    case .rate: "rate of \(signal.plural)"
    case .share: "share of sessions with \(signal.singular)"
    default: signal.measure
    }
  }

  /// What it matches, in its own patterns; nil for everything.
  var matchText: String? {
    var parts: [String] = []
    if let name = match.name { parts.append(name.pattern) }
    if let app = match.app { parts.append("app \(app.pattern)") }
    if let version = match.version { parts.append("version \(version.pattern)") }
    if let device = match.device { parts.append("device \(device.pattern)") }
    parts += match.attributes.map { "\($0.key)=\($0.value.pattern)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension BudgetSignal {
  /// What is measured of each.
  fileprivate var measure: String {
    switch self {
    case .startup: "startup"
    case .screenTTI, .fragmentTTI: "TTI"
    case .screenTTFR, .fragmentTTFR: "TTFR"
    case .freezeRate: "freeze time"
    case .droppedRatio: "share of dropped frames"
    case .hang, .fatalHang, .watchdog, .leak: "length of \(plural)"
    case .ledger, .span: "duration"
    }
  }

  fileprivate var plural: String {
    switch self {
    case .startup: "launches"
    case .screenTTI: "screen TTIs"
    case .screenTTFR: "screen TTFRs"
    case .fragmentTTI: "fragment TTIs"
    case .fragmentTTFR: "fragment TTFRs"
    case .freezeRate, .droppedRatio: "measured sessions"
    case .hang: "hangs"
    case .fatalHang: "fatal hangs"
    case .watchdog: "watchdog terminations"
    case .leak: "leaks"
    case .ledger: "ledger events"
    case .span: "spans"
    }
  }

  fileprivate var singular: String {
    switch self {
    case .startup: "a launch"
    case .screenTTI: "a screen TTI"
    case .screenTTFR: "a screen TTFR"
    case .fragmentTTI: "a fragment TTI"
    case .fragmentTTFR: "a fragment TTFR"
    case .freezeRate, .droppedRatio: "frames"
    case .hang: "a hang"
    case .fatalHang: "a fatal hang"
    case .watchdog: "a watchdog termination"
    case .leak: "a leak"
    case .ledger: "a ledger event"
    case .span: "a span"
    }
  }
}
