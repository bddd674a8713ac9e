/// Bytes that grow at the end, written without a check for sharing at each one.
struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 1 << 16) {
    self.capacity = max(64, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  /// Hands over what is held and starts again from nothing.
  mutating func drain(_ take: (UnsafeBufferPointer<UInt8>) -> Void) {
    take(UnsafeBufferPointer(start: base, count: count))
    count = 0
  }

  /// What was appended since there were `start` bytes.
  func withBytes(from start: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    body(UnsafeBufferPointer(start: base + start, count: count - start))
  }

  /// Appends what `write` puts at the place, which it moves behind that: at most `size` bytes.
  @inline(__always)
  mutating func append(upTo size: Int, _ write: (inout UnsafeMutablePointer<UInt8>) -> Void) {
    if capacity &- count < size { grow(by: size) }
    var place = base + count
    write(&place)
    count = place - base
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    append(upTo: 1) { $0.put(byte) }
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(upTo: bytes.count) { $0.put(bytes) }
  }

  /// Appends a text between quotes; false, and nothing appended, where something in it needs an escape.
  mutating func append(quoted text: UnsafeBufferPointer<UInt8>) -> Bool {
    var isPlain = true
    append(upTo: text.count &+ 2) { place in
      let start = place
      place.put(UInt8(ascii: "\""))
      isPlain = place.put(plain: UnsafeRawBufferPointer(text))
      place.put(UInt8(ascii: "\""))
      if !isPlain { place = start }
    }
    return isPlain
  }

  /// The same with two texts and a space between them.
  mutating func append(
    quoted first: UnsafeBufferPointer<UInt8>,
    _ second: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var isPlain = true
    append(upTo: first.count &+ second.count &+ 3) { place in
      let start = place
      place.put(UInt8(ascii: "\""))
      isPlain = place.put(plain: UnsafeRawBufferPointer(first))
      place.put(UInt8(ascii: " "))
      isPlain = isPlain && place.put(plain: UnsafeRawBufferPointer(second))
      place.put(UInt8(ascii: "\""))
      if !isPlain { place = start }
    }
    return isPlain
  }

  /// Appends a whole number.
  mutating func append(_ value: Int) {
    append(upTo: 20) { place in
      if value < 0 { place.put(UInt8(ascii: "-")) }
      place.put(decimal: value.magnitude)
    }
  }

  /// Appends a finite number with as few digits as tell it from all others.
  mutating func append(_ value: Double) {
    append(upTo: NumberText.longest) { place in
      var text = NumberText(place)
      value.write(to: &text)
      place = text.end
    }
  }

  private mutating func grow(by size: Int) {
    let larger = max(capacity * 2, count + size)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: base, count: count)
    base.deallocate()
    base = moved
    capacity = larger
  }
}

extension UnsafeMutablePointer<UInt8> {
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    pointee = byte
    self += 1
  }

  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    update(from: start, count: bytes.count)
    self += bytes.count
  }

  /// Two digits of a number below 100.
  @inline(__always)
  mutating func put(pair value: UInt32) {
    // A tenth, exact below 179, without a division.
    let tens = (value &* 103) &>> 10
    self[0] = UInt8(truncatingIfNeeded: tens &+ 0x30)
    self[1] = UInt8(truncatingIfNeeded: value &- tens &* 10 &+ 0x30)
    self += 2
  }

  /// A number in as many digits as it has, at most 20.
  @inline(__always)
  mutating func put(decimal value: UInt) {
    if value < 10 { return put(UInt8(truncatingIfNeeded: value) &+ 0x30) }
    var width = 2
    var limit: UInt = 100
    while value >= limit {
      width &+= 1
      let (next, isBeyond) = limit.multipliedReportingOverflow(by: 10)
      if isBeyond { break }
      limit = next
    }
    var rest = value
    var place = self + width
    self = place
    while rest >= 100 {
      let quotient = rest / 100
      place -= 2
      var pair = place
      pair.put(pair: UInt32(truncatingIfNeeded: rest &- quotient &* 100))
      rest = quotient
    }
    if rest < 10 {
      place[-1] = UInt8(truncatingIfNeeded: rest) &+ 0x30
    } else {
      place -= 2
      place.put(pair: UInt32(truncatingIfNeeded: rest))
    }
  }

  /// 16 hex digits.
  @inline(__always)
  mutating func put(hex value: UInt64) {
    put(eightHex: UInt32(truncatingIfNeeded: value &>> 32))
    put(eightHex: UInt32(truncatingIfNeeded: value))
  }

  /// All digits at once, a byte each, the first in the lowest.
  @inline(__always)
  private mutating func put(eightHex value: UInt32) {
    var digits = UInt64(value.byteSwapped)
    digits = (digits | digits &<< 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits &<< 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits &>> 4 | digits &<< 8) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 in each byte of a digit from ten on.
    let letters = (digits &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
    let text = digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    UnsafeMutableRawPointer(self).storeBytes(of: text.littleEndian, as: UInt64.self)
    self += 8
  }

  /// Copies a text; false where something in it needs an escape, and not all may have been copied.
  @inline(__always)
  mutating func put(plain text: UnsafeRawBufferPointer) -> Bool {
    let raw = UnsafeMutableRawPointer(self)
    var at = 0
    while at &+ 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      raw.storeBytes(of: word, toByteOffset: at, as: UInt64.self)
      guard word.isPlainText else { return false }
      at &+= 8
    }
    while at < text.count {
      let byte = text[at]
      guard byte >= 0x20, byte < 0x7F, byte != 0x22, byte != 0x5C else { return false }
      self[at] = byte
      at &+= 1
    }
    self += text.count
    return true
  }
}

extension UInt64 {
  /// Eight bytes of printable ASCII without quotes and backslashes.
  ///
  /// False also of a few others, as a borrow can report one byte too many: escaping those copies them.
  @inline(__always)
  fileprivate var isPlainText: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let control = self &- ones &* 0x20
    let delete = self &+ ones
    let quote = (self ^ ones &* 0x22) &- ones
    let backslash = (self ^ ones &* 0x5C) &- ones
    return (self | control | delete | quote | backslash) & (ones &* 0x80) == 0
  }
}

/// Takes the text of a number without a `String` for it.
private struct NumberText: TextOutputStream {
  /// More than any `Double` takes: 17 digits, two signs, a point, and an exponent of three digits.
  static let longest = 32

  private let start: UnsafeMutablePointer<UInt8>
  private(set) var end: UnsafeMutablePointer<UInt8>

  /// From `start` on there is room for `longest` bytes.
  init(_ start: UnsafeMutablePointer<UInt8>) {
    self.start = start
    end = start
  }

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { _writeASCII($0) }
  }

  /// What the standard library asks for before it makes a `String`; were it not, `write` is.
  mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) {
    precondition(end - start + text.count <= Self.longest)
    end.put(text)
  }
}
