import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Records that are like those before them")
struct RecordShapesTests {
  @Test("what came before never changes what a span says", arguments: 0..<60)
  func sameAsAlone(seed: Int) {
    var story = SpanStory(seed: UInt64(seed))
    let requests = (0..<40).map { _ in story.request() }
    let together = decodeJSON(requests.joined(separator: "\n"))
    // A decoder that has seen nothing has no shapes.
    let alone = requests.map { decodeJSON($0) }
    #expect(together.spanFacts() == alone.flatMap { $0.spanFacts() })
    #expect(together.problems.count == alone.reduce(0) { $0 + $1.problems.count })
    #expect(
      together.count(of: .truncatedValues)
        == alone.reduce(0) { $0 + $1.count(of: .truncatedValues) }
    )
  }

  @Test("more kinds of attributes than are kept are all read")
  func manyKinds() {
    var lines: [String] = []
    for index in 0..<1_500 {
      let attributes = (0..<3).map {
        #"{"key":"key\#(index)-\#($0)","value":{"intValue":"\#(index)"}}"#
      }
      lines.append(spanRequest(#""attributes":[\#(attributes.joined(separator: ","))]"#))
    }
    let sink = decodeJSON(lines.joined(separator: "\n"))
    #expect(sink.spans.count == 1_500)
    #expect(sink.spans.allSatisfy { $0.attributeCount == 3 })
    #expect(Set(sink.spans.map(\.content)).count == 1_500)
  }

  @Test("a span cut at any byte behind one like it leaves that one as it was")
  func cut() {
    let attributes =
      #""attributes":[{"key":"screen.name","value":{"stringValue":"Home"}},"#
      + #"{"key":"screen.tti.ms","value":{"intValue":"576"}}]"#
    let line = Array(spanRequest(attributes).utf8)
    let whole = decodeJSON([line]).spanFacts()
    #expect(whole.count == 1)
    for length in stride(from: 1, to: line.count, by: 3) {
      let sink = decodeJSON([line + [0x0A] + line[..<length]])
      #expect(sink.spanFacts() == whole, "cut at \(length)")
    }
  }
}

/// Requests whose spans are like each other, as those of one app are.
private struct SpanStory {
  private var generator: SeededGenerator
  private var spans = 0

  private static let keys = [
    "screen.name", "screen.tti.ms", "screen.ttfr.ms", "session.id", "hang.type", "hang.top_screen",
    "hang.duration.ms", "app.startup.prewarmed", "rendering.total_frames", "app.state",
    "app.session.id", "experiment", #"exp\u0065riment"#, "", "perftop.in_progress", "user.tier",
  ]
  private static let values = [
    #"{"stringValue":"Home"}"#, #"{"stringValue":"Cart"}"#, #"{"stringValue":""}"#,
    #"{"stringValue":"fatal"}"#, #"{"stringValue":"a\"b"}"#, #"{"stringValue":"Größe"}"#,
    #"{"stringValue":"12"}"#, #"{"stringValue":"\#(String(repeating: "long", count: 60))"}"#,
    #"{"stringValue":"\#(String(repeating: "x", count: 1_100))"}"#, #"{"intValue":"576"}"#,
    #"{"intValue":"-5"}"#, #"{"intValue":""}"#, #"{"intValue":"99999999999999999999"}"#,
    #"{"intValue":"4294967296"}"#, #"{"intValue":12}"#, #"{"boolValue":true}"#,
    #"{"boolValue":false}"#, #"{"doubleValue":1.5}"#,
    #"{"arrayValue":{"values":[{"intValue":"1"}]}}"#,
    "null", "{}", #"{"otherValue":1}"#, #""bare""#,
  ]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private mutating func choose(_ texts: [String]) -> String {
    texts[Int.random(in: 0..<texts.count, using: &generator)]
  }

  private mutating func attributes(from keys: [String]) -> String {
    var pairs: [String] = []
    for key in keys where Int.random(in: 0..<8, using: &generator) > 0 {
      let isUsual = Int.random(in: 0..<3, using: &generator) > 0
      let usual = [#"{"stringValue":"Home"}"#, #"{"intValue":"576"}"#]
      let value = choose(isUsual ? usual : Self.values)
      pairs.append(
        Int.random(in: 0..<30, using: &generator) > 0
          ? #"{"key":"\#(key)","value":\#(value)}"# : #"{"value":\#(value),"key":"\#(key)"}"#
      )
      if Int.random(in: 0..<25, using: &generator) == 0 {
        pairs.append(choose(["null", "7", "{}"]))
      }
    }
    return "[\(pairs.joined(separator: ","))]"
  }

  private mutating func span() -> String {
    spans += 1
    let hex = String(spans, radix: 16)
    let id = String(repeating: "0", count: 16 - hex.utf8.count) + hex
    var members = [
      #""traceId":"0102030405060708\#(id)""#, #""spanId":"\#(id)""#,
      choose([#""parentSpanId":"""#, #""parentSpanId":"00000000000000aa""#, #""flags":1"#]),
      choose([#""name":"screen-tti.Home""#, #""name":"x\ny""#, #""name":"""#, #""name":null"#]),
      choose([#""kind":1"#, #""kind":"SPAN_KIND_CLIENT""#, #""kind":12"#]),
      #""startTimeUnixNano":"1787000000000000000""#, #""endTimeUnixNano":"1787000000576792338""#,
    ]
    let first = Int.random(in: 0..<4, using: &generator) * 4
    let keys =
      Int.random(in: 0..<2, using: &generator) == 0 ? Self.keys[first..<first + 4] : Self.keys[...]
    members.append(#""attributes":\#(attributes(from: Array(keys)))"#)
    members.append(choose([#""status":{}"#, #""status":{"code":2,"message":"user_abandon"}"#]))
    if Int.random(in: 0..<6, using: &generator) == 0 { members.shuffle(using: &generator) }
    return "{\(members.joined(separator: ","))}"
  }

  mutating func request() -> String {
    let keys = ["service.name", "service.version", "device.id", "session.id", "team", "os.name"]
    let resource = #"{"attributes":\#(attributes(from: keys))}"#
    return #"{"resourceSpans":[{"resource":\#(resource),"scopeSpans":[{"spans":[\#(span())]}]}]}"#
  }
}
