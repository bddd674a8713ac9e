import Model

/// Cells that several lists have in common.
enum ListText {
  /// A number, muted where there is none or nothing to say of it.
  static func judged(_ text: String, _ verdict: Verdict) -> StyledText {
    StyledText(text, text == QuantityText.unknown ? .muted : VerdictText.role(verdict))
  }

  static func duration(_ milliseconds: Double?, _ verdict: Verdict = .holds) -> StyledText {
    judged(QuantityText.duration(milliseconds: milliseconds), verdict)
  }

  /// A count of which none is worth no ink.
  static func count(_ count: Int) -> StyledText {
    count == 0 ? StyledText("–", .muted) : StyledText(QuantityText.count(count))
  }

  /// `8.42.1` of `8.42.1 (842103)`: the build in brackets is for the details.
  static func version(_ resource: Resource, _ state: AppState) -> String {
    let text = state.model.text(resource.version)
    let blank = UInt8(ascii: " ")
    let word = Substring(text.utf8.drop { $0 == blank }.prefix { $0 != blank })
    return word.isEmpty ? text : String(word)
  }
}

/// Clock times in a column: with the date only where the data spans several days.
enum MomentText {
  static func width(_ state: AppState) -> Int { spansDays(state) ? 14 : 8 }

  /// `12:04:31`, or `11-30 12:04:31`; `–` for an instant that is not known.
  static func text(_ instant: Int64, _ state: AppState) -> String {
    guard instant != .min, instant != .max else { return QuantityText.unknown }
    return state.clock.moment(Timestamp(nanoseconds: instant), hasDate: spansDays(state))
  }

  /// With the zone, for sentences.
  static func zoned(_ instant: Int64, _ state: AppState) -> String {
    guard instant != .min, instant != .max else { return QuantityText.unknown }
    return text(instant, state) + state.clock.zoneSuffix(at: Timestamp(nanoseconds: instant))
  }

  static func cell(_ instant: Int64, _ state: AppState) -> StyledText {
    let text = text(instant, state)
    return StyledText(text, text == QuantityText.unknown ? .muted : .normal)
  }

  private static func spansDays(_ state: AppState) -> Bool {
    let overview = state.overview
    guard overview.earliest <= overview.now else { return false }
    return !state.clock.isOneDay(
      Timestamp(nanoseconds: overview.earliest),
      Timestamp(nanoseconds: overview.now)
    )
  }
}

/// Records as rows of a list.
enum RecordText {
  /// The record's identity, which its copies share; else its row, which stays.
  static func key(_ number: Int, _ state: AppState) -> RowKey {
    let row = state.model.store[number]
    guard row.hasIdentity else { return .record(UInt64(number)) }
    let trace = state.model.store.traceHash(of: row)
    return .record(trace ^ row.spanID &* 0xFF51_AFD7_ED55_8CCD | 1 << 63)
  }
}
