/// Durations as people type them: `10s`, `5m`, `250ms`, `1.5h`.
enum DurationArgument {
  private static let units: [(suffix: String, factor: Double)] = [
    ("ms", 1e6), ("us", 1e3), ("ns", 1), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
  ]

  static func nanoseconds(_ text: String, of option: String) throws(UsageError) -> Int64 {
    if let value = quantity(text, in: units) { return Int64(value) }
    throw UsageError("\(option) takes a duration such as 10s, 5m or 250ms, not '\(text)'")
  }
}

/// A number with one of the units behind it, of which longer ones come first; nil for anything else.
private func quantity(_ text: String, in units: [(suffix: String, factor: Double)]) -> Double? {
  for unit in units where text.hasSuffix(unit.suffix) {
    let amount = text.dropLast(unit.suffix.count)
    // Neither signs nor exponents nor words: `1e3`, `-5` and `inf` are mistakes.
    guard amount.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      let value = Double(amount), value * unit.factor < 9e18
    else { continue }
    return value * unit.factor
  }
  return nil
}

/// Sizes as people type them: `512MB`, `2GB`, `1.5GiB`, `300000000`.
enum SizeArgument {
  /// Below this the program itself would leave no room for data.
  static let least = 64_000_000
  private static let units: [(suffix: String, factor: Double)] = [
    ("kib", 0x1p10), ("mib", 0x1p20), ("gib", 0x1p30), ("tib", 0x1p40), ("kb", 1e3), ("mb", 1e6),
    ("gb", 1e9), ("tb", 1e12), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12), ("b", 1), ("", 1),
  ]

  static func bytes(
    _ text: String,
    of option: String,
    atLeast least: Int = least
  ) throws(UsageError) -> Int {
    guard let value = quantity(text.lowercased(), in: units) else {
      throw UsageError("\(option) takes a size such as 512MB or 2GB, not '\(text)'")
    }
    guard value >= Double(least) else {
      let size = least >= 1_000_000 ? "\(least / 1_000_000)MB" : "\(least / 1_000)KB"
      throw UsageError("\(option) needs at least \(size), not '\(text)'")
    }
    return Int(value)
  }

  /// What the model may take of what the whole program may: buffers and tables of ingest, and what is
  /// derived for a moment, need the rest.
  static func modelShare(of bytes: Int) -> Int { (bytes - 32_000_000) / 100 * 80 }
}
