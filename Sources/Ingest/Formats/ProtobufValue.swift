/// An `AnyValue` message as far as its own level goes.
enum ProtobufValue {
  case scalar(AttributeValue)
  case bytes(UnsafeRawBufferPointer)
  /// The bytes of an `ArrayValue` message.
  case array(UnsafeRawBufferPointer)
  /// The bytes of a `KeyValueList` message.
  case pairs(UnsafeRawBufferPointer)

  /// Reads an `AnyValue`; nil when malformed.
  ///
  /// Of several members the last on the wire counts.
  @inline(__always)
  static func read(_ bytes: UnsafeRawBufferPointer) -> ProtobufValue? {
    var reader = ProtobufReader(bytes)
    var result = ProtobufValue.scalar(.empty)
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (1, .bytes): result = .scalar(.string(field.bytes))
      case (2, .varint): result = .scalar(.bool(field.value != 0))
      case (3, .varint): result = .scalar(.int(Int64(bitPattern: field.value)))
      case (4, .fixed64): result = .scalar(.double(Double(bitPattern: field.value)))
      case (5, .bytes): result = .array(field.bytes)
      case (6, .bytes): result = .pairs(field.bytes)
      case (7, .bytes): result = .bytes(field.bytes)
      default: break
      }
    }
    return reader.fault == nil ? result : nil
  }
}

/// A `KeyValue` message.
struct ProtobufPair {
  var key = UnsafeRawBufferPointer(start: nil, count: 0)
  var value = ProtobufValue.scalar(.empty)

  /// Reads a `KeyValue`; nil when malformed.
  @inline(__always)
  static func read(_ bytes: UnsafeRawBufferPointer) -> ProtobufPair? {
    usual(bytes) ?? general(bytes)
  }

  /// Reads a `KeyValue` of the shape that every sender writes: a key, then a value with one scalar
  /// member, both shorter than 128 bytes; nil for any other.
  @inline(__always)
  private static func usual(_ bytes: UnsafeRawBufferPointer) -> ProtobufPair? {
    guard bytes.count >= 6, bytes[0] == 0x0a, bytes[1] < 0x80 else { return nil }
    let valueTag = 2 &+ Int(bytes[1])
    let value = valueTag &+ 2
    guard
      value &+ 2 <= bytes.count, bytes[valueTag] == 0x12, bytes[valueTag &+ 1] < 0x80,
      value &+ Int(bytes[valueTag &+ 1]) == bytes.count
    else { return nil }
    var result = ProtobufPair()
    result.key = UnsafeRawBufferPointer(rebasing: bytes[2..<valueTag])
    switch bytes[value] {
    case 0x0a:
      guard value &+ 2 &+ Int(bytes[value &+ 1]) == bytes.count, bytes[value &+ 1] < 0x80 else {
        return nil
      }
      let text = UnsafeRawBufferPointer(rebasing: bytes[(value &+ 2)...])
      result.value = .scalar(.string(text))
    case 0x10:
      guard value &+ 2 == bytes.count, bytes[value &+ 1] < 0x80 else { return nil }
      result.value = .scalar(.bool(bytes[value &+ 1] != 0))
    case 0x18:
      guard bytes.count &- value <= 6, let number = shortVarint(bytes, from: value &+ 1) else {
        return nil
      }
      result.value = .scalar(.int(number))
    default: return nil
    }
    return result
  }

  /// A varint of at most five bytes that ends where the bytes do.
  @inline(__always)
  private static func shortVarint(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int64? {
    var result: Int64 = 0
    var index = start
    var shift: Int64 = 0
    while index < bytes.count {
      let byte = bytes[index]
      index &+= 1
      result |= Int64(byte & 0x7f) &<< shift
      shift &+= 7
      if byte < 0x80 { return index == bytes.count ? result : nil }
    }
    return nil
  }

  private static func general(_ bytes: UnsafeRawBufferPointer) -> ProtobufPair? {
    var reader = ProtobufReader(bytes)
    var result = ProtobufPair()
    while let field = reader.next() {
      switch (field.number, field.wire) {
      case (1, .bytes): result.key = field.bytes
      case (2, .bytes):
        guard let value = ProtobufValue.read(field.bytes) else { return nil }
        result.value = value
      default: break
      }
    }
    return reader.fault == nil ? result : nil
  }
}

/// Hashes values that hold others, with a stack of its own instead of recursion.
struct ProtobufValueHash {
  private struct Level {
    var reader: ProtobufReader
    var isPairs: Bool
    var list = CanonicalHash.List()
    var sum: UInt64 = 0
    /// The key of this value in the level above.
    var keyHash: UInt64

    mutating func add(_ valueHash: UInt64, keyHash: UInt64) {
      if isPairs {
        sum &+= CanonicalHash.attribute(keyHash: keyHash, valueHash: valueHash)
      } else {
        list.add(valueHash)
      }
    }

    var hash: UInt64 { isPairs ? CanonicalHash.pairs(sum: sum) : list.hash }
  }

  private var levels: [Level] = []

  /// The value as an attribute's; nil when malformed.
  ///
  /// What lies deeper than `CanonicalHash.depthLimit` counts as empty and is not read.
  @inline(__always)
  mutating func attributeValue(_ value: ProtobufValue) -> AttributeValue? {
    switch value {
    case .scalar(let scalar): scalar
    case .bytes(let bytes):
      .composite(CanonicalHash.bytes(bytes), CompositeSource(bytes, .protobufBytes))
    case .array(let bytes):
      hash(bytes, isPairs: false).map { .composite($0, CompositeSource(bytes, .protobufArray)) }
    case .pairs(let bytes):
      hash(bytes, isPairs: true).map { .composite($0, CompositeSource(bytes, .protobufPairs)) }
    }
  }

  private mutating func hash(_ bytes: UnsafeRawBufferPointer, isPairs: Bool) -> UInt64? {
    levels.removeAll(keepingCapacity: true)
    levels.append(Level(reader: ProtobufReader(bytes), isPairs: isPairs, keyHash: 0))
    while true {
      let top = levels.count - 1
      guard let field = levels[top].reader.next() else {
        guard levels[top].reader.fault == nil else { return nil }
        let done = levels.removeLast()
        guard top > 0 else { return done.hash }
        levels[top - 1].add(done.hash, keyHash: done.keyHash)
        continue
      }
      guard field.matches(1, .bytes) else { continue }
      guard let (keyHash, value) = element(field.bytes, isPairs: levels[top].isPairs) else {
        return nil
      }
      switch value {
      case .scalar(let scalar): levels[top].add(CanonicalHash.value(scalar), keyHash: keyHash)
      case .bytes(let bytes): levels[top].add(CanonicalHash.bytes(bytes), keyHash: keyHash)
      case .array(let bytes): enter(bytes, isPairs: false, keyHash: keyHash)
      case .pairs(let bytes): enter(bytes, isPairs: true, keyHash: keyHash)
      }
    }
  }

  private func element(
    _ bytes: UnsafeRawBufferPointer,
    isPairs: Bool
  ) -> (UInt64, ProtobufValue)? {
    guard isPairs else { return ProtobufValue.read(bytes).map { (0, $0) } }
    return ProtobufPair.read(bytes).map { (ByteHash.hash($0.key), $0.value) }
  }

  private mutating func enter(_ bytes: UnsafeRawBufferPointer, isPairs: Bool, keyHash: UInt64) {
    guard levels.count < CanonicalHash.depthLimit else {
      levels[levels.count - 1].add(CanonicalHash.value(.empty), keyHash: keyHash)
      return
    }
    levels.append(Level(reader: ProtobufReader(bytes), isPairs: isPairs, keyHash: keyHash))
  }
}
