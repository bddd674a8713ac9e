import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("One record in two encodings")
struct EncodingsTests {
  private func decodeJSON(_ bytes: [UInt8]) -> RecordingSink {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var decoder = JSONStreamDecoder(source: SourceID(2))
    bytes.withUnsafeBytes { decoder.consume($0, into: &assembler) }
    decoder.finish(into: &assembler)
    return sink
  }

  /// Everything that a span says, symbols as text and without its place.
  private func text(_ span: SpanRecord, _ sink: RecordingSink) -> String {
    var plain = span
    plain.place = RecordPlace(source: SourceID(0), offset: 0, length: 0)
    let symbols = [
      span.name, span.subject, span.scopeVersion, span.sessionID, span.hostSessionID,
      span.statusMessage, span.appState,
    ].map { sink.text($0) ?? "-" }
    plain.name = .none
    plain.subject = .none
    plain.scopeVersion = .none
    plain.sessionID = .none
    plain.hostSessionID = .none
    plain.statusMessage = .none
    plain.appState = .none
    return "\(plain) \(symbols)"
  }

  @Test("spans are equal, content included, whether they came as JSON or protobuf")
  func spans() throws {
    let protobuf = decodeProtobuf(try Fixture.bytes("protobuf/traces.pb"))
    let json = decodeJSON(try Fixture.bytes("protobuf/traces.json"))
    #expect(json.problems.isEmpty)
    #expect(protobuf.spans.count == 2)
    #expect(json.spans.map { text($0, json) } == protobuf.spans.map { text($0, protobuf) })
  }

  @Test("log records are equal, content included, whether they came as JSON or protobuf")
  func logs() throws {
    let protobuf = decodeProtobuf(try Fixture.bytes("protobuf/logs.pb"))
    let json = decodeJSON(try Fixture.bytes("protobuf/logs.json"))
    #expect(json.problems.isEmpty)
    #expect(protobuf.logs.count == 3)
    #expect(json.logs.map(\.content) == protobuf.logs.map(\.content))
    #expect(json.logs.map(\.instance) == protobuf.logs.map(\.instance))
    #expect(json.logs.map(\.time) == protobuf.logs.map(\.time))
    #expect(
      json.logs.map { json.text($0.subject) } == protobuf.logs.map { protobuf.text($0.subject) }
    )
  }

  @Test("a stream of both encodings has one resource")
  func resources() throws {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var json = JSONStreamDecoder(source: SourceID(0))
    var protobuf = ProtobufStreamDecoder(source: SourceID(1))
    try Fixture.bytes("protobuf/logs.json").withUnsafeBytes {
      json.consume($0, into: &assembler)
    }
    try Fixture.bytes("protobuf/logs.pb").withUnsafeBytes {
      protobuf.consume($0, into: &assembler)
    }
    json.finish(into: &assembler)
    protobuf.finish(into: &assembler)
    #expect(sink.logs.count == 6)
    #expect(Set(sink.logs.map(\.resource)) == [ResourceID(1)])
  }
}
