import Model
import TUI

/// Instants as people type them: a date with or without a time and a zone, or a time before now.
enum TimeArgument {
  /// Reads `2026-11-30`, `2026-11-30T10:00`, `2026-11-30 10:00:00.5+05:30` or `10m`.
  ///
  /// Without a zone of its own it is a time of `zone`.
  static func bound(
    _ text: String,
    of option: String,
    zone: ZoneOffsets
  ) throws(UsageError) -> RecordFilter.Bound {
    if text == "now" { return .beforeNow(0) }
    if let time = instant(text, zone) { return .instant(time) }
    if let age = try? DurationArgument.nanoseconds(text, of: option) { return .beforeNow(age) }
    throw UsageError(
      "\(option) takes a time such as 2026-11-30T10:00, 2026-11-30T10:00:00Z or 10m, not '\(text)'"
    )
  }

  private static func instant(_ text: String, _ zone: ZoneOffsets) -> Int64? {
    var digits = DigitReader(text)
    guard let year = digits.number(4), digits.take("-"), let month = digits.number(2),
      (1...12).contains(month), digits.take("-"), let day = digits.number(2),
      (1...31).contains(day)
    else { return nil }
    let days = CivilTime.days(year: year, month: month, day: day)
    let civil = CivilTime(Timestamp(seconds: days * 86_400))
    // There is no 31 February.
    guard civil.day == day else { return nil }
    var nanoseconds: Int64 = 0
    if digits.take("T") || digits.take("t") || digits.take(" ") {
      guard let time = digits.timeOfDay() else { return nil }
      nanoseconds = time
    }
    guard let offset = digits.offset() else { return nil }
    let local = days * 86_400_000_000_000 + nanoseconds
    if let seconds = offset { return local - Int64(seconds) * 1_000_000_000 }
    // The offset in force then; asked twice, since the first answer is for a time beside it.
    var seconds = zone.offset(at: Timestamp(nanoseconds: local))
    seconds = zone.offset(
      at: Timestamp(nanoseconds: local - Int64(seconds) * 1_000_000_000)
    )
    return local - Int64(seconds) * 1_000_000_000
  }
}

/// Takes numbers of fixed width and signs from the front of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  mutating func number(_ width: Int) -> Int? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(width)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  mutating func take(_ sign: Character) -> Bool {
    guard let first = rest.first, first == sign.asciiValue else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Nanoseconds since midnight of `10:00`, `10:00:30` or `10:00:30.25`.
  mutating func timeOfDay() -> Int64? {
    guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60 else {
      return nil
    }
    var nanoseconds = Int64(hour * 3600 + minute * 60) * 1_000_000_000
    guard take(":") else { return nanoseconds }
    guard let second = number(2), second < 60 else { return nil }
    nanoseconds += Int64(second) * 1_000_000_000
    guard take(".") else { return nanoseconds }
    var unit: Int64 = 100_000_000
    while let digit = number(1) {
      nanoseconds += Int64(digit) * unit
      unit /= 10
    }
    return nanoseconds
  }

  /// Seconds east of UTC at the text's end; `.some(nil)` where none is given, nil where it is no offset.
  mutating func offset() -> Int?? {
    if rest.isEmpty { return .some(nil) }
    if take("Z") || take("z") { return rest.isEmpty ? 0 : nil }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2), hours <= 18 else { return nil }
    _ = take(":")
    let minutes = rest.isEmpty ? 0 : number(2) ?? 60
    guard minutes < 60, rest.isEmpty else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
