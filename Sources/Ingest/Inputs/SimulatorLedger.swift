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
    let civil = CivilTime(Timestamp(nanoseconds: time))
    return "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))T"
      + "\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2))."
      + "\(padded(civil.nanosecond / 1_000_000, 3))Z"
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
