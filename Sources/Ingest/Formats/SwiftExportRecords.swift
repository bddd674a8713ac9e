import Model

extension SwiftExportDecoder {
  /// Stands in a record's content for `"hasEnded":false`, which OTLP cannot say.
  private static let unendedField: UInt64 = 1 << 32

  // MARK: - Spans

  mutating func span(
    _ object: JSONScanner,
    _ place: RecordPlace,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard let start = try time(.startTime, object), let end = try time(.endTime, object) else {
      return lose("a span's time is no number of seconds", at: place, into: &assembler)
    }
    try context(scope: .instrumentationScope, object, into: &assembler)
    assembler.beginSpan(place: place)
    if var scanner = member(.traceId, of: object) {
      (assembler.span.traceHigh, assembler.span.traceLow) = try traceID(&scanner)
    }
    if var scanner = member(.spanId, of: object) { assembler.span.spanID = try spanID(&scanner) }
    if var scanner = member(.parentSpanId, of: object) {
      assembler.span.parentID = try spanID(&scanner)
    }
    try name(.name, kind: .kind, object, into: &assembler)
    if var scanner = member(.status, of: object) { try status(&scanner, into: &assembler) }
    if let scanner = member(.hasEnded, of: object), scanner.base[scanner.position] == 0x66 {
      assembler.span.flags.insert(.inProgress)
      assembler.spanContent(CanonicalHash.number(field: Self.unendedField, 1))
    }
    var kept: UInt64 = 0
    if var scanner = member(.attributes, of: object) {
      kept = try attributes(&scanner) { assembler.spanAttribute(key: $0, value: $1) }
    }
    try dropped(.totalAttributeCount, kept, field: 10, object, into: &assembler)
    kept = try parts(.events, field: 11, object, into: &assembler)
    try dropped(.totalRecordedEvents, kept, field: 12, object, into: &assembler)
    kept = try parts(.links, field: 13, object, into: &assembler)
    try dropped(.totalRecordedLinks, kept, field: 14, object, into: &assembler)
    assembler.spanTimes(start: start, end: end)
    assembler.endSpan()
  }

  mutating func printedSpan(
    _ object: JSONScanner,
    _ place: RecordPlace,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard let start = try seconds(.start, object), let length = try seconds(.duration, object)
    else { return lose("a span's time is no number of seconds", at: place, into: &assembler) }
    assembler.resetResource()
    assembler.beginSpan(place: place)
    assembler.span.flags.insert(.statusUnknown)
    if var scanner = member(.traceId, of: object) {
      (assembler.span.traceHigh, assembler.span.traceLow) = try traceID(&scanner)
    }
    if var scanner = member(.spanId, of: object) { assembler.span.spanID = try spanID(&scanner) }
    if var scanner = member(.parentSpanId, of: object) {
      assembler.span.parentID = try spanID(&scanner)
    }
    try name(.span, kind: .spanKind, object, into: &assembler)
    if var scanner = member(.attributes, of: object) {
      _ = try attributes(&scanner) { assembler.spanAttribute(key: $0, value: $1) }
    }
    assembler.spanTimes(
      start: SwiftExportTime.unixNanoseconds(start),
      end: SwiftExportTime.unixNanoseconds(start + length)
    )
    assembler.endSpan()
  }

  private mutating func name(
    _ key: SwiftExportKey,
    kind: SwiftExportKey,
    _ object: JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    if var scanner = member(key, of: object), let name = try text(&scanner, valueText) {
      assembler.spanName(name)
    }
    if var scanner = member(kind, of: object), let kind = try text(&scanner, valueText) {
      assembler.spanContent(CanonicalHash.number(field: 6, EnumText.spanKind(kind)))
    }
  }

  /// `{"unset":{}}`, `{"ok":{}}` or `{"error":{"description":"…"}}`.
  private mutating func status(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      let code = EnumText.statusCode(decoder.keyText.plain(key, of: scanner))
      assembler.span.status = SpanStatus(rawValue: UInt8(clamping: code)) ?? .unset
      try decoder.members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
        let isText = decoder.keyText.plain(key, of: scanner).elementsEqual("description".utf8)
        guard isText, let message = try decoder.text(&scanner, decoder.valueText) else { return }
        assembler.spanStatusMessage(message)
      }
    }
  }

  /// What the SDK dropped: its total less what is there.
  private mutating func dropped(
    _ key: SwiftExportKey,
    _ kept: UInt64,
    field: UInt64,
    _ object: JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard var scanner = member(key, of: object), let total = try unsigned(&scanner), total > kept
    else { return }
    assembler.spanContent(CanonicalHash.number(field: field, total - kept))
  }

  /// Reads events or links, which count only in the span's content; how many there are.
  private mutating func parts(
    _ key: SwiftExportKey,
    field: UInt64,
    _ object: JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) -> UInt64 {
    guard var scanner = member(key, of: object), try scanner.take(UInt8(ascii: "[")) else {
      return 0
    }
    var count: UInt64 = 0
    var first = true
    while try scanner.nextElement(&first) {
      count &+= 1
      let sum = try field == 11 ? event(&scanner) : link(&scanner)
      assembler.spanContent(CanonicalHash.message(field: field, sum: sum))
    }
    return count
  }

  private mutating func event(_ scanner: inout JSONScanner) throws(JSONFault) -> UInt64 {
    var sum: UInt64 = 0
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      switch SwiftExportKey(decoder.keyText.plain(key, of: scanner)) {
      case .timestamp:
        let seconds = try decoder.number(&scanner) ?? -.infinity
        sum &+= CanonicalHash.number(field: 1, SwiftExportTime.unixNanoseconds(seconds))
      case .name:
        guard let name = try decoder.text(&scanner, decoder.valueText) else { return }
        sum &+= CanonicalHash.text(field: 2, name)
      case .attributes: sum &+= try decoder.attributeSum(&scanner)
      default: break
      }
    }
    return sum
  }

  private mutating func link(_ scanner: inout JSONScanner) throws(JSONFault) -> UInt64 {
    var sum: UInt64 = 0
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      let key = decoder.keyText.plain(key, of: scanner)
      if key.elementsEqual("context".utf8) {
        let context = try decoder.spanContext(&scanner)
        sum &+= CanonicalHash.traceID(field: 1, high: context.traceHigh, low: context.traceLow)
        sum &+= CanonicalHash.number(field: 2, context.spanID)
      } else if SwiftExportKey(key) == .attributes {
        sum &+= try decoder.attributeSum(&scanner)
      }
    }
    return sum
  }

  // MARK: - Logs

  mutating func log(
    _ object: JSONScanner,
    _ place: RecordPlace,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard let time = try self.time(.timestamp, object),
      let observed = try self.time(.observedTimestamp, object)
    else {
      return lose("a log record's time is no number of seconds", at: place, into: &assembler)
    }
    try context(scope: .instrumentationScopeInfo, object, into: &assembler)
    assembler.beginLog(place: place)
    if var scanner = member(.severity, of: object), let severity = try unsigned(&scanner) {
      assembler.log.severity = UInt8(clamping: severity)
      var text = EnumText.severityText(severity)
      text.withUTF8 {
        assembler.logContent(CanonicalHash.text(field: 3, UnsafeRawBufferPointer($0)))
      }
    }
    if var scanner = member(.body, of: object) {
      assembler.logBody(try value(&scanner) ?? .empty)
    }
    if var scanner = member(.attributes, of: object) {
      _ = try attributes(&scanner) { assembler.logAttribute(key: $0, value: $1) }
    }
    if var scanner = member(.eventName, of: object),
      let name = try text(&scanner, valueText)
    {
      assembler.logEventName(name)
    }
    if var scanner = member(.spanContext, of: object) {
      let context = try spanContext(&scanner)
      assembler.logContent(CanonicalHash.number(field: 8, context.flags))
      assembler.logContent(
        CanonicalHash.traceID(field: 9, high: context.traceHigh, low: context.traceLow)
      )
      assembler.logContent(CanonicalHash.number(field: 10, context.spanID))
    }
    assembler.logTimes(time: time, observed: observed)
    assembler.endLog()
  }

  // MARK: - Resources and scopes

  private mutating func context(
    scope: SwiftExportKey,
    _ object: JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    if let scanner = member(.resource, of: object) {
      try resource(scanner, into: &assembler)
    } else {
      assembler.resetResource()
    }
    guard var scanner = member(scope, of: object) else { return }
    var name: JSONText?
    var version: JSONText?
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      let key = OTLPKey(decoder.keyText.plain(key, of: scanner))
      guard key == .name || key == .version, try scanner.peek() == UInt8(ascii: "\"") else {
        return
      }
      let text = try scanner.string()
      if key == .name { name = text } else { version = text }
    }
    assembler.setScope(
      name: name.map { keyText.plain($0, of: object) },
      version: version.map { valueText.plain($0, of: object) }
    )
  }

  private mutating func resource(
    _ start: JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    var scanner = start
    try scanner.skipBalanced()
    let encoded = scanner.bytes(from: start.position, to: scanner.position)
    if assembler.reuseResource(encoded: encoded) { return }
    assembler.beginResource()
    scanner = start
    try members(&scanner) { (decoder, key, scanner) throws(JSONFault) in
      guard SwiftExportKey(decoder.keyText.plain(key, of: scanner)) == .attributes else { return }
      _ = try decoder.attributes(&scanner) { assembler.resourceAttribute(key: $0, value: $1) }
    }
    assembler.endResource(encoded: encoded)
  }
}
