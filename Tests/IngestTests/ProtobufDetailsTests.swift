import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Details of protobuf records")
struct ProtobufDetailsTests {
  private typealias Bytes = ProtobufBytes

  private func details(_ bytes: [UInt8], isLog: Bool = false) -> RecordDetails {
    bytes.withUnsafeBytes { ProtobufDetailsDecoder.details(of: $0, isLog: isLog) }
  }

  private func lines(_ details: RecordDetails) -> [String] {
    details.fields.map {
      String(repeating: "  ", count: $0.depth) + $0.key + ($0.value.isEmpty ? "" : ": \($0.value)")
    }
  }

  private func records(_ path: String) throws -> [[UInt8]] {
    let bytes = try Fixture.bytes(path)
    let sink = decodeProtobuf(bytes)
    return (sink.spans.map(\.place) + sink.logs.map(\.place)).map {
      Array(bytes[Int($0.offset)..<(Int($0.offset) + Int($0.length))])
    }
  }

  /// The values are those that Tests/Fixtures/protobuf/make_fixtures.py sets.
  @Test("a span of the official classes is shown in full")
  func span() throws {
    let span = try #require(try records("protobuf/traces.pb").first)
    #expect(
      lines(details(span)) == [
        "traceId: 0102030405060708090a0b0c0d0e0f10",
        "spanId: a0a1a2a3a4a5a6a7",
        "traceState: a=1,b=2",
        "parentSpanId: b0b1b2b3b4b5b6b7",
        "name: bk.app.screen-tti.Search.Résultats",
        "kind: 1",
        "startTimeUnixNano: 1780000000000000000",
        "endTimeUnixNano: 1780000001500000000",
        "attributes",
        "  screen.name: Search.Résultats",
        "  screen.tti.ms: 1234",
        "  screen.ttfr.ms: 321",
        "  screen.tti.custom_start: true",
        "  session.id: S-1",
        "  negative: -2",
        "  ratio: 0.5",
        "  raw: AP8Q",
        "  none",
        "  list",
        "    [0]: x",
        "    [1]: 2",
        "    [2]",
        "      [0]: true",
        "    [3]",
        "      k: v",
        "  map",
        "    a: 1",
        "    b",
        "      c",
        "        [0]: 1.5",
        "droppedAttributesCount: 5",
        "events",
        "  [0]",
        "    timeUnixNano: 1780000000000000007",
        "    name: ready",
        "    attributes",
        "      step: 3",
        "    droppedAttributesCount: 1",
        "  [1]",
        "    timeUnixNano: 1780000000000000008",
        "    name: shown",
        "droppedEventsCount: 6",
        "links",
        "  [0]",
        "    traceId: 101112131415161718191a1b1c1d1e1f",
        "    spanId: 0001020304050607",
        "    traceState: l=1",
        "    attributes",
        "      why: retry",
        "    flags: 1",
        "droppedLinksCount: 7",
        "status",
        "  message: measurement_cancelled",
        "  code: 2",
        "flags: 257",
      ]
    )
  }

  @Test("a log record of the official classes is shown in full")
  func log() throws {
    let records = try records("protobuf/logs.pb")
    #expect(
      lines(details(records[0], isLog: true)) == [
        "timeUnixNano: 1780000000000000000",
        "severityNumber: 13",
        "severityText: WARN",
        "body: view_controller_leak",
        "attributes",
        "  vc.class_name: ProfileViewController",
        "  vc.identifier: <ProfileViewController: 0x7f8>",
        "  app.startup.prewarmed: true",
        "  session.id: S-1",
        "droppedAttributesCount: 2",
        "flags: 1",
        "traceId: 0102030405060708090a0b0c0d0e0f10",
        "spanId: a0a1a2a3a4a5a6a7",
        "observedTimeUnixNano: 1780000000000000001",
      ]
    )
    #expect(
      lines(details(records[1], isLog: true)) == [
        "body",
        "  count: 3",
        "observedTimeUnixNano: 1780000000000000002",
        "eventName: cart.emptied",
      ]
    )
  }

  @Test("fields beyond 2,000 are counted")
  func omitted() {
    var record: [UInt8] = []
    for number in 0..<3000 {
      record += Bytes.bytes(9, Bytes.pair("k\(number)", Bytes.number(3, 1)))
    }
    let shown = details(record)
    #expect(shown.fields.count == 2000)
    #expect(shown.omitted == 1001)
  }

  @Test("values beyond 4,096 scalars are cut")
  func longValues() throws {
    let text = String(repeating: "é", count: 4096)
    let cases = [(text, text), (text + "x", text + "…")]
    for (value, shown) in cases {
      let record = Bytes.bytes(9, Bytes.pair("k", Bytes.text(1, value)))
      #expect(details(record).fields.last?.value == shown)
    }
    let raw = Bytes.bytes(9, Bytes.pair("k", Bytes.bytes(7, Array(repeating: 0, count: 100_000))))
    let value = try #require(details(raw).fields.last?.value)
    #expect(value == String(repeating: "A", count: 4096) + "…")
  }

  @Test(
    "bytes are shown as base64",
    arguments: [
      ([], ""), ([0x66], "Zg=="), ([0x66, 0x6f], "Zm8="), ([0x66, 0x6f, 0x6f], "Zm9v"),
      (Array("foobar".utf8), "Zm9vYmFy"), ([0xfb, 0xff], "+/8="),
    ] as [([UInt8], String)]
  )
  func base64(bytes: [UInt8], text: String) {
    #expect(bytes.withUnsafeBytes { DetailsText.base64($0) } == text)
  }

  @Test("values nested deeper than 64 levels are cut")
  func deep() {
    var value = Bytes.text(1, "core")
    for _ in 0..<1000 { value = Bytes.bytes(5, Bytes.bytes(1, value)) }
    let shown = details(Bytes.bytes(9, Bytes.pair("k", value)))
    #expect(shown.fields.last?.value == "…")
    #expect(shown.fields.last?.depth == 64)
    #expect(shown.fields.count == 65)
  }

  @Test("malformed bytes end the list with a field that says so")
  func malformed() {
    let shown = details(Bytes.text(5, "x") + [0x02])
    #expect(lines(shown) == ["name: x", "malformed: field number 0"])
  }
}
