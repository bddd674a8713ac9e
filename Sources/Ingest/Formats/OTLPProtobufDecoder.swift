import Model

/// Decodes OTLP requests in protobuf: traces and logs become records, metrics are counted by data point.
struct OTLPProtobufDecoder {
  /// What became of a message.
  enum Outcome: Equatable {
    case decoded
    /// A protobuf message without anything of OTLP.
    case notTelemetry
    case malformed(ProtobufFault)
  }

  let source: SourceID
  var values = ProtobufValueHash()

  init(source: SourceID) {
    self.source = source
  }

  /// Decodes one request; its bytes begin at `offset` of the source.
  ///
  /// A record that is malformed inside is a problem of its own; where the messages around records are
  /// malformed, the whole request is, and none of its records is observed.
  mutating func decode(
    _ message: UnsafeRawBufferPointer,
    at offset: UInt64,
    into assembler: inout RecordAssembler
  ) -> Outcome {
    assembler.beginBatch()
    var part = Part(source: source, message: message, offset: offset)
    let outcome = request(message, &part, into: &assembler)
    if outcome == .decoded {
      assembler.commit()
      if part.metricPoints > 0 {
        assembler.observe(.counted(.metricPoints, count: part.metricPoints, source: source))
      }
      if part.profiles > 0 {
        assembler.observe(.counted(.profiles, count: part.profiles, source: source))
      }
    } else {
      assembler.discard()
    }
    return outcome
  }

  /// The request that is being decoded.
  struct Part {
    let source: SourceID
    let message: UnsafeRawBufferPointer
    let offset: UInt64
    var isProfiles = false
    var metricPoints = 0
    var profiles = 0

    init(source: SourceID, message: UnsafeRawBufferPointer, offset: UInt64) {
      self.source = source
      self.message = message
      self.offset = offset
    }

    /// Where a record that lies within the message is in the source.
    func place(of record: UnsafeRawBufferPointer) -> RecordPlace {
      var distance = 0
      if let start = message.baseAddress, let own = record.baseAddress { distance = own - start }
      return RecordPlace(
        source: source,
        offset: offset + UInt64(distance),
        length: UInt32(clamping: record.count)
      )
    }
  }

  private mutating func request(
    _ message: UnsafeRawBufferPointer,
    _ part: inout Part,
    into assembler: inout RecordAssembler
  ) -> Outcome {
    var isTelemetry = false
    var scan = ProtobufReader(message)
    while let field = scan.next() {
      if field.matches(1, .bytes) { isTelemetry = true }
      // Only profiles have a second field: the dictionary of all their texts.
      if field.matches(2, .bytes) { part.isProfiles = true }
    }
    if let fault = scan.fault { return .malformed(fault) }
    guard isTelemetry else { return .notTelemetry }
    var reader = ProtobufReader(message)
    while let field = reader.next(bytes: 1) {
      if let fault = resource(field, &part, into: &assembler) { return .malformed(fault) }
    }
    return .decoded
  }

  /// A `ResourceSpans` message or one of its likes, whose fields may come in any order.
  private mutating func resource(
    _ message: UnsafeRawBufferPointer,
    _ part: inout Part,
    into assembler: inout RecordAssembler
  ) -> ProtobufFault? {
    var resources: [UnsafeRawBufferPointer] = []
    var hasScopes = false
    var scan = ProtobufReader(message)
    while let field = scan.next() {
      if field.matches(1, .bytes) { resources.append(field.bytes) }
      if field.matches(2, .bytes) { hasScopes = true }
    }
    if let fault = scan.fault { return fault }
    if let fault = context(resources, into: &assembler) { return fault }
    // Senders of 2022 had scopes in field 1000, which counts only where field 2 is absent.
    let scopes: UInt32 = hasScopes ? 2 : 1000
    var reader = ProtobufReader(message)
    while let field = reader.next(bytes: scopes) {
      if let fault = scope(field, &part, into: &assembler) { return fault }
    }
    return nil
  }

  /// Makes the resource current that these `Resource` messages merge to.
  private mutating func context(
    _ messages: [UnsafeRawBufferPointer],
    into assembler: inout RecordAssembler
  ) -> ProtobufFault? {
    guard let first = messages.first else {
      assembler.resetResource()
      return nil
    }
    let encoded = messages.count == 1 ? first : UnsafeRawBufferPointer(start: nil, count: 0)
    if assembler.reuseResource(encoded: encoded) { return nil }
    assembler.beginResource()
    for message in messages {
      var reader = ProtobufReader(message)
      while let field = reader.next(bytes: 1) {
        guard let (key, value) = pair(field) else { return .badAttribute }
        assembler.resourceAttribute(key: key, value: value)
      }
      if let fault = reader.fault { return fault }
    }
    assembler.endResource(encoded: encoded)
    return nil
  }

  /// A `ScopeSpans` message or one of its likes.
  private mutating func scope(
    _ message: UnsafeRawBufferPointer,
    _ part: inout Part,
    into assembler: inout RecordAssembler
  ) -> ProtobufFault? {
    var name: UnsafeRawBufferPointer?
    var version: UnsafeRawBufferPointer?
    var scan = ProtobufReader(message)
    while let field = scan.next(bytes: 1) {
      var reader = ProtobufReader(field)
      while let member = reader.next() {
        if member.matches(1, .bytes) { name = member.bytes }
        if member.matches(2, .bytes) { version = member.bytes }
      }
      if let fault = reader.fault { return fault }
    }
    if let fault = scan.fault { return fault }
    assembler.setScope(name: name, version: version)
    let kind = ProtobufRecordKind.of(scope: message)
    var reader = ProtobufReader(message)
    while let record = reader.next(bytes: 2) {
      if part.isProfiles {
        part.profiles += 1
        continue
      }
      let place = part.place(of: record)
      let fault =
        switch kind {
        case .span: span(record, at: place, into: &assembler)
        case .log: log(record, at: place, into: &assembler)
        case .metric: metric(record, &part.metricPoints)
        }
      if let fault { report(fault, at: place, into: &assembler) }
    }
    return nil
  }

  /// Counts the data points of a `Metric` message.
  private func metric(
    _ message: UnsafeRawBufferPointer,
    _ points: inout Int
  ) -> ProtobufFault? {
    var reader = ProtobufReader(message)
    var own = 0
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (5, .bytes), (7, .bytes), (9, .bytes), (10, .bytes), (11, .bytes):
        var data = ProtobufReader(field.bytes)
        while data.next(bytes: 1) != nil { own += 1 }
        if let fault = data.fault { return fault }
      default: break
      }
    }
    if reader.fault == nil { points += own }
    return reader.fault
  }

  private func report(
    _ fault: ProtobufFault,
    at place: RecordPlace,
    into assembler: inout RecordAssembler
  ) {
    let text = "malformed protobuf record: \(fault.text)"
    assembler.lose(.malformed, of: source, at: place.offset, text)
  }

  /// A `KeyValue` message; nil when malformed.
  @inline(__always)
  mutating func pair(
    _ bytes: UnsafeRawBufferPointer
  ) -> (key: UnsafeRawBufferPointer, value: AttributeValue)? {
    guard
      let pair = ProtobufPair.read(bytes),
      let value = values.attributeValue(pair.value)
    else { return nil }
    return (pair.key, value)
  }
}
