import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

/// The OTLP JSON that the SDK's exporter would send for the same record, written by hand.
private enum Sent {
  static let resource =
    #"{"attributes":[{"key":"os.name","value":{"stringValue":"iOS"}},"#
    + #"{"key":"service.name","value":{"stringValue":"Shop"}},"#
    + #"{"key":"device.id","value":{"stringValue":"D-1"}}]}"#

  static func span(_ members: String, start: Date, end: Date) -> String {
    let times =
      #""startTimeUnixNano":"\#(SwiftExport.nanoseconds(start))","#
      + #""endTimeUnixNano":"\#(SwiftExport.nanoseconds(end))""#
    return #"{"resourceSpans":[{"resource":\#(resource),"scopeSpans":[{"scope":{"#
      + #""name":"perfsuite-ios"},"spans":[{\#(times),\#(members)}]}]}]}"#
  }

  static func log(_ members: String) -> String {
    #"{"resourceLogs":[{"resource":\#(resource),"scopeLogs":[{"scope":{"#
      + #""name":"perfsuite-ios"},"logRecords":[{\#(members)}]}]}]}"#
  }
}

@Suite("A record persisted and sent is one record")
struct SwiftExportContentTests {
  @Test("a span with everything it can have has the same content both ways")
  func spans() throws {
    let trace = SwiftExport.TraceID(idHi: 1, idLo: UInt64.max)
    var span = SwiftExport.tti("A", id: 0x8000_0000_0000_0001, 10)
    span.traceId = trace
    span.parentSpanId = SwiftExport.SpanID(id: 5)
    span.status = .error(description: "measurement_cancelled")
    span.attributes = [
      "a": .array(.init(values: [.int(1), .string("x"), .array(.init(values: [.bool(true)]))])),
      "s": .set(.init(labels: ["k": .double(0.5), "l": .int(-3)])), "e": .intArray([]),
      "b": .bool(false), "o": .intArray([1, 2]), "d": .double(3), "i": .int(.min),
      "t": .string("ä\"\n"),
    ]
    span.totalAttributeCount = 11
    span.events = [.init(timestamp: SwiftExport.noon + 1, name: "ev", attributes: ["x": .int(1)])]
    span.totalRecordedEvents = 3
    span.links = [
      .init(context: .init(traceId: trace, spanId: .init(id: 6)), attributes: ["y": .bool(true)])
    ]
    span.totalRecordedLinks = 1
    let sent = Sent.span(
      #""traceId":"0000000000000001ffffffffffffffff","spanId":"8000000000000001","#
        + #""parentSpanId":"0000000000000005","name":"screen-tti.A","kind":1,"#
        + #""droppedAttributesCount":3,"droppedEventsCount":2,"#
        + #""status":{"code":2,"message":"measurement_cancelled"},"#
        + #""events":[{"timeUnixNano":"\#(SwiftExport.nanoseconds(SwiftExport.noon + 1))","#
        + #""name":"ev","attributes":[{"key":"x","value":{"intValue":"1"}}]}],"#
        + #""links":[{"traceId":"0000000000000001ffffffffffffffff","spanId":"0000000000000006","#
        + #""attributes":[{"key":"y","value":{"boolValue":true}}]}],"attributes":["#
        + #"{"key":"a","value":{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"x"},"#
        + #"{"arrayValue":{"values":[{"boolValue":true}]}}]}}},"#
        + #"{"key":"s","value":{"kvlistValue":{"values":[{"key":"l","value":{"intValue":"-3"}},"#
        + #"{"key":"k","value":{"doubleValue":0.5}}]}}},"#
        + #"{"key":"e","value":{"arrayValue":{}}},"#
        + #"{"key":"b","value":{"boolValue":false}},"#
        + #"{"key":"o","value":{"arrayValue":{"values":[{"intValue":"1"},{"intValue":"2"}]}}},"#
        + #"{"key":"d","value":{"doubleValue":3}},"#
        + #"{"key":"i","value":{"intValue":"-9223372036854775808"}},"#
        + #"{"key":"t","value":{"stringValue":"ä\"\n"}}]"#,
      start: span.startTime,
      end: span.endTime
    )
    let sink = decodeJSON(sent + "\n" + SwiftExport.file([[span]]))
    #expect(sink.problems.isEmpty)
    #expect(sink.count(of: .truncatedValues) == 0)
    try #require(sink.spans.count == 2)
    #expect(sink.spans[1].content == sink.spans[0].content)
    #expect(sink.spans[1].resource == sink.spans[0].resource)
    #expect(sink.spans[1].start == sink.spans[0].start)
    #expect(sink.spans[1].parentID == 5)
    #expect(sink.spans[1].attributeCount == 8)
    #expect(sink.resources.count == 1)
  }

  @Test("every part of a span counts")
  func partsCount() {
    let base = SwiftExport.tti("A", id: 1, 10)
    var changed = [base]
    func add(_ change: (inout SwiftExport.Span) -> Void) {
      var span = base
      change(&span)
      changed.append(span)
    }
    add { $0.kind = "client" }
    add { $0.parentSpanId = .init(id: 1) }
    add { $0.totalAttributeCount = 4 }
    add { $0.totalRecordedEvents = 1 }
    add { $0.totalRecordedLinks = 1 }
    add { $0.events = [.init(timestamp: SwiftExport.noon, name: "e", attributes: [:])] }
    add { $0.events = [.init(timestamp: SwiftExport.noon, name: "f", attributes: [:])] }
    add { $0.instrumentationScope.version = "1.11.2" }
    add { $0.instrumentationScope.name = "other" }
    add { $0.resource.attributes["x"] = .int(1) }
    add { $0.attributes["x"] = .int(1) }
    add { $0.attributes["x"] = .string("1") }
    add { $0.status = .ok }
    add { $0.startTime += 0.000_001 }
    let sink = decodeJSON(SwiftExport.file([changed]))
    #expect(Set(sink.spans.map(\.content)).count == changed.count)
  }

  @Test("a log record has the same content both ways, persisted or printed as an array")
  func logs() throws {
    var log = SwiftExport.Log(timestamp: SwiftExport.noon)
    log.body = .string("view_controller_leak")
    log.observedTimestamp = SwiftExport.noon
    log.attributes = ["vc.class_name": .string("CartViewController")]
    log.spanContext = .init(traceId: .init(idHi: 0, idLo: 7), spanId: .init(id: 9))
    let time = SwiftExport.nanoseconds(SwiftExport.noon)
    let sent = Sent.log(
      #""timeUnixNano":"\#(time)","observedTimeUnixNano":"\#(time)","severityNumber":13,"#
        + #""severityText":"WARN","flags":1,"traceId":"00000000000000000000000000000007","#
        + #""spanId":"0000000000000009","body":{"stringValue":"view_controller_leak"},"#
        + #""attributes":[{"key":"vc.class_name","value":{"stringValue":"CartViewController"}}]"#
    )
    let sink = decodeJSON("\(sent)\n\(SwiftExport.json([log]))\n\(SwiftExport.file([[log]]))")
    #expect(sink.problems.isEmpty)
    try #require(sink.logs.count == 3)
    #expect(Set(sink.logs.map(\.content)).count == 1)
    #expect(sink.logs.allSatisfy { $0.signal == .leak && $0.severity == 13 })
    #expect(sink.text(sink.logs[2].subject) == "CartViewController")
  }

  @Test(
    "the session module's events are other logs with their session",
    arguments: ["start", "end"]
  )
  func sessionEvents(_ kind: String) {
    var log = SwiftExport.Log(timestamp: SwiftExport.noon)
    log.severity = nil
    log.eventName = "session.\(kind)"
    log.attributes = [
      "session.id": .string("6E1C7F2A-0000-4000-8000-000000000001"),
      "session.previous_id": .string("6E1C7F2A-0000-4000-8000-000000000000"),
    ]
    let sink = decodeJSON(SwiftExport.file([[log]]))
    #expect(sink.problems.isEmpty)
    #expect(sink.logs.map(\.signal) == [.otherLog])
    #expect(sink.text(sink.logs[0].subject) == "session.\(kind)")
    #expect(sink.text(sink.logs[0].sessionID) == "6E1C7F2A-0000-4000-8000-000000000001")
  }

  @Test("a severity has the SDK's word", arguments: [(1, "TRACE"), (12, "INFO4"), (21, "FATAL")])
  func severities(_ number: UInt64, _ text: String) {
    #expect(EnumText.severityText(number) == text)
    #expect(Array(text.utf8).withUnsafeBytes { EnumText.severity($0) } == number)
  }
}
