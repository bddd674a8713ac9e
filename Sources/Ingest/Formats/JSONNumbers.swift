#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension JSONScanner {
  /// Moves behind the number and returns its extent, checking its grammar.
  mutating func numberText() throws(JSONFault) -> Range<Int> {
    let start = position
    if position < end, base[position] == UInt8(ascii: "-") { position &+= 1 }
    let whole = position
    try digits()
    if base[whole] == UInt8(ascii: "0"), position &- whole > 1 { throw fault(.badNumber) }
    if position < end, base[position] == UInt8(ascii: ".") {
      position &+= 1
      try digits()
    }
    if position < end, base[position] | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if position < end, base[position] == UInt8(ascii: "+") || base[position] == UInt8(ascii: "-")
      {
        position &+= 1
      }
      try digits()
    }
    return start..<position
  }

  private mutating func digits() throws(JSONFault) {
    guard position < end else { throw fault(.unfinished) }
    let start = position
    while position < end, base[position] &- 0x30 < 10 { position &+= 1 }
    if position == start { throw fault(.badNumber) }
  }

  /// The number that comes next.
  mutating func number() throws(JSONFault) -> JSONNumber {
    let range = try numberText()
    return JSONNumber.parse(bytes(from: range.lowerBound, to: range.upperBound)) ?? .double(.nan)
  }
}

extension JSONNumber {
  /// The value of a JSON number, or of one that a string holds; nil for any other text.
  ///
  /// Whole numbers that no 64-bit integer holds, and all with a fraction or exponent, become doubles.
  static func parse(_ text: UnsafeRawBufferPointer) -> JSONNumber? {
    guard let first = text.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    var index = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    guard index < text.count else { return nil }
    while index < text.count {
      let digit = text[index] &- 0x30
      if digit >= 10 { break }
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { return floating(text) }
      magnitude = sum
      index &+= 1
    }
    guard index == text.count else { return floating(text) }
    if isNegative {
      // The Collector writes the negative zero like this.
      guard magnitude > 0 else { return .double(-0.0) }
      return magnitude <= 1 << 63
        ? .int(Int64(truncatingIfNeeded: 0 &- magnitude)) : .double(-Double(magnitude))
    }
    return magnitude <= UInt64(Int64.max) ? .int(Int64(magnitude)) : .unsigned(magnitude)
  }

  /// Sixteen decimal digits and less are exact in a double, as are powers of ten up to 22.
  private static func floating(_ text: UnsafeRawBufferPointer) -> JSONNumber? {
    guard text.allSatisfy({ isNumberByte($0) }), text.count < 4096 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: text.count + 1) { copy in
      for index in 0..<text.count { copy[index] = CChar(bitPattern: text[index]) }
      copy[text.count] = 0
      guard let start = copy.baseAddress else { return nil }
      var stop: UnsafeMutablePointer<CChar>?
      let value = strtod(start, &stop)
      guard let stop, stop == start + text.count else { return nil }
      return .double(value)
    }
  }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  var double: Double {
    switch self {
    case .int(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    }
  }

  /// The value as a signed integer where it is one, also when it is written with a fraction of zeros.
  var int64: Int64? {
    switch self {
    case .int(let value): value
    case .unsigned: nil
    case .double(let value): Int64(exactly: value)
    }
  }

  /// The value as an unsigned integer where it is one.
  var uint64: UInt64? {
    switch self {
    case .int(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    case .double(let value): UInt64(exactly: value)
    }
  }
}
