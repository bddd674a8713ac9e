import Model

/// A line of the slow-event ledger before it is written; the time is when it is appended.
struct SimulatorLedgerLine {
  var time: Double
  var name: String
  /// Nil for a note.
  var milliseconds: Int?
  var detail: String?
  /// How much of the line reached the disk before the process died; nil for all of it.
  var keptByteCount: Int?
}

/// Writes lines as the app's ledger does, `Library/Logs/perf-events.jsonl`.
struct SimulatorLedger {
  /// Where second 0 of the story lies.
  let origin: Timestamp

  /// The line with its line end.
  func line(_ line: SimulatorLedgerLine) -> [UInt8] {
    var out = #"{"ts":"\#(text(of: line.time))","name":"\#(line.name)""#
    if let milliseconds = line.milliseconds { out += #","ms":\#(milliseconds)"# }
    if let detail = line.detail { out += #","detail":"\#(detail)""# }
    out += "}\n"
    return Array(out.utf8)
  }

  /// `2026-01-01T00:00:00.000Z`.
  private func text(of seconds: Double) -> String {
    let time = origin.advanced(byNanoseconds: Int64(seconds * 1e9)).nanoseconds
    let (days, inDay) = time.quotientAndRemainder(floored: 86_400_000_000_000)
    let (year, month, day) = civilDate(daysSince1970: days)
    let milliseconds = inDay / 1_000_000
    let hour = milliseconds / 3_600_000
    let minute = milliseconds / 60_000 % 60
    let second = milliseconds / 1000 % 60
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(hour, 2)):"
      + "\(padded(minute, 2)):\(padded(second, 2)).\(padded(milliseconds % 1000, 3))Z"
  }

  private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// The proleptic Gregorian date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = daysSince1970 + 719_468
    let (era, dayOfEra) = shifted.quotientAndRemainder(floored: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func quotientAndRemainder(
    floored divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
