/// JSON that is written into one buffer, which grows as needed and is used again and again.
///
/// Numbers, ids and escapes look as the OpenTelemetry Collector writes them.
struct JSONOutput: ~Copyable {
  private static let hexDigits: StaticString = "0123456789abcdef"
  private static let base64Digits: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Bytes written so far.
  private(set) var count = 0
  /// Places that were not UTF-8 and are U+FFFD now.
  private(set) var repairs = 0
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private let initialCapacity: Int

  init(capacity: Int = 64 << 10) {
    initialCapacity = max(64, capacity)
    self.capacity = initialCapacity
    base = .allocate(capacity: initialCapacity)
  }

  deinit { base.deallocate() }

  /// What was written; valid until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Takes back everything behind an earlier `count`.
  @inline(__always)
  mutating func rewind(to count: Int) { self.count = count }

  /// Begins anew; a buffer that one huge value has blown up is given back.
  mutating func removeAll() {
    count = 0
    guard capacity > 64 * initialCapacity else { return }
    base.deallocate()
    base = .allocate(capacity: initialCapacity)
    capacity = initialCapacity
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let next = max(capacity * 2, count + more)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: next)
    grown.update(from: base, count: count)
    base.deallocate()
    base = grown
    capacity = next
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    base[count] = byte
    count &+= 1
  }

  // MARK: - Structure

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    put(byte)
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// A comma, unless a brace or bracket was just opened.
  @inline(__always)
  mutating func separate() {
    let last = count > 0 ? base[count &- 1] : 0x7B
    if last != 0x7B, last != 0x5B { append(0x2C) }
  }

  /// True right behind an opening bracket.
  var isAtListStart: Bool { count > 0 && base[count &- 1] == 0x5B }

  // MARK: - Numbers

  @inline(__always)
  mutating func unsigned(_ value: UInt64) {
    reserve(20)
    if value < 10 { return put(0x30 | UInt8(truncatingIfNeeded: value)) }
    var length = 1
    var bound: UInt64 = 10
    while length < 20, value >= bound {
      length &+= 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    var left = value
    var index = count &+ length
    count = index
    while length > 0 {
      let (quotient, digit) = left.quotientAndRemainder(dividingBy: 10)
      index &-= 1
      base[index] = 0x30 | UInt8(truncatingIfNeeded: digit)
      left = quotient
      length &-= 1
    }
  }

  @inline(__always)
  mutating func signed(_ value: Int64) {
    if value < 0 { append(0x2D) }
    unsigned(value.magnitude)
  }

  /// A whole number without a fraction, but for the negative zero, which many readers would take for the
  /// other; what JSON has no number for as a string.
  mutating func double(_ value: Double) {
    guard value.isFinite else {
      if value.isNaN { return append("\"NaN\"") }
      return append(value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }
    if value.sign == .minus { append(0x2D) }
    let magnitude = value.magnitude
    if magnitude == 0, value.sign == .minus { return append("0.0") }
    if magnitude < 0x1p53, magnitude == magnitude.rounded(.towardZero) {
      return unsigned(UInt64(magnitude))
    }
    var text = magnitude.description
    text.withUTF8 { decimal($0, isLong: magnitude < 1e-6 || magnitude >= 1e21) }
  }

  /// Rewrites the shortest digits as Swift prints them: with an exponent only where `isLong` asks for it.
  private mutating func decimal(_ text: UnsafeBufferPointer<UInt8>, isLong: Bool) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { digits in
      var length = 0
      var point: Int?
      var exponent = 0
      for (index, byte) in text.enumerated() {
        if byte == 0x2E {
          point = length
        } else if byte == 0x65 {
          let isNegative = text[index + 1] == 0x2D
          for digit in text[(index + 2)...] { exponent = exponent * 10 + Int(digit & 0x0F) }
          if isNegative { exponent = -exponent }
          break
        } else {
          digits[length] = byte
          length += 1
        }
      }
      var first = 0
      while first < length - 1, digits[first] == 0x30 { first += 1 }
      // Digits stand before the point up to here, counted from the first that is not 0.
      let whole = (point ?? length) + exponent - first
      while length > first + 1, digits[length - 1] == 0x30 { length -= 1 }
      write(UnsafeBufferPointer(rebasing: digits[first..<length]), whole: whole, isLong: isLong)
    }
  }

  private mutating func write(_ digits: UnsafeBufferPointer<UInt8>, whole: Int, isLong: Bool) {
    reserve(digits.count + 32)
    if isLong {
      put(digits[0])
      if digits.count > 1 { put(0x2E) }
      for digit in digits.dropFirst() { put(digit) }
      put(0x65)
      put(whole > 0 ? 0x2B : 0x2D)
      return unsigned(UInt64((whole - 1).magnitude))
    }
    if whole <= 0 {
      put(0x30)
      put(0x2E)
      for _ in whole..<0 { put(0x30) }
    }
    for (index, digit) in digits.enumerated() {
      if index == whole, whole > 0 { put(0x2E) }
      put(digit)
    }
    for _ in digits.count..<max(digits.count, whole) { put(0x30) }
  }

  // MARK: - Strings

  /// Lower-case hex digits in quotes.
  @inline(__always)
  mutating func hex(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count &* 2 &+ 2)
    put(0x22)
    let digits = Self.hexDigits.utf8Start
    for byte in bytes {
      put(digits[Int(byte &>> 4)])
      put(digits[Int(byte & 0x0F)])
    }
    put(0x22)
  }

  /// Standard base64 with padding, in quotes.
  mutating func base64(_ bytes: UnsafeRawBufferPointer) {
    reserve((bytes.count + 2) / 3 * 4 + 2)
    put(0x22)
    let digits = Self.base64Digits.utf8Start
    var at = 0
    while at < bytes.count {
      let left = bytes.count &- at
      let second = left > 1 ? bytes[at &+ 1] : 0
      let third = left > 2 ? bytes[at &+ 2] : 0
      put(digits[Int(bytes[at] &>> 2)])
      put(digits[Int((bytes[at] & 0x03) &<< 4 | second &>> 4)])
      put(left > 1 ? digits[Int((second & 0x0F) &<< 2 | third &>> 6)] : 0x3D)
      put(left > 2 ? digits[Int(third & 0x3F)] : 0x3D)
      at &+= 3
    }
    put(0x22)
  }

  /// A text in quotes: quotes, backslashes and bytes below 0x20 are escaped, everything else is as it is.
  ///
  /// What is not UTF-8 becomes U+FFFD, since most readers refuse a whole line for one such byte.
  @inline(__always)
  mutating func string(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count &+ 2)
    put(0x22)
    let run = Self.plainRun(bytes, from: 0)
    append(UnsafeRawBufferPointer(rebasing: bytes[..<run]))
    if run < bytes.count { special(bytes, from: run) }
    append(0x22)
  }

  @inline(never)
  private mutating func special(_ bytes: UnsafeRawBufferPointer, from start: Int) {
    var at = start
    while at < bytes.count {
      if bytes[at] < 0x80 {
        let run = Self.plainRun(bytes, from: at)
        append(UnsafeRawBufferPointer(rebasing: bytes[at..<run]))
        at = run
        if at < bytes.count, bytes[at] < 0x80 {
          escape(bytes[at])
          at &+= 1
        }
        continue
      }
      at = scalar(bytes, at)
    }
  }

  /// Text as it is, but for what is not UTF-8.
  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    var at = 0
    while at < bytes.count {
      let run = Self.asciiRun(bytes, from: at)
      append(UnsafeRawBufferPointer(rebasing: bytes[at..<run]))
      at = run
      while at < bytes.count, bytes[at] >= 0x80 { at = scalar(bytes, at) }
    }
  }

  /// Copies the scalar that begins at an index; the index after it, or after what is wrong there.
  private mutating func scalar(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
    let (end, isValid) = Self.scalarEnd(bytes, at)
    if isValid {
      append(UnsafeRawBufferPointer(rebasing: bytes[at..<end]))
    } else {
      append("\u{FFFD}")
      repairs += 1
    }
    return end
  }

  @inline(__always)
  private static func asciiRun(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      if word & highs != 0 { return index &+ ((word & highs).trailingZeroBitCount &>> 3) }
      index &+= 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index &+= 1 }
    return index
  }

  /// The index of the first byte that cannot be copied without a look.
  @inline(__always)
  private static func plainRun(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      let quote = word ^ 0x2222_2222_2222_2222
      let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
      // The lowest set bit is exact for each of the tests.
      let found =
        ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash)
        | ((word &- 0x2020_2020_2020_2020) & ~word) | word
      let hits = found & highs
      if hits != 0 { return index &+ (hits.trailingZeroBitCount &>> 3) }
      index &+= 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte >= 0x80 { break }
      index &+= 1
    }
    return index
  }

  private mutating func escape(_ byte: UInt8) {
    reserve(6)
    put(0x5C)
    switch byte {
    case 0x22, 0x5C: put(byte)
    case 0x0A: put(0x6E)
    case 0x0D: put(0x72)
    case 0x09: put(0x74)
    default:
      put(0x75)
      put(0x30)
      put(0x30)
      put(Self.hexDigits.utf8Start[Int(byte &>> 4)])
      put(Self.hexDigits.utf8Start[Int(byte & 0x0F)])
    }
  }

  /// The end of the scalar that begins at an index, or of what is wrong there (Unicode 3.9, table 3-7).
  private static func scalarEnd(
    _ bytes: UnsafeRawBufferPointer,
    _ at: Int
  ) -> (end: Int, isValid: Bool) {
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    var left: Int
    switch bytes[at] {
    case 0xC2...0xDF: left = 1
    case 0xE0: (left, low) = (2, 0xA0)
    case 0xED: (left, high) = (2, 0x9F)
    case 0xE1...0xEF: left = 2
    case 0xF0: (left, low) = (3, 0x90)
    case 0xF4: (left, high) = (3, 0x8F)
    case 0xF1...0xF3: left = 3
    default: return (at &+ 1, false)
    }
    var index = at &+ 1
    while left > 0 {
      guard index < bytes.count, low <= bytes[index], bytes[index] <= high else {
        return (index, false)
      }
      (low, high) = (0x80, 0xBF)
      index &+= 1
      left &-= 1
    }
    return (index, true)
  }
}
