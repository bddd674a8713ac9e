import Model

/// What was received, and what of it is in doubt, in words.
enum QualityText {
  static func received(_ quality: Quality) -> String {
    "received \(QuantityText.count(quality.receivedSpans)) spans, "
      + "\(QuantityText.count(quality.receivedLogs)) logs, "
      + "\(QuantityText.count(quality.receivedLedgerEvents)) ledger events"
  }

  /// What there is at all of each reason for doubt.
  static func doubts(_ quality: Quality) -> [(text: String, isLoss: Bool)] {
    let counts = [
      (quality.malformed, "malformed", true), (quality.notTelemetry, "not telemetry", true),
      (quality.incomplete, "incomplete", true), (quality.unreadable, "unreadable", true),
      (quality.duplicates, "duplicates", false), (quality.replaced, "replaced", false),
      (quality.renamed, "renamed", false), (quality.duplicateLogs, "duplicate logs", false),
      (quality.rejected, "rejected by the host", false),
      (quality.statusUnknown, "with unknown status", false),
      (quality.clockSuspect, "with a suspect clock", false), (quality.late, "late", false),
      (quality.attachDropped, "messages came too fast and were dropped", true),
      (quality.truncatedValues, "cut values", false),
      (quality.hostAttributesDropped, "whose attributes were not kept", false),
      (quality.afterFolding, "too late for what was kept", true),
      (quality.otherTexts, "texts shown as other", true),
      (quality.otherResources, "resources of which the app alone was kept", true),
      (quality.otherDevices, "of devices beyond the limit", true),
      (quality.otherNames, "of names beyond the limit", true),
    ]
    return counts.filter { $0.0 > 0 }.map { ("\(QuantityText.count($0.0)) \($0.1)", $0.2) }
  }

  /// `line 12: …` of the first loss of a source; nil without one.
  static func firstLoss(_ source: SourceState) -> String? {
    source.firstProblem.map { problem in
      let place = problem.line > 0 ? "line \(problem.line)" : "byte \(problem.offset)"
      return DisplayText.shown("\(place): \(problem.text)")
    }
  }
}
