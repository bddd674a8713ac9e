extension ProtobufTranscoder {
  /// Writes a field that is no message; false when it is malformed.
  mutating func scalar(
    _ field: OTLPField,
    _ chain: Chain,
    _ output: inout JSONOutput
  ) -> Bool {
    let entry = entries[chain.last]
    let isNeeded = field.presence != .implicit
    switch field.form {
    case .text:
      guard isNeeded || !entry.bytes.isEmpty else { return true }
      key(field, &output)
      output.string(entry.bytes)
    case .texts:
      key(field, &output)
      output.append(0x5B)
      var number = chain.first
      while number >= 0 {
        output.separate()
        output.string(entries[number].bytes)
        number = entries[number].next
      }
      output.append(0x5D)
    case .traceID: identifier(field, entry.bytes, length: 16, &output)
    case .spanID: identifier(field, entry.bytes, length: 8, &output)
    case .base64:
      guard isNeeded || !entry.bytes.isEmpty else { return true }
      key(field, &output)
      output.base64(entry.bytes)
    case .fixed64List, .doubleList, .uint64List: return numbers(field, chain, &output)
    case .message, .lastMessage, .list, .attributes: break
    default:
      guard isNeeded || Self.narrowed(entry.value, field.form) != 0 else { return true }
      key(field, &output)
      Self.number(entry.value, field.form, &output)
    }
    return true
  }

  /// The bits of a number that its field can hold.
  private static func narrowed(_ value: UInt64, _ form: OTLPForm) -> UInt64 {
    switch form {
    case .uint32, .int32, .sint32, .fixed32: value & 0xFFFF_FFFF
    default: value
    }
  }

  private static func number(_ value: UInt64, _ form: OTLPForm, _ output: inout JSONOutput) {
    switch form {
    case .int32: output.signed(Int64(Int32(truncatingIfNeeded: value)))
    case .sint32:
      let bits = UInt32(truncatingIfNeeded: value)
      output.signed(Int64(Int32(bitPattern: bits &>> 1) ^ -Int32(bitPattern: bits & 1)))
    case .bool: if value == 0 { output.append("false") } else { output.append("true") }
    case .double: output.double(Double(bitPattern: value))
    case .fixed64, .uint64List, .fixed64List:
      output.append(0x22)
      output.unsigned(value)
      output.append(0x22)
    case .sfixed64, .int64:
      output.append(0x22)
      output.signed(Int64(bitPattern: value))
      output.append(0x22)
    case .doubleList: output.double(Double(bitPattern: value))
    default: output.unsigned(value & 0xFFFF_FFFF)
    }
  }

  /// Writes an id; hex digits in the place of bytes, as some senders have them, are the id they spell.
  private mutating func identifier(
    _ field: OTLPField,
    _ bytes: UnsafeRawBufferPointer,
    length: Int,
    _ output: inout JSONOutput
  ) {
    guard !bytes.isEmpty else { return }
    if bytes.count == length {
      key(field, &output)
      return output.hex(bytes)
    }
    guard bytes.count == 2 * length, bytes.allSatisfy({ JSONScanner.hexValue($0) != nil }) else {
      uselessIDs += 1
      return
    }
    key(field, &output)
    output.append(0x22)
    for byte in bytes { output.append(byte < 0x41 ? byte : byte | 0x20) }
    output.append(0x22)
  }

  // MARK: - Lists of numbers

  private func numbers(
    _ field: OTLPField,
    _ chain: Chain,
    _ output: inout JSONOutput
  ) -> Bool {
    let mark = output.count
    key(field, &output)
    output.append(0x5B)
    var number = chain.first
    while number >= 0 {
      let entry = entries[number]
      if !entry.isBytes {
        output.separate()
        Self.number(entry.value, field.form, &output)
      } else if field.form == .uint64List {
        guard varints(entry.bytes, field.form, &output) else { return false }
      } else {
        guard entry.bytes.count % 8 == 0 else { return false }
        for offset in stride(from: 0, to: entry.bytes.count, by: 8) {
          output.separate()
          let value = entry.bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          Self.number(UInt64(littleEndian: value), field.form, &output)
        }
      }
      number = entry.next
    }
    if output.isAtListStart { output.rewind(to: mark) } else { output.append(0x5D) }
    return true
  }

  private func varints(
    _ bytes: UnsafeRawBufferPointer,
    _ form: OTLPForm,
    _ output: inout JSONOutput
  ) -> Bool {
    var at = 0
    while at < bytes.count {
      guard let (value, end) = Self.varint(bytes, at) else { return false }
      output.separate()
      Self.number(value, form, &output)
      at = end
    }
    return true
  }

  /// The varint at an index and the index after it; nil when it is cut or too long.
  @inline(__always)
  private static func varint(
    _ bytes: UnsafeRawBufferPointer,
    _ start: Int
  ) -> (value: UInt64, end: Int)? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    var index = start
    while index < bytes.count, shift < 70 {
      let byte = bytes[index]
      index &+= 1
      result |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return (result, index) }
      shift &+= 7
    }
    return nil
  }

  // MARK: - Attributes

  /// Writes a `KeyValue` of the shape that every sender writes: a key, then a value with one scalar member.
  ///
  /// False for any other shape; some of it may be written then.
  @inline(__always)
  func usualPair(_ bytes: UnsafeRawBufferPointer, _ output: inout JSONOutput) -> Bool {
    guard let text = Self.member(bytes, 0, tag: 0x0A),
      let value = Self.member(bytes, text.upperBound, tag: 0x12),
      value.upperBound == bytes.count, !value.isEmpty
    else { return false }
    if text.isEmpty {
      output.append("{\"value\":{")
    } else {
      output.append("{\"key\":")
      output.string(UnsafeRawBufferPointer(rebasing: bytes[text]))
      output.append(",\"value\":{")
    }
    let start = value.lowerBound
    switch bytes[start] {
    case 0x0A:
      guard let own = Self.member(bytes, start, tag: 0x0A), own.upperBound == bytes.count else {
        return false
      }
      output.append("\"stringValue\":")
      output.string(UnsafeRawBufferPointer(rebasing: bytes[own]))
    case 0x10:
      guard let (flag, end) = Self.varint(bytes, start &+ 1), end == bytes.count else {
        return false
      }
      if flag == 0 {
        output.append("\"boolValue\":false")
      } else {
        output.append("\"boolValue\":true")
      }
    case 0x18:
      guard let (number, end) = Self.varint(bytes, start &+ 1), end == bytes.count else {
        return false
      }
      output.append("\"intValue\":")
      Self.number(number, .int64, &output)
    case 0x21:
      guard bytes.count &- start == 9 else { return false }
      output.append("\"doubleValue\":")
      let value = bytes.loadUnaligned(fromByteOffset: start &+ 1, as: UInt64.self)
      output.double(Double(bitPattern: UInt64(littleEndian: value)))
    default: return false
    }
    output.append("}}")
    return true
  }

  /// Where the content of a bytes field lies that begins at an index; nil when another field does.
  @inline(__always)
  private static func member(
    _ bytes: UnsafeRawBufferPointer,
    _ start: Int,
    tag: UInt8
  ) -> Range<Int>? {
    guard start &+ 1 < bytes.count, bytes[start] == tag else { return nil }
    var length = Int(bytes[start &+ 1])
    var begin = start &+ 2
    if length >= 0x80 {
      guard begin < bytes.count, bytes[begin] < 0x80 else { return nil }
      length = length & 0x7F | Int(bytes[begin]) &<< 7
      begin &+= 1
    }
    guard length <= bytes.count &- begin else { return nil }
    return begin..<begin &+ length
  }
}
