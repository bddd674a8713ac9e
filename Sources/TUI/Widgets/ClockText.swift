package import Model

/// A time zone as a list of offset changes, so that drawing needs no zone database.
package struct ZoneOffsets: Hashable, Sendable {
  package struct Change: Hashable, Sendable {
    package var from: Timestamp
    /// Seconds east of UTC.
    package var offset: Int

    package init(from: Timestamp, offset: Int) {
      self.from = from
      self.offset = offset
    }
  }

  /// The offset before the first change; seconds east of UTC.
  package var initial: Int
  /// In rising order.
  package var changes: [Change]

  package init(initial: Int, changes: [Change] = []) {
    self.initial = initial
    self.changes = changes
  }

  package static let utc = ZoneOffsets(initial: 0)

  package func offset(at time: Timestamp) -> Int {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].from <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? initial : changes[low - 1].offset
  }
}

/// Instants as clock times of a zone.
package struct ClockText: Hashable, Sendable {
  package var zone: ZoneOffsets

  package init(zone: ZoneOffsets = .utc) {
    self.zone = zone
  }

  /// `12:04:31`, with `.250` when milliseconds are wanted; cut, never rounded up to an instant to come.
  package func time(_ instant: Timestamp, milliseconds: Bool = false) -> String {
    let local = seconds(of: instant)
    let day = Int(local.floorModulo(86_400))
    let two = QuantityText.twoDigits
    let text = "\(two(day / 3600)):\(two(day / 60 % 60)):\(two(day % 60))"
    guard milliseconds else { return text }
    let fraction = String(instant.nanoseconds.floorModulo(1_000_000_000) / 1_000_000)
    return text + "." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
  }

  /// `2026-11-30`.
  package func date(_ instant: Timestamp) -> String {
    let (year, month, day) = Self.civil(daysSince1970: seconds(of: instant).floorQuotient(86_400))
    return "\(year)-\(QuantityText.twoDigits(month))-\(QuantityText.twoDigits(day))"
  }

  /// `Z` for UTC, else the offset in force, such as `+05:30`.
  package func zoneSuffix(at instant: Timestamp) -> String {
    let offset = zone.offset(at: instant)
    guard offset != 0 else { return "Z" }
    let minutes = abs(offset) / 60
    let two = QuantityText.twoDigits
    return "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  private func seconds(of instant: Timestamp) -> Int64 {
    instant.nanoseconds.floorQuotient(1_000_000_000) + Int64(zone.offset(at: instant))
  }

  /// Days to a date of the Gregorian calendar (Howard Hinnant, "chrono-compatible date algorithms").
  private static func civil(daysSince1970 days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func floorModulo(_ divisor: Int64) -> Int64 {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }

  fileprivate func floorQuotient(_ divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
