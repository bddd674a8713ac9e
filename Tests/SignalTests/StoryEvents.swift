import Model
import TestSupport

@testable import Ingest

/// Records of a story as the real decoder observes them, to be applied in other orders.
struct StoryEvents {
  /// Symbols, resources and sources.
  private var definitions: [TelemetryEvent] = []
  private(set) var records: [TelemetryEvent] = []
  private static let ledgerSources: [UInt16] = [1, 3]

  init(_ story: [WireRecord]) {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    for source in [UInt16(0), 1] {
      var decoder = JSONStreamDecoder(source: SourceID(source))
      let lines = story.filter { ($0.kind == .ledger) == (source == 1) }.map { $0.line + "\n" }
      var bytes = Array(lines.joined().utf8)
      bytes.withUnsafeMutableBytes {
        decoder.consume(UnsafeRawBufferPointer($0), into: &assembler)
      }
      decoder.finish(into: &assembler)
    }
    for (number, name) in ["a.jsonl", "perf.jsonl", "b.jsonl", "perf.jsonl.prev"].enumerated() {
      let ledger = Self.ledgerSources.contains(UInt16(number)) ? "perf.jsonl" : name
      definitions.append(
        .source(
          SourceOpened(
            id: SourceID(UInt16(number)),
            name: name,
            ledgerName: ledger,
            isLive: false
          )
        )
      )
    }
    for event in sink.events {
      switch event {
      case .span, .log, .ledger: records.append(event.atBeginning)
      case .symbol, .resource: definitions.append(event)
      default: break
      }
    }
  }

  /// The model after the records in the order of the story.
  func model() -> SessionModel {
    model(of: [.arrival(TelemetryScript.time(RandomStory.arrivals.last))] + records)
  }

  func model(of events: [TelemetryEvent]) -> SessionModel {
    var model = SessionModel()
    for event in definitions { model.apply(event) }
    for event in events { model.apply(event) }
    return model
  }

  func model(shuffledWith random: inout SeededGenerator) -> SessionModel {
    model(of: orderedRecords(&random))
  }

  /// In another order, some again, over four sources, with two times of arrival.
  func orderedRecords(_ random: inout SeededGenerator) -> [TelemetryEvent] {
    var events = records
    for record in records where record.canRepeat && random.next() % 3 == 0 {
      events.append(record)
    }
    events = events.map { random.next() % 2 == 0 ? $0 : $0.fromOtherSource }
    events.shuffle(using: &random)
    let last = Int(random.next() % UInt64(events.count + 1))
    events.insert(.arrival(TelemetryScript.time(RandomStory.arrivals.last)), at: last)
    return [.arrival(TelemetryScript.time(RandomStory.arrivals.first))] + events
  }
}

extension TelemetryEvent {
  fileprivate var canRepeat: Bool {
    switch self {
    case .span(let span): span.hasIdentity
    case .log: true
    default: false
    }
  }

  /// Equal records that lie elsewhere become the same: where they lie is said of arrival.
  fileprivate var atBeginning: TelemetryEvent {
    switch self {
    case .span(var span):
      span.place = RecordPlace(source: span.place.source, offset: 0, length: 1)
      return .span(span)
    case .log(var log):
      log.place = RecordPlace(source: log.place.source, offset: 0, length: 1)
      return .log(log)
    case .ledger(var line):
      line.place = RecordPlace(source: line.place.source, offset: 0, length: 1)
      return .ledger(line)
    default: return self
    }
  }

  fileprivate var fromOtherSource: TelemetryEvent {
    switch self {
    case .span(var span):
      span.place.source = SourceID(2)
      return .span(span)
    case .log(var log):
      log.place.source = SourceID(2)
      return .log(log)
    case .ledger(var line):
      line.place.source = SourceID(3)
      return .ledger(line)
    default: return self
    }
  }
}
