#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The members of opentelemetry-swift's own JSON that perftop reads.
///
/// Their names are those of the SDK's types `SpanData` and `ReadableLogRecord`, and of what its stdout
/// exporter prints.
enum SwiftExportKey: UInt8, CaseIterable {
  case traceId, spanId, parentSpanId, name, kind, startTime, endTime, hasEnded, status
  case attributes, events, links, totalAttributeCount, totalRecordedEvents, totalRecordedLinks
  case resource, instrumentationScope
  // A log record has these instead.
  case instrumentationScopeInfo, timestamp, observedTimestamp, spanContext, severity, body
  case eventName
  // And what is printed has these.
  case span, spanKind, start, duration

  var text: StaticString {
    switch self {
    case .traceId: "traceId"
    case .spanId: "spanId"
    case .parentSpanId: "parentSpanId"
    case .name: "name"
    case .kind: "kind"
    case .startTime: "startTime"
    case .endTime: "endTime"
    case .hasEnded: "hasEnded"
    case .status: "status"
    case .attributes: "attributes"
    case .events: "events"
    case .links: "links"
    case .totalAttributeCount: "totalAttributeCount"
    case .totalRecordedEvents: "totalRecordedEvents"
    case .totalRecordedLinks: "totalRecordedLinks"
    case .resource: "resource"
    case .instrumentationScope: "instrumentationScope"
    case .instrumentationScopeInfo: "instrumentationScopeInfo"
    case .timestamp: "timestamp"
    case .observedTimestamp: "observedTimestamp"
    case .spanContext: "spanContext"
    case .severity: "severity"
    case .body: "body"
    case .eventName: "eventName"
    case .span: "span"
    case .spanKind: "spanKind"
    case .start: "start"
    case .duration: "duration"
    }
  }

  private static let texts = allCases.map(\.text)
  /// Members that tell nothing, but with which a record may begin as with any other.
  private static let others: [StaticString] = ["traceFlags", "traceState", "hasRemoteParent"]

  /// Whether `{"` and a key of a record stand at an index; nil when the bytes end before that is known.
  static func begins(_ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool? {
    guard at + 1 < end else { return nil }
    guard base[at] == UInt8(ascii: "{"), base[at + 1] == UInt8(ascii: "\"") else { return false }
    let start = at + 2
    // No key of a record is longer.
    let limit = min(end, start + 25)
    guard let quote = (start..<limit).first(where: { base[$0] == UInt8(ascii: "\"") }) else {
      return limit < start + 25 ? nil : false
    }
    let key = UnsafeRawBufferPointer(start: base + start, count: quote - start)
    return Self(key) != nil
      || others.contains { text in
        text.utf8CodeUnitCount == key.count && memcmp(text.utf8Start, base + start, key.count) == 0
      }
  }

  /// The key with these bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return nil }
    let index = Self.texts.firstIndex { text in
      text.utf8CodeUnitCount == bytes.count && memcmp(text.utf8Start, start, bytes.count) == 0
    }
    guard let index, let key = Self(rawValue: UInt8(index)) else { return nil }
    self = key
  }
}

/// Where the members of one object begin.
struct SwiftExportMembers {
  private var positions = [Int](repeating: -1, count: SwiftExportKey.allCases.count)

  mutating func removeAll() {
    for index in positions.indices { positions[index] = -1 }
  }

  /// The index of the value's first byte; nil when the object has no such member.
  subscript(key: SwiftExportKey) -> Int? {
    get {
      let position = positions[Int(key.rawValue)]
      return position < 0 ? nil : position
    }
    set { positions[Int(key.rawValue)] = newValue ?? -1 }
  }
}

/// Times as Foundation's `Date` is encoded: seconds since 2001-01-01T00:00:00Z.
enum SwiftExportTime {
  private static let secondsFrom1970To2001 = 978_307_200.0

  /// The time as OTLP has it; 0, which is absent, before 1970 and beyond 64 bits.
  ///
  /// In the SDK the time is a `Double`, exact to 120 ns in these years, and JSON keeps all of it. What
  /// follows is what the SDK's OTLP exporters compute, step by step and so to the last bit: a span that
  /// came both ways has the same times.
  static func unixNanoseconds(_ seconds: Double) -> UInt64 {
    let nanoseconds = ((seconds + secondsFrom1970To2001) * 1_000_000_000).rounded()
    return UInt64(exactly: nanoseconds) ?? 0
  }
}
