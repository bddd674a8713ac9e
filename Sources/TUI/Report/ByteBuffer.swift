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

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    base[count] = byte
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    if capacity &- count < bytes.count { grow(by: bytes.count) }
    (base + count).update(from: start, count: bytes.count)
    count &+= bytes.count
  }

  /// Appends a text between quotes and a colon.
  @inline(__always)
  mutating func append(key bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    if capacity &- count < bytes.count &+ 3 { grow(by: bytes.count &+ 3) }
    let place = base + count
    place[0] = UInt8(ascii: "\"")
    (place + 1).update(from: start, count: bytes.count)
    place[bytes.count &+ 1] = UInt8(ascii: "\"")
    place[bytes.count &+ 2] = UInt8(ascii: ":")
    count &+= bytes.count &+ 3
  }

  /// Appends 16 hex digits.
  mutating func append(hex value: UInt64) {
    if capacity &- count < 16 { grow(by: 16) }
    for index in 0..<16 {
      let digit = UInt8(truncatingIfNeeded: value &>> UInt64(60 &- index &* 4)) & 15
      base[count &+ index] = digit < 10 ? 48 &+ digit : 87 &+ digit
    }
    count &+= 16
  }

  /// Appends a number in decimal, with leading zeros up to `width` digits.
  @inline(__always)
  mutating func append(digits value: Int, width: Int) {
    if capacity &- count < width { grow(by: width) }
    var rest = UInt64(value)
    var place = width
    while place > 0 {
      place &-= 1
      let quotient = rest / 10
      base[count &+ place] = UInt8(truncatingIfNeeded: rest &- quotient &* 10) &+ 0x30
      rest = quotient
    }
    count &+= width
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
