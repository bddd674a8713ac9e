/// Reads trace and span ids of protobuf messages.
///
/// Senders in the wild put 32 or 16 hex digits as ASCII into the bytes field; any length but those and
/// 16 or 8 bytes is no id.
enum ProtobufIdentifier {
  static func trace(_ bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
    if bytes.count == 16 { return (word(bytes, at: 0), word(bytes, at: 8)) }
    guard bytes.count == 32, let high = hex(bytes, at: 0), let low = hex(bytes, at: 16) else {
      return (0, 0)
    }
    return (high, low)
  }

  static func span(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count == 8 { return word(bytes, at: 0) }
    return bytes.count == 16 ? hex(bytes, at: 0) ?? 0 : 0
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Sixteen hex digits of either case.
  private static func hex(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64? {
    var result: UInt64 = 0
    for index in offset..<(offset + 16) {
      let digit: UInt8
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
      default: return nil
      }
      result = result << 4 | UInt64(digit)
    }
    return result
  }
}
