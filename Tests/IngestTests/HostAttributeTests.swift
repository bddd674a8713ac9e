import Model
import TestSupport
import Testing

@testable import Ingest

extension RecordingSink {
  /// The sets that were announced, as text.
  var sets: [AttributeSetID: [String]] {
    let texts = symbols
    var result: [AttributeSetID: [String]] = [:]
    for case .attributes(let id, let attributes) in events {
      result[id] = attributes.map { "\(texts[$0.key] ?? "")=\(texts[$0.value] ?? "")" }
    }
    return result
  }

  /// The host attributes of each span.
  var hosts: [[String]?] { spans.map { sets[$0.attributes] } }
}

private func pair(_ key: String, _ value: String) -> String {
  #"{"key":"\#(key)","value":\#(value)}"#
}

private func text(_ key: String, _ value: String) -> String {
  pair(key, #"{"stringValue":"\#(value)"}"#)
}

private func int(_ key: String, _ value: Int) -> String {
  pair(key, #"{"intValue":"\#(value)"}"#)
}

private func span(_ name: String, _ attributes: [String]) -> String {
  bareSpanRequest(#""name":"\#(name)","attributes":[\#(attributes.joined(separator: ","))]"#)
}

private func host(_ name: String, _ attributes: [String]) -> [String]? {
  decodeJSON(span(name, attributes)).hosts[0]
}

@Suite("Host attributes")
struct HostAttributeTests {
  @Test("equal attributes are one set in any order, announced once and before its first use")
  func equalSets() throws {
    let attributes = [
      text("experiment", "B"), int("screen.tti.ms", 812), text("screen.name", "Cart"),
      pair("low_power", #"{"boolValue":true}"#), int("n", -5),
      pair("ratio", #"{"doubleValue":0.5}"#), text("note", "a\\u0041"),
    ]
    let sink = decodeJSON(
      span("screen-tti.Cart", attributes) + "\n"
        + span("x.screen-tti.Cart", attributes.reversed())
    )
    #expect(sink.spans[0].attributes == AttributeSetID(1))
    #expect(sink.spans[1].attributes == AttributeSetID(1))
    let expected = ["experiment=B", "low_power=true", "n=-5", "note=aA", "ratio=0.5"]
    #expect(sink.sets == [AttributeSetID(1): expected])
    let kinds = sink.events.compactMap { event -> String? in
      switch event {
      case .attributes: "set"
      case .span: "span"
      default: nil
      }
    }
    #expect(kinds == ["set", "span", "span"])
  }

  @Test("JSON, protobuf, persisted and printed records agree")
  func encodings() throws {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var persisted = SwiftExport.tti("Cart", id: 1, 812)
    persisted.attributes["experiment"] = .string("B")
    persisted.attributes["ram"] = .int(4096)
    var printed = SwiftExport.Printed(
      span: "screen-tti.Cart",
      traceId: "8102030405060708090a0b0c0d0e0f10",
      spanId: "0000000000000002",
      start: SwiftExport.noon,
      duration: 1
    )
    printed.attributes = [
      "ram": .init(description: "4096"), "experiment": .init(description: "B"),
    ]
    let lines =
      span("screen-tti.Cart", [int("ram", 4096), text("experiment", "B")]) + "\n"
      + SwiftExport.file([[persisted]]) + "\n" + SwiftExport.json(printed) + "\n"
    var json = JSONStreamDecoder(source: SourceID(1))
    Array(lines.utf8).withUnsafeBytes { json.consume($0, into: &assembler) }
    let message = ProtobufBytes.span(
      "screen-tti.Cart",
      adding: ProtobufBytes.bytes(
        9,
        ProtobufBytes.pair("experiment", ProtobufBytes.text(1, "B"))
      ) + ProtobufBytes.bytes(9, ProtobufBytes.pair("ram", ProtobufBytes.number(3, 4096)))
    )
    var protobuf = ProtobufStreamDecoder(source: SourceID(2))
    ProtobufBytes.framed(ProtobufBytes.request([message])).withUnsafeBytes {
      protobuf.consume($0, into: &assembler)
    }
    try #require(sink.spans.count == 4)
    #expect(sink.spans.map(\.attributes.rawValue) == [1, 1, 1, 1])
    #expect(sink.sets[AttributeSetID(1)] == ["experiment=B", "ram=4096"])
  }

  @Test("what PerformanceSuite writes in its signal is not the host's, in another one it is")
  func reserved() {
    let frames = [int("rendering.total_frames", 1), int("rendering.freeze_time.ms", 2)]
    #expect(host("app-rendering", frames + [int("app.session.duration.ms", 3)]) == nil)
    #expect(host("app-rendering", [text("screen.name", "Cart")]) == ["screen.name=Cart"])
    #expect(host("screen-rendering.A", frames + [text("screen.name", "A")]) == nil)
    #expect(host("screen-tti.A", frames) != nil)
    #expect(host("fragment-tti.A", [text("fragment.name", "A")]) == nil)
    #expect(
      host(
        "app-startup",
        [text("os.name", "iOS"), int("device.ram.mb", 4), int("screen.tti.ms", 1)]
      )
        == ["device.ram.mb=4", "os.name=iOS", "screen.tti.ms=1"]
    )
    #expect(
      host("app-watchdog-termination", [text("app.state", "active")]) == ["app.state=active"]
    )
    #expect(host("app-hang", [text("hang.type", "fatal"), text("hang.top_screen", "A")]) == nil)
  }

  @Test("ids of sessions and perftop's own mark are no host attributes, Embrace's keys are")
  func identifiers() {
    let ids = [
      "session.id", "app.session.id", "session.previous_id", "emb.user_session_id",
      "emb.session_part_id",
    ]
    let mark = pair("perftop.in_progress", #"{"boolValue":true}"#)
    #expect(host("app-rendering", ids.map { text($0, "X") } + [mark]) == nil)
    #expect(
      host("app-rendering", [text("emb.auto_termination.code", "user_abandon")])
        == ["emb.auto_termination.code=user_abandon"]
    )
  }

  @Test("attributes in front of the name count, and of names with several stems")
  func lateNames() {
    let early = bareSpanRequest(
      #""attributes":[\#(text("a", "1")),\#(text("screen.name", "Cart"))],"name":"screen-tti.Cart""#
    )
    #expect(decodeJSON(early).hosts == [["a=1"]])
    let other = bareSpanRequest(#""attributes":[\#(text("a", "1"))],"name":"GET /""#)
    #expect(decodeJSON(other).hosts == [["a=1"]])
    #expect(
      host(
        "x.screen-tti.app-hang",
        [text("screen.name", "app-hang"), text("hang.type", "x"), int("screen.tti.ms", 5)]
      ) == ["hang.type=x"]
    )
  }

  @Test("spans and logs of others keep all that they say, in any order and of any name")
  func others() {
    let said = [
      text("http.method", "GET"), text("screen.name", "Cart"), int("hang.duration.ms", 3),
    ]
    let expected = ["hang.duration.ms=3", "http.method=GET", "screen.name=Cart"]
    #expect(host("GET /cart-app", said + [text("session.id", "X")]) == expected)
    let early = bareSpanRequest(
      #""attributes":[\#(said.joined(separator: ","))],"name":"GET /cart-app""#
    )
    #expect(decodeJSON(early).hosts == [expected])
    // A name that could have been a signal's holds back what is reserved in all of these.
    let almost = [text("screen.name", "Cart"), text("a", "1"), int("screen.tti.ms", 3)]
    for members in [
      #""name":"my-screen-tti","attributes":[\#(almost.joined(separator: ","))]"#,
      #""attributes":[\#(almost.joined(separator: ","))],"name":"my-screen-tti""#,
    ] {
      #expect(decodeJSON(bareSpanRequest(members)).hosts == [["a=1"]])
    }
    func log(_ body: String) -> String {
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"\#(body)"},"#
        + #""attributes":[\#(text("vc.class_name", "A")),\#(text("experiment", "B"))]},"#
        + #"{"attributes":[\#(text("experiment", "B"))],"body":{"stringValue":"\#(body)"}}]}]}]}"#
    }
    let sink = decodeJSON(log("view_controller_leak"))
    #expect(sink.logs.map { sink.sets[$0.attributes] } == [["experiment=B"], ["experiment=B"]])
    let hello = decodeJSON(log("hello"))
    #expect(
      hello.logs.map { hello.sets[$0.attributes] }
        == [["experiment=B", "vc.class_name=A"], ["experiment=B"]]
    )
  }

  @Test("sets of others never take the room of PerformanceSuite's")
  func rooms() {
    let count = AttributeSetTable.limit + 3
    var lines = (0..<count).map { span("GET /", [int("id", $0)]) }
    lines += [span("app-hang", [int("id", 1)]), span("GET /", [int("id", 7)])]
    let sets = decodeJSON(lines.joined(separator: "\n")).spans.map(\.attributes)
    #expect(sets.prefix(10_000).map(\.rawValue) == Array(20_001...30_000))
    #expect(sets[10_000..<count].allSatisfy { $0 == .overflow })
    #expect(sets.suffix(2) == [AttributeSetID(1), AttributeSetID(20_008)])
  }

  @Test("a list is a value that differs from other lists; an absent value is none")
  func lists() {
    func ids(_ value: String) -> String {
      pair("ids", #"{"arrayValue":{"values":[{"stringValue":"\#(value)"}]}}"#)
    }
    let sink = decodeJSON(
      [ids("a"), ids("b"), ids("a"), pair("none", "{}")].map { span("app-hang", [$0]) }
        .joined(separator: "\n")
    )
    #expect(sink.spans.map(\.attributes.rawValue) == [1, 2, 1, 0])
    #expect(sink.sets[AttributeSetID(1)] == [#"ids=["a"]"#])
  }

  @Test("a resource has a set of what it says besides the app and the device")
  func resources() throws {
    let resource = [
      text("service.name", "Shop"), text("device.id", "D"), text("branch", "main"),
      text("telemetry.sdk.name", "opentelemetry"),
    ]
    func request(_ attributes: [String]) -> String {
      spanRequest(
        "",
        resource: #""resource":{"attributes":[\#(attributes.joined(separator: ","))]},"#
      )
    }
    let sink = decodeJSON(request(resource) + "\n" + request(resource.reversed()))
    #expect(sink.resources.count == 1)
    let set = try #require(sink.resources.values.first).attributes
    #expect(sink.sets[set] == ["branch=main", "telemetry.sdk.name=opentelemetry"])
  }

  // MARK: - Limits

  @Test("beyond 10,000 sets new ones are not kept, and known ones still are")
  func limit() {
    let count = AttributeSetTable.limit + 50
    var lines = (0..<count).map { span("app-hang", [int("id", $0)]) }
    lines.append(span("app-hang", [int("id", 7)]))
    let sink = decodeJSON(lines.joined(separator: "\n"))
    let sets = sink.spans.map(\.attributes)
    #expect(sets.prefix(10_000).map(\.rawValue) == Array(1...10_000))
    #expect(sets[10_000..<count].allSatisfy { $0 == .overflow })
    #expect(sets.last == AttributeSetID(8))
    #expect(sink.sets.count == 10_000)
    // One key, its values, and a few of perftop's own.
    #expect(sink.symbols.count < 10_010)
  }

  @Test("a record with too many or too long attributes keeps none of them")
  func hugeRecords() {
    let many = (0...HeldAttributes.countLimit).map { int("k\($0)", $0) }
    let long = text("k", String(repeating: "x", count: HeldAttributes.byteLimit))
    let sink = decodeJSON(
      [many, [long], Array(many.dropLast())].map { span("app-hang", $0) }.joined(separator: "\n")
    )
    #expect(sink.spans.map(\.attributes) == [.overflow, .overflow, AttributeSetID(1)])
    #expect(sink.sets[AttributeSetID(1)]?.count == HeldAttributes.countLimit)
  }

  @Test("the text of all sets together is bounded")
  func byteLimit() {
    let value = String(repeating: "x", count: 1_000)
    let attributes = (0..<15).map { text("k\($0)", value) }
    let lines = (0..<1_500).map { span("app-hang", attributes + [int("id", $0)]) }
    let sets = decodeJSON(lines.joined(separator: "\n")).spans.map(\.attributes)
    let kept = sets.count { $0 != .overflow }
    // 15 values of 1,000 bytes with their keys, and an id, make 15,042 bytes or a few more.
    #expect((1_110...1_117).contains(kept))
    #expect(sets.prefix(kept).allSatisfy { $0 != .overflow })
  }
}
