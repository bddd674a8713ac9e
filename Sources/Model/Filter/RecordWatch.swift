/// Waits for a record that an expression matches (`--stop-at`).
package struct RecordWatch {
  /// The answer depends on sessions, which are derived anew for every look.
  package let needsSessions: Bool
  private let expression: FilterExpression
  private var model: SessionModel
  /// Rows before this one have been looked at.
  private var next = 0

  /// `memoryLimit` is the bytes for what is remembered of earlier records.
  package init(
    _ expression: FilterExpression,
    options: ModelOptions = ModelOptions(),
    memoryLimit: Int = 64 << 20
  ) {
    self.expression = expression
    needsSessions = expression.needsSessions
    var options = options
    options.memoryLimit = min(options.memoryLimit ?? memoryLimit, memoryLimit)
    model = SessionModel(options: options)
  }

  /// Takes an event in the order of observation.
  package mutating func observe(_ event: TelemetryEvent) {
    model.apply([event])
  }

  /// Whether a record of a live source matches that came since the last look; sessions may change that of
  /// earlier ones, so with them all are looked at.
  package mutating func hasMatch() -> Bool {
    let end = model.store.count
    guard end > next else { return false }
    defer { next = end }
    if needsSessions { return sessionsMatch() }
    var matcher = FilterMatcher(expression, model: model, sessions: nil)
    for row in next..<end where isLive(row, end) && matcher.matches(row) { return true }
    return false
  }

  private func sessionsMatch() -> Bool {
    var filter = RecordFilter()
    filter.expression = expression
    let end = model.store.count
    var isFound = false
    model.overview(filter: filter).selection?.forEach { row in
      if isLive(row, end) { isFound = true }
    }
    return isFound
  }

  private func isLive(_ row: Int, _ end: Int) -> Bool {
    guard model.store.isLive(row, upTo: end) else { return false }
    let source = Int(model.store[row].place.source.rawValue)
    return source < model.sources.count && model.sources[source].opened.isLive
  }
}
