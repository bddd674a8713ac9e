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
    return String(unsafeUninitializedCapacity: 12) { bytes in
      var text = DigitWriter(bytes)
      text.writeTime(civil)
      if milliseconds { text.write(civil.nanosecond / 1_000_000, digits: 3, after: ".") }
      return text.count
    }
  }

  /// `12:04:31`, with `11-30` before it when the date is wanted.
  package func moment(_ instant: Timestamp, hasDate: Bool) -> String {
    guard hasDate else { return time(instant) }
    let civil = civil(instant)
    return String(unsafeUninitializedCapacity: 14) { bytes in
      var text = DigitWriter(bytes)
      text.write(civil.month, digits: 2)
      text.write(civil.day, digits: 2, after: "-")
      text.write(" ")
      text.writeTime(civil)
      return text.count
    }
  }

  /// Both instants have the same date.
  package func isOneDay(_ first: Timestamp, _ second: Timestamp) -> Bool {
    let (first, second) = (civil(first), civil(second))
    return (first.year, first.month, first.day) == (second.year, second.month, second.day)
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

/// Writes numbers of a fixed number of digits.
private struct DigitWriter {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func write(_ sign: Unicode.Scalar) {
    bytes[count] = UInt8(ascii: sign)
    count += 1
  }

  mutating func write(_ value: Int, digits: Int, after sign: Unicode.Scalar? = nil) {
    if let sign { write(sign) }
    var rest = value
    for place in (count..<count + digits).reversed() {
      bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    count += digits
  }

  mutating func writeTime(_ civil: CivilTime) {
    write(civil.hour, digits: 2)
    write(civil.minute, digits: 2, after: ":")
    write(civil.second, digits: 2, after: ":")
  }
}
