import Model

/// Which decoder reads which content.
enum Decoders {
  @Sendable
  static func make(
    content: Content,
    source: SourceID,
    offset: UInt64
  ) -> any StreamDecoder {
    content == .protobuf
      ? ProtobufStreamDecoder(source: source, offset: offset)
      : JSONStreamDecoder(source: source, offset: offset)
  }

  @Sendable
  static func details(of bytes: [UInt8]) -> RecordDetails? {
    bytes.withUnsafeBytes { bytes -> RecordDetails? in
      guard bytes.first == 0x7B else { return nil }
      return JSONDetailsDecoder.decode(bytes)
    }
  }
}
