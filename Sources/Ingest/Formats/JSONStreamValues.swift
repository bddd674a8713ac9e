import Model

/// A line that is no JSON, as far as it has been seen.
struct JunkLine {
  var offset: UInt64
  var line: UInt64
  /// Its first bytes.
  var sample: [UInt8]
  /// It holds control characters that no text has.
  var isBinary = false
  /// It holds a quote: if a record follows, this was part of one.
  var hasQuote = false
  /// It follows records of a persistence file, whose line it does not end.
  var isTear = false
}

extension JSONStreamDecoder {
  /// Decodes the value between the indices; the index after it, or why and where it is no JSON.
  ///
  /// Nothing of it is observed before all of it has turned out to be right, but for definitions.
  mutating func decode(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ end: Int,
    into assembler: inout RecordAssembler
  ) -> Result<Int, JSONFault> {
    var scanner = JSONScanner(base: base, position: at, end: end)
    decoder.streamOffset = offset &- UInt64(at)
    assembler.line = line
    do throws(JSONFault) {
      guard base[at] == UInt8(ascii: "{") else {
        try scanner.skipValue()
        isBinaryRun = false
        lose(.notTelemetry, at: offset, "an array that holds no telemetry", into: &assembler)
        return .success(scanner.position)
      }
      assembler.beginBatch()
      let isOTLP = try decoder.decode(&scanner, into: &assembler)
      let record = scanner.bytes(from: at, to: scanner.position)
      let place = RecordPlace(
        source: source,
        offset: offset,
        length: UInt32(clamping: record.count)
      )
      if isOTLP {
        assembler.telemetry.observe(record: RawRecord(place: place, bytes: record))
        assembler.commit()
        found(.otlpJSON)
        if !decoder.tally.isEmpty { report(base, at, into: &assembler) }
      } else {
        assembler.discard()
        ledger.line = line
        let start = JSONScanner(base: base, position: at, end: end)
        if decoder.hasOtherRecord, let shape = try swiftExport.shape(start) {
          assembler.telemetry.observe(record: RawRecord(place: place, bytes: record))
          try swiftExport.observe(shape, start, place, into: &assembler)
          found(.otlpJSON)
          if shape != .printedSpan { exportLine = line }
        } else {
          try readOther(start, record, place, &assembler)
        }
      }
      isBinaryRun = false
      return .success(scanner.position)
    } catch {
      assembler.discard()
      return .failure(error)
    }
  }

  /// Observes what a request held besides records.
  private mutating func report(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    into assembler: inout RecordAssembler
  ) {
    let tally = decoder.tally
    let counts: [(Counted, Int)] = [
      (.metricPoints, tally.metricPoints), (.profiles, tally.profiles),
      (.truncatedValues, tally.droppedValues),
    ]
    for (counted, count) in counts where count > 0 {
      assembler.observe(.counted(counted, count: count, source: source))
    }
    for (position, text) in tally.problems {
      let place = place(of: position, base, at)
      lose(.malformed, at: place.offset, line: place.line, text, into: &assembler)
    }
  }

  /// A complete object without an OTLP key.
  private mutating func readOther(
    _ scanner: JSONScanner,
    _ record: UnsafeRawBufferPointer,
    _ place: RecordPlace,
    _ assembler: inout RecordAssembler
  ) throws(JSONFault) {
    switch try ledger.read(scanner) {
    case .event:
      assembler.telemetry.observe(record: RawRecord(place: place, bytes: record))
      ledger.observe(scanner, record, place, into: &assembler)
      found(.ledger)
    case .payload(let counted):
      assembler.telemetry.observe(record: RawRecord(place: place, bytes: record))
      assembler.observe(.counted(counted, count: 1, source: source))
      found(.metricKit)
    case .foreign(let guess):
      lose(.notTelemetry, at: place.offset, guess, into: &assembler)
    }
  }

  // MARK: - Lines that are no JSON

  /// Bytes of a lost line that its problem may quote.
  private static let sampleLength = 48

  /// Begins a line that is no JSON, once enough of it is there to quote.
  mutating func beginJunk(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending
  ) -> Int {
    let end = min(count, at &+ Self.sampleLength)
    let newline = JSONLineSearch.index(of: 0x0A, base, from: at, to: end)
    guard newline != nil || ending == .final || count &- at >= Self.sampleLength else { return at }
    let sample = UnsafeBufferPointer(start: base + at, count: (newline ?? end) &- at)
    var junk = JunkLine(offset: offset, line: line, sample: Array(sample))
    junk.isBinary = Self.isBinary(base, at, at &+ 1)
    junk.hasQuote = base[at] == UInt8(ascii: "\"")
    junk.isTear = exportLine == line
    mode = .junk(junk)
    return at &+ 1
  }

  /// Goes on with a line that is no JSON up to its end or to a request or record inside of it.
  ///
  /// What stands before a request on its line, as a container runtime writes it, is no loss.
  mutating func readJunk(
    _ junk: JunkLine,
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    let rest = LostRest(requestsFrom: 0, crossesLines: junk.isTear)
    let found = search(rest, base, at, count, ending, isWholeRequest: false)
    switch found {
    case .request(let index):
      if junk.isTear { tear(junk, into: &assembler) }
      return resume(at: index, base, at, count, ending, into: &assembler)
    case .record(let index):
      let hasQuote = junk.hasQuote || Self.hasQuote(base, at, index)
      if junk.isTear || hasQuote { tear(junk, into: &assembler) }
      return resume(at: index, isRecord: true, base, at, count, ending, into: &assembler)
    case .newline(let index):
      end(junk, binary: Self.isBinary(base, at, index), into: &assembler)
      line &+= 1
      return index &+ 1
    case .none(let index):
      var seen = junk
      seen.isBinary = seen.isBinary || Self.isBinary(base, at, index)
      seen.hasQuote = seen.hasQuote || Self.hasQuote(base, at, index)
      mode = .junk(seen)
      line &+= newlines(base, at, index)
      return index
    }
  }

  private static func hasQuote(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    JSONLineSearch.index(of: UInt8(ascii: "\""), base, from: start, to: end) != nil
  }

  private func tear(_ junk: JunkLine, into assembler: inout RecordAssembler) {
    let text = "something that is no JSON stands between records"
    lose(.malformed, at: junk.offset, line: junk.line, text, into: &assembler)
  }

  mutating func end(
    _ junk: JunkLine,
    binary: Bool = false,
    into assembler: inout RecordAssembler
  ) {
    mode = .between
    if junk.isTear { return tear(junk, into: &assembler) }
    let isBinary = junk.isBinary || binary
    defer { isBinaryRun = isBinary }
    // Binary data has newlines by chance: a run of such lines is one loss.
    if isBinary, isBinaryRun { return }
    let text = isBinary ? "binary data" : Self.guess(junk.sample)
    lose(.notTelemetry, at: junk.offset, line: junk.line, text, into: &assembler)
  }

  private static func isBinary(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var at = start
    while at < end {
      let byte = base[at]
      if byte < 0x20, byte != 0x09, byte != 0x0D, byte != 0x1B, byte != 0x0C { return true }
      at &+= 1
    }
    return false
  }

  /// What a line that is no JSON object may be.
  private static func guess(_ sample: [UInt8]) -> String {
    let text = String(decoding: sample, as: UTF8.self)
    let trimmed = String(text.reversed().drop(while: \.isWhitespace).reversed())
    let lowered = trimmed.lowercased()
    if lowered.hasPrefix("<!doctype") || lowered.hasPrefix("<html") || lowered.hasPrefix("<?xml") {
      return "a line of HTML or XML"
    }
    if ["null", "true", "false"].contains(trimmed) || Double(trimmed) != nil
      || (trimmed.hasPrefix("\"") && trimmed.hasSuffix("\"") && trimmed.count > 1)
    {
      return "a bare JSON value"
    }
    // The data's own characters: who shows them knows what they may do to a terminal.
    let scalars = trimmed.unicodeScalars
    let quoted = String(String.UnicodeScalarView(scalars.prefix(32)))
    return "a line that is no JSON: \(quoted)\(scalars.count > 32 ? "…" : "")"
  }
}
