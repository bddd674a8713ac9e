/// Numbers that are the same for the same seed, on every platform and in every release.
///
/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014). Only
/// operations that IEEE 754 defines to the last bit are used, so no function of the C library.
struct SimulatorRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A generator of its own, so that a part of the story can grow without changing the others.
  mutating func fork() -> SimulatorRandom { SimulatorRandom(seed: next()) }

  /// At least 0 and below 1, in steps of 2^-53.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  mutating func integer(in range: ClosedRange<Int>) -> Int {
    let count = UInt64(range.upperBound - range.lowerBound + 1)
    // The high half of a product is without the bias of a remainder for counts this small.
    return range.lowerBound + Int(next().multipliedFullWidth(by: count).high)
  }

  mutating func isTrue(oneIn count: Int) -> Bool { integer(in: 1...count) == 1 }

  /// A factor around 1 as latencies have it: most are near 1, a few well above.
  ///
  /// A line through seven quantiles of a log-normal distribution with sigma 0.35.
  mutating func latencyFactor() -> Double {
    let quantiles = [0.55, 0.72, 0.84, 1.0, 1.19, 1.45, 2.2]
    let position = unit() * Double(quantiles.count - 1)
    let below = Int(position)
    return quantiles[below]
      + (quantiles[below + 1] - quantiles[below]) * (position - Double(below))
  }

  /// Lower-case hex digits of so many bytes, never all zero.
  mutating func identifier(byteCount: Int) -> String {
    var digits = ""
    while digits.utf8.count < byteCount * 2 {
      let text = String(next() | 1, radix: 16)
      digits += String(repeating: "0", count: 16 - text.utf8.count) + text
    }
    return String(digits.prefix(byteCount * 2))
  }

  /// Upper-case, version 4, as opentelemetry-swift writes its session ids.
  mutating func uuid() -> String {
    let digits = Array(identifier(byteCount: 16).uppercased())
    let text = { (range: Range<Int>) in String(digits[range]) }
    return text(0..<8) + "-" + text(8..<12) + "-4" + text(13..<16) + "-A" + text(17..<20) + "-"
      + text(20..<32)
  }
}
