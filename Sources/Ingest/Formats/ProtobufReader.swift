/// Why bytes are no protobuf message.
enum ProtobufFault: Equatable {
  case fieldZero
  case unknownWireType
  case varintTooLong
  case lengthPastEnd
  case unbalancedGroup
  case badAttribute

  var text: StaticString {
    switch self {
    case .fieldZero: "field number 0"
    case .unknownWireType: "unknown wire type"
    case .varintTooLong: "varint of more than 10 bytes"
    case .lengthPastEnd: "length beyond the end"
    case .unbalancedGroup: "unbalanced group"
    case .badAttribute: "malformed attribute"
    }
  }
}

/// One field of a protobuf message.
struct ProtobufField {
  enum Wire: UInt8 {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
    case fixed32 = 5
  }

  var number: UInt32
  var wire: Wire
  /// The value of a varint or a fixed field; 0 for bytes.
  var value: UInt64 = 0
  /// The content of a bytes field; empty for others.
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  /// True when the field has this number and wire type; with another wire type it counts as unknown.
  @inline(__always)
  func matches(_ number: UInt32, _ wire: Wire) -> Bool {
    self.number == number && self.wire == wire
  }
}

/// Reads the fields of one protobuf message, without recursion and never beyond its bytes.
///
/// Groups are skipped whole. After `next` has returned nil, `fault` tells an end from an error.
struct ProtobufReader {
  private let bytes: UnsafeRawBufferPointer
  /// Where the next field begins.
  private(set) var position = 0
  private(set) var fault: ProtobufFault?
  /// Groups that were skipped, those inside of others not counted.
  private(set) var skippedGroups = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The next field; nil at the end of the message and after a fault.
  @inline(__always)
  mutating func next() -> ProtobufField? {
    while position < bytes.count {
      guard let tag = varint() else { return nil }
      let number = UInt32(truncatingIfNeeded: tag >> 3)
      guard number != 0, tag <= UInt64(UInt32.max) else { return fail(.fieldZero) }
      switch tag & 7 {
      case 0:
        guard let value = varint() else { return nil }
        return ProtobufField(number: number, wire: .varint, value: value)
      case 1:
        guard bytes.count &- position >= 8 else { return fail(.lengthPastEnd) }
        let value = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        position &+= 8
        return ProtobufField(number: number, wire: .fixed64, value: UInt64(littleEndian: value))
      case 2:
        guard let length = varint() else { return nil }
        guard length <= UInt64(bytes.count &- position) else { return fail(.lengthPastEnd) }
        let start = position
        position &+= Int(truncatingIfNeeded: length)
        return ProtobufField(
          number: number,
          wire: .bytes,
          bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        )
      case 5:
        guard bytes.count &- position >= 4 else { return fail(.lengthPastEnd) }
        let value = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
        position &+= 4
        return ProtobufField(
          number: number,
          wire: .fixed32,
          value: UInt64(UInt32(littleEndian: value))
        )
      case 3: guard skipGroup(number) else { return nil }
      case 4: return fail(.unbalancedGroup)
      default: return fail(.unknownWireType)
      }
    }
    return nil
  }

  /// The content of the next bytes field with this number; fields before it are skipped.
  @inline(__always)
  mutating func next(bytes number: UInt32) -> UnsafeRawBufferPointer? {
    while let field = next() {
      if field.matches(number, .bytes) { return field.bytes }
    }
    return nil
  }

  /// Skips to the end of a group whose start has been read.
  ///
  /// Groups nest to any depth; a counter stands for the stack, so only the outermost end's number is
  /// checked.
  @inline(never)
  private mutating func skipGroup(_ number: UInt32) -> Bool {
    skippedGroups += 1
    var depth = 1
    while depth > 0 {
      guard position < bytes.count else {
        fault = .unbalancedGroup
        return false
      }
      guard let tag = varint() else { return false }
      guard tag >> 3 != 0, tag <= UInt64(UInt32.max) else {
        fault = .fieldZero
        return false
      }
      var length: UInt64 = 0
      switch tag & 7 {
      case 0: if varint() == nil { return false }
      case 1: length = 8
      case 2:
        guard let own = varint() else { return false }
        length = own
      case 3: depth += 1
      case 4:
        depth -= 1
        if depth == 0, tag >> 3 != UInt64(number) {
          fault = .unbalancedGroup
          return false
        }
      case 5: length = 4
      default:
        fault = .unknownWireType
        return false
      }
      guard length <= UInt64(bytes.count - position) else {
        fault = .lengthPastEnd
        return false
      }
      position += Int(length)
    }
    return true
  }

  @inline(__always)
  private mutating func varint() -> UInt64? {
    guard position < bytes.count else { return fail(.lengthPastEnd) }
    let first = bytes[position]
    if first < 0x80 {
      position &+= 1
      return UInt64(first)
    }
    return longVarint()
  }

  private mutating func longVarint() -> UInt64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    var index = position
    while index < bytes.count {
      let byte = bytes[index]
      index &+= 1
      // Bits beyond 64 in the tenth byte are dropped, as the official library does.
      result |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 {
        position = index
        return result
      }
      shift &+= 7
      guard shift < 70 else { return fail(.varintTooLong) }
    }
    return fail(.lengthPastEnd)
  }

  private mutating func fail<Value>(_ fault: ProtobufFault) -> Value? {
    self.fault = fault
    position = bytes.count
    return nil
  }
}
