import Model
import TestSupport
import Testing

@testable import Ingest

private typealias Bytes = ProtobufBytes

/// A value in the forms that the encodings have it in.
private struct Written {
  var json: String
  var protobuf: [UInt8]
  /// opentelemetry-swift's; nil where it has no such value.
  var swift: SwiftExport.Value?

  static func text(_ text: String) -> Written {
    Written(
      json: #"{"stringValue":\#(SwiftExport.json(text))}"#,
      protobuf: Bytes.text(1, text),
      swift: .string(text)
    )
  }

  static func bool(_ flag: Bool) -> Written {
    Written(
      json: #"{"boolValue":\#(flag)}"#,
      protobuf: Bytes.number(2, flag ? 1 : 0),
      swift: .bool(flag)
    )
  }

  static func int(_ number: Int) -> Written {
    Written(
      json: #"{"intValue":"\#(number)"}"#,
      protobuf: Bytes.number(3, UInt64(bitPattern: Int64(number))),
      swift: .int(number)
    )
  }

  static func double(_ number: Double, json: String) -> Written {
    Written(
      json: #"{"doubleValue":\#(json)}"#,
      protobuf: Bytes.fixed64(4, number.bitPattern),
      swift: number.isFinite ? .double(number) : nil
    )
  }

  static func bytes(_ bytes: [UInt8], base64: String) -> Written {
    Written(json: #"{"bytesValue":"\#(base64)"}"#, protobuf: Bytes.bytes(7, bytes))
  }

  static let empty = Written(json: "{}", protobuf: [])

  static func array(_ elements: [Written]) -> Written {
    let swift = elements.compactMap(\.swift)
    return Written(
      json: #"{"arrayValue":{"values":[\#(elements.map(\.json).joined(separator: ","))]}}"#,
      protobuf: Bytes.bytes(5, elements.flatMap { Bytes.bytes(1, $0.protobuf) }),
      swift: swift.count == elements.count ? .array(.init(values: swift)) : nil
    )
  }

  static func pairs(_ members: [(String, Written)]) -> Written {
    let json = members.map { #"{"key":\#(SwiftExport.json($0.0)),"value":\#($0.1.json)}"# }
    let swift = members.compactMap { member in member.1.swift.map { (member.0, $0) } }
    let isDistinct = Set(swift.map(\.0)).count == members.count
    return Written(
      json: #"{"kvlistValue":{"values":[\#(json.joined(separator: ","))]}}"#,
      protobuf: Bytes.bytes(
        6,
        members.flatMap { Bytes.bytes(1, Bytes.pair($0.0, $0.1.protobuf)) }
      ),
      swift: isDistinct
        ? .set(.init(labels: Dictionary(swift) { first, _ in first })) : nil
    )
  }

  /// Arrays within arrays, as many as the depth says.
  static func nested(_ depth: Int, around value: Written) -> Written {
    (0..<depth).reduce(value) { inner, _ in array([inner]) }
  }

  /// What an attribute `k` of the value reads as in each encoding that has it, without repetitions.
  var texts: Set<String> {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var lines = bareSpanRequest(
      #""name":"app-hang","attributes":[{"key":"k","value":\#(json)}]"#
    )
    if let swift {
      var span = SwiftExport.Span(
        name: "app-hang",
        startTime: SwiftExport.noon,
        endTime: SwiftExport.noon
      )
      span.attributes = ["k": swift]
      lines += "\n" + SwiftExport.file([[span]]) + "\n"
    }
    var decoder = JSONStreamDecoder(source: SourceID(1))
    Array(lines.utf8).withUnsafeBytes { decoder.consume($0, into: &assembler) }
    decoder.finish(into: &assembler)
    let message = Bytes.span("app-hang", adding: Bytes.bytes(9, Bytes.pair("k", protobuf)))
    var stream = ProtobufStreamDecoder(source: SourceID(2))
    Bytes.framed(Bytes.request([message])).withUnsafeBytes {
      stream.consume($0, into: &assembler)
    }
    guard sink.spans.count == (swift == nil ? 2 : 3) else { return ["lost"] }
    return Set(sink.hosts.map { $0?.joined(separator: " ") ?? "none" })
  }
}

@Suite("Text of host attributes that hold others")
struct CompositeTextTests {
  @Test(
    "compact JSON of the plain values, the same whatever the encoding",
    arguments: [
      (.array([.text("a"), .int(1), .bool(true)]), #"["a",1,true]"#),
      (.pairs([("k", .text("v"))]), #"{"k":"v"}"#),
      (.array([]), "[]"), (.pairs([]), "{}"),
      (.array([.int(-5), .double(0.5, json: "0.5"), .double(2, json: "2")]), "[-5,0.5,2.0]"),
      (.array([.array([.int(1)]), .pairs([("a", .array([]))])]), #"[[1],{"a":[]}]"#),
      (.array([.empty, .int(1)]), "[null,1]"),
      (.array([.bytes([0, 255], base64: "AP8="), .text("")]), #"["AP8=",""]"#),
      (.bytes([0, 255], base64: "AP8"), "AP8="),
      (
        .array([.double(.nan, json: #""NaN""#), .double(-.infinity, json: #""-Infinity""#)]),
        #"["NaN","-Infinity"]"#
      ),
      (.array([.text("\"\\\n\t\r\u{1}é/")]), #"["\"\\\n\t\r\u0001é/"]"#),
      (.pairs([("b\"", .int(1)), ("", .bool(false))]), #"{"":false,"b\"":1}"#),
      (.pairs([("B", .int(1)), ("a", .int(2)), ("A", .int(3))]), #"{"A":3,"B":1,"a":2}"#),
      (.pairs([("b", .int(1)), ("a", .int(2)), ("a", .int(3))]), #"{"a":2,"a":3,"b":1}"#),
    ] as [(Written, String)]
  )
  private func values(_ value: Written, _ expected: String) {
    #expect(value.texts == ["k=" + expected])
  }

  @Test("earlier releases' lists of one kind read the same")
  func typedLists() {
    var value = Written.array([.int(1), .int(-2)])
    value.swift = .intArray([1, -2])
    #expect(value.texts == ["k=[1,-2]"])
  }

  @Test("64 levels show, what lies deeper is null")
  func depth() {
    let open = String(repeating: "[", count: 64)
    let close = String(repeating: "]", count: 64)
    #expect(Written.nested(64, around: .array([])).texts == ["k=\(open)null\(close)"])
    #expect(Written.nested(64, around: .int(1)).texts == ["k=\(open)1\(close)"])
    var deep = Written.nested(2_000, around: .int(1))
    // Foundation's encoder goes less deep.
    deep.swift = nil
    #expect(deep.texts == ["k=\(open)null\(close)"])
  }

  @Test("1,024 scalars show whole; of a longer one the beginning and a hash")
  func length() throws {
    // Two quotes, two brackets.
    let most = String(repeating: "é", count: 1020)
    #expect(Written.array([.text(most)]).texts == [#"k=["\#(most)"]"#])
    let long = Written.array([.text(most + "é"), .int(7)])
    let text = try #require(long.texts.first)
    #expect(long.texts.count == 1)
    #expect(text.hasPrefix(#"k=["\#(most)é"…"#))
    #expect(text.unicodeScalars.count == 2 + 1024 + 1 + 8)
    // The hash is of the whole value.
    let other = try #require(Written.array([.text(most + "é"), .int(8)]).texts.first)
    #expect(other != text)
    #expect(other.unicodeScalars.prefix(1027).elementsEqual(text.unicodeScalars.prefix(1027)))
  }

  @Test("of very many elements the first show, of very many pairs those of the first keys")
  func many() throws {
    let list = Written.array((0..<5_000).map { _ in .int(1) })
    let text = try #require(list.texts.first)
    #expect(list.texts.count == 1)
    #expect(text.hasPrefix("k=[" + String(repeating: "1,", count: 511) + "1…"))
    let keys = (0..<2_000).map { String(1_999 - $0 + 10_000) }
    let pairs = Written.pairs(keys.map { ($0, .int(0)) })
    let first = try #require(pairs.texts.first)
    #expect(pairs.texts.count == 1)
    #expect(first.hasPrefix(#"k={"10000":0,"10001":0,"10002":0,"#))
  }

  @Test(
    "what a decoder drops within a value is null; a value that is none has no text",
    arguments: [
      (
        #"{"arrayValue":{"values":[5,{"intValue":"x"},{"stringValue":"a"}]}}"#,
        #"k=[null,null,"a"]"#
      ),
      (#"{"arrayValue":{"values":[{"intValue":"1","boolValue":[]}]}}"#, "k=[1]"),
      (#"{"arrayValue":{"values":[{"bytesValue":"A"}]}}"#, "k=[null]"),
      (
        #"{"kvlistValue":{"values":[7,{"value":{"intValue":1}},{"key":"a"}]}}"#,
        #"k={"":1,"a":null}"#
      ),
      (#"{"arrayValue":{"values":null}}"#, "k=[]"),
      (#"{ "arrayValue" : { "x":1, "values" : [ {"intValue" : 1 } ] } }"#, "k=[1]"),
      (#"{"arrayValue":{"values":[{"intValue":1}],"values":[{"intValue":2}]}}"#, "k=[1,2]"),
      (#"{"arrayValue":[]}"#, "none"), (#"{"bytesValue":"A"}"#, "none"),
    ]
  )
  func invalid(_ value: String, _ expected: String) {
    let sink = decodeJSON(
      bareSpanRequest(#""name":"app-hang","attributes":[{"key":"k","value":\#(value)}]"#)
    )
    #expect(sink.hosts.map { $0?.first ?? "none" } == [expected])
  }

  @Test("invalid UTF-8 in a list is repaired as in a name")
  func repaired() {
    let value = Bytes.bytes(5, Bytes.bytes(1, Bytes.bytes(1, [0x61, 0xff, 0x62])))
    let span = Bytes.span("app-hang", adding: Bytes.bytes(9, Bytes.pair("k", value)))
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var stream = ProtobufStreamDecoder(source: SourceID(2))
    Bytes.framed(Bytes.request([span])).withUnsafeBytes { stream.consume($0, into: &assembler) }
    #expect(sink.hosts == [["k=[\"a\u{FFFD}b\"]"]])
  }

  @Test("a resource's lists are kept too, and logs'")
  func owners() throws {
    let list = #"{"key":"tags","value":\#(Written.array([.text("beta")]).json)}"#
    let lines =
      spanRequest("", resource: #""resource":{"attributes":[\#(list)]},"#)
      + #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hello"},"#
      + #""attributes":[\#(list)]}]}]}]}"#
    let sink = decodeJSON(lines)
    let set = try #require(sink.resources.values.first { $0.attributes != .none }).attributes
    #expect(sink.sets[set] == [#"tags=["beta"]"#])
    #expect(sink.logs.map { sink.sets[$0.attributes] } == [[#"tags=["beta"]"#]])
  }
}
