/// A record that proves a finding, or that took place at the same time as one that does.
package struct Evidence: Sendable {
  package var row: UInt32
  package var kind: Signal
  package var place: RecordPlace
  /// Nanoseconds since 1970, of hangs the true start; nil where it is unknown.
  package var start: Int64?
  /// What the record measured; nil for instants and for what has not ended.
  package var milliseconds: Double?
  /// Of a record at the same time: the part of the measured time that it covers, 0 for an instant within.
  ///
  /// Nil for what proves the finding itself.
  package var share: Double?
}

/// The records behind a finding: the worst first, each followed by what happened at the same time.
package struct EvidenceList: Sendable {
  package var items: [Evidence] = []
  /// Further records that prove it.
  package var more = 0
}

/// Finds the records behind findings; keeps what several of them need.
package final class EvidenceGathering {
  /// Records that prove a finding and whose time is looked into.
  private static let explained = 3

  let model: SessionModel
  let overview: Overview
  let findings: Findings
  /// Where the summary of each stream is; -1 for joined ledgers.
  private let positions: [Int]
  private let whole: WholeStreams
  var streams: [Int: StreamTimes] = [:]

  /// Records of one stream with their windows, by start.
  struct StreamTimes {
    var rows: [UInt32] = []
    var index = TimeIndex()
  }

  package init(_ model: SessionModel, _ overview: Overview, _ findings: Findings) {
    self.model = model
    self.overview = overview
    self.findings = findings
    positions = overview.positions(ofStreams: model.streams.count)
    whole = WholeStreams(overview, ofStreams: model.streams.count)
  }

  package func evidence(of finding: Finding) -> EvidenceList {
    if finding.judgement.rule == .budget { return budgeted(finding) }
    switch finding.subject {
    case .screen(let index): return named(finding, overview.screens[index])
    case .fragment(let index): return named(finding, overview.fragments[index])
    case .startup(let index): return startups(finding, findings.startups[index])
    case .session(let stream, let index): return session(finding, stream, index)
    case .hang(let stream, let index):
      return proofs([UInt32(overview.streams[stream].hangs[index].row)], in: stream)
    case .termination(let stream, let index):
      let row = overview.streams[stream].terminations[index].row
      return EvidenceList(items: [proof(UInt32(row))])
    case .leak(let index):
      let group = findings.rulebook.judged(findings.leaks[index])
      return listed(group.rows.sorted { precedes($0, $1) })
    case .ledger(let index):
      let limit = finding.judgement.limit ?? 0
      let rows = overview.ledger[index].rows.filter {
        Double(model.store[Int($0)].ledgerNanoseconds ?? -1) / 1_000_000 >= limit
      }
      return listed(bySize(rows) { $0.ledgerNanoseconds ?? 0 })
    case .stream(let index): return missing(finding, whole[index])
    case .span, .budget: return EvidenceList()
    }
  }

  // MARK: - Kinds of subjects

  private func named(_ finding: Finding, _ all: ScreenFigures) -> EvidenceList {
    let rule = finding.judgement.rule
    let figures = findings.rulebook.judged(rule, of: all)
    switch rule {
    case .freezeRate: return proofs(figures.longestFreezes.rows, in: nil, rule: rule)
    case .droppedFrames: return proofs(figures.mostDropped.rows, in: nil, rule: rule)
    default: break
    }
    let isFirstFrame = rule == .ttfrSlow
    var rows = isFirstFrame ? figures.slowestFirstFrames.rows : figures.slowest.rows
    guard let limit = finding.judgement.limit else { return proofs(rows, in: nil, rule: rule) }
    rows.keep { number in
      let row = model.store[Int(number)]
      return Double(isFirstFrame ? row.secondary : row.primary) >= limit
    }
    var list = proofs(rows, in: nil, rule: rule)
    let values = isFirstFrame ? figures.ttfr : figures.tti
    list.more = values.countAtLeast(limit) - rows.count
    return list
  }

  private func startups(_ finding: Finding, _ all: StartupGroup) -> EvidenceList {
    let group = findings.rulebook.judged(all)
    let limit = finding.judgement.limit ?? 0
    let rows = group.rows.filter { Double(model.store[Int($0)].primary) >= limit }
    return listed(bySize(rows) { Int64($0.primary) })
  }

  private func session(_ finding: Finding, _ stream: Int, _ index: Int) -> EvidenceList {
    let rows = overview.streams[stream].sessions[index].renderingRows
    var list = EvidenceList(items: rows.prefix(WorstRows.most).map { proof($0) })
    list.more = max(0, rows.count - WorstRows.most)
    guard finding.judgement.rule == .freezeRate, mayExplainFreezes(stream, index) else {
      return list
    }
    let window = TimeIndex.Stretch(
      start: overview.streams[stream].sessions[index].start,
      end: overview.streams[stream].sessions[index].spanEnd
    )
    // What the app was about to show does not explain that nothing moved.
    list.items += sameTime(window, in: stream, but: rows.first) {
      $0.signal != .screenTTI && $0.signal != .fragmentTTI && $0.signal != .appStartup
    }
    return list
  }

  /// Most sessions hold nothing but screens: those are not looked into.
  private func mayExplainFreezes(_ stream: Int, _ index: Int) -> Bool {
    if overview.streams[stream].sessions[index].nonFatalHangs > 0 { return true }
    if overview.streams[stream].sessions[index].fatalHangs > 0 { return true }
    if overview.streams[stream].sessions[index].leaks > 0 { return true }
    if !overview.streams[stream].joinedLedgers.isEmpty { return true }
    return overview.signalCounts[Int(Signal.otherSpan.rawValue)] > 0
  }

  private func missing(_ finding: Finding, _ summary: StreamSummary) -> EvidenceList {
    let rows: [UInt32] =
      switch finding.judgement.missing {
      case .topScreen: summary.hangs.map { UInt32($0.row) }
      case .terminationCause: summary.terminations.map { UInt32($0.row) }
      case .coverage:
        summary.sessions.filter { ($0.coverage ?? 1) < DefaultRules.minimumCoverage }
          .flatMap(\.renderingRows)
      case .refreshRate: summary.rowsOfSlowDisplay(model.store)
      default: summary.sessions.compactMap { $0.renderingRows.first ?? $0.items.first }
      }
    var list = EvidenceList(items: rows.prefix(Self.explained).map { proof($0) })
    list.more = max(0, rows.count - Self.explained)
    return list
  }

  private func budgeted(_ finding: Finding) -> EvidenceList {
    guard case .budget(let index) = finding.judgement.threshold.source else {
      return EvidenceList()
    }
    let budget = findings.rulebook.budgets[index]
    var gathering = BudgetGathering(model, overview, findings.startups, findings.leaks)
    if budget.isOfFrames, !budget.statistic.isCounting {
      return listed(gathering.rows(ofFrames: finding, index))
    }
    var rows = gathering.matchingRows(budget, index)
    switch finding.subject {
    case .screen(let place): rows.keep { isOf(overview.screens[place], $0) }
    case .fragment(let place): rows.keep { isOf(overview.fragments[place], $0) }
    case .span(let place): rows.keep { model.store[Int($0)].subject == overview.spans[place].name }
    case .ledger(let place): rows.keep { model.store[Int($0)].name == overview.ledger[place].name }
    case .startup(let place): rows.keep(among: findings.startups[place].rows)
    case .leak(let place): rows.keep(among: findings.leaks[place].rows)
    default: break
    }
    if budget.statistic.isCounting { return listed(rows.sorted { precedes($0, $1) }) }
    let isFirstFrame = budget.signal == .screenTTFR || budget.signal == .fragmentTTFR
    return listed(
      bySize(rows) { row in
        if isFirstFrame { return Int64(row.secondary) }
        if row.signal == .otherSpan { return row.end - row.start }
        return row.ledgerNanoseconds ?? Int64(row.primary)
      }
    )
  }

  private func isOf(_ figures: ScreenFigures, _ number: UInt32) -> Bool {
    let row = model.store[Int(number)]
    return row.subject == figures.name && model.resource(row.resource).app == figures.app
  }

  // MARK: - Records

  func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
    model.store[Int(left)].precedes(model.store[Int(right)])
  }

  private func bySize(_ rows: [UInt32], _ size: (RecordRow) -> Int64) -> [UInt32] {
    rows.sorted { left, right in
      let (a, b) = (size(model.store[Int(left)]), size(model.store[Int(right)]))
      return a != b ? a > b : precedes(left, right)
    }
  }

  private func listed(_ rows: [UInt32]) -> EvidenceList {
    EvidenceList(
      items: rows.prefix(WorstRows.most).map { proof($0) },
      more: max(0, rows.count - WorstRows.most)
    )
  }

  /// Records that prove something, the first of them with what happened at the same time.
  private func proofs(
    _ rows: [UInt32],
    in stream: Int?,
    rule: RuleID = .hang
  ) -> EvidenceList {
    var list = EvidenceList()
    for (place, number) in rows.enumerated() {
      list.items.append(proof(number, rule))
      let row = model.store[Int(number)]
      guard place < Self.explained, row.isTimed, rule != .droppedFrames else { continue }
      guard let stream = stream ?? streamNumber(row.stream) else { continue }
      var window = row.measuredWindow(model.options)
      if rule == .ttfrSlow { window.end = window.start + Int64(row.secondary) * 1_000_000 }
      list.items += sameTime(window, in: stream, but: number) { _ in true }
    }
    return list
  }

  func proof(_ number: UInt32, _ rule: RuleID = .hang) -> Evidence {
    let row = model.store[Int(number)]
    return Evidence(
      row: number,
      kind: row.signal,
      place: row.place,
      start: row.isTimed ? row.measuredWindow(model.options).start : nil,
      milliseconds: rule == .ttfrSlow
        ? row.secondaryValue.map(Double.init) : row.measuredMilliseconds
    )
  }

  func streamNumber(_ id: StreamID) -> Int? {
    let position = positions[Int(id.rawValue)]
    return position < 0 ? nil : position
  }
}

extension RecordRow {
  /// What the record measures, milliseconds; nil for instants and for what has no end.
  package var measuredMilliseconds: Double? {
    switch signal {
    case .leak, .otherLog, .watchdogTermination, .ledgerNote, .ledgerPayload: nil
    case .ledgerSpan, .ledgerHang, .ledgerHitch:
      ledgerNanoseconds.map { Double($0) / 1_000_000 }
    case .screenRendering, .appRendering, .otherSpan:
      flags.isDisjoint(with: [.noStart, .noEnd, .endBeforeStart])
        ? Double(end - start) / 1_000_000 : nil
    case .appStartup, .screenTTI, .fragmentTTI, .appHang:
      outcome.isError ? nil : primaryValue.map(Double.init)
    }
  }
}

extension Distribution {
  /// How many values are at least as great.
  fileprivate func countAtLeast(_ limit: Double) -> Int {
    var low = 0
    var high = self.count
    while low < high {
      let middle = (low + high) / 2
      if Double(self[middle]) >= limit { high = middle } else { low = middle + 1 }
    }
    return count - low
  }
}

extension [UInt32] {
  fileprivate mutating func keep(_ isWanted: (UInt32) -> Bool) { removeAll { !isWanted($0) } }

  fileprivate mutating func keep(among rows: [UInt32]) {
    let own = Set(rows)
    keep(own.contains)
  }
}
