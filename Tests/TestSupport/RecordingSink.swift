package import Ingest
package import Model

/// Keeps everything that it receives, for assertions on the stream of events.
package final class RecordingSink: TelemetrySink {
  package let name = "recording"
  /// Events in the order of observation.
  package private(set) var events: [TelemetryEvent] = []
  /// Raw records: where each lay, and a copy of its bytes.
  package private(set) var records: [(place: RecordPlace, bytes: [UInt8])] = []
  package private(set) var flushes = 0

  package init() {}

  package func receive(record: RawRecord) throws(SinkError) {
    records.append((record.place, Array(record.bytes)))
  }

  package func receive(event: TelemetryEvent) throws(SinkError) {
    events.append(event)
  }

  package func flush() throws(SinkError) {
    flushes += 1
  }

  package var spans: [SpanRecord] {
    events.compactMap { if case .span(let span) = $0 { span } else { nil } }
  }

  package var logs: [LogRecord] {
    events.compactMap { if case .log(let log) = $0 { log } else { nil } }
  }

  package var ledger: [LedgerEvent] {
    events.compactMap { if case .ledger(let event) = $0 { event } else { nil } }
  }

  package var problems: [Problem] {
    events.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
  }

  package var symbols: [Symbol: String] {
    var result: [Symbol: String] = [:]
    for case .symbol(let symbol, let text) in events { result[symbol] = text }
    return result
  }

  package var resources: [ResourceID: Resource] {
    var result: [ResourceID: Resource] = [:]
    for case .resource(let id, let resource) in events { result[id] = resource }
    return result
  }

  /// The text of a symbol; nil for none, and for one that was never announced.
  package func text(_ symbol: Symbol) -> String? { symbols[symbol] }

  package func count(of counted: Counted) -> Int {
    var sum = 0
    for case .counted(counted, let count, _) in events { sum += count }
    return sum
  }
}
