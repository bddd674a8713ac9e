/// A date and time of day in the proleptic Gregorian calendar, without a zone.
package struct CivilTime: Equatable, Sendable {
  package var year: Int
  /// From 1 to 12.
  package var month: Int
  /// From 1 to 31.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  /// From 0 to 999,999,999.
  package var nanosecond: Int

  private static let nanosecondsPerDay: Int64 = 86_400_000_000_000

  /// What a clock shows `offset` seconds east of UTC.
  package init(_ time: Timestamp, offsetSeconds offset: Int = 0) {
    let local = time.advanced(byNanoseconds: Int64(offset) * 1_000_000_000).nanoseconds
    var days = local / Self.nanosecondsPerDay
    var rest = local % Self.nanosecondsPerDay
    if rest < 0 {
      rest += Self.nanosecondsPerDay
      days -= 1
    }
    // Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms": years from 1 March, eras of 400 years.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    nanosecond = Int(rest % 1_000_000_000)
    let seconds = Int(rest / 1_000_000_000)
    hour = seconds / 3600
    minute = seconds / 60 % 60
    second = seconds % 60
  }

  /// Days from 1970-01-01 to a date.
  package static func days(year: Int, month: Int, day: Int) -> Int64 {
    let shifted = Int64(month <= 2 ? year - 1 : year)
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
