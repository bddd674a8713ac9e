import Model

/// When a ledger line was written, in the forms that ledgers use.
enum LedgerTime: Equatable {
  /// Nanoseconds since 1970.
  case wall(Int64)
  /// A clock that began at boot or launch: no wall time can be told.
  case uptime

  /// Nil when the bytes are no time.
  ///
  /// Numbers are told apart by their size: below 3e8 they are an uptime, below 1.2e9 seconds since
  /// 2001-01-01, below 1e11 seconds since 1970, below 1e14 milliseconds, below 1e17 microseconds and from
  /// there on nanoseconds.
  static func read(_ bytes: UnsafeRawBufferPointer, isText: Bool) -> LedgerTime? {
    guard let number = Decimal9.read(bytes) else {
      return isText ? RFC3339.nanoseconds(bytes).map { .wall($0) } : nil
    }
    let nanoseconds: Int64? =
      switch number.whole {
      case ..<0: nil
      case ..<300_000_000: nil
      case ..<1_200_000_000:
        Decimal9(whole: number.whole + 978_307_200, billionths: number.billionths)
          .nanoseconds(per: 1_000_000_000)
      case ..<100_000_000_000: number.nanoseconds(per: 1_000_000_000)
      case ..<100_000_000_000_000: number.nanoseconds(per: 1_000_000)
      case ..<100_000_000_000_000_000: number.nanoseconds(per: 1_000)
      default: number.whole
      }
    return nanoseconds.map { .wall($0) } ?? .uptime
  }
}

/// Date and time as RFC 3339 writes them, and as Foundation prints dates.
enum RFC3339 {
  /// Nanoseconds since 1970; nil when the text is no such time or lies outside of 1678 to 2262.
  ///
  /// The `T` may be a blank, the zone `Z`, `+02:00`, `+0200`, `+02`, behind a blank, or absent (read as UTC).
  /// A leap second counts as the second after.
  static func nanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    var reader = Reader(bytes: text)
    guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
      reader.take("-"), let day = reader.digits(2),
      reader.take("T") || reader.take("t")
        || reader.take(" "), let hour = reader.digits(2), reader.take(":"),
      let minute = reader.digits(2), (1...12).contains(month), (1...31).contains(day), hour <= 24,
      minute <= 59
    else { return nil }
    var second: Int64 = 0
    var fraction: Int64 = 0
    if reader.take(":") {
      guard let seconds = reader.digits(2), seconds <= 60 else { return nil }
      second = seconds
      if reader.take(".") || reader.take(",") { fraction = reader.fraction() }
    }
    guard let zone = reader.zone(), reader.isAtEnd else { return nil }
    let days = CivilTime.days(year: Int(year), month: Int(month), day: Int(day))
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - zone
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(fraction)
    return overflow || carry ? nil : sum
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int64? {
      guard position + count <= bytes.count else { return nil }
      var value: Int64 = 0
      for index in position..<position + count {
        let digit = bytes[index] &- 0x30
        guard digit < 10 else { return nil }
        value = value * 10 + Int64(digit)
      }
      position += count
      return value
    }

    /// Nanoseconds of the digits behind the point.
    mutating func fraction() -> Int64 {
      var value: Int64 = 0
      var scale: Int64 = 100_000_000
      while position < bytes.count, bytes[position] &- 0x30 < 10 {
        value += Int64(bytes[position] &- 0x30) * scale
        scale /= 10
        position += 1
      }
      return value
    }

    /// Seconds east of UTC.
    mutating func zone() -> Int64? {
      _ = take(" ")
      if isAtEnd || take("Z") || take("z") { return 0 }
      let isEast = take("+")
      guard isEast || take("-"), let hours = digits(2) else { return nil }
      _ = take(":")
      let minutes = isAtEnd ? 0 : digits(2)
      guard let minutes else { return nil }
      let seconds = hours * 3_600 + minutes * 60
      return isEast ? seconds : -seconds
    }
  }
}
