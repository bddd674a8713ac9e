/// Hashes of what a record says, the same for every encoding of it.
///
/// The parts of a record are added up (`&+`), so their order does not matter. A part that has its default
/// value (0, an empty text, an empty list) counts as absent and contributes 0.
enum CanonicalHash {
  /// Separates kinds of values that could otherwise have equal hashes.
  private enum Tag {
    static let string: UInt64 = 0x9e37_79b9_7f4a_7c15
    static let bool: UInt64 = 0xbf58_476d_1ce4_e5b9
    static let int: UInt64 = 0x94d0_49bb_1331_11eb
    static let double: UInt64 = 0xd6e8_feb8_6659_fd93
    static let bytes: UInt64 = 0xa076_1d64_78bd_642f
    static let list: UInt64 = 0xe703_7ed1_a0b4_28db
    static let pairs: UInt64 = 0x8ebc_6af0_9c88_c6e3
    static let empty: UInt64 = 0x5899_65cc_7537_4cc3
    static let field: UInt64 = 0x1d8e_4e27_c47d_124f
  }

  /// Levels of arrays and lists of pairs that count; what lies deeper counts as empty.
  static let depthLimit = 64

  /// The hash of an attribute's value.
  @inline(__always)
  static func value(_ value: AttributeValue) -> UInt64 {
    switch value {
    case .string(let bytes): string(hash: ByteHash.hash(bytes))
    case .bool(let flag): ByteHash.mix(Tag.bool, flag ? 0x51 : 0xa3)
    case .int(let number): ByteHash.mix(Tag.int, UInt64(bitPattern: number) ^ ByteHash.secret2)
    case .double(let number): double(number)
    case .composite(let hash, _): hash
    case .empty: Tag.empty
    }
  }

  /// The hash of a string value whose bytes have the `ByteHash` given.
  @inline(__always)
  static func string(hash: UInt64) -> UInt64 {
    ByteHash.mix(Tag.string, hash)
  }

  private static func double(_ number: Double) -> UInt64 {
    let bits = number.isNaN ? Double.nan.bitPattern : number.bitPattern
    return ByteHash.mix(Tag.double, bits ^ ByteHash.secret3)
  }

  /// The hash of a bytes value, decoded.
  static func bytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    ByteHash.mix(Tag.bytes, ByteHash.hash(bytes))
  }

  /// The hash of one key with its value; sums of these are sets of attributes.
  @inline(__always)
  static func attribute(keyHash: UInt64, valueHash: UInt64) -> UInt64 {
    ByteHash.mix(keyHash ^ ByteHash.secret0, valueHash ^ ByteHash.secret1)
  }

  static func attribute(key: UnsafeRawBufferPointer, value: AttributeValue) -> UInt64 {
    attribute(keyHash: ByteHash.hash(key), valueHash: Self.value(value))
  }

  /// The part of an attribute that does not count because its key came before: order matters there.
  static func repeated(_ attributeHash: UInt64) -> UInt64 {
    ByteHash.mix(attributeHash ^ ByteHash.secret2, Tag.list)
  }

  /// The hash of a list of pairs whose `attribute` hashes add up to the sum.
  static func pairs(sum: UInt64) -> UInt64 {
    ByteHash.mix(Tag.pairs, sum ^ ByteHash.secret1)
  }

  /// An array value: its elements' `value` hashes are added in order.
  struct List {
    private var state = Tag.list

    init() {}

    mutating func add(_ valueHash: UInt64) {
      state = ByteHash.mix(state ^ ByteHash.secret2, valueHash ^ ByteHash.secret3)
    }

    /// The hash of the whole array, for `AttributeValue.composite`.
    var hash: UInt64 { ByteHash.mix(state, Tag.list) }
  }

  /// A number of a record (kind, flags, a dropped count); 0 when it is 0.
  ///
  /// `field` is the field's number in the protobuf message of the record.
  @inline(__always)
  static func number(field: UInt64, _ number: UInt64) -> UInt64 {
    number == 0 ? 0 : ByteHash.mix(number ^ ByteHash.secret0, (field &+ 1) &* Tag.field)
  }

  /// A text of a record (trace state, severity text); 0 when it is empty.
  static func text(field: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.count == 0 ? 0 : number(field: field, ByteHash.hash(bytes) | 1)
  }

  /// A trace id that the model does not keep (a link's, a log's) as its halves; 0 when both are 0.
  ///
  /// Span ids of that kind count as a `number`.
  static func traceID(field: UInt64, high: UInt64, low: UInt64) -> UInt64 {
    high | low == 0 ? 0 : number(field: field, ByteHash.mix(high ^ ByteHash.secret0, low) | 1)
  }

  /// A part of a record that is a message of its own (an event, a link).
  ///
  /// `field` is the part's number in the protobuf message of the record; `sum` is the sum of the part's
  /// own `number`, `text` and `attribute` hashes, with the field numbers of its own message.
  static func message(field: UInt64, sum: UInt64) -> UInt64 {
    ByteHash.mix(sum ^ ByteHash.secret1, (field &+ 1) &* Tag.pairs)
  }
}
