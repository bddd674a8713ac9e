/// What the records of a `ResourceSpans`, `ResourceLogs` or `ResourceMetrics` message are.
///
/// The three are alike on the wire down to the record, so the record's own fields must tell.
enum ProtobufRecordKind {
  case span
  case log
  case metric

  /// The kind that a record's fields prove; nil when they fit several kinds.
  static func certain(_ record: UnsafeRawBufferPointer) -> ProtobufRecordKind? {
    var reader = ProtobufReader(record)
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (1, .fixed64), (2, .varint), (6, .bytes), (7, .varint), (8, .fixed32), (11, .fixed64):
        return .log
      case (7, .fixed64), (8, .fixed64), (6, .varint), (10, .varint), (12, .varint), (13, .bytes),
        (14, .varint), (15, .bytes), (16, .fixed32):
        return .span
      case (7, .bytes): return .metric
      default: break
      }
    }
    return nil
  }

  /// The kind that a record most likely has.
  static func likely(_ record: UnsafeRawBufferPointer) -> ProtobufRecordKind {
    if let certain = certain(record) { return certain }
    var reader = ProtobufReader(record)
    var isNamed = false
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (1, .bytes):
        if field.bytes.count == 16 || field.bytes.count == 32 { return .span }
        isNamed = field.bytes.count > 0
      case (2, .bytes):
        if field.bytes.count == 8 { return .span }
      // A log's body is an AnyValue, whose string member spans it whole.
      case (5, .bytes) where !isNamed:
        var body = ProtobufReader(field.bytes)
        guard let member = body.next(), member.matches(1, .bytes), body.next() == nil else {
          continue
        }
        return body.fault == nil ? .log : .span
      default: break
      }
    }
    return isNamed ? .metric : .span
  }

  /// The kind of all records of one scope.
  static func of(scope: UnsafeRawBufferPointer) -> ProtobufRecordKind {
    var reader = ProtobufReader(scope)
    var first: UnsafeRawBufferPointer?
    while let record = reader.next(bytes: 2) {
      if let certain = certain(record) { return certain }
      first = first ?? record
    }
    return first.map(likely) ?? .span
  }
}
