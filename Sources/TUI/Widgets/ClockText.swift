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
    let civil = civil(instant)
    let two = QuantityText.twoDigits
    let text = "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second))"
    guard milliseconds else { return text }
    let fraction = String(civil.nanosecond / 1_000_000)
    return text + "." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
  }

  /// `2026-11-30`.
  package func date(_ instant: Timestamp) -> String {
    let civil = civil(instant)
    let two = QuantityText.twoDigits
    return "\(civil.year)-\(two(civil.month))-\(two(civil.day))"
  }

  /// `Z` for UTC, else the offset in force, such as `+05:30`.
  package func zoneSuffix(at instant: Timestamp) -> String {
    let offset = zone.offset(at: instant)
    guard offset != 0 else { return "Z" }
    let minutes = abs(offset) / 60
    let two = QuantityText.twoDigits
    return "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  private func civil(_ instant: Timestamp) -> CivilTime {
    CivilTime(instant, offsetSeconds: zone.offset(at: instant))
  }
}
