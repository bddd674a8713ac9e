import Model
import Testing
import TestSupport

@testable import Ingest

private let resource = #"{"attributes":[{"key":"service.name","value":{"stringValue":"Shop"}}]}"#
private let scope = #"{"name":"perfsuite-ios","version":"1.10.1"}"#
private let spans = #"[{"name":"x"}]"#

@Suite("OTLP JSON, shapes")
struct OTLPJSONShapeTests {
  /// The same span of the same resource and scope each time.
  @Test(
    "every order of keys, older name and wrapper gives the same span",
    arguments: [
      #"{"resourceSpans":[{"resource":\#(resource),"scopeSpans":[{"scope":\#(scope),"spans":\#(spans)}]}]}"#,
      #"{"resourceSpans":[{"scopeSpans":[{"scope":\#(scope),"spans":\#(spans)}],"resource":\#(resource)}]}"#,
      #"{"resourceSpans":[{"scopeSpans":[{"spans":\#(spans),"scope":\#(scope)}],"resource":\#(resource)}]}"#,
      #"{"resource_spans":[{"resource":\#(resource),"scope_spans":[{"scope":\#(scope),"spans":\#(spans)}]}]}"#,
      #"{"resource":\#(resource),"scopeSpans":[{"scope":\#(scope),"spans":\#(spans)}]}"#,
      #"{"scopeSpans":[{"scope":\#(scope),"spans":\#(spans)}],"resource":\#(resource)}"#,
      #"{"batches":[{"resource":\#(resource),"scopeSpans":[{"scope":\#(scope),"spans":\#(spans)}]}]}"#,
      #"{"trace":{"resourceSpans":[{"resource":\#(resource),"scopeSpans":[{"scope":\#(scope),"spans":\#(spans)}]}]}}"#,
      #"{"resourceSpans":[{"resource":\#(resource),"instrumentationLibrarySpans":[{"instrumentationLibrary":\#(scope),"spans":\#(spans)}]}]}"#,
      #"{"resourceSpans":[{"resource":\#(resource),"deprecatedScopeSpans":[{"scope":\#(scope),"spans":\#(spans)}]}]}"#,
      #"{"ResourceSpans":[{"Resource":\#(resource),"ScopeSpans":[{"Scope":\#(scope),"Spans":\#(spans)}]}]}"#,
      #"{"x":{"a":[1,[2]]},"resourceSpans":[{"y":0,"resource":\#(resource),"schemaUrl":"","scopeSpans":[{"scope":\#(scope),"spans":\#(spans),"z":{}}]}]}"#,
      #"{"resourceSpans":[],"resourceSpans":[{"resource":\#(resource),"scopeSpans":[],"scopeSpans":[{"scope":\#(scope),"spans":[],"spans":\#(spans)}]}]}"#,
    ]
  )
  func sameSpan(_ text: String) throws {
    for input in [text, text.replacing(":", with: " :\t").replacing(",", with: "\r ,\n")] {
      let sink = decodeJSON(input)
      #expect(sink.problems.isEmpty)
      let span = try #require(sink.spans.first)
      #expect(sink.spans.count == 1)
      #expect(sink.text(span.name) == "x")
      #expect(sink.text(span.scopeVersion) == "1.10.1")
      #expect(sink.text(try #require(sink.resources[span.resource]).app) == "Shop")
    }
  }

  @Test("a span without resource after one with a resource has none")
  func resourcesEnd() throws {
    let sink = decodeJSON(
      #"{"resourceSpans":[{"resource":\#(resource),"scopeSpans":[{"scope":\#(scope),"spans":\#(spans)},"#
        + #"{"spans":\#(spans)}]},{"scopeSpans":[{"spans":\#(spans)}]}]}"#
    )
    #expect(sink.spans.count == 3)
    #expect(sink.spans.map { $0.resource == .empty } == [false, false, true])
    #expect(sink.spans.map { $0.scopeVersion.isPresent } == [true, false, false])
  }

  @Test("a span's place is its own object, and its record is the whole request")
  func places() throws {
    let text = "\n" + spanRequest(#""kind":1"#)
    let sink = decodeJSON(text)
    let bytes = Array(text.utf8)
    let place = try #require(sink.spans.first).place
    let own = bytes[Int(place.offset)..<Int(place.offset) + Int(place.length)]
    #expect(String(decoding: own, as: UTF8.self).hasPrefix(#"{"traceId":"01"#))
    #expect(String(decoding: own, as: UTF8.self).hasSuffix(#""kind":1}"#))
    #expect(sink.records.count == 1)
    #expect(sink.records.first?.bytes == Array(bytes[1...]))
    #expect(sink.records.first?.place.offset == 1)
  }

  @Test("of two equal scalars the last counts, of two equal attributes the first")
  func duplicates() throws {
    let attributes =
      #"[{"key":"session.id","value":{"stringValue":"1"}},{"key":"session.id","value":{"stringValue":"2"}}]"#
    let sink = decodeJSON(bareSpanRequest(#""name":"a","name":"b","attributes":\#(attributes)"#))
    let span = try #require(sink.spans.first)
    #expect(sink.text(span.name) == "b")
    #expect(sink.text(span.sessionID) == "1")
  }

  @Test(
    "logs are read in every shape",
    arguments: [
      ("resourceLogs", "scopeLogs", "logRecords"), ("resource_logs", "scope_logs", "log_records"),
      ("resourceLogs", "instrumentationLibraryLogs", "logs"),
    ]
  )
  func logs(_ resources: String, _ scopes: String, _ records: String) throws {
    let record =
      #"{"timeUnixNano":"1787000000000000000","severityNumber":"SEVERITY_NUMBER_WARN","body":{"stringValue":"view_controller_leak"},"attributes":[{"key":"vc.class_name","value":{"stringValue":"FooVC"}}]}"#
    let sink = decodeJSON(#"{"\#(resources)":[{"\#(scopes)":[{"\#(records)":[\#(record)]}]}]}"#)
    let log = try #require(sink.logs.first)
    #expect(log.signal == .leak)
    #expect(sink.text(log.subject) == "FooVC")
    #expect(log.severity == 13)
    #expect(log.time == Timestamp(nanoseconds: 1_787_000_000_000_000_000))
  }

  @Test("metric points and profiles are counted and are no loss")
  func counted() {
    let points = #"{"dataPoints":[{"asInt":"1"},{"asInt":"2"}]}"#
    let sink = decodeJSON(
      #"{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","gauge":\#(points)},{"histogram":\#(points)}]}]}]}"#
        + "\n" + #"{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{},{}]}]}]}"#
    )
    #expect(sink.count(of: .metricPoints) == 4)
    #expect(sink.count(of: .profiles) == 2)
    #expect(sink.problems.isEmpty)
  }

  @Test("an export reads the same from JSON and from protobuf", arguments: ["traces", "logs"])
  func sameAsProtobuf(_ name: String) throws {
    let json = decodeJSON([try Fixture.bytes("protobuf/\(name).json")])
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var decoder = ProtobufStreamDecoder(source: SourceID(1))
    try Fixture.bytes("protobuf/\(name).pb").withUnsafeBytes {
      decoder.consume($0, into: &assembler)
    }
    decoder.finish(into: &assembler)
    #expect(json.spans.count + json.logs.count > 0)
    #expect(json.spans.map(\.content).sorted() == sink.spans.map(\.content).sorted())
    #expect(json.logs.map(\.content).sorted() == sink.logs.map(\.content).sorted())
  }

  @Test("nesting of any depth costs no stack, and lists beyond the limit read as empty")
  func depth() {
    var value = #"{"intValue":"1"}"#
    for _ in 0..<3_000 { value = #"{"kvlistValue":{"values":[{"key":"a","value":\#(value)}]}}"# }
    let sink = decodeJSON(
      spanRequest(
        #""x":\#(String(repeating: "[", count: 9_000) + String(repeating: "]", count: 9_000)),"attributes":[{"key":"k","value":\#(value)}]"#
      )
    )
    #expect(sink.spans.count == 1)
    #expect(sink.problems.isEmpty)
  }
}
