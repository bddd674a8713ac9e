import Model
import TestSupport
import Testing

@testable import Ingest

/// The lines that a request in protobuf becomes, and the transcoder with its counts.
func transcoded(
  _ request: [UInt8]
) -> (lines: String, outcome: ProtobufTranscoder.Outcome, unknown: Int, ids: Int, bad: Int) {
  var transcoder = ProtobufTranscoder()
  var output = JSONOutput(capacity: 64)
  let outcome = request.withUnsafeBytes { transcoder.transcode($0, into: &output) }
  return (
    String(decoding: output.bytes, as: UTF8.self), outcome, transcoder.unknownFields,
    transcoder.uselessIDs, transcoder.malformedRecords
  )
}

@Suite("Protobuf requests as OTLP JSON")
struct TranscoderTests {
  private typealias Bytes = ProtobufBytes

  private static let ids =
    #""traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"a0a1a2a3a4a5a6a7""#

  /// A line around the members of one span.
  private func line(_ span: String, status: String = "{}") -> String {
    #"{"resourceSpans":[{"resource":{},"scopeSpans":[{"scope":{},"spans":[{\#(span),"status":\#(status)}]}]}]}"#
      + "\n"
  }

  private func request(_ members: [UInt8]) -> [UInt8] {
    Bytes.request([Bytes.bytes(1, Bytes.traceID) + Bytes.bytes(2, Bytes.spanID) + members])
  }

  /// The lines were written by Tests/Fixtures/record/make_fixtures.py from the official classes' descriptors.
  @Test("traces, logs and every kind of metric are the Collector's lines, byte for byte")
  func official() throws {
    let bytes = try Fixture.bytes("record/requests.pb")
    var lines = ""
    var at = 0
    while at < bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let result = transcoded(Array(bytes[at + 4..<at + 4 + length]))
      #expect(result.outcome == .written)
      #expect(result.unknown == 0 && result.ids == 0 && result.bad == 0)
      lines += result.lines
      at += 4 + length
    }
    let expected = String(decoding: try Fixture.bytes("record/requests.jsonl"), as: UTF8.self)
    let (found, wanted) = (lines.split(separator: "\n"), expected.split(separator: "\n"))
    #expect(found.count == 3)
    for (found, wanted) in zip(found, wanted) { #expect(found == wanted) }
    #expect(lines == expected)
  }

  @Test("fields come in the order of the .proto, whatever their order on the wire")
  func order() {
    let members =
      Bytes.fixed64(8, 9) + Bytes.text(5, "late") + Bytes.fixed32(16, 1) + Bytes.fixed64(7, 8)
    #expect(
      transcoded(request(members)).lines
        == line(
          Self.ids + #","flags":1,"name":"late","startTimeUnixNano":"8","endTimeUnixNano":"9""#
        )
    )
  }

  @Test("of a number, a text or an alternative that comes twice the last counts; messages merge")
  func repeated() {
    let twice = Bytes.text(5, "a") + Bytes.text(5, "b") + Bytes.number(6, 1) + Bytes.number(6, 3)
    #expect(transcoded(request(twice)).lines == line(Self.ids + #","name":"b","kind":3"#))
    let value = Bytes.text(1, "text") + Bytes.number(3, 7) + Bytes.number(2, 1)
    let pair = Bytes.bytes(9, Bytes.pair("k", value))
    #expect(
      transcoded(request(pair)).lines
        == line(Self.ids + #","attributes":[{"key":"k","value":{"boolValue":true}}]"#)
    )
    let status = Bytes.bytes(15, Bytes.text(2, "why")) + Bytes.bytes(15, Bytes.number(3, 2))
    #expect(
      transcoded(request(status)).lines == line(Self.ids, status: #"{"message":"why","code":2}"#)
    )
  }

  @Test("what no field is meant for is left out and counted: numbers, wire types, groups")
  func unknown() {
    let members =
      Bytes.number(99, 1) + Bytes.number(5, 1) + Bytes.tag(20, 3) + Bytes.number(1, 5)
      + Bytes.tag(20, 4) + Bytes.bytes(2_000, [1, 2])
      + Bytes.bytes(9, Bytes.pair("k", Bytes.text(1, "v") + Bytes.number(8, 4)))
    let result = transcoded(request(members))
    #expect(result.unknown == 5)
    #expect(
      result.lines
        == line(Self.ids + #","attributes":[{"key":"k","value":{"stringValue":"v"}}]"#)
    )
  }

  @Test("lists of numbers come packed, one by one, or both")
  func packed() {
    let double = { (value: Double) in Bytes.fixed64(7, value.bitPattern) }
    let raw = { (value: UInt64) in (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    let point =
      Bytes.bytes(6, raw(1) + raw(UInt64.max)) + Bytes.fixed64(6, 5) + double(0.5)
      + Bytes.bytes(7, raw((2.0).bitPattern)) + Bytes.bytes(6, [])
    let buckets = Bytes.number(2, 300) + Bytes.bytes(2, Bytes.varint(7) + Bytes.varint(UInt64.max))
    let exponential = Bytes.number(6, 5) + Bytes.bytes(8, Bytes.number(1, 8) + buckets)
    let metrics = [
      Bytes.text(1, "h") + Bytes.bytes(9, Bytes.bytes(1, point)),
      Bytes.text(1, "e") + Bytes.bytes(10, Bytes.bytes(1, exponential)),
    ]
    #expect(
      transcoded(Bytes.request(metrics)).lines
        == #"{"resourceMetrics":[{"resource":{},"scopeMetrics":[{"scope":{},"metrics":["#
        + #"{"name":"h","histogram":{"dataPoints":[{"bucketCounts":["1","18446744073709551615","5"],"#
        + #""explicitBounds":[0.5,2]}]}},"#
        + #"{"name":"e","exponentialHistogram":{"dataPoints":[{"scale":-3,"positive":{"offset":4,"#
        + #""bucketCounts":["300","7","18446744073709551615"]}}]}}]}]}]}"# + "\n"
    )
  }

  @Test("scopes of 2022, in field 1000, count where field 2 is absent")
  func oldScopes() {
    let span = Bytes.bytes(2, Bytes.span("old"))
    let old = transcoded(Bytes.request([Bytes.span("old")], scopes: 1000))
    #expect(old.lines == transcoded(Bytes.request([Bytes.span("old")])).lines)
    #expect(old.lines.contains(#""scopeSpans":[{"scope":{},"spans":[{"traceId""#))
    #expect(old.unknown == 0)
    let both = transcoded(
      Bytes.bytes(1, Bytes.bytes(1000, span) + Bytes.bytes(2, Bytes.bytes(2, Bytes.span("new"))))
    )
    #expect(both.lines == transcoded(Bytes.request([Bytes.span("new")])).lines)
    #expect(both.unknown == 1)
  }

  @Test("signals in one request become a line each, with their resources")
  func mixed() {
    let resource = Bytes.bytes(1, Bytes.bytes(1, Bytes.pair("service.name", Bytes.text(1, "S"))))
    let spans = Bytes.bytes(2, Bytes.bytes(2, Bytes.span("one")))
    let logs = Bytes.bytes(2, Bytes.bytes(2, Bytes.fixed64(1, 5) + Bytes.number(2, 9)))
    let lines = transcoded(
      Bytes.bytes(1, resource + spans + logs) + Bytes.bytes(1, spans) + Bytes.bytes(1, logs)
    ).lines.split(separator: "\n").map(String.init)
    let named = #"{"attributes":[{"key":"service.name","value":{"stringValue":"S"}}]}"#
    let log = #"{"timeUnixNano":"5","severityNumber":9,"body":{}}"#
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix(#"{"resourceSpans":[{"resource":\#(named),"scopeSpans":"#))
    #expect(lines[0].components(of: #""name":"one""#) == 2)
    #expect(
      lines[1]
        == #"{"resourceLogs":[{"resource":\#(named),"scopeLogs":[{"scope":{},"logRecords":[\#(log)]}]},"#
        + #"{"resource":{},"scopeLogs":[{"scope":{},"logRecords":[\#(log)]}]}]}"#
    )
  }

  @Test(
    "a record that is damaged inside is left out alone; damage around records costs the request"
  )
  func damaged() {
    let bad = Bytes.span("bad", adding: Bytes.bytes(9, [0x0A, 0x7F]))
    let good = Bytes.span("good")
    let result = transcoded(Bytes.request([bad, good, bad]))
    #expect(result.lines == transcoded(Bytes.request([good])).lines)
    #expect(result.bad == 2)
    #expect(transcoded(Bytes.request([bad])).lines.contains(#"{"scope":{}}"#))
    let around = transcoded(Bytes.request([good]) + Bytes.bytes(1, [0x12, 0x7F]))
    #expect(around.outcome == .malformed)
    #expect(around.lines.isEmpty)
  }

  @Test("hex text in the place of an id is that id; ids of a wrong length are left out and counted")
  func identifiers() {
    let text = Bytes.text(1, "0102030405060708090A0B0C0D0E0F10") + Bytes.text(2, "A0a1a2a3a4a5a6a7")
    #expect(
      transcoded(Bytes.request([text + Bytes.number(6, 1)])).lines == line(Self.ids + #","kind":1"#)
    )
    let odd = Bytes.bytes(1, [1, 2, 3]) + Bytes.bytes(2, Array(0..<9)) + Bytes.bytes(4, [])
    let result = transcoded(Bytes.request([odd + Bytes.fixed64(7, 3)]))
    #expect(result.lines == line(#""startTimeUnixNano":"3""#))
    #expect(result.ids == 2)
  }

  @Test("texts that are no UTF-8 are written with U+FFFD, as everything else reads them")
  func repaired() {
    for bytes: [UInt8] in [
      [0x61, 0xFF, 0x62], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xC0, 0x80], [0xED, 0xA0, 0x80],
      [0xF5, 0x80], [0xF0, 0x9F, 0x98], [0x80, 0x80, 0x22],
    ] {
      let text = String(decoding: bytes, as: UTF8.self)
      let written = transcoded(request(Bytes.bytes(5, bytes))).lines
      #expect(written == line(Self.ids + #","name":\#(JSONQuote.quoted(text))"#))
    }
  }

  @Test("values nest to any depth")
  func deep() {
    var value = Bytes.text(1, "leaf")
    // The lengths in front of each level make its bytes grow with the depth.
    for _ in 0..<3_000 { value = Bytes.bytes(5, Bytes.bytes(1, value)) }
    let result = transcoded(request(Bytes.bytes(9, Bytes.pair("k", value))))
    #expect(result.outcome == .written)
    #expect(result.lines.components(of: #"{"arrayValue":{"values":["#) == 3_000)
  }

  @Test("profiles and other messages are not written")
  func foreign() {
    let profiles = Bytes.request([Bytes.bytes(1, [1])]) + Bytes.bytes(2, [])
    #expect(transcoded(profiles).outcome == .foreign)
    #expect(transcoded(profiles).lines.isEmpty)
    #expect(transcoded(Bytes.number(4, 1)).outcome == .foreign)
    #expect(transcoded([0x08]).outcome == .malformed)
  }

  @Test("damage of any kind neither traps nor leaves a line that is no JSON")
  func mutations() throws {
    var generator = SeededGenerator(seed: 11)
    let official = try Fixture.bytes("record/requests.pb")
    let length = official[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let original = Array(official[4..<4 + length])
    for _ in 0..<1_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      let result = transcoded(bytes)
      for line in result.lines.split(separator: "\n") {
        let sink = decodeJSON(String(line))
        #expect(sink.problems.allSatisfy { $0.kind != .malformed })
      }
    }
  }
}

extension String {
  /// How often a text stands in it.
  func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.firstRange(of: part) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
