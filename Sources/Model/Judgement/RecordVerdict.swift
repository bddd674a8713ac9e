extension Rulebook {
  /// What one record says by itself.
  ///
  /// A single measurement is judged by the thresholds of a percentile, for want of others.
  package func verdict(of row: RecordRow, in model: SessionModel) -> Verdict {
    let app = model.resource(row.resource).app
    switch row.signal {
    case .screenTTI: return point(threshold(.ttiSlow, app: app, name: row.subject), row)
    case .fragmentTTI: return point(threshold(.fragmentTTISlow, app: app, name: row.subject), row)
    case .appStartup:
      guard !row.flags.contains(.prewarmed) else { return .holds }
      let version = model.resource(row.resource).version
      return point(threshold(.startupSlow, app: app, name: version), row)
    case .appHang, .ledgerHang:
      switch row.hangType {
      case .fatal: return .critical
      case .cancelled: return .insufficient
      case .open: return .warning
      case .nonFatal: return hang(milliseconds: row.measuredMilliseconds ?? 0).verdict
      }
    case .watchdogTermination:
      let appState = model.store.extra(of: row).appState
      let warnings = row.primaryValue.map(Int.init)
      let termination = Termination(row: 0, time: 0, memoryWarnings: warnings, appState: appState)
      return watchdog(termination, appState: model.text(appState)).verdict
    case .screenRendering, .appRendering:
      let frames = FrameFigures(model.store.extra(of: row).measurements)
      let coverage = frames?.coverage(ofNanoseconds: row.end - row.start)
      let subject = OverrideKey.Subject.named(app: app, name: row.subject)
      return self.frames(MeasuredFrames(frames: frames, coverage: coverage, subject: subject))
    case .ledgerSpan:
      let budget = LedgerNames.seam(model.text(row.name))?.budget
      return ledgerThreshold(row.name, budget: budget).map { point($0, row) } ?? .insufficient
    default: return .holds
    }
  }

  private func point(_ threshold: Threshold, _ row: RecordRow) -> Verdict {
    row.measuredMilliseconds.map(threshold.verdict) ?? .insufficient
  }
}
