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

  /// Decodes the bytes of one record in full; nil when there are none.
  @Sendable
  static func details(of bytes: [UInt8]) -> RecordDetails? {
    bytes.withUnsafeBytes { bytes -> RecordDetails? in
      switch bytes.first {
      case nil: return nil
      // In protobuf this byte would begin a group, which no record has.
      case 0x7B: return JSONDetailsDecoder.decode(bytes)
      default:
        let isLog = ProtobufRecordKind.likely(bytes) == .log
        return ProtobufDetailsDecoder.details(of: bytes, isLog: isLog)
      }
    }
  }
}
