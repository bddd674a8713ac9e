package import Model

/// Gathers events into batches for the mailbox.
package final class MailboxSink: TelemetrySink {
  /// Events of a full batch: enough to make the lock's price per event vanish.
  static let batchSize = 1_024

  package let name = "mailbox"
  private let mailbox: Mailbox
  private var events: [TelemetryEvent] = []

  package init(mailbox: Mailbox) {
    self.mailbox = mailbox
    events.reserveCapacity(Self.batchSize)
  }

  package func receive(record: RawRecord) throws(SinkError) {}

  package func receive(event: TelemetryEvent) throws(SinkError) {
    events.append(event)
    if events.count >= Self.batchSize { try flush() }
  }

  package func receive(events more: UnsafeBufferPointer<TelemetryEvent>) -> Int {
    var failures = 0
    var next = 0
    while next < more.count {
      let end = min(more.count, next + Self.batchSize - events.count)
      events.append(contentsOf: UnsafeBufferPointer(rebasing: more[next..<end]))
      next = end
      guard events.count >= Self.batchSize else { break }
      do throws(SinkError) { try flush() } catch { failures += 1 }
    }
    return failures
  }

  package func flush() throws(SinkError) {
    guard !events.isEmpty else { return }
    let batch = EventBatch(events: events)
    events = mailbox.emptyStorage()
    events.reserveCapacity(Self.batchSize)
    guard mailbox.post(batch) else { throw .closed }
  }
}
