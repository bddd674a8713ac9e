import CPlatform
package import Model

/// Events that cross to the screen thread together, in the order of observation.
package struct EventBatch: Sendable {
  package var events: [TelemetryEvent]

  package init(events: [TelemetryEvent]) {
    self.events = events
  }
}

/// The bounded queue between the ingest thread and the screen thread: the only crossing.
///
/// The producer waits while the mailbox is full, so input waits and never the screen. What was posted
/// before the producer finished is always taken.
package final class Mailbox: Sendable {
  private struct State {
    var batches: [EventBatch] = []
    var eventCount = 0
    var isFinished = false
    var isCancelled = false
    var spares: [[TelemetryEvent]] = []
  }

  /// A batch that is posted while fewer events than this wait is accepted whole.
  package let limit: Int
  private let state = Guarded(State())
  private let wakePipe = WakePipe()

  package init(limit: Int = 16_384) {
    self.limit = max(1, limit)
  }

  /// Readable (for `poll`) while batches wait, and once more when the producer has finished, until the
  /// next `take`.
  package var descriptor: Int32 { wakePipe.descriptor }

  /// Waits while the mailbox is full, unless told not to; false when the consumer has gone, so that nobody
  /// needs the batch.
  @discardableResult
  package func post(_ batch: EventBatch, waits: Bool = true) -> Bool {
    guard !batch.events.isEmpty else { return !isCancelled }
    let limit = limit
    return state.waitUntil { state -> Bool? in
      if state.isCancelled || state.isFinished { return false }
      if waits, state.eventCount >= limit { return nil }
      if state.batches.isEmpty { wakePipe.wake() }
      state.batches.append(batch)
      state.eventCount += batch.events.count
      self.state.wakeAll()
      return true
    }
  }

  /// True while a batch would have to wait before it is accepted.
  var isFull: Bool {
    let limit = limit
    return state.withLock { $0.eventCount >= limit && !$0.isCancelled && !$0.isFinished }
  }

  /// All batches that wait, oldest first, without waiting for any.
  package func take() -> [EventBatch] {
    state.withLock { takeAll(&$0) }
  }

  /// Waits for batches and takes them all; nil when the producer has finished and nothing is left.
  package func waitAndTake() -> [EventBatch]? {
    state.waitUntil { state -> [EventBatch]?? in
      if !state.batches.isEmpty { return .some(takeAll(&state)) }
      return state.isFinished || state.isCancelled ? .some(nil) : nil
    }
  }

  private func takeAll(_ state: inout State) -> [EventBatch] {
    let taken = state.batches
    state.batches.removeAll(keepingCapacity: true)
    state.eventCount = 0
    wakePipe.clear()
    self.state.wakeAll()
    return taken
  }

  /// The producer's end: no batch will follow.
  ///
  /// What waits can still be taken.
  package func finish() {
    state.withLock { $0.isFinished = true }
    wakePipe.wake()
    state.wakeAll()
  }

  /// The consumer's end: batches that wait are dropped, and a waiting producer goes on at once.
  package func cancel() {
    state.withLock {
      $0.isCancelled = true
      $0.batches = []
      $0.eventCount = 0
    }
    state.wakeAll()
  }

  /// Makes `descriptor` readable although no batch waits, until the next `take`.
  package func wakeConsumer() {
    wakePipe.wake()
  }

  /// True when the producer has finished and everything was taken.
  package var isDrained: Bool {
    state.withLock { $0.isFinished && $0.batches.isEmpty }
  }

  /// True while nothing can be taken but more may come.
  package var isAwaiting: Bool {
    state.withLock { !$0.isFinished && $0.batches.isEmpty }
  }

  package var isCancelled: Bool {
    state.withLock { $0.isCancelled }
  }

  /// Gives the storage of an applied batch back to the producer.
  package func recycle(_ batch: consuming EventBatch) {
    var events = batch.events
    batch.events = []
    events.removeAll(keepingCapacity: true)
    let spare = events
    events = []
    state.withLock {
      if $0.spares.count < 16 { $0.spares.append(spare) }
    }
  }

  /// Empty storage for a batch, from `recycle` if there is some.
  func emptyStorage() -> [TelemetryEvent] {
    state.withLock { $0.spares.popLast() ?? [] }
  }
}
