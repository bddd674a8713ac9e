/// Durations as people type them: `10s`, `5m`, `250ms`, `1.5h`.
enum DurationArgument {
  private static let units: [(suffix: String, nanoseconds: Double)] = [
    ("ms", 1e6), ("us", 1e3), ("ns", 1), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
  ]

  static func nanoseconds(_ text: String, of option: String) throws(UsageError) -> Int64 {
    for unit in units where text.hasSuffix(unit.suffix) {
      let amount = text.dropLast(unit.suffix.count)
      guard let value = Double(amount), value >= 0, value.isFinite,
        value * unit.nanoseconds < 9e18
      else { continue }
      return Int64(value * unit.nanoseconds)
    }
    throw UsageError("\(option) takes a duration such as 10s, 5m or 250ms, not '\(text)'")
  }
}

/// Sizes as people type them: `512MB`, `2GB`, `1.5GiB`, `300000000`.
enum SizeArgument {
  /// Below this the program itself would leave no room for data.
  static let least = 64_000_000
  private static let units: [(suffix: String, bytes: Double)] = [
    ("kib", 0x1p10), ("mib", 0x1p20), ("gib", 0x1p30), ("tib", 0x1p40), ("kb", 1e3), ("mb", 1e6),
    ("gb", 1e9), ("tb", 1e12), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12), ("b", 1), ("", 1),
  ]

  static func bytes(_ text: String, of option: String) throws(UsageError) -> Int {
    let lower = text.lowercased()
    for unit in units where lower.hasSuffix(unit.suffix) {
      let amount = lower.dropLast(unit.suffix.count)
      guard amount.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
        let value = Double(amount), value * unit.bytes < 9e18
      else { continue }
      guard value * unit.bytes >= Double(least) else {
        throw UsageError("\(option) needs at least 64MB, not '\(text)'")
      }
      return Int(value * unit.bytes)
    }
    throw UsageError("\(option) takes a size such as 512MB or 2GB, not '\(text)'")
  }

  /// What the model may take of what the whole program may: buffers and tables of ingest, and what is
  /// derived for a moment, need the rest.
  static func modelShare(of bytes: Int) -> Int { (bytes - 32_000_000) / 100 * 80 }
}
