import Model

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
