import CPlatform
package import Model

/// What ends a live run without a hand on the keyboard.
package struct LiveLimits: Sendable {
  /// Nanoseconds (`--for`).
  package var duration: Int64?
  /// Spans of live sources (`--max-spans`).
  package var spans: Int?
  /// A record of a live source that matches (`--stop-at`).
  package var record: FilterExpression?
  /// How what `record` asks for is derived.
  package var model = ModelOptions()

  package init() {}

  package var isEmpty: Bool { duration == nil && spans == nil && record == nil }
}

/// Lets events through until a limit is reached; then nothing more of live sources, and the run ends.
///
/// Captures are read to their end and count for nothing. Belongs to the ingest thread.
final class LiveGate {
  /// Looks that derive sessions take at most one part in so many of the time.
  private static let lookShare: Int64 = 10

  /// The rest of the record that reaches a limit passes too, since it is recorded whole.
  var admitsWholeRecords = false
  private let limits: LiveLimits
  private let stop: StopSignal
  private var watch: RecordWatch?
  private var live: [Bool] = []
  private var spans = 0
  /// On the monotonic clock.
  let deadline: Int64?
  private var nextLook: Int64 = 0
  private(set) var isClosed = false

  init(_ limits: LiveLimits, stop: StopSignal) {
    self.limits = limits
    self.stop = stop
    deadline = limits.duration.map { cp_monotonic_nanoseconds() + $0 }
    watch = limits.record.map { RecordWatch($0, options: limits.model) }
  }

  /// True while every event may pass without a look.
  var isIdle: Bool { limits.spans == nil && limits.record == nil && !isClosed }

  /// Whether an event may pass; the one that reaches the limit is the last record that does.
  func admits(_ event: TelemetryEvent) -> Bool {
    switch event {
    case .source(let opened):
      let number = Int(opened.id.rawValue)
      while live.count <= number { live.append(false) }
      live[number] = opened.isLive
    case .span(let span):
      guard passes(span.place.source) else { return false }
      if isLive(span.place.source) { spans += 1 }
      if let most = limits.spans, spans >= most { close() }
    case .log(let log): guard passes(log.place.source) else { return false }
    case .ledger(let line): guard passes(line.place.source) else { return false }
    case .counted(_, _, let source): return passes(source)
    case .problem(let problem): return passes(problem.source)
    case .symbol, .resource, .attributes, .arrival, .progress, .spool, .connection: break
    }
    look(at: event)
    return true
  }

  /// Those of the events of one record that may pass.
  func admitted(_ events: [TelemetryEvent]) -> [TelemetryEvent] {
    guard admitsWholeRecords, !isClosed else { return events.filter(admits) }
    for event in events { _ = admits(event) }
    return events
  }

  private func passes(_ source: SourceID) -> Bool { !isClosed || !isLive(source) }

  private func isLive(_ source: SourceID) -> Bool {
    let number = Int(source.rawValue)
    return number < live.count && live[number]
  }

  private func look(at event: TelemetryEvent) {
    guard !isClosed, watch != nil else { return }
    watch?.observe(event)
    if watch?.needsSessions == false, watch?.hasMatch() == true { close() }
  }

  /// Called when input pauses: what cannot be told record by record is told here, and so is the time.
  func look(now: Int64) {
    guard !isClosed else { return }
    if let deadline, now >= deadline { return close() }
    guard watch?.needsSessions == true, now >= nextLook else { return }
    if watch?.hasMatch() == true { return close() }
    nextLook = now + (cp_monotonic_nanoseconds() - now) * Self.lookShare
  }

  private func close() {
    isClosed = true
    watch = nil
    stop.set()
  }
}
