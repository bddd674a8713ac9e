import Model

/// The times of a span, or of a log record: its own and when it was observed.
struct RecordTimes {
  var start = OTLPNumber.absent
  var end = OTLPNumber.absent
}

/// A time or another unsigned number of a record.
enum OTLPNumber {
  case value(UInt64)
  /// Null, an empty string or the key is not there.
  case absent
  case bad
}

extension OTLPJSONDecoder {
  // MARK: - Spans

  /// Reads the span whose brace comes next; one with a bad time is lost and nothing else.
  mutating func span(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    let start = scanner.position
    let times = try members(of: .span, &scanner, into: &assembler)
    guard let startTime = time(times.start), let endTime = time(times.end) else {
      return lose(at: start, "a span's time is no number of nanoseconds")
    }
    assembler.spanTimes(start: startTime, end: endTime)
    assembler.span.place.length = UInt32(clamping: scanner.position &- start)
    assembler.endSpan()
  }

  /// Reads the value of a span's member.
  mutating func spanMember(
    _ key: OTLPKey,
    _ scanner: inout JSONScanner,
    _ times: inout RecordTimes,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    switch key {
    case .traceId:
      (assembler.span.traceHigh, assembler.span.traceLow) = try traceID(&scanner) ?? (0, 0)
    case .spanId: assembler.span.spanID = try spanID(&scanner) ?? 0
    case .parentSpanId: assembler.span.parentID = try spanID(&scanner) ?? 0
    case .name:
      if let name = try self.text(&scanner) {
        assembler.spanName(valueText.plain(name, of: scanner))
      }
    case .kind:
      let kind = try enumeration(&scanner, named: EnumText.spanKind)
      assembler.spanContent(CanonicalHash.number(field: 6, kind))
    case .startTimeUnixNano: times.start = try unsigned(&scanner)
    case .endTimeUnixNano: times.end = try unsigned(&scanner)
    case .attributes: _ = try attributes(of: .span, &scanner, into: &assembler)
    case .status: try status(&scanner, into: &assembler)
    case .traceState:
      if let state = try self.text(&scanner) {
        let bytes = valueText.plain(state, of: scanner)
        assembler.spanContent(CanonicalHash.text(field: 3, bytes))
      }
    case .events: try parts(field: 11, &scanner, into: &assembler)
    case .links: try parts(field: 13, &scanner, into: &assembler)
    case .droppedAttributesCount: try number(field: 10, &scanner, into: &assembler)
    case .droppedEventsCount: try number(field: 12, &scanner, into: &assembler)
    case .droppedLinksCount: try number(field: 14, &scanner, into: &assembler)
    case .flags: try number(field: 16, &scanner, into: &assembler)
    default: try scanner.skipValue()
    }
  }

  private func time(_ number: OTLPNumber) -> UInt64? {
    switch number {
    case .value(let value): value
    case .absent: 0
    case .bad: nil
    }
  }

  private mutating func status(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard try scanner.peek() == UInt8(ascii: "{") else { return try scanner.skipValue() }
    var first = true
    scanner.position &+= 1
    if scanner.position < scanner.end, scanner.base[scanner.position] == UInt8(ascii: "}") {
      scanner.position &+= 1
      return
    }
    while let key = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(key, of: scanner)) {
      case .code:
        let code = try enumeration(&scanner, named: EnumText.statusCode)
        assembler.span.status = SpanStatus(rawValue: UInt8(clamping: code)) ?? .unset
      case .message:
        if let message = try text(&scanner) {
          assembler.spanStatusMessage(valueText.plain(message, of: scanner))
        }
      default: try scanner.skipValue()
      }
    }
  }

  /// Reads events or links, which count only in the span's content.
  private mutating func parts(
    field: UInt64,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    guard try scanner.take(UInt8(ascii: "[")) else {
      if try scanner.peek() != UInt8(ascii: "n") { tally.droppedValues += 1 }
      return try scanner.skipValue()
    }
    var first = true
    while try scanner.nextElement(&first) {
      guard try scanner.peek() == UInt8(ascii: "{") else {
        try scanner.skipValue()
        continue
      }
      let sum = try field == 11 ? event(&scanner, &assembler) : link(&scanner, &assembler)
      assembler.spanContent(CanonicalHash.message(field: field, sum: sum))
    }
  }

  private mutating func event(
    _ scanner: inout JSONScanner,
    _ assembler: inout RecordAssembler
  ) throws(JSONFault) -> UInt64 {
    var sum: UInt64 = 0
    var first = true
    scanner.position &+= 1
    while let text = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(text, of: scanner)) {
      case .timeUnixNano: sum &+= try numberHash(field: 1, &scanner)
      case .name: sum &+= try textHash(field: 2, &scanner)
      case .attributes: sum &+= try attributes(of: .part, &scanner, into: &assembler)
      case .droppedAttributesCount: sum &+= try numberHash(field: 4, &scanner)
      default: try scanner.skipValue()
      }
    }
    return sum
  }

  private mutating func link(
    _ scanner: inout JSONScanner,
    _ assembler: inout RecordAssembler
  ) throws(JSONFault) -> UInt64 {
    var sum: UInt64 = 0
    var first = true
    scanner.position &+= 1
    while let text = try scanner.nextKey(&first) {
      switch OTLPKey(keyText.plain(text, of: scanner)) {
      case .traceId: sum &+= traceHash(field: 1, try traceID(&scanner))
      case .spanId:
        sum &+= CanonicalHash.number(field: 2, try spanID(&scanner) ?? 0)
      case .traceState: sum &+= try textHash(field: 3, &scanner)
      case .attributes: sum &+= try attributes(of: .part, &scanner, into: &assembler)
      case .droppedAttributesCount: sum &+= try numberHash(field: 5, &scanner)
      case .flags: sum &+= try numberHash(field: 6, &scanner)
      default: try scanner.skipValue()
      }
    }
    return sum
  }

  // MARK: - Logs

  mutating func log(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    let start = scanner.position
    let times = try members(of: .log, &scanner, into: &assembler)
    guard let time = self.time(times.start), let observed = self.time(times.end) else {
      return lose(at: start, "a log record's time is no number of nanoseconds")
    }
    assembler.logTimes(time: time, observed: observed)
    assembler.log.place.length = UInt32(clamping: scanner.position &- start)
    assembler.endLog()
  }

  /// Reads the value of a log record's member.
  mutating func logMember(
    _ key: OTLPKey,
    _ scanner: inout JSONScanner,
    _ times: inout RecordTimes,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    switch key {
    case .timeUnixNano: times.start = try unsigned(&scanner)
    case .observedTimeUnixNano: times.end = try unsigned(&scanner)
    case .severityNumber:
      let number = try enumeration(&scanner, named: EnumText.severity)
      assembler.log.severity = UInt8(clamping: number)
    case .severityText: assembler.logContent(try textHash(field: 3, &scanner))
    case .body: assembler.logBody(try anyValue(&scanner) ?? .empty)
    case .attributes: _ = try attributes(of: .log, &scanner, into: &assembler)
    case .droppedAttributesCount: assembler.logContent(try numberHash(field: 7, &scanner))
    case .flags: assembler.logContent(try numberHash(field: 8, &scanner))
    case .traceId: assembler.logContent(traceHash(field: 9, try traceID(&scanner)))
    case .spanId:
      assembler.logContent(CanonicalHash.number(field: 10, try spanID(&scanner) ?? 0))
    case .eventName:
      if let name = try self.text(&scanner) {
        assembler.logEventName(valueText.plain(name, of: scanner))
      }
    default: try scanner.skipValue()
    }
  }

  // MARK: - Scalars

  @inline(__always)
  private mutating func traceID(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> (high: UInt64, low: UInt64)? {
    guard let id = try text(&scanner) else { return nil }
    return IdentifierText.traceID(keyText.plain(id, of: scanner))
  }

  @inline(__always)
  private mutating func spanID(_ scanner: inout JSONScanner) throws(JSONFault) -> UInt64? {
    guard let id = try text(&scanner) else { return nil }
    return IdentifierText.spanID(keyText.plain(id, of: scanner))
  }

  private func traceHash(field: UInt64, _ id: (high: UInt64, low: UInt64)?) -> UInt64 {
    id.map { CanonicalHash.traceID(field: field, high: $0.high, low: $0.low) } ?? 0
  }

  private mutating func number(
    field: UInt64,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    assembler.spanContent(try numberHash(field: field, &scanner))
  }

  private mutating func numberHash(
    field: UInt64,
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> UInt64 {
    guard case .value(let number) = try unsigned(&scanner) else { return 0 }
    return CanonicalHash.number(field: field, number)
  }

  private mutating func textHash(
    field: UInt64,
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> UInt64 {
    guard let text = try text(&scanner) else { return 0 }
    return CanonicalHash.text(field: field, valueText.plain(text, of: scanner))
  }

  private mutating func enumeration(
    _ scanner: inout JSONScanner,
    named: (UnsafeRawBufferPointer) -> UInt64
  ) throws(JSONFault) -> UInt64 {
    let byte = try scanner.peek()
    // The collector writes one digit.
    if byte &- 0x30 < 10, scanner.position &+ 1 < scanner.end {
      let next = scanner.base[scanner.position &+ 1]
      if next == UInt8(ascii: ",") || next == UInt8(ascii: "}") {
        scanner.position &+= 1
        return UInt64(byte &- 0x30)
      }
    }
    guard byte == UInt8(ascii: "\"") else {
      guard case .value(let number) = try unsigned(&scanner) else { return 0 }
      return number
    }
    let text = keyText.plain(try scanner.string(), of: scanner)
    return Digits.unsigned(text) ?? named(text)
  }

  /// An unsigned number as digits, a string, a float without fraction or `{"low":…,"high":…}`.
  @inline(__always)
  mutating func unsigned(_ scanner: inout JSONScanner) throws(JSONFault) -> OTLPNumber {
    if try scanner.peek() == UInt8(ascii: "\"") {
      let text = try scanner.string()
      if !text.isEscaped, let value = Digits.unsigned(scanner.bytes(of: text)) {
        return .value(value)
      }
      return unsigned(in: keyText.plain(text, of: scanner))
    }
    return try tolerantUnsigned(&scanner)
  }

  private func unsigned(in text: UnsafeRawBufferPointer) -> OTLPNumber {
    guard text.count > 0 else { return .absent }
    guard let value = JSONNumber.parse(text)?.uint64 else { return .bad }
    return .value(value)
  }

  @inline(never)
  private mutating func tolerantUnsigned(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> OTLPNumber {
    switch try scanner.peek() {
    case UInt8(ascii: "{"): return try longParts(&scanner)
    case UInt8(ascii: "-"), 0x30...0x39:
      guard let value = try scanner.number().uint64 else { return .bad }
      return .value(value)
    case UInt8(ascii: "n"):
      try scanner.skipValue()
      return .absent
    default:
      try scanner.skipValue()
      return .bad
    }
  }

  /// Two 32-bit halves, as some versions of opentelemetry-js wrote 64-bit numbers.
  private mutating func longParts(_ scanner: inout JSONScanner) throws(JSONFault) -> OTLPNumber {
    var value: UInt64 = 0
    var parts = 0
    var isBad = false
    var first = true
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      let known = OTLPKey(keyText.plain(key, of: scanner))
      let byte = try scanner.peek()
      let isHalf = known == .low || known == .high
      guard isHalf, byte == UInt8(ascii: "-") || byte &- 0x30 < 10 else {
        try scanner.skipValue()
        isBad = isBad || isHalf
        continue
      }
      guard let half = try scanner.number().int64 else {
        isBad = true
        continue
      }
      parts += 1
      let bits = UInt64(UInt32(truncatingIfNeeded: half))
      value |= known == .low ? bits : bits << 32
    }
    return parts > 0 && !isBad ? .value(value) : .bad
  }
}
