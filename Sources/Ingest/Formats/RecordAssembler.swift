import Model

/// The value of one attribute as a decoder hands it over.
///
/// Bytes are UTF-8 as the data has it (unescaped, not yet repaired) and valid only during the call.
enum AttributeValue {
  case string(UnsafeRawBufferPointer)
  case bool(Bool)
  case int(Int64)
  case double(Double)
  /// An array, a list of pairs or bytes: only its canonical hash counts.
  case composite(UInt64)
  case empty
}

/// Turns the fields of records, whatever their encoding, into events for the telemetry that it owns.
///
/// Decoders call `begin…`, set fields and attributes in any order, and call `end…`; nothing is observed
/// before the end, so a record that turns out to be malformed leaves no trace but its problem.
struct RecordAssembler: ~Copyable {
  var telemetry: Telemetry
  /// The span between `beginSpan` and `endSpan`; decoders set ids, times, status and parent directly.
  var span = SpanRecord(place: RecordPlace(source: SourceID(0), offset: 0, length: 0))
  /// The log record between `beginLog` and `endLog`; decoders set times and severity directly.
  var log = LogRecord(place: RecordPlace(source: SourceID(0), offset: 0, length: 0))

  init(telemetry: consuming Telemetry) {
    self.telemetry = telemetry
  }

  /// Makes a resource that was seen before with the very same bytes the current one.
  ///
  /// Returns false when the bytes are new: then decode them between `beginResource` and `endResource`.
  mutating func reuseResource(encoded: UnsafeRawBufferPointer) -> Bool { false }
  mutating func beginResource() {}
  mutating func resourceAttribute(key: UnsafeRawBufferPointer, value: AttributeValue) {}
  /// Makes the resource current; `encoded` are its bytes for `reuseResource`.
  mutating func endResource(encoded: UnsafeRawBufferPointer) {}
  /// The current resource and scope become the empty ones.
  mutating func resetResource() {}

  /// Makes a scope current; nil is an absent field.
  mutating func setScope(name: UnsafeRawBufferPointer?, version: UnsafeRawBufferPointer?) {}

  mutating func beginSpan(place: RecordPlace) {}
  mutating func spanName(_ name: UnsafeRawBufferPointer) {}
  mutating func spanStatusMessage(_ message: UnsafeRawBufferPointer) {}
  /// Adds one attribute; of several with the same key the first counts.
  mutating func spanAttribute(key: UnsafeRawBufferPointer, value: AttributeValue) {}
  /// Adds the canonical hash of something that the model does not keep (events, links, trace state).
  mutating func spanContent(_ hash: UInt64) {}
  /// Times as they stand in the record, 0 when absent; the assembler rescales and range-checks them.
  mutating func spanTimes(start: UInt64, end: UInt64) {}
  mutating func endSpan() {}

  mutating func beginLog(place: RecordPlace) {}
  mutating func logBody(_ value: AttributeValue) {}
  mutating func logEventName(_ name: UnsafeRawBufferPointer) {}
  mutating func logAttribute(key: UnsafeRawBufferPointer, value: AttributeValue) {}
  mutating func logContent(_ hash: UInt64) {}
  mutating func logTimes(time: UInt64, observed: UInt64) {}
  mutating func endLog() {}

  /// The symbol of a name outside of records (ledger names), announced when it is new.
  mutating func symbol(_ bytes: UnsafeRawBufferPointer) -> Symbol { .none }
}

/// Splits the bytes of one source into records and decodes them.
///
/// One per source; fed in pieces of any size, split anywhere. Whatever it holds back (a record without
/// its end) it keeps in a buffer of its own.
protocol StreamDecoder {
  /// Takes the next bytes of the stream.
  mutating func consume(_ bytes: UnsafeRawBufferPointer, into assembler: inout RecordAssembler)
  /// Takes a complete value that lacks its line end, as at a rotation or after a calm of two seconds.
  mutating func settle(into assembler: inout RecordAssembler)
  /// The stream has ended: what is held back is decoded if whole, else counted as incomplete.
  mutating func finish(into assembler: inout RecordAssembler)
  /// Kinds of content found since the last call (`SourceKind.unknown` when none).
  mutating func takeKind() -> SourceKind
}
