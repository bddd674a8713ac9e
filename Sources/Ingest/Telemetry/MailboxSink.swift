package import Model

/// Gathers events into batches for the mailbox.
package final class MailboxSink: TelemetrySink {
  /// Events of a full batch: enough to make the lock's price per event vanish.
  static let batchSize = 1_024

  package let name = "mailbox"
  /// False while a network sender waits for its answer: its request is taken whole, or not begun.
  var waits = true
  /// Ends the run when live sources have brought enough.
  var gate: LiveGate?
  private let mailbox: Mailbox
  private var events: [TelemetryEvent] = []

  package init(mailbox: Mailbox) {
    self.mailbox = mailbox
    events.reserveCapacity(Self.batchSize)
  }

  /// More events wait than may.
  var isCrowded: Bool { mailbox.isFull }

  package func receive(record: RawRecord) throws(SinkError) {}

  package func receive(event: TelemetryEvent) throws(SinkError) {
    if let gate, !gate.isIdle, !gate.admits(event) { return }
    events.append(event)
    if events.count >= Self.batchSize { try flush() }
  }

  package func receive(events all: [TelemetryEvent]) -> Int {
    var more = all
    if let gate, !gate.isIdle { more = gate.admitted(all) }
    do throws(SinkError) {
      if more.count >= Self.batchSize / 2 {
        // Passed on as it is: copying it event by event would cost more than decoding some of them.
        try flush()
        guard mailbox.post(EventBatch(events: more), waits: waits) else { throw .closed }
      } else {
        events.append(contentsOf: more)
        if events.count >= Self.batchSize { try flush() }
      }
      return 0
    } catch {
      return 1
    }
  }

  package func flush() throws(SinkError) {
    guard !events.isEmpty else { return }
    let batch = EventBatch(events: events)
    events = mailbox.emptyStorage()
    events.reserveCapacity(Self.batchSize)
    guard mailbox.post(batch, waits: waits) else { throw .closed }
  }
}
