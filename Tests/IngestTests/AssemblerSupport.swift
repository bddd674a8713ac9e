import Model
import TestSupport

@testable import Ingest

func withBytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
  Array(text.utf8).withUnsafeBytes(body)
}

/// One attribute of a test's record.
struct Attribute: Sendable {
  enum Value: Sendable {
    case text(String)
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case empty
  }

  var key: String
  var value: Value

  init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }

  func pass(to body: (UnsafeRawBufferPointer, AttributeValue) -> Void) {
    withBytes(key) { key in
      switch value {
      case .text(let text): withBytes(text) { body(key, .string($0)) }
      case .bool(let flag): body(key, .bool(flag))
      case .int(let number): body(key, .int(number))
      case .double(let number): body(key, .double(number))
      case .empty: body(key, .empty)
      }
    }
  }
}

extension RecordAssembler {
  mutating func add(_ key: String, _ text: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { value in
      withBytes(key) { spanAttribute(key: $0, value: .string(value)) }
    }
  }

  mutating func add(_ key: String, _ value: AttributeValue) {
    withBytes(key) { spanAttribute(key: $0, value: value) }
  }

  mutating func addResource(_ attributes: [Attribute], encoded: String) {
    beginResource()
    for attribute in attributes {
      attribute.pass { resourceAttribute(key: $0, value: $1) }
    }
    withBytes(encoded) { endResource(encoded: $0) }
  }
}

/// Assembles one span with a sink of its own.
func assembleSpan(
  _ name: String,
  _ attributes: [Attribute] = [],
  start: UInt64 = 1_780_000_000_000_000_000,
  end: UInt64 = 1_780_000_001_000_000_000
) -> (span: SpanRecord, sink: RecordingSink) {
  let sink = RecordingSink()
  var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
  assembler.beginSpan(place: RecordPlace(source: SourceID(3), offset: 77, length: 12))
  withBytes(name) { assembler.spanName($0) }
  for attribute in attributes {
    attribute.pass { assembler.spanAttribute(key: $0, value: $1) }
  }
  assembler.spanTimes(start: start, end: end)
  assembler.endSpan()
  return (sink.spans[0], sink)
}

/// Assembles one log record with a sink of its own.
func assembleLog(
  body: Attribute.Value,
  event: String = "",
  _ attributes: [Attribute] = [],
  time: UInt64 = 1_780_000_000_000_000_000,
  observed: UInt64 = 0
) -> (log: LogRecord, sink: RecordingSink) {
  let sink = RecordingSink()
  var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
  assembler.beginLog(place: RecordPlace(source: SourceID(3), offset: 77, length: 12))
  Attribute("", body).pass { assembler.logBody($1) }
  withBytes(event) { assembler.logEventName($0) }
  for attribute in attributes {
    attribute.pass { assembler.logAttribute(key: $0, value: $1) }
  }
  assembler.logTimes(time: time, observed: observed)
  assembler.endLog()
  return (sink.logs[0], sink)
}
