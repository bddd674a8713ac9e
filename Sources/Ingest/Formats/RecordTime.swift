import Model

/// Reads OTLP times, which some senders write in units other than nanoseconds.
enum RecordTime {
  /// A time as nanoseconds; nil when it is absent (0) or beyond `Timestamp`'s range.
  ///
  /// The years 2001 to 2286 in seconds, milliseconds and microseconds do not overlap with each other
  /// nor with those years in nanoseconds, so such values are rescaled.
  @inline(__always)
  static func read(_ value: UInt64) -> (time: Timestamp, isRescaled: Bool)? {
    if value >= 1_000_000_000_000_000_000, value <= UInt64(Int64.max) {
      return (Timestamp(nanoseconds: Int64(value)), false)
    }
    guard value != 0, value <= UInt64(Int64.max) else { return nil }
    let factor: UInt64 =
      switch value {
      case 1_000_000_000..<10_000_000_000: 1_000_000_000
      case 1_000_000_000_000..<10_000_000_000_000: 1_000_000
      case 1_000_000_000_000_000..<10_000_000_000_000_000: 1_000
      default: 1
      }
    let (scaled, overflow) = value.multipliedReportingOverflow(by: factor)
    guard !overflow, scaled <= UInt64(Int64.max) else { return nil }
    return (Timestamp(nanoseconds: Int64(scaled)), factor != 1)
  }
}
