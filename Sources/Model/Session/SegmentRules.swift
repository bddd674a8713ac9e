/// What one app-rendering span is, decided from the winning copy alone and the stream's age.
enum SegmentKind: Equatable {
  case ended(SessionState, reason: String)
  /// A part of a session as PerformanceSuite 1.7.0 to 1.8.1 sent it: its counters add up.
  case delta
  case open

  private static let attributeLimitLength: Int64 = 120_000_000_000
  private static let deltaTolerance = 5.0

  init(
    _ row: RecordRow,
    extra: RecordExtra,
    showsSessionSpans: Bool,
    message: String
  ) {
    switch row.outcome {
    case .rejected:
      self = .ended(.rejected, reason: "the host asked to drop it")
      return
    case .detached:
      self = .ended(.detached, reason: "monitoring was torn down during the session")
      return
    case .failed:
      let why = message.isEmpty ? "error" : message
      let reason = "ended by the host's SDK (\(why)): crash, kill or session end"
      self = .ended(.abandoned, reason: reason)
      return
    case .normal, .ok:
      break
    }
    if row.flags.contains(.inProgress) {
      self = .open
      return
    }
    if extra.measurements.contains(.sessionDuration) {
      self = .ended(.clean, reason: "ended when the app left the foreground")
      return
    }
    guard FrameFigures(extra.measurements) != nil else {
      self = .open
      return
    }
    let length = row.end - row.start
    if length >= Self.attributeLimitLength {
      self = .ended(.clean, reason: "ended; its duration was lost to the SDK's attribute limit")
      return
    }
    let measured = extra.measurements[.onScreenTime].map(Double.init) ?? -.infinity
    let isDelta = abs(Double(length) / 1_000_000 - measured) <= Self.deltaTolerance
    self = !showsSessionSpans && isDelta ? .delta : .open
  }
}
