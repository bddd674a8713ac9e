import Model

/// What took place while a record was measured, as facts of the detail pane.
enum SameTimeText {
  static func facts(_ row: Int?, _ state: AppState) -> [DetailsState.Fact] {
    guard let row else { return [] }
    let gathering = EvidenceGathering(state.model, state.overview, state.findings)
    return gathering.atSameTime(as: UInt32(row)).map { evidence in
      DetailsState.Fact("same time", text(evidence, state))
    }
  }

  /// `app-hang Search 2.00 s, covers 50% of it`.
  private static func text(_ evidence: Evidence, _ state: AppState) -> String {
    let row = state.model.store[Int(evidence.row)]
    let name = row.signal.isLedger || row.signal == .otherSpan ? row.name : row.subject
    let length = evidence.milliseconds.map { QuantityText.duration(milliseconds: $0) } ?? ""
    let parts = [evidence.kind.word, state.model.text(name), length].filter { !$0.isEmpty }
    let text = parts.joined(separator: " ")
    guard let share = evidence.share, share > 0 else {
      let time = evidence.start.map {
        state.clock.time(Timestamp(nanoseconds: $0), milliseconds: true)
      }
      return text + (time.map { ", at \($0)" } ?? "")
    }
    let percent = Int((share * 100).rounded())
    return text + ", covers \(percent == 0 ? "<1" : String(percent))% of it"
  }
}
