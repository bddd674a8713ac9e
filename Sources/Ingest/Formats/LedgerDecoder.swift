import Model

/// Reads objects that are no OTLP: lines of the slow-event ledger, and MetricKit payloads to count.
struct LedgerDecoder {
  /// What an object is.
  enum Finding {
    case event
    case payload(Counted)
    /// Something else; the text guesses what.
    case foreign(String)
  }

  /// The members of a ledger line, by what they mean.
  struct Members {
    var name: JSONText?
    var kind: JSONText?
    var unit: JSONText?
    var detail: Range<Int>?
    var isDetailRows = false
    var nanoseconds: Int64?
    var duration: Range<Int>?
    var durationUnit = LedgerUnit.milliseconds
    var hasTime = false
    var foreign = ForeignMark.none
  }

  let source: SourceID
  var line: UInt64 = 0
  var members = Members()
  let keyText = JSONTextBuffer()
  let valueText = JSONTextBuffer()

  init(source: SourceID) {
    self.source = source
  }

  /// Reads the object that comes next and says what it is; `observe` then takes an event.
  mutating func read(_ start: JSONScanner) throws(JSONFault) -> Finding {
    var scanner = start
    var sniffer = MetricKitSniffer()
    members = Members()
    var first = true
    scanner.position &+= 1
    while let key = try scanner.nextKey(&first) {
      let bytes = keyText.plain(key, of: scanner)
      sniffer.see(bytes)
      members.foreign.see(bytes)
      _ = try scanner.peek()
      let begin = scanner.position
      try scanner.skipValue()
      take(LedgerKey(bytes), begin..<scanner.position, scanner)
    }
    if let counted = sniffer.finding { return .payload(counted) }
    let isEvent = members.name != nil && (members.hasTime || members.duration != nil)
    if isEvent, !members.foreign.excludesLedger { return .event }
    return .foreign(members.foreign.guess)
  }

  private mutating func take(_ key: LedgerKey, _ range: Range<Int>, _ scanner: JSONScanner) {
    guard scanner.base[range.lowerBound] != UInt8(ascii: "n") else { return }
    let text = string(range, scanner)
    switch key {
    case .name: members.name = text ?? members.name
    case .kind: members.kind = text ?? members.kind
    case .unit: members.unit = text
    case .time:
      let bytes = text.map { valueText.plain($0, of: scanner) } ?? scanner.bytes(range)
      switch LedgerTime.read(bytes, isText: text != nil) {
      case .wall(let nanoseconds):
        members.hasTime = true
        members.nanoseconds = members.nanoseconds ?? nanoseconds
      case .uptime: members.hasTime = true
      case .none: break
      }
    case .detail(let isRows):
      guard members.detail == nil || !isRows else { return }
      members.detail = range
      members.isDetailRows = isRows
    case .duration(let unit):
      let first = scanner.base[range.lowerBound]
      guard text != nil || first &- 0x30 < 10 || first == UInt8(ascii: "-") else { return }
      members.duration = range
      members.durationUnit = unit
    case .other: break
    }
  }

  /// The string at the range; nil when the value is none.
  private func string(_ range: Range<Int>, _ scanner: JSONScanner) -> JSONText? {
    guard scanner.base[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    let inner = scanner.bytes(from: range.lowerBound + 1, to: range.upperBound - 1)
    return JSONText(
      start: range.lowerBound + 1,
      count: inner.count,
      isEscaped: inner.contains(UInt8(ascii: "\\"))
    )
  }

  // MARK: - Events

  /// Observes the event that `read` has just found.
  mutating func observe(
    _ scanner: JSONScanner,
    _ record: UnsafeRawBufferPointer,
    _ place: RecordPlace,
    into assembler: inout RecordAssembler
  ) {
    var event = LedgerEvent(place: place)
    event.content = ByteHash.hash(record)
    if let nanoseconds = members.nanoseconds {
      event.time = Timestamp(nanoseconds: nanoseconds)
    } else {
      event.flags.insert(.noStart)
    }
    event.durationNanoseconds = duration(scanner)
    if event.durationNanoseconds == nil, let range = members.duration,
      !scanner.bytes(range).elementsEqual("null".utf8)
    {
      // The event stays; what it said of its duration could not be used.
      assembler.observe(.counted(.truncatedValues, count: 1, source: place.source))
    }
    if let name = members.name {
      let bytes = valueText.plain(name, of: scanner)
      event.signal = signal(bytes, scanner, hasDuration: event.durationNanoseconds != nil)
      event.name = assembler.symbol(bytes)
    }
    event.detail = detail(scanner, &assembler)
    assembler.observe(.ledger(event))
  }

  private mutating func duration(_ scanner: JSONScanner) -> Int64? {
    guard let range = members.duration else { return nil }
    var unit = members.durationUnit
    if let text = members.unit,
      let named = LedgerUnit(name: valueText.plain(text, of: scanner))
    {
      unit = named
    }
    let bytes = string(range, scanner).map { valueText.plain($0, of: scanner) }
    return LedgerDuration.read(bytes ?? scanner.bytes(range), unit)
  }

  private mutating func detail(
    _ scanner: JSONScanner,
    _ assembler: inout RecordAssembler
  ) -> Symbol {
    guard let range = members.detail else { return .none }
    if let text = string(range, scanner) {
      return text.count == 0 ? .none : assembler.symbol(valueText.plain(text, of: scanner))
    }
    guard members.isDetailRows else { return assembler.symbol(scanner.bytes(range)) }
    var rows = String(decoding: scanner.bytes(range), as: UTF8.self) + " rows"
    return rows.withUTF8 { assembler.symbol(UnsafeRawBufferPointer($0)) }
  }

  private func signal(
    _ name: UnsafeRawBufferPointer,
    _ scanner: JSONScanner,
    hasDuration: Bool
  ) -> Signal {
    if name.starts(with: "metrickit.".utf8) { return .ledgerPayload }
    let kind = members.kind.map { LedgerKind(keyText.plain($0, of: scanner)) } ?? .unknown
    if kind == .payload { return .ledgerPayload }
    guard hasDuration else { return .ledgerNote }
    switch kind {
    case .hang: return .ledgerHang
    case .hitch: return .ledgerHitch
    case .note: return .ledgerNote
    case .span: return .ledgerSpan
    case .payload, .unknown: break
    }
    if name.elementsEqual("main.hang".utf8) { return .ledgerHang }
    return name.elementsEqual("frame.hitch".utf8) ? .ledgerHitch : .ledgerSpan
  }
}

extension JSONScanner {
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    bytes(from: range.lowerBound, to: range.upperBound)
  }
}
