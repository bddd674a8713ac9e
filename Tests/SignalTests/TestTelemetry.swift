import Foundation
import TUI
import TestSupport
import Testing

@testable import Ingest
@testable import Model

/// Sources whose bytes arrive when a test says so, read by the real decoders into a model.
final class TestTelemetry {
  private let sink: ModelSink
  private var assembler: RecordAssembler
  private var decoders: [any StreamDecoder] = []

  init(options: ModelOptions = ModelOptions()) {
    sink = ModelSink(SessionModel(options: options))
    assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
  }

  /// Opens a source; returns its number.
  @discardableResult
  func source(_ name: String = "capture.jsonl", ledger: String? = nil) -> Int {
    let id = SourceID(UInt16(decoders.count))
    decoders.append(JSONStreamDecoder(source: id))
    let opened = SourceOpened(id: id, name: name, ledgerName: ledger ?? name, isLive: false)
    assembler.telemetry.observe(.source(opened))
    return decoders.count - 1
  }

  /// Bytes of a source that arrive at a time in seconds after 2026-01-01T00:00:00Z.
  func receive(_ text: String, at arrival: Double = 86_400, on source: Int = 0) {
    if decoders.isEmpty { self.source() }
    assembler.telemetry.observe(.arrival(TelemetryScript.time(arrival)))
    var bytes = Array(text.utf8)
    bytes.withUnsafeMutableBytes {
      decoders[source].consume(UnsafeRawBufferPointer($0), into: &assembler)
    }
  }

  func receive(_ records: [WireRecord], at arrival: Double = 86_400, on source: Int = 0) {
    receive(records.map { $0.line + "\n" }.joined(), at: arrival, on: source)
  }

  /// The model after everything that came so far.
  var model: SessionModel {
    for index in decoders.indices { decoders[index].settle(into: &assembler) }
    return sink.model
  }

  var overview: Overview { model.overview() }

  /// The model after these records, one request each.
  static func model(_ records: [WireRecord], options: ModelOptions = ModelOptions())
    -> SessionModel
  {
    let telemetry = TestTelemetry(options: options)
    telemetry.receive(records)
    return telemetry.model
  }

  static func overview(_ records: [WireRecord]) -> Overview { model(records).overview() }
}

private final class ModelSink: TelemetrySink {
  let name = "model"
  var model: SessionModel

  init(_ model: SessionModel) {
    self.model = model
  }

  func receive(record: RawRecord) throws(SinkError) {}
  func receive(event: TelemetryEvent) throws(SinkError) { model.apply(event) }
  func flush() throws(SinkError) {}
}

extension SessionModel {
  /// The report as an object.
  func report() throws -> [String: Any] {
    let bytes = ReportJSON(model: self, overview: overview()).bytes
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  func reported(_ key: String) throws -> [[String: Any]] {
    try #require(try report()[key] as? [[String: Any]])
  }

  /// Both reports without what is said of arrival: `sources` and `quality` are empty.
  ///
  /// The text and the places of evidence take most of the time: without them where many are compared
  /// whose records keep their places.
  func meaning(withText: Bool = true) -> String { meaning(of: overview(), withText: withText) }

  /// The report's JSON of what a filter lets through.
  func meaning(filter text: String) throws -> String {
    var filter = RecordFilter()
    filter.expression = try FilterExpression(parsing: text)
    filter.since = .beforeNow(500_000_000_000)
    return meaning(of: overview(filter: filter), withText: false)
  }

  func meaning(of overview: Overview, withText: Bool = true) -> String {
    var model = self
    model.sources = []
    model.quality = Quality()
    var overview = overview
    overview.quality = Quality()
    let bytes = ReportJSON(model: model, overview: overview).bytes
    // Where the records of the evidence lie is said of arrival, too.
    let json = String(decoding: bytes, as: UTF8.self)
      .replacing(#/"offset":\d+,"length":\d+/#, with: "")
    guard withText else { return json }
    let text = ReportText(model: model, overview: overview, clock: ClockText()).text
    return json + "\n" + text
  }
}
