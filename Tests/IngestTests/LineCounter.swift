import Model

@testable import Ingest

/// Stands for a decoder: reports each line as a problem that quotes it.
///
/// A last line without its end is reported by `settle` if it ends with a full stop, and by `finish`.
struct LineCounter: StreamDecoder {
  let source: SourceID
  private var held: [UInt8] = []
  private var line: UInt64 = 0
  private var offset: UInt64

  init(source: SourceID, offset: UInt64) {
    self.source = source
    self.offset = offset
  }

  static let factory: DecoderFactory = { _, source, offset in
    LineCounter(source: source, offset: offset)
  }

  mutating func consume(_ bytes: UnsafeRawBufferPointer, into assembler: inout RecordAssembler) {
    for byte in bytes {
      if byte == 0x0A { take(.malformed, into: &assembler) } else { held.append(byte) }
    }
  }

  private mutating func take(_ kind: ProblemKind, into assembler: inout RecordAssembler) {
    line += 1
    let place = RecordPlace(source: source, offset: offset, length: UInt32(held.count))
    held.withUnsafeBytes {
      assembler.telemetry.observe(record: RawRecord(place: place, bytes: $0))
    }
    let text = String(decoding: held, as: UTF8.self)
    assembler.telemetry.observe(
      .problem(Problem(source: source, kind: kind, offset: offset, line: line, text: text))
    )
    offset += UInt64(held.count) + 1
    held = []
  }

  mutating func settle(into assembler: inout RecordAssembler) {
    if held.last == 0x2E { take(.malformed, into: &assembler) }
  }

  mutating func finish(into assembler: inout RecordAssembler) {
    if !held.isEmpty { take(.incomplete, into: &assembler) }
  }

  mutating func takeKind() -> SourceKind { .unknown }
}
