import Model
import TestSupport
import Testing

@testable import Ingest

/// Decodes a stream in pieces of one size, after `offset` bytes of the source.
func decodeProtobuf(
  _ bytes: [UInt8],
  piece: Int = .max,
  offset: UInt64 = 0
) -> RecordingSink {
  let sink = RecordingSink()
  var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
  var decoder = ProtobufStreamDecoder(source: SourceID(2), offset: offset)
  bytes.withUnsafeBytes { bytes in
    var start = 0
    while start < bytes.count {
      let end = start + min(piece, bytes.count - start)
      decoder.consume(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), into: &assembler)
      start = end
    }
  }
  decoder.finish(into: &assembler)
  return sink
}

@Suite("OTLP protobuf messages")
struct ProtobufDecoderTests {
  private typealias Bytes = ProtobufBytes

  /// Fields as Tests/Fixtures/protobuf/make_fixtures.py sets them with the official classes.
  @Test("a span of the official classes is read in full")
  func officialSpan() throws {
    let sink = decodeProtobuf(try Fixture.bytes("protobuf/traces.pb"))
    #expect(sink.spans.count == 2)
    #expect(sink.problems.isEmpty)
    let span = try #require(sink.spans.first)
    #expect(span.traceHigh == 0x0102_0304_0506_0708)
    #expect(span.traceLow == 0x090a_0b0c_0d0e_0f10)
    #expect(span.spanID == 0xa0a1_a2a3_a4a5_a6a7)
    #expect(span.parentID == 0xb0b1_b2b3_b4b5_b6b7)
    #expect(sink.text(span.name) == "bk.app.screen-tti.Search.Résultats")
    #expect(span.signal == .screenTTI)
    #expect(sink.text(span.subject) == "Search.Résultats")
    #expect(span.start.nanoseconds == 1_780_000_000_000_000_000)
    #expect(span.end.nanoseconds == 1_780_000_001_500_000_000)
    #expect(span.measurements[.primary] == 1234)
    #expect(span.measurements[.secondary] == 321)
    #expect(span.flags == [.customStart])
    #expect(span.status == .error)
    #expect(sink.text(span.statusMessage) == "measurement_cancelled")
    #expect(sink.text(span.sessionID) == "S-1")
    #expect(sink.text(span.scopeVersion) == "1.11.2")
    #expect(span.attributeCount == 11)
    #expect(span.finalAttributeCount == 3)
    let resource = try #require(sink.resources[span.resource])
    #expect(sink.text(resource.app) == "Shop")
    #expect(sink.text(resource.version) == "8.42.1 (842103)")
    #expect(sink.text(resource.deviceID) == "D-1")
    #expect(sink.text(resource.deviceModel) == "iPhone15,3")
    #expect(sink.text(resource.osName) == "iOS")
    #expect(sink.text(resource.osVersion) == "26.1")
    let other = sink.spans[1]
    #expect(other.signal == .watchdogTermination)
    #expect(other.resource == .empty)
    #expect(other.scopeVersion == .none)
    #expect(other.start == other.end)
  }

  @Test("logs of the official classes are told from spans by their fields")
  func officialLogs() throws {
    let sink = decodeProtobuf(try Fixture.bytes("protobuf/logs.pb"))
    #expect(sink.spans.isEmpty)
    #expect(sink.logs.map(\.signal) == [.leak, .otherLog, .otherLog])
    let subjects = sink.logs.map { sink.text($0.subject) }
    #expect(subjects == ["ProfileViewController", "cart.emptied", "disk almost full"])
    #expect(sink.logs.map(\.severity) == [13, 0, 9])
    let start = 1_780_000_000_000_000_000
    #expect(sink.logs.map { Int($0.time.nanoseconds) - start } == [0, 2, 3])
    #expect(sink.logs[0].flags == [.prewarmed])
    #expect(sink.text(sink.logs[0].sessionID) == "S-1")
  }

  @Test("metrics of the official classes are counted by data point")
  func officialMetrics() throws {
    let sink = decodeProtobuf(try Fixture.bytes("protobuf/metrics.pb"))
    #expect(sink.spans.isEmpty && sink.logs.isEmpty && sink.problems.isEmpty)
    #expect(sink.count(of: .metricPoints) == 2 + 3 + 1 + 1 + 2)
  }

  @Test("a record's place is its own message in the source")
  func places() throws {
    let bytes = try Fixture.bytes("protobuf/traces.pb")
    let sink = decodeProtobuf(bytes, offset: 1000)
    for span in sink.spans {
      #expect(span.place.source == SourceID(2))
      let start = Int(span.place.offset) - 1000
      let record = Array(bytes[start..<(start + Int(span.place.length))])
      // A Span message begins with its trace id, and reading it alone gives the same record.
      #expect(record.prefix(2) == [0x0a, 0x10])
      let alone = decodeProtobuf(Bytes.framed(Bytes.request([record])))
      #expect(alone.spans.first?.spanID == span.spanID)
      #expect(alone.spans.first?.attributeCount == span.attributeCount)
    }
  }

  @Test("signals of one file and of one message are told apart")
  func mixed() throws {
    let traces = try Fixture.bytes("protobuf/traces.pb")
    let logs = try Fixture.bytes("protobuf/logs.pb")
    let metrics = try Fixture.bytes("protobuf/metrics.pb")
    for bytes in [
      Bytes.framed(logs) + Bytes.framed(traces) + Bytes.framed(metrics),
      Bytes.framed(traces + metrics + logs),
      traces + logs + metrics,
    ] {
      let sink = decodeProtobuf(bytes)
      #expect(sink.spans.count == 2)
      #expect(sink.logs.count == 3)
      #expect(sink.count(of: .metricPoints) == 9)
      #expect(sink.problems.isEmpty)
    }
  }

  @Test(
    "few fields are enough to tell a record's kind",
    arguments: [
      (Bytes.bytes(1, Bytes.traceID), .span),
      (Bytes.fixed64(1, 5), .log),
      (Bytes.number(2, 13), .log),
      (Bytes.text(1, "launches"), .metric),
      (Bytes.text(1, "http.server.time") + Bytes.bytes(7, []), .metric),
      (Bytes.number(5, 7) + Bytes.bytes(1, Bytes.traceID), .span),
      (Bytes.text(5, "app-startup"), .span),
      (Bytes.bytes(5, Bytes.text(1, "disk full")), .log),
      (Bytes.fixed64(11, 5), .log),
      (Bytes.fixed64(7, 5), .span),
      ([], .span),
    ] as [([UInt8], ProtobufRecordKind)]
  )
  func kinds(record: [UInt8], kind: ProtobufRecordKind) {
    #expect(record.withUnsafeBytes { ProtobufRecordKind.likely($0) } == kind)
  }

  @Test("scopes in field 1000 count where field 2 is absent")
  func deprecatedScopes() {
    let old = Bytes.request([Bytes.span()], scopes: 1000)
    #expect(decodeProtobuf(old).spans.count == 1)
    let scope = { (number: UInt32) in Bytes.bytes(number, Bytes.bytes(2, Bytes.span())) }
    #expect(decodeProtobuf(Bytes.bytes(1, scope(1000) + scope(2))).spans.count == 1)
  }

  @Test("resource and scope count wherever they stand among the fields, and merge")
  func anyOrder() {
    let resource = { (key: String, value: String) in
      Bytes.bytes(1, Bytes.bytes(1, Bytes.pair(key, Bytes.text(1, value))))
    }
    let scope = Bytes.bytes(
      2,
      Bytes.bytes(2, Bytes.span()) + Bytes.bytes(1, Bytes.text(1, "s"))
        + Bytes.bytes(1, Bytes.text(2, "9"))
    )
    let bytes = Bytes.bytes(
      1,
      resource("service.name", "Shop") + scope + resource("service.version", "1")
    )
    let sink = decodeProtobuf(bytes)
    let resources = sink.resources[ResourceID(1)]
    #expect(resources.flatMap { sink.text($0.app) } == "Shop")
    #expect(resources.flatMap { sink.text($0.version) } == "1")
    #expect(sink.spans.first?.resource == ResourceID(1))
    #expect(sink.spans.first.flatMap { sink.text($0.scopeVersion) } == "9")
  }

  @Test("unknown fields and groups are skipped everywhere")
  func unknownFields() {
    let unknown =
      Bytes.number(99, 1) + Bytes.text(98, "?") + Bytes.fixed32(97, 1) + Bytes.fixed64(96, 1)
      + Bytes.tag(95, 3) + Bytes.text(1, "in a group") + Bytes.tag(95, 4)
    let pair =
      Bytes.text(1, "screen.tti.ms") + unknown + Bytes.bytes(2, unknown + Bytes.number(3, 5))
    let span = unknown + Bytes.span("screen-tti.A", adding: Bytes.bytes(9, pair))
    let bytes =
      unknown + Bytes.bytes(1, unknown + Bytes.bytes(2, unknown + Bytes.bytes(2, span)))
    let sink = decodeProtobuf(Bytes.framed(bytes))
    #expect(sink.problems.isEmpty)
    #expect(sink.spans.first?.measurements[.primary] == 5)
  }

  @Test("a known field with the wrong wire type is skipped, and of several scalars the last counts")
  func wrongWireType() {
    let record =
      Bytes.number(1, 5) + Bytes.span("first") + Bytes.number(5, 7) + Bytes.text(5, "app-hang")
      + Bytes.text(7, "no time") + Bytes.number(8, 3)
    let sink = decodeProtobuf(Bytes.framed(Bytes.request([record])))
    #expect(sink.problems.isEmpty)
    #expect(sink.spans.first?.signal == .appHang)
    #expect(sink.spans.first?.start.nanoseconds == 1_780_000_000_000_000_000)
    #expect(sink.spans.first?.hasIdentity == true)
  }

  @Test(
    "ids of hex text are read, those of other lengths are absent",
    arguments: [
      (Array("0102030405060708090A0b0c0d0e0f10".utf8), Array("a0a1a2a3A4a5a6a7".utf8), true),
      (Bytes.traceID, Bytes.spanID, true),
      (Array("0102030405060708090A0b0c0d0e0fxx".utf8), Bytes.spanID, false),
      (Bytes.traceID, Array("not hex at all..".utf8), false),
      (Bytes.traceID, [1, 2, 3], false),
      (Array(repeating: 0, count: 16), Bytes.spanID, false),
      ([], [], false),
    ] as [([UInt8], [UInt8], Bool)]
  )
  func identifiers(trace: [UInt8], span: [UInt8], hasIdentity: Bool) {
    let record = Bytes.bytes(1, trace) + Bytes.bytes(2, span) + Bytes.fixed64(7, 5)
    let read = decodeProtobuf(Bytes.framed(Bytes.request([record]))).spans.first
    #expect(read?.hasIdentity == hasIdentity)
    if hasIdentity {
      #expect(read?.traceHigh == 0x0102_0304_0506_0708)
      #expect(read?.traceLow == 0x090a_0b0c_0d0e_0f10)
      #expect(read?.spanID == 0xa0a1_a2a3_a4a5_a6a7)
    }
  }

  @Test("a record malformed inside is lost alone, at its place")
  func malformedRecord() {
    let bad = Bytes.span() + [0x02, 0x01, 0x61]
    let badPair = Bytes.span(adding: Bytes.bytes(9, [0x0a, 0x7f]))
    let sink = decodeProtobuf(
      Bytes.framed(Bytes.request([Bytes.span(), bad, badPair, Bytes.span()]))
    )
    #expect(sink.spans.count == 2)
    #expect(sink.problems.map(\.kind) == [.malformed, .malformed])
    let first = sink.spans[0].place
    #expect(sink.problems[0].offset == first.offset + UInt64(first.length) + 2)
  }

  @Test("a message malformed around its records is lost whole and the next one is read")
  func malformedMessage() {
    let good = Bytes.request([Bytes.span()])
    let bad = good + [0x02, 0x01, 0x61]
    let sink = decodeProtobuf(Bytes.framed(bad) + Bytes.framed(good))
    #expect(sink.spans.count == 1)
    #expect(sink.problems.count == 1)
    #expect(sink.problems.first?.kind == .malformed)
    #expect(sink.problems.first?.offset == 4)
  }

  @Test("a message without anything of OTLP is counted as such")
  func notTelemetry() {
    let sink = decodeProtobuf(Bytes.framed(Bytes.number(3, 1)))
    #expect(sink.problems.map(\.kind) == [.notTelemetry])
  }

  @Test("invalid UTF-8 is repaired")
  func invalidText() {
    let record = Bytes.span(adding: Bytes.bytes(5, [0x61, 0xff, 0x62]))
    let sink = decodeProtobuf(Bytes.framed(Bytes.request([record])))
    #expect(sink.spans.first.flatMap { sink.text($0.name) } == "a\u{fffd}b")
  }

  @Test("values nested ten thousand levels deep are cut, without a stack")
  func deep() {
    // Built from the inside: an array in an array, or a list of pairs in one.
    for isPairs in [false, true] {
      var value = Bytes.text(1, "core")
      for _ in 0..<10_000 {
        value =
          isPairs
          ? Bytes.bytes(6, Bytes.bytes(1, Bytes.pair("k", value)))
          : Bytes.bytes(5, Bytes.bytes(1, value))
      }
      let record = Bytes.span(adding: Bytes.bytes(9, Bytes.pair("deep", value)))
      let sink = decodeProtobuf(Bytes.framed(Bytes.request([record])))
      #expect(sink.spans.first?.attributeCount == 1)
      #expect(sink.problems.isEmpty)
    }
  }

  @Test("what a span says beyond the model's fields is part of its content")
  func content() {
    let parts: [[UInt8]] = [
      [], Bytes.number(6, 1), Bytes.text(3, "a=1"), Bytes.number(10, 1), Bytes.number(12, 1),
      Bytes.number(14, 1), Bytes.fixed32(16, 1), Bytes.bytes(11, Bytes.text(2, "e")),
      Bytes.bytes(11, Bytes.fixed64(1, 7)), Bytes.bytes(13, Bytes.bytes(1, Bytes.traceID)),
      Bytes.bytes(13, Bytes.bytes(2, Bytes.spanID)), Bytes.bytes(15, Bytes.number(3, 2)),
      Bytes.bytes(15, Bytes.text(2, "m")), Bytes.bytes(4, Bytes.spanID),
      Bytes.bytes(9, Bytes.pair("k", Bytes.bytes(7, [1]))),
      Bytes.bytes(9, Bytes.pair("k", Bytes.bytes(5, []))),
      Bytes.bytes(9, Bytes.pair("k", Bytes.bytes(6, []))),
      Bytes.bytes(9, Bytes.pair("k", Bytes.bytes(5, Bytes.bytes(1, Bytes.number(3, 1))))),
    ]
    let contents = parts.map { part in
      decodeProtobuf(Bytes.framed(Bytes.request([Bytes.span(adding: part)]))).spans[0].content
    }
    #expect(Set(contents).count == parts.count)
  }

  @Test(
    "an attribute reads the same whether it has the usual shape or an odd one",
    arguments: [
      Bytes.number(3, 0), Bytes.number(3, 127), Bytes.number(3, 128),
      Bytes.number(3, 4_294_967_295),
      Bytes.number(3, 34_359_738_367), Bytes.number(3, 34_359_738_368), Bytes.number(3, .max),
      Bytes.number(2, 1), Bytes.number(2, 0), Bytes.number(2, 300), Bytes.text(1, ""),
      Bytes.text(1, "a"), Bytes.text(1, String(repeating: "x", count: 125)),
      Bytes.text(1, String(repeating: "x", count: 200)), Bytes.fixed64(4, 0x3fe0_0000_0000_0000),
      [],
    ] as [[UInt8]]
  )
  func shapes(value: [UInt8]) {
    let usual = Bytes.pair("screen.tti.ms", value)
    // The same with the key after the value, with an unknown field, with a member that is overridden.
    let key = Bytes.text(1, "screen.tti.ms")
    let odd: [[UInt8]] = [
      Bytes.bytes(2, value) + key,
      usual + Bytes.number(9, 1),
      key + Bytes.bytes(2, value + Bytes.number(99, 1)),
      Bytes.text(1, "before") + Bytes.bytes(2, Bytes.text(1, "before")) + usual,
    ]
    let spans = ([usual] + odd).map { pair in
      let record = Bytes.span("screen-tti.A", adding: Bytes.bytes(9, pair))
      return decodeProtobuf(Bytes.framed(Bytes.request([record]))).spans[0]
    }
    #expect(Set(spans.map(\.content)).count == 1)
    #expect(Set(spans.map(\.measurements)).count == 1)
  }

  @Test(
    "an attribute that is malformed loses its record, whatever its shape",
    arguments: [
      [0x0a, 0x01, 0x6b, 0x12, 0x02, 0x18], [0x0a, 0x01, 0x6b, 0x12, 0x02, 0x18, 0x80],
      [0x0a, 0x01, 0x6b, 0x12, 0x03, 0x0a, 0x05, 0x61], [0x0a, 0x7f, 0x6b, 0x12, 0x02, 0x10, 0x01],
      [0x0a, 0x01, 0x6b, 0x12, 0x02, 0x10, 0x80], [0x0a, 0x01, 0x6b, 0x12, 0x00, 0x00],
    ] as [[UInt8]]
  )
  func malformedPairs(pair: [UInt8]) {
    let record = Bytes.span(adding: Bytes.bytes(9, pair))
    let sink = decodeProtobuf(Bytes.framed(Bytes.request([record])))
    #expect(sink.spans.isEmpty)
    #expect(sink.problems.map(\.kind) == [.malformed])
  }
}
