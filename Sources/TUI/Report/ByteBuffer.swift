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
