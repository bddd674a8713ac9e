#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Decimal and hexadecimal digits, eight at a time.
enum Digits {
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The value of sixteen hexadecimal digits; nil when one is none.
  @inline(__always)
  static func hex16(_ start: UnsafeRawPointer) -> UInt64? {
    let text = start.loadUnaligned(as: SIMD16<UInt8>.self)
    let digits: SIMD16<UInt8> = text &- SIMD16<UInt8>(repeating: 0x30)
    let lower: SIMD16<UInt8> = text | SIMD16<UInt8>(repeating: 0x20)
    let letters: SIMD16<UInt8> = lower &- SIMD16<UInt8>(repeating: 0x61)
    let isDigit: SIMDMask<SIMD16<Int8>> = digits .< SIMD16<UInt8>(repeating: 10)
    let isLetter: SIMDMask<SIMD16<Int8>> = letters .< SIMD16<UInt8>(repeating: 6)
    let isHex: SIMDMask<SIMD16<Int8>> = isDigit .| isLetter
    let bits = unsafeBitCast(isHex, to: SIMD2<UInt64>.self)
    guard bits.x & bits.y == UInt64.max else { return nil }
    let raised: SIMD16<UInt8> = letters &+ SIMD16<UInt8>(repeating: 10)
    let nibbles = unsafeBitCast(
      raised.replacing(with: digits, where: isDigit),
      to: SIMD2<UInt64>.self
    )
    return UInt64(pairs(nibbles.x)) &<< 32 | UInt64(pairs(nibbles.y))
  }

  /// Eight half bytes as a number, the first in the lowest byte.
  @inline(__always)
  private static func pairs(_ nibbles: UInt64) -> UInt32 {
    let pairs = (nibbles &<< 4 | nibbles &>> 8) & 0x00FF_00FF_00FF_00FF
    let halves = (pairs | pairs &>> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: halves | halves &>> 16).byteSwapped
  }

  /// The value of eight decimal digits, the first in the lowest byte; nil when one is none.
  @inline(__always)
  static func decimal(_ word: UInt64) -> UInt64? {
    let digits = word ^ 0x3030_3030_3030_3030
    guard (digits | (digits &+ 0x7676_7676_7676_7676)) & highs == 0 else { return nil }
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF
  }

  /// The value of a text of decimal digits alone; nil for any other and beyond 64 bits.
  @inline(__always)
  static func unsigned(_ text: UnsafeRawBufferPointer) -> UInt64? {
    guard let start = text.baseAddress, text.count > 0, text.count <= 20 else { return nil }
    var index = 0
    var value: UInt64 = 0
    while index &+ 8 <= text.count {
      let word = UInt64(littleEndian: (start + index).loadUnaligned(as: UInt64.self))
      guard let eight = decimal(word) else { return nil }
      value = value &* 100_000_000 &+ eight
      index &+= 8
    }
    while index < text.count {
      let digit = start.load(fromByteOffset: index, as: UInt8.self) &- 0x30
      guard digit < 10 else { return nil }
      if index >= 19 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
        if overflow || carry { return nil }
        value = sum
      } else {
        value = value &* 10 &+ UInt64(digit)
      }
      index &+= 1
    }
    return value
  }
}

/// Base64 as proto3's JSON takes it: both alphabets, padded or not.
enum Base64 {
  /// The decoded bytes; nil when the text is no base64.
  static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var count = text.count
    while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    guard count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var held: UInt32 = 0
    for byte in text[..<count] {
      guard let value = value(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> held))
        bits &= (1 << held) - 1
      }
    }
    return bytes
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte &- 0x41
    case 0x61...0x7A: byte &- 0x61 &+ 26
    case 0x30...0x39: byte &- 0x30 &+ 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

/// Trace and span ids as they are written in the wild.
enum IdentifierText {
  /// The id; nil when the text is no id of that size.
  ///
  /// Taken are hexadecimal digits in either case, with dashes (a UUID), base64 of the bytes, and base64
  /// of the hexadecimal text, which opentelemetry-swift's JSON trace exporter has written.
  @inline(__always)
  static func traceID(_ text: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64)? {
    if text.count == 32, let start = text.baseAddress, let high = Digits.hex16(start),
      let low = Digits.hex16(start + 16)
    {
      return (high, low)
    }
    guard let words = tolerant(text, bytes: 16), words.count == 2 else { return nil }
    return (words[0], words[1])
  }

  @inline(__always)
  static func spanID(_ text: UnsafeRawBufferPointer) -> UInt64? {
    if text.count == 16, let start = text.baseAddress, let id = Digits.hex16(start) { return id }
    return tolerant(text, bytes: 8)?.first
  }

  @inline(never)
  private static func tolerant(_ text: UnsafeRawBufferPointer, bytes count: Int) -> [UInt64]? {
    guard text.count >= count, text.count <= 64 else { return nil }
    if let words = hexWords(Array(text.filter { $0 != UInt8(ascii: "-") }), count) { return words }
    guard let decoded = Base64.decode(text) else { return nil }
    if decoded.count == count {
      return stride(from: 0, to: count, by: 8).map { start in
        decoded[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
      }
    }
    return hexWords(decoded.filter { $0 != UInt8(ascii: "-") }, count)
  }

  private static func hexWords(_ digits: [UInt8], _ count: Int) -> [UInt64]? {
    guard digits.count == count * 2 else { return nil }
    var words: [UInt64] = []
    for start in stride(from: 0, to: digits.count, by: 16) {
      let word = digits.withUnsafeBytes { bytes in
        bytes.baseAddress.flatMap { Digits.hex16($0 + start) }
      }
      guard let word else { return nil }
      words.append(word)
    }
    return words
  }
}

/// Values of OTLP's enums by name: full or short, in either case; unknown names are 0.
enum EnumText {
  static func spanKind(_ text: UnsafeRawBufferPointer) -> UInt64 {
    index(of: text, prefix: "span_kind_", in: spanKinds)
  }

  static func statusCode(_ text: UnsafeRawBufferPointer) -> UInt64 {
    index(of: text, prefix: "status_code_", in: ["unset", "ok", "error"])
  }

  /// TRACE is 1, TRACE2 is 2, FATAL4 is 24.
  static func severity(_ text: UnsafeRawBufferPointer) -> UInt64 {
    let name = lowered(text, without: "severity_number_")
    for (index, level) in severities.enumerated() where name.hasPrefix(level) {
      let step = name.dropFirst(level.count)
      if step.isEmpty { return UInt64(index * 4 + 1) }
      if let step = UInt64(step), (1...4).contains(step) { return UInt64(index * 4) + step }
    }
    return 0
  }

  /// What the SDKs write next to a severity's number; empty for 0 and beyond FATAL4.
  static func severityText(_ number: UInt64) -> String {
    guard (1...24).contains(number) else { return "" }
    let level = severities[Int(number - 1) / 4].uppercased()
    let step = Int(number - 1) % 4
    return step == 0 ? level : "\(level)\(step + 1)"
  }

  private static let spanKinds = [
    "unspecified", "internal", "server", "client", "producer", "consumer",
  ]
  private static let severities = ["trace", "debug", "info", "warn", "error", "fatal"]

  private static func index(
    of text: UnsafeRawBufferPointer,
    prefix: String,
    in names: [String]
  ) -> UInt64 {
    UInt64(names.firstIndex(of: lowered(text, without: prefix)) ?? 0)
  }

  private static func lowered(_ text: UnsafeRawBufferPointer, without prefix: String) -> String {
    guard text.count <= 64 else { return "" }
    let name = String(decoding: text, as: UTF8.self).lowercased()
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }
}
