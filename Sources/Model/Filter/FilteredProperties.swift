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

  /// Milliseconds: what the record measured, else how long its span lasted; nil where neither is known.
  var filteredDuration: Double? {
    switch signal {
    case .screenTTI, .fragmentTTI, .appStartup, .appHang:
      return outcome.isError ? nil : primaryValue.map(Double.init)
    case .screenRendering, .appRendering, .otherSpan:
      let unknown: RecordFlags = [.noStart, .noEnd, .endBeforeStart]
      return flags.isDisjoint(with: unknown) ? Double(end - start) / 1_000_000 : nil
    case .ledgerSpan, .ledgerHang, .ledgerHitch, .ledgerNote, .ledgerPayload:
      return ledgerNanoseconds.map { Double($0) / 1_000_000 }
    case .watchdogTermination, .leak, .otherLog: return nil
    }
  }

  /// A log's own severity, else what the record alone says by the default rules.
  func severity(_ model: SessionModel) -> String {
    if signal.isLog {
      let words = ["unspecified", "trace", "debug", "info", "warn", "error", "fatal"]
      return words[min(6, (Int(primaryValue ?? 0) + 3) / 4)]
    }
    switch recordVerdict(model) {
    case .critical: return "critical"
    case .warning: return "warning"
    case .holds, .insufficient: return "info"
    }
  }

  private func recordVerdict(_ model: SessionModel) -> Verdict {
    let rulebook = Rulebook(scale: model.options.hitchScale)
    func judged(_ threshold: Threshold, _ value: Double?) -> Verdict {
      threshold.verdict(value, sample: threshold.minimumSample)
    }
    switch signal {
    case .screenTTI: return judged(DefaultRules.tti, filteredDuration)
    case .fragmentTTI: return judged(DefaultRules.fragmentTTI, filteredDuration)
    case .appStartup:
      return flags.contains(.prewarmed) ? .holds : judged(DefaultRules.startup, filteredDuration)
    case .appHang, .ledgerHang:
      switch hangType {
      case .fatal: return .critical
      case .open: return .warning
      case .cancelled: return .holds
      case .nonFatal: return rulebook.hang(milliseconds: filteredDuration).verdict
      }
    case .watchdogTermination:
      let state = model.text(model.store.extra(of: self).appState)
      return state == "active" ? .critical : (primaryValue ?? 0) > 0 ? .warning : .holds
    case .screenRendering, .appRendering:
      let frames = FrameFigures(model.store.extra(of: self).measurements)
      let coverage = frames?.coverage(ofNanoseconds: end - start)
      let measured = MeasuredFrames(frames: frames, coverage: coverage)
      return max(rulebook.freezeRate(measured).verdict, rulebook.droppedFrames(measured).verdict)
    case .ledgerSpan:
      let budget = LedgerNames.seam(model.text(name))?.budget
      let ratio = budget.flatMap { budget in filteredDuration.map { $0 / Double(budget) } }
      return judged(DefaultRules.ledger, ratio)
    default: return .holds
    }
  }
}
