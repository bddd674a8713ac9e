/// The protobuf messages that records consist of, field by field, under the names of OTLP's JSON.
enum ProtobufSchema {
  case span
  case event
  case link
  case status
  case logRecord

  /// How a field's content reads.
  enum Form {
    case text
    /// An id, shown as hex digits.
    case identifier
    case number
    case signedNumber
    /// A list of `KeyValue`.
    case attributes
    /// An `AnyValue`.
    case value
    case message(ProtobufSchema)
    case list(ProtobufSchema)
  }

  /// The name and form of a field; nil when it is unknown or has another wire type.
  func field(_ field: ProtobufField) -> (name: String, form: Form)? {
    switch self {
    case .span: Self.spanField(field)
    case .event: Self.eventField(field)
    case .link: Self.linkField(field)
    case .status: Self.statusField(field)
    case .logRecord: Self.logField(field)
    }
  }

  private static func spanField(_ field: ProtobufField) -> (String, Form)? {
    switch (field.number, field.wire) {
    case (1, .bytes): ("traceId", .identifier)
    case (2, .bytes): ("spanId", .identifier)
    case (3, .bytes): ("traceState", .text)
    case (4, .bytes): ("parentSpanId", .identifier)
    case (5, .bytes): ("name", .text)
    case (6, .varint): ("kind", .signedNumber)
    case (7, .fixed64): ("startTimeUnixNano", .number)
    case (8, .fixed64): ("endTimeUnixNano", .number)
    case (9, .bytes): ("attributes", .attributes)
    case (10, .varint): ("droppedAttributesCount", .number)
    case (11, .bytes): ("events", .list(.event))
    case (12, .varint): ("droppedEventsCount", .number)
    case (13, .bytes): ("links", .list(.link))
    case (14, .varint): ("droppedLinksCount", .number)
    case (15, .bytes): ("status", .message(.status))
    case (16, .fixed32): ("flags", .number)
    default: nil
    }
  }

  private static func eventField(_ field: ProtobufField) -> (String, Form)? {
    switch (field.number, field.wire) {
    case (1, .fixed64): ("timeUnixNano", .number)
    case (2, .bytes): ("name", .text)
    case (3, .bytes): ("attributes", .attributes)
    case (4, .varint): ("droppedAttributesCount", .number)
    default: nil
    }
  }

  private static func linkField(_ field: ProtobufField) -> (String, Form)? {
    switch (field.number, field.wire) {
    case (1, .bytes): ("traceId", .identifier)
    case (2, .bytes): ("spanId", .identifier)
    case (3, .bytes): ("traceState", .text)
    case (4, .bytes): ("attributes", .attributes)
    case (5, .varint): ("droppedAttributesCount", .number)
    case (6, .fixed32): ("flags", .number)
    default: nil
    }
  }

  private static func statusField(_ field: ProtobufField) -> (String, Form)? {
    switch (field.number, field.wire) {
    case (2, .bytes): ("message", .text)
    case (3, .varint): ("code", .signedNumber)
    default: nil
    }
  }

  private static func logField(_ field: ProtobufField) -> (String, Form)? {
    switch (field.number, field.wire) {
    case (1, .fixed64): ("timeUnixNano", .number)
    case (2, .varint): ("severityNumber", .signedNumber)
    case (3, .bytes): ("severityText", .text)
    case (5, .bytes): ("body", .value)
    case (6, .bytes): ("attributes", .attributes)
    case (7, .varint): ("droppedAttributesCount", .number)
    case (8, .fixed32): ("flags", .number)
    case (9, .bytes): ("traceId", .identifier)
    case (10, .bytes): ("spanId", .identifier)
    case (11, .fixed64): ("observedTimeUnixNano", .number)
    case (12, .bytes): ("eventName", .text)
    default: nil
    }
  }
}
