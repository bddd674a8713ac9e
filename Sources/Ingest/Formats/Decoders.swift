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
    return JSONStreamDecoder(source: source, offset: offset)
  }

  @Sendable
  static func details(of bytes: [UInt8]) -> RecordDetails? { nil }
}
