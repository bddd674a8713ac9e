import Model

/// The text of a date in UTC, kept for the next time of the same day.
struct DayText {
  private static let nanosecondsPerDay: Int64 = 86_400_000_000_000
  /// A quote, ten characters of the date and a `T`.
  private static let prefixLength = 12
  /// `"2026-11-30T10:00:00.123456789Z"`.
  static let length = 32

  /// Days since 1970.
  private var day: Int64
  /// Only the first `prefixLength` bytes count.
  private var prefix: SIMD16<UInt8>

  init() {
    day = 0
    prefix = Self.prefix(of: 0)
  }

  /// Writes an instant between quotes: `length` bytes.
  @inline(__always)
  mutating func put(_ nanoseconds: Int64, at place: inout UnsafeMutablePointer<UInt8>) {
    var day = nanoseconds / Self.nanosecondsPerDay
    var rest = nanoseconds &- day &* Self.nanosecondsPerDay
    if rest < 0 {
      rest &+= Self.nanosecondsPerDay
      day &-= 1
    }
    if day != self.day {
      self.day = day
      prefix = Self.prefix(of: nanoseconds)
    }
    UnsafeMutableRawPointer(place).storeBytes(of: prefix, as: SIMD16<UInt8>.self)
    place += Self.prefixLength
    let seconds = UInt32(truncatingIfNeeded: rest / 1_000_000_000)
    let fraction = UInt32(truncatingIfNeeded: rest % 1_000_000_000)
    place.put(pair: seconds / 3600)
    place.put(UInt8(ascii: ":"))
    place.put(pair: seconds / 60 % 60)
    place.put(UInt8(ascii: ":"))
    place.put(pair: seconds % 60)
    place.put(UInt8(ascii: "."))
    place.put(UInt8(truncatingIfNeeded: fraction / 100_000_000) &+ 0x30)
    place.put(pair: fraction / 1_000_000 % 100)
    place.put(pair: fraction / 10_000 % 100)
    place.put(pair: fraction / 100 % 100)
    place.put(pair: fraction % 100)
    place.put(UInt8(ascii: "Z"))
    place.put(UInt8(ascii: "\""))
  }

  private static func prefix(of nanoseconds: Int64) -> SIMD16<UInt8> {
    let civil = CivilTime(Timestamp(nanoseconds: nanoseconds))
    var bytes = SIMD16<UInt8>(repeating: UInt8(ascii: "-"))
    withUnsafeMutableBytes(of: &bytes) { bytes in
      bytes[0] = UInt8(ascii: "\"")
      guard var place = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      place += 1
      // Nanoseconds reach from 1677 to 2262.
      place.put(pair: UInt32(civil.year / 100))
      place.put(pair: UInt32(civil.year % 100))
      place += 1
      place.put(pair: UInt32(civil.month))
      place += 1
      place.put(pair: UInt32(civil.day))
      place.put(UInt8(ascii: "T"))
    }
    return bytes
  }
}
