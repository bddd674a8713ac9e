import Model

/// Which decoder reads which content.
enum Decoders {
  @Sendable
  static func make(
    content: Content,
    source: SourceID,
    offset: UInt64
  ) -> any StreamDecoder {
    if content == .protobuf { return ProtobufStreamDecoder(source: source, offset: offset) }
    return UndecodedStream()
  }

  @Sendable
  static func details(of bytes: [UInt8]) -> RecordDetails? { nil }
}

/// Takes bytes and finds nothing in them.
private struct UndecodedStream: StreamDecoder {
  mutating func consume(_ bytes: UnsafeRawBufferPointer, into assembler: inout RecordAssembler) {}
  mutating func settle(into assembler: inout RecordAssembler) {}
  mutating func finish(into assembler: inout RecordAssembler) {}
  mutating func takeKind() -> SourceKind { .unknown }
}
