// Entries of the budgets file that count records: all of them, per hour of session, or the share of sessions.
extension BudgetGathering {
  mutating func counted(_ budget: Budget, _ index: Int) -> Judgement {
    let rows = matchingRows(budget, index)
    var sessions = 0
    var hours = 0.0
    var withRecord = 0
    let wanted = budget.statistic == .share ? Set(rows) : []
    for summary in overview.streams {
      let hit = budget.statistic == .share ? sessionsWithRecord(summary, wanted) : []
      for (place, session) in summary.sessions.enumerated() where covers(index, session) {
        sessions += 1
        hours += session.durationMilliseconds / 3_600_000
        if hit.contains(place) { withRecord += 1 }
      }
    }
    let value: Double? =
      switch budget.statistic {
      case .rate: hours > 0 ? Double(rows.count) / hours : nil
      case .share: sessions > 0 ? Double(withRecord) / Double(sessions) : nil
      default: sessions > 0 ? Double(rows.count) : nil
      }
    return judgement(index, value, sample: sessions)
  }

  /// Sessions are counted whole: what an entry says of names and attributes plays no part.
  private mutating func covers(_ index: Int, _ session: Session) -> Bool {
    matches(index, session.resource)
  }

  private func sessionsWithRecord(_ summary: StreamSummary, _ wanted: Set<UInt32>) -> Set<Int> {
    var found: Set<Int> = []
    for (place, session) in summary.sessions.enumerated()
    where session.items.contains(where: wanted.contains) {
      found.insert(place)
    }
    for termination in summary.terminations {
      guard let place = termination.session, wanted.contains(UInt32(termination.row)) else {
        continue
      }
      found.insert(place)
    }
    return found
  }

  /// The records that an entry is about.
  mutating func matchingRows(_ budget: Budget, _ index: Int) -> [UInt32] {
    switch budget.signal {
    case .startup: select(startups.flatMap(\.rows), index) { _ in nil }
    case .screenTTI: select(measured(overview.screens, isFirstFrame: false), index) { $0.subject }
    case .screenTTFR: select(measured(overview.screens, isFirstFrame: true), index) { $0.subject }
    case .fragmentTTI:
      select(measured(overview.fragments, isFirstFrame: false), index) { $0.subject }
    case .fragmentTTFR:
      select(measured(overview.fragments, isFirstFrame: true), index) { $0.subject }
    case .freezeRate, .droppedRatio: []
    case .hang: select(hangs { $0 != .cancelled }, index) { $0.subject }
    case .fatalHang: select(hangs { $0 == .fatal }, index) { $0.subject }
    case .watchdog:
      select(
        overview.streams.flatMap { $0.terminations.map { UInt32($0.row) } },
        index
      ) { _ in nil }
    case .leak: select(overview.leaks.flatMap(\.rows), index) { $0.subject }
    case .ledger: select(overview.ledger.flatMap(\.rows), index) { $0.name }
    case .span:
      select(
        overview.spans.flatMap {
          model.otherSpanRows(app: $0.app, name: $0.name, in: overview)
        },
        index
      ) { $0.subject }
    }
  }

  private mutating func select(
    _ rows: [UInt32],
    _ index: Int,
    _ name: (RecordRow) -> Symbol?
  ) -> [UInt32] {
    var selected: [UInt32] = []
    for number in rows {
      let row = model.store[Int(number)]
      if matches(index, name: name(row), app: nil), matches(index, row) { selected.append(number) }
    }
    return selected
  }

  private func measured(_ figures: [ScreenFigures], isFirstFrame: Bool) -> [UInt32] {
    figures.flatMap(\.rows).filter {
      let row = model.store[Int($0)]
      return row.signal != .screenRendering && row.isMeasured(isFirstFrame: isFirstFrame)
    }
  }

  private func hangs(_ isWanted: (HangType) -> Bool) -> [UInt32] {
    overview.streams.flatMap { summary in
      summary.hangs.filter { isWanted($0.type) }.map { UInt32($0.row) }
    }
  }
}
