import Foundation

/// Mirrors of the types that opentelemetry-swift encodes, member for member, for Foundation's encoder.
enum SwiftExport {
  indirect enum Value: Encodable, Sendable {
    case string(String)
    case bool(Bool)
    case int(Int)
    case double(Double)
    case array(List)
    case set(Labels)
    case intArray([Int])

    struct List: Encodable, Sendable { var values: [Value] }
    struct Labels: Encodable, Sendable { var labels: [String: Value] }
  }

  struct TraceID: Encodable {
    var idHi: UInt64
    var idLo: UInt64
  }
  struct SpanID: Encodable { var id: UInt64 }
  struct Flags: Encodable { var options: UInt8 = 1 }
  struct State: Encodable { var entries: [[String: String]] = [] }
  struct Resource: Encodable {
    var attributes: [String: Value]
    var entities: [String] = []
  }
  struct Scope: Encodable {
    var name = "perfsuite-ios"
    var version: String?
  }
  enum Status: Encodable {
    case ok
    case unset
    case error(description: String)
  }
  struct Event: Encodable {
    var timestamp: Date
    var name: String
    var attributes: [String: Value]
  }
  struct Context: Encodable {
    var traceId: TraceID
    var spanId: SpanID
    var traceFlags = Flags()
    var traceState = State()
    var isRemote = false
  }
  struct Link: Encodable {
    var context: Context
    var attributes: [String: Value]
  }

  /// `SpanData`.
  struct Span: Encodable {
    var traceId = TraceID(idHi: 0x8102_0304_0506_0708, idLo: 0xF90A_0B0C_0D0E_0F10)
    var spanId = SpanID(id: 0xFFFF_FFFF_FFFF_FFF1)
    var traceFlags = Flags()
    var traceState = State()
    var parentSpanId: SpanID?
    var resource = Resource(attributes: SwiftExport.device)
    var instrumentationScope = Scope()
    var name: String
    var kind = "internal"
    var startTime: Date
    var attributes: [String: Value] = [:]
    var events: [Event] = []
    var links: [Link] = []
    var status = Status.unset
    var endTime: Date
    var hasRemoteParent = false
    var hasEnded = true
    var totalRecordedEvents = 0
    var totalRecordedLinks = 0
    var totalAttributeCount = 0
  }

  /// `ReadableLogRecord`.
  struct Log: Encodable {
    var resource = Resource(attributes: SwiftExport.device)
    var instrumentationScopeInfo = Scope()
    var timestamp: Date
    var observedTimestamp: Date?
    var spanContext: Context?
    var severity: Int? = 13
    var body: Value?
    var attributes: [String: Value] = [:]
    var eventName: String?
  }

  /// What the stdout exporter prints of a span.
  struct Printed: Encodable {
    struct Text: Encodable { var description: String }
    struct Flags: Encodable { var sampled = true }

    var span: String
    var traceId: String
    var spanId: String
    var spanKind = "internal"
    var traceFlags = Flags()
    var traceState = State()
    var parentSpanId = "0000000000000000"
    var start: Date
    var duration: Double
    var attributes: [String: Text] = [:]
  }

  static let device: [String: Value] = [
    "service.name": .string("Shop"), "device.id": .string("D-1"), "os.name": .string("iOS"),
  ]

  /// Noon of 2026-07-20, UTC, and a fraction that no binary number holds.
  static let noon = Date(timeIntervalSince1970: 1_784_548_800.123_456_7)

  static func json(_ value: some Encodable, sorted: Bool = true) -> String {
    let encoder = JSONEncoder()
    if sorted { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }
    guard let data = try? encoder.encode(value) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  /// A persistence file: every batch an array, and a comma after each.
  static func file(_ batches: [[any Encodable]], sorted: Bool = true) -> String {
    batches.map { "[" + $0.map { json($0, sorted: sorted) }.joined(separator: ",") + "]," }.joined()
  }

  /// The time as the SDK's OTLP exporters write it.
  static func nanoseconds(_ date: Date) -> UInt64 {
    UInt64((date.timeIntervalSince1970 * 1_000_000_000).rounded())
  }

  static func tti(_ screen: String, id: UInt64, at seconds: Double = 0, _ tti: Int) -> Span {
    var span = Span(
      name: "screen-tti.\(screen)",
      startTime: noon + seconds,
      endTime: noon + seconds + Double(tti) / 1000
    )
    span.spanId.id = id
    span.attributes = [
      "screen.name": .string(screen), "screen.tti.ms": .int(tti), "screen.ttfr.ms": .int(tti / 2),
    ]
    span.totalAttributeCount = 3
    return span
  }
}
