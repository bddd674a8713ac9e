/// A reusable buffer that strings with escapes are written into without them.
final class JSONTextBuffer {
  private var storage: UnsafeMutableRawBufferPointer

  init() {
    storage = .allocate(byteCount: 4096, alignment: 8)
  }

  deinit { storage.deallocate() }

  /// The string's bytes; valid until the next call.
  ///
  /// Surrogate pairs become one scalar, a lone surrogate U+FFFD. Invalid UTF-8 passes as it is.
  @inline(__always)
  func plain(_ text: JSONText, of scanner: JSONScanner) -> UnsafeRawBufferPointer {
    text.isEscaped ? unescape(scanner.bytes(of: text)) : scanner.bytes(of: text)
  }

  /// The text without its escapes, which the scanner has found to be right.
  @inline(never)
  func unescape(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // An escape is never shorter than what it stands for.
    reserve(text.count)
    var count = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == 0x5C, index + 1 < text.count else {
        storage[count] = byte
        count &+= 1
        index &+= 1
        continue
      }
      let kind = text[index + 1]
      guard kind == 0x75 else {
        storage[count] = Self.character(kind)
        count &+= 1
        index &+= 2
        continue
      }
      var scalar = Self.hex(text, at: index + 2)
      index &+= 6
      if scalar & 0xFC00 == 0xD800, index + 5 < text.count, text[index] == 0x5C,
        text[index + 1] == 0x75
      {
        let low = Self.hex(text, at: index + 2)
        if low & 0xFC00 == 0xDC00 {
          scalar = 0x10000 &+ (scalar &- 0xD800) &<< 10 &+ (low &- 0xDC00)
          index &+= 6
        }
      }
      count = append(scalar & 0xFFFF_F800 == 0xD800 ? 0xFFFD : scalar, at: count)
    }
    return UnsafeRawBufferPointer(start: storage.baseAddress, count: count)
  }

  private func reserve(_ count: Int) {
    guard count > storage.count else { return }
    storage.deallocate()
    storage = .allocate(byteCount: max(count, 8192), alignment: 8)
  }

  private static func character(_ kind: UInt8) -> UInt8 {
    switch kind {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: kind
    }
  }

  private static func hex(_ text: UnsafeRawBufferPointer, at start: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in start..<min(start + 4, text.count) {
      value = value &<< 4 | UInt32(JSONScanner.hexValue(text[index]) ?? 0)
    }
    return value
  }

  private func append(_ scalar: UInt32, at start: Int) -> Int {
    func low(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar &>> shift & 0x3F | 0x80) }
    switch scalar {
    case 0..<0x80:
      storage[start] = UInt8(truncatingIfNeeded: scalar)
      return start &+ 1
    case 0..<0x800:
      storage[start] = UInt8(truncatingIfNeeded: 0xC0 | scalar &>> 6)
      storage[start + 1] = low(0)
      return start &+ 2
    case 0..<0x10000:
      storage[start] = UInt8(truncatingIfNeeded: 0xE0 | scalar &>> 12)
      storage[start + 1] = low(6)
      storage[start + 2] = low(0)
      return start &+ 3
    default:
      storage[start] = UInt8(truncatingIfNeeded: 0xF0 | scalar &>> 18)
      storage[start + 1] = low(12)
      storage[start + 2] = low(6)
      storage[start + 3] = low(0)
      return start &+ 4
    }
  }
}
