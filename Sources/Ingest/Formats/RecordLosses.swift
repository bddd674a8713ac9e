import Model

/// How much could not be read so far.
struct RecordLosses {
  private(set) var count = 0
  /// Those that are no telemetry at all.
  private(set) var foreign = 0
  private(set) var newest = ""

  mutating func add(_ kind: ProblemKind, _ text: String) {
    count += 1
    if kind == .notTelemetry { foreign += 1 }
    newest = text
  }
}
