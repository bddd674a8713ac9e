// What filters ask of a record, beyond its names.
extension Signal {
  /// The words that name the signal in filters and budgets; the first is the usual one.
  package var words: [String] {
    switch self {
    case .appStartup: ["startup", "app-startup"]
    case .screenTTI: ["screen-tti", "tti"]
    case .fragmentTTI: ["fragment-tti"]
    case .screenRendering: ["screen-rendering"]
    case .appRendering: ["app-rendering"]
    case .appHang: ["hang", "app-hang"]
    case .watchdogTermination: ["watchdog", "app-watchdog-termination"]
    case .otherSpan: ["span"]
    case .leak: ["leak", "view_controller_leak"]
    case .otherLog: ["log"]
    case .ledgerSpan: ["ledger", "ledger-span"]
    case .ledgerHang: ["ledger", "ledger-hang", "hang"]
    case .ledgerHitch: ["ledger", "ledger-hitch", "hitch"]
    case .ledgerNote: ["ledger", "ledger-note", "note"]
    case .ledgerPayload: ["ledger", "ledger-payload", "payload"]
    }
  }
}

extension RecordRow {
  var screen: Symbol {
    switch signal {
    case .screenTTI, .screenRendering, .appHang: subject
    default: .none
    }
  }

  /// The hang's type; `prewarmed` for such launches; nil for signals without types.
  var type: String? {
    switch signal {
    case .appHang, .ledgerHang: hangType.rawValue
    case .appStartup: flags.contains(.prewarmed) ? "prewarmed" : nil
    default: nil
    }
  }

  /// A log's own severity, else what the record alone says by the default rules.
  func severity(_ model: SessionModel) -> String {
    if signal.isLog {
      let words = ["unspecified", "trace", "debug", "info", "warn", "error", "fatal"]
      return words[min(6, (Int(primaryValue ?? 0) + 3) / 4)]
    }
    switch Rulebook(scale: model.options.hitchScale).verdict(of: self, in: model) {
    case .critical: return "critical"
    case .warning: return "warning"
    case .holds, .insufficient: return "info"
    }
  }
}
