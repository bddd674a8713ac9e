import Ingest
import Model

/// Drops everything: what remains is the price of reading and decoding.
final class DroppingSink: TelemetrySink {
  let name = "dropping"
  private(set) var events = 0

  func receive(record: RawRecord) throws(SinkError) {}
  func receive(event: TelemetryEvent) throws(SinkError) { events += 1 }
  func receive(events more: [TelemetryEvent]) -> Int {
    events += more.count
    return 0
  }
  func flush() throws(SinkError) {}
}

/// Keeps the events in the batches in which they came.
final class KeepingSink: TelemetrySink {
  let name = "keeping"
  private(set) var batches: [[TelemetryEvent]] = []

  func receive(record: RawRecord) throws(SinkError) {}
  func receive(event: TelemetryEvent) throws(SinkError) { batches.append([event]) }
  func receive(events: [TelemetryEvent]) -> Int {
    batches.append(events)
    return 0
  }
  func flush() throws(SinkError) {}

  /// Records among the events, spans and others.
  var records: Int {
    batches.reduce(0) { sum, batch in
      sum
        + batch.count {
          switch $0 {
          case .span, .log, .ledger: true
          default: false
          }
        }
    }
  }
}

/// Reads one source to its end on this thread.
func ingest(_ request: SourceRequest, into sink: any TelemetrySink) {
  let options = IngestOptions(clock: { .wallClock })
  var loop = IngestLoop(
    requests: [request],
    options: options,
    telemetry: Telemetry(sinks: [sink])
  )
  loop.runToEnd()
}

/// Bytes in memory as a source, handed over in pieces of the size in which files are read.
struct BytesSource: GeneratedSource {
  private static let pieceSize = 64 << 10
  let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var nextDue: Timestamp? { position < bytes.count ? .distantPast : nil }

  mutating func next(until now: Timestamp) -> GeneratedPiece? {
    guard position < bytes.count else { return nil }
    let end = min(position + Self.pieceSize, bytes.count)
    defer { position = end }
    return GeneratedPiece(bytes: Array(bytes[position..<end]), arrival: now)
  }

  static func request(_ bytes: [UInt8]) -> SourceRequest {
    .generated(names: ["memory"], make: { BytesSource(bytes) })
  }
}
