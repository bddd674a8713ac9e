import Model

/// Reads what opentelemetry-swift writes besides OTLP: the spans and log records of its persistence files
/// and of its stdout exporters, each a JSON object of its own.
///
/// A persistence file is a row of arrays with a comma after each, which the stream decoder takes apart.
struct SwiftExportDecoder {
  enum Shape {
    /// `SpanData` as it is encoded for a persistence file.
    case span
    /// `ReadableLogRecord` as it is encoded for a persistence file and for stdout.
    case log
    /// A span as it is printed: without status, resource, scope, and with texts for all values.
    case printedSpan
  }

  let source: SourceID
  private var members = SwiftExportMembers()
  /// Attributes dropped from the record because no attribute can look like that.
  var droppedValues = 0
  let keyText = JSONTextBuffer()
  let valueText = JSONTextBuffer()
  /// The key of the attribute being read, which outlasts its value's reading.
  let nameText = JSONTextBuffer()

  init(source: SourceID) {
    self.source = source
  }

  /// What the object that comes next is; nil when it is none of these.
  mutating func shape(_ start: JSONScanner) throws(JSONFault) -> Shape? {
    members.removeAll()
    var scanner = start
    var first = true
    scanner.position &+= 1
    while let text = try scanner.nextKey(&first) {
      let key = SwiftExportKey(keyText.plain(text, of: scanner))
      _ = try scanner.peek()
      if let key { members[key] = scanner.position }
      try scanner.skipValue()
    }
    if begins(.traceId, "{", start), begins(.spanId, "{", start), members[.startTime] != nil {
      return .span
    }
    if begins(.instrumentationScopeInfo, "{", start), members[.timestamp] != nil { return .log }
    let isPrinted =
      begins(.span, "\"", start) && begins(.traceId, "\"", start) && begins(.spanId, "\"", start)
    return isPrinted && members[.start] != nil && members[.duration] != nil ? .printedSpan : nil
  }

  /// Whether the object that `shape` gave up on has members that only records have.
  var hasRecordMembers: Bool {
    [
      SwiftExportKey.startTime, .endTime, .hasEnded, .resource, .instrumentationScope,
      .instrumentationScopeInfo, .status,
    ].contains { members[$0] != nil }
  }

  private func begins(
    _ key: SwiftExportKey,
    _ byte: Unicode.Scalar,
    _ scanner: JSONScanner
  ) -> Bool {
    guard let position = members[key] else { return false }
    return scanner.base[position] == UInt8(ascii: byte)
  }

  /// A reader of the member's value; nil when the object, of which `shape` told, has none.
  func member(_ key: SwiftExportKey, of object: JSONScanner) -> JSONScanner? {
    members[key].map { position in
      var scanner = object
      scanner.position = position
      return scanner
    }
  }

  /// Observes the record that `shape` has just told of.
  mutating func observe(
    _ shape: Shape,
    _ object: JSONScanner,
    _ place: RecordPlace,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    droppedValues = 0
    switch shape {
    case .span: try span(object, place, into: &assembler)
    case .printedSpan: try printedSpan(object, place, into: &assembler)
    case .log: try log(object, place, into: &assembler)
    }
    if droppedValues > 0 {
      assembler.observe(.counted(.truncatedValues, count: droppedValues, source: source))
    }
  }

  func lose(
    _ text: String,
    at place: RecordPlace,
    into assembler: inout RecordAssembler
  ) {
    assembler.lose(.malformed, of: source, at: place.offset, line: assembler.line, text)
  }
}
