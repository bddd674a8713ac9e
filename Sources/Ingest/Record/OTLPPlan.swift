/// How a field of a protobuf message is written as JSON, and so which wire type it has.
enum OTLPForm: UInt8 {
  case text, texts, traceID, spanID, base64
  /// Numbers of 32 bits.
  case uint32, int32, sint32, fixed32
  case bool
  /// Numbers of 64 bits, which are strings in JSON.
  case fixed64, sfixed64, int64
  case double
  /// Lists of numbers, packed or not.
  case fixed64List, uint64List, doubleList
  /// Copies of it merge.
  case message
  /// Of copies of it the last counts.
  case lastMessage
  case list
  case attributes
}

/// A field: its number, its key with quotes and colon, and when it is written.
struct OTLPField {
  enum Presence: UInt8 {
    /// Written unless it is zero or empty.
    case implicit
    /// Written where the data has it.
    case explicit
    /// The one of its message's alternatives that came last is written.
    case choice
    /// Written even where the data has none.
    case always
  }

  var number: UInt16
  var key: StaticString
  var form: OTLPForm
  var content: OTLPMessage
  var presence: Presence

  init(
    _ number: UInt16,
    _ key: StaticString,
    _ form: OTLPForm,
    _ content: OTLPMessage = .none,
    _ presence: Presence = .implicit
  ) {
    self.number = number
    self.key = key
    self.form = form
    self.content = content
    self.presence = presence
  }
}

/// The messages of OTLP's traces, logs and metrics, with their fields in the order of the .proto files.
enum OTLPMessage: UInt8, CaseIterable {
  case none
  case tracesData, logsData, metricsData
  case resourceSpans, resourceLogs, resourceMetrics
  case scopeSpans, scopeLogs, scopeMetrics
  case resource, entityRef, scope, keyValue, anyValue, arrayValue, keyValueList
  case span, event, link, status, logRecord
  case metric, gauge, sum, histogram, exponentialHistogram, summary
  case numberPoint, histogramPoint, exponentialPoint, buckets, summaryPoint, quantile, exemplar

  var fields: [OTLPField] {
    switch self {
    case .none: []
    case .tracesData: [OTLPField(1, "\"resourceSpans\":", .list, .resourceSpans)]
    case .logsData: [OTLPField(1, "\"resourceLogs\":", .list, .resourceLogs)]
    case .metricsData: [OTLPField(1, "\"resourceMetrics\":", .list, .resourceMetrics)]
    case .resourceSpans: Self.resourceGroup("\"scopeSpans\":", .scopeSpans)
    case .resourceLogs: Self.resourceGroup("\"scopeLogs\":", .scopeLogs)
    case .resourceMetrics: Self.resourceGroup("\"scopeMetrics\":", .scopeMetrics)
    case .scopeSpans: Self.scopeGroup("\"spans\":", .span)
    case .scopeLogs: Self.scopeGroup("\"logRecords\":", .logRecord)
    case .scopeMetrics: Self.scopeGroup("\"metrics\":", .metric)
    case .span: Self.spanFields
    case .event:
      [
        OTLPField(1, "\"timeUnixNano\":", .fixed64), OTLPField(2, "\"name\":", .text),
        Self.attributes(3), Self.dropped(4),
      ]
    case .link:
      [
        OTLPField(1, "\"traceId\":", .traceID), OTLPField(2, "\"spanId\":", .spanID),
        OTLPField(3, "\"traceState\":", .text), Self.attributes(4), Self.dropped(5),
        OTLPField(6, "\"flags\":", .fixed32),
      ]
    case .status:
      [OTLPField(2, "\"message\":", .text), OTLPField(3, "\"code\":", .int32)]
    case .logRecord: Self.logFields
    case .resource, .entityRef, .scope, .keyValue, .anyValue, .arrayValue, .keyValueList:
      sharedFields
    default: metricFields
    }
  }

  private var sharedFields: [OTLPField] {
    switch self {
    case .resource:
      [
        Self.attributes(1), Self.dropped(2),
        OTLPField(3, "\"entityRefs\":", .list, .entityRef),
      ]
    case .entityRef:
      [
        OTLPField(1, "\"schemaUrl\":", .text), OTLPField(2, "\"type\":", .text),
        OTLPField(3, "\"idKeys\":", .texts), OTLPField(4, "\"descriptionKeys\":", .texts),
      ]
    case .scope:
      [
        OTLPField(1, "\"name\":", .text), OTLPField(2, "\"version\":", .text),
        Self.attributes(3), Self.dropped(4),
      ]
    case .keyValue:
      [
        OTLPField(1, "\"key\":", .text),
        OTLPField(2, "\"value\":", .lastMessage, .anyValue, .always),
      ]
    case .anyValue:
      [
        OTLPField(1, "\"stringValue\":", .text, .none, .choice),
        OTLPField(2, "\"boolValue\":", .bool, .none, .choice),
        OTLPField(3, "\"intValue\":", .int64, .none, .choice),
        OTLPField(4, "\"doubleValue\":", .double, .none, .choice),
        OTLPField(5, "\"arrayValue\":", .lastMessage, .arrayValue, .choice),
        OTLPField(6, "\"kvlistValue\":", .lastMessage, .keyValueList, .choice),
        OTLPField(7, "\"bytesValue\":", .base64, .none, .choice),
      ]
    case .arrayValue: [OTLPField(1, "\"values\":", .list, .anyValue)]
    default: [OTLPField(1, "\"values\":", .attributes, .keyValue)]
    }
  }

  private static func resourceGroup(_ key: StaticString, _ scopes: OTLPMessage) -> [OTLPField] {
    [
      OTLPField(1, "\"resource\":", .message, .resource, .always),
      OTLPField(2, key, .list, scopes),
      // Senders of 2022 had scopes here, which count only where field 2 is absent.
      OTLPField(1000, key, .list, scopes),
      OTLPField(3, "\"schemaUrl\":", .text),
    ]
  }

  private static func scopeGroup(_ key: StaticString, _ record: OTLPMessage) -> [OTLPField] {
    [
      OTLPField(1, "\"scope\":", .message, .scope, .always),
      OTLPField(2, key, .list, record),
      OTLPField(3, "\"schemaUrl\":", .text),
    ]
  }

  private static func attributes(_ number: UInt16) -> OTLPField {
    OTLPField(number, "\"attributes\":", .attributes, .keyValue)
  }

  private static func dropped(_ number: UInt16) -> OTLPField {
    OTLPField(number, "\"droppedAttributesCount\":", .uint32)
  }

  private static let spanFields = [
    OTLPField(1, "\"traceId\":", .traceID), OTLPField(2, "\"spanId\":", .spanID),
    OTLPField(3, "\"traceState\":", .text), OTLPField(4, "\"parentSpanId\":", .spanID),
    OTLPField(16, "\"flags\":", .fixed32), OTLPField(5, "\"name\":", .text),
    OTLPField(6, "\"kind\":", .int32), OTLPField(7, "\"startTimeUnixNano\":", .fixed64),
    OTLPField(8, "\"endTimeUnixNano\":", .fixed64), attributes(9), dropped(10),
    OTLPField(11, "\"events\":", .list, .event), OTLPField(12, "\"droppedEventsCount\":", .uint32),
    OTLPField(13, "\"links\":", .list, .link), OTLPField(14, "\"droppedLinksCount\":", .uint32),
    OTLPField(15, "\"status\":", .message, .status, .always),
  ]

  private static let logFields = [
    OTLPField(1, "\"timeUnixNano\":", .fixed64),
    OTLPField(11, "\"observedTimeUnixNano\":", .fixed64),
    OTLPField(2, "\"severityNumber\":", .int32), OTLPField(3, "\"severityText\":", .text),
    OTLPField(5, "\"body\":", .lastMessage, .anyValue, .always), attributes(6), dropped(7),
    OTLPField(8, "\"flags\":", .fixed32), OTLPField(9, "\"traceId\":", .traceID),
    OTLPField(10, "\"spanId\":", .spanID), OTLPField(12, "\"eventName\":", .text),
  ]

  private var metricFields: [OTLPField] {
    let start = OTLPField(2, "\"startTimeUnixNano\":", .fixed64)
    let time = OTLPField(3, "\"timeUnixNano\":", .fixed64)
    let count = OTLPField(4, "\"count\":", .fixed64)
    let temporality = OTLPField(2, "\"aggregationTemporality\":", .int32)
    func points(_ point: OTLPMessage) -> OTLPField {
      OTLPField(1, "\"dataPoints\":", .list, point)
    }
    func measured(_ number: UInt16, _ key: StaticString) -> OTLPField {
      OTLPField(number, key, .double, .none, .explicit)
    }
    func exemplars(_ number: UInt16) -> OTLPField {
      OTLPField(number, "\"exemplars\":", .list, .exemplar)
    }
    func value(_ number: UInt16) -> [OTLPField] {
      [
        OTLPField(number, "\"asDouble\":", .double, .none, .choice),
        OTLPField(6, "\"asInt\":", .sfixed64, .none, .choice),
      ]
    }
    switch self {
    case .metric:
      return [
        OTLPField(1, "\"name\":", .text), OTLPField(2, "\"description\":", .text),
        OTLPField(3, "\"unit\":", .text),
        OTLPField(5, "\"gauge\":", .message, .gauge, .choice),
        OTLPField(7, "\"sum\":", .message, .sum, .choice),
        OTLPField(9, "\"histogram\":", .message, .histogram, .choice),
        OTLPField(10, "\"exponentialHistogram\":", .message, .exponentialHistogram, .choice),
        OTLPField(11, "\"summary\":", .message, .summary, .choice),
        OTLPField(12, "\"metadata\":", .attributes, .keyValue),
      ]
    case .gauge: return [points(.numberPoint)]
    case .sum:
      return [points(.numberPoint), temporality, OTLPField(3, "\"isMonotonic\":", .bool)]
    case .histogram: return [points(.histogramPoint), temporality]
    case .exponentialHistogram: return [points(.exponentialPoint), temporality]
    case .summary: return [points(.summaryPoint)]
    case .numberPoint:
      return [Self.attributes(7), start, time] + value(4)
        + [exemplars(5), OTLPField(8, "\"flags\":", .uint32)]
    case .histogramPoint:
      return [
        Self.attributes(9), start, time, count, measured(5, "\"sum\":"),
        OTLPField(6, "\"bucketCounts\":", .fixed64List),
        OTLPField(7, "\"explicitBounds\":", .doubleList), exemplars(8),
        OTLPField(10, "\"flags\":", .uint32), measured(11, "\"min\":"), measured(12, "\"max\":"),
      ]
    case .exponentialPoint:
      return [
        Self.attributes(1), start, time, count, measured(5, "\"sum\":"),
        OTLPField(6, "\"scale\":", .sint32), OTLPField(7, "\"zeroCount\":", .fixed64),
        OTLPField(8, "\"positive\":", .message, .buckets),
        OTLPField(9, "\"negative\":", .message, .buckets),
        OTLPField(10, "\"flags\":", .uint32), exemplars(11), measured(12, "\"min\":"),
        measured(13, "\"max\":"), OTLPField(14, "\"zeroThreshold\":", .double),
      ]
    case .buckets:
      return [
        OTLPField(1, "\"offset\":", .sint32), OTLPField(2, "\"bucketCounts\":", .uint64List),
      ]
    case .summaryPoint:
      return [
        Self.attributes(7), start, time, count, OTLPField(5, "\"sum\":", .double),
        OTLPField(6, "\"quantileValues\":", .list, .quantile),
        OTLPField(8, "\"flags\":", .uint32),
      ]
    case .quantile:
      return [OTLPField(1, "\"quantile\":", .double), OTLPField(2, "\"value\":", .double)]
    case .exemplar:
      return [
        OTLPField(7, "\"filteredAttributes\":", .attributes, .keyValue),
        OTLPField(2, "\"timeUnixNano\":", .fixed64),
      ] + value(3)
        + [OTLPField(4, "\"spanId\":", .spanID), OTLPField(5, "\"traceId\":", .traceID)]
    default: return []
    }
  }
}
