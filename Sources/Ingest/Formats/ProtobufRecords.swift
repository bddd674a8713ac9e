import Model

extension OTLPProtobufDecoder {
  /// Reads a `Span` message into the assembler; observes nothing when it is malformed.
  mutating func span(
    _ message: UnsafeRawBufferPointer,
    at place: RecordPlace,
    into assembler: inout RecordAssembler
  ) -> ProtobufFault? {
    assembler.beginSpan(place: place)
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    var name = none
    var traceState = none
    var statusMessage = none
    var statusCode: UInt64 = 0
    var start: UInt64 = 0
    var end: UInt64 = 0
    // Numbers that only count for the record's content: the last of each on the wire.
    var kind: UInt64 = 0
    var flags: UInt64 = 0
    var dropped: (attributes: UInt64, events: UInt64, links: UInt64) = (0, 0, 0)
    var reader = ProtobufReader(message)
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (9, .bytes):
        guard let (key, value) = pair(field.bytes) else { return .badAttribute }
        assembler.spanAttribute(key: key, value: value)
      case (1, .bytes):
        (assembler.span.traceHigh, assembler.span.traceLow) = ProtobufIdentifier.trace(field.bytes)
      case (2, .bytes): assembler.span.spanID = ProtobufIdentifier.span(field.bytes)
      case (3, .bytes): traceState = field.bytes
      case (4, .bytes): assembler.span.parentID = ProtobufIdentifier.span(field.bytes)
      case (5, .bytes): name = field.bytes
      case (6, .varint): kind = field.value
      case (7, .fixed64): start = field.value
      case (8, .fixed64): end = field.value
      case (10, .varint): dropped.attributes = field.value
      case (12, .varint): dropped.events = field.value
      case (14, .varint): dropped.links = field.value
      case (16, .fixed32): flags = field.value
      case (11, .bytes):
        guard let sum = event(field.bytes) else { return .badAttribute }
        assembler.spanContent(CanonicalHash.message(field: 11, sum: sum))
      case (13, .bytes):
        guard let sum = link(field.bytes) else { return .badAttribute }
        assembler.spanContent(CanonicalHash.message(field: 13, sum: sum))
      case (15, .bytes):
        var status = ProtobufReader(field.bytes)
        while let member = status.next() {
          if member.matches(2, .bytes) { statusMessage = member.bytes }
          if member.matches(3, .varint) { statusCode = member.value }
        }
        if let fault = status.fault { return fault }
      default: break
      }
    }
    if let fault = reader.fault { return fault }
    assembler.spanName(name)
    if statusMessage.count > 0 { assembler.spanStatusMessage(statusMessage) }
    assembler.span.status = SpanStatus(rawValue: UInt8(clamping: statusCode)) ?? .unset
    assembler.spanTimes(start: start, end: end)
    assembler.spanContent(
      CanonicalHash.number(field: 6, kind) &+ CanonicalHash.number(field: 16, flags)
        &+ CanonicalHash.number(field: 10, dropped.attributes)
        &+ CanonicalHash.number(field: 12, dropped.events)
        &+ CanonicalHash.number(field: 14, dropped.links)
        &+ CanonicalHash.text(field: 3, traceState)
    )
    assembler.endSpan()
    return nil
  }

  /// The sum of hashes of a `Span.Event` message; nil when malformed.
  private mutating func event(_ message: UnsafeRawBufferPointer) -> UInt64? {
    var sum: UInt64 = 0
    var reader = ProtobufReader(message)
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (1, .fixed64): sum &+= CanonicalHash.number(field: 1, field.value)
      case (2, .bytes): sum &+= CanonicalHash.text(field: 2, field.bytes)
      case (3, .bytes):
        guard let (key, value) = pair(field.bytes) else { return nil }
        sum &+= CanonicalHash.attribute(key: key, value: value)
      case (4, .varint): sum &+= CanonicalHash.number(field: 4, field.value)
      default: break
      }
    }
    return reader.fault == nil ? sum : nil
  }

  /// The sum of hashes of a `Span.Link` message; nil when malformed.
  private mutating func link(_ message: UnsafeRawBufferPointer) -> UInt64? {
    var sum: UInt64 = 0
    var reader = ProtobufReader(message)
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (1, .bytes):
        let (high, low) = ProtobufIdentifier.trace(field.bytes)
        sum &+= CanonicalHash.traceID(field: 1, high: high, low: low)
      case (2, .bytes):
        sum &+= CanonicalHash.number(field: 2, ProtobufIdentifier.span(field.bytes))
      case (3, .bytes): sum &+= CanonicalHash.text(field: 3, field.bytes)
      case (4, .bytes):
        guard let (key, value) = pair(field.bytes) else { return nil }
        sum &+= CanonicalHash.attribute(key: key, value: value)
      case (5, .varint): sum &+= CanonicalHash.number(field: 5, field.value)
      case (6, .fixed32): sum &+= CanonicalHash.number(field: 6, field.value)
      default: break
      }
    }
    return reader.fault == nil ? sum : nil
  }

  /// Reads a `LogRecord` message into the assembler; observes nothing when it is malformed.
  mutating func log(
    _ message: UnsafeRawBufferPointer,
    at place: RecordPlace,
    into assembler: inout RecordAssembler
  ) -> ProtobufFault? {
    assembler.beginLog(place: place)
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    var severityText = none
    var eventName = none
    var body: UnsafeRawBufferPointer?
    var time: UInt64 = 0
    var observed: UInt64 = 0
    var dropped: UInt64 = 0
    var flags: UInt64 = 0
    var trace: (high: UInt64, low: UInt64) = (0, 0)
    var spanID: UInt64 = 0
    var reader = ProtobufReader(message)
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (1, .fixed64): time = field.value
      case (2, .varint): assembler.log.severity = UInt8(clamping: field.value)
      case (3, .bytes): severityText = field.bytes
      case (5, .bytes): body = field.bytes
      case (6, .bytes):
        guard let (key, value) = pair(field.bytes) else { return .badAttribute }
        assembler.logAttribute(key: key, value: value)
      case (7, .varint): dropped = field.value
      case (8, .fixed32): flags = field.value
      case (9, .bytes): trace = ProtobufIdentifier.trace(field.bytes)
      case (10, .bytes): spanID = ProtobufIdentifier.span(field.bytes)
      case (11, .fixed64): observed = field.value
      case (12, .bytes): eventName = field.bytes
      default: break
      }
    }
    if let fault = reader.fault { return fault }
    if let body {
      guard
        let value = ProtobufValue.read(body),
        let text = values.attributeValue(value)
      else { return .badAttribute }
      assembler.logBody(text)
    }
    assembler.logEventName(eventName)
    assembler.logTimes(time: time, observed: observed)
    assembler.logContent(
      CanonicalHash.text(field: 3, severityText) &+ CanonicalHash.number(field: 7, dropped)
        &+ CanonicalHash.number(field: 8, flags) &+ CanonicalHash.number(field: 10, spanID)
        &+ CanonicalHash.traceID(field: 9, high: trace.high, low: trace.low)
    )
    assembler.endLog()
    return nil
  }
}
