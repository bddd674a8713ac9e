/// Bytes of protobuf messages, written by hand for tests of odd input.
enum ProtobufBytes {
  static func varint(_ value: UInt64) -> [UInt8] {
    var left = value
    var result: [UInt8] = []
    while left >= 0x80 {
      result.append(UInt8(left & 0x7f) | 0x80)
      left >>= 7
    }
    return result + [UInt8(left)]
  }

  static func tag(_ number: UInt32, _ wire: UInt8) -> [UInt8] {
    varint(UInt64(number) << 3 | UInt64(wire))
  }

  static func number(_ number: UInt32, _ value: UInt64) -> [UInt8] {
    tag(number, 0) + varint(value)
  }

  static func fixed64(_ number: UInt32, _ value: UInt64) -> [UInt8] {
    tag(number, 1) + (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func fixed32(_ number: UInt32, _ value: UInt32) -> [UInt8] {
    tag(number, 5) + (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func bytes(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
    tag(number, 2) + varint(UInt64(content.count)) + content
  }

  static func text(_ number: UInt32, _ text: String) -> [UInt8] {
    bytes(number, Array(text.utf8))
  }

  static func pair(_ key: String, _ value: [UInt8]) -> [UInt8] {
    text(1, key) + bytes(2, value)
  }

  static let traceID = Array(UInt8(1)...16)
  static let spanID = Array(UInt8(0xa0)...0xa7)

  /// A `Span` message with ids, a name and times, and what is added.
  static func span(_ name: String = "app-startup", adding more: [UInt8] = []) -> [UInt8] {
    bytes(1, traceID) + bytes(2, spanID) + text(5, name)
      + fixed64(7, 1_780_000_000_000_000_000) + fixed64(8, 1_780_000_001_000_000_000) + more
  }

  /// A request with one group of records; `scopes` is the field number of the scope list.
  static func request(_ records: [[UInt8]], scopes: UInt32 = 2) -> [UInt8] {
    bytes(1, bytes(scopes, records.flatMap { bytes(2, $0) }))
  }

  /// The collector's framing.
  static func framed(_ message: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (24 - $0 * 8)) } + message
  }
}
