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
  /// Records that prove a finding.
  static let most = 10
  /// Those of them whose time is looked into, and what is told of each.
  private static let explained = 3
  private static let mostAtSameTime = 5

  let model: SessionModel
  let overview: Overview
  let findings: Findings
  private var streamNumbers: [StreamID: Int] = [:]
  private var streams: [Int: StreamTimes] = [:]
  private var worst: [WorstKey: [UInt32]] = [:]

  private struct WorstKey: Hashable {
    var subject: FindingSubject
    var rule: RuleID
  }

  /// Records of one stream with their windows, by start.
  private struct StreamTimes {
    var rows: [UInt32] = []
    var index = TimeIndex()
  }

  package init(_ model: SessionModel, _ overview: Overview, _ findings: Findings) {
    self.model = model
    self.overview = overview
    self.findings = findings
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
      return listed(findings.leaks[index].rows.sorted { precedes($0, $1) })
    case .ledger(let index):
      let limit = finding.judgement.limit ?? 0
      let rows = overview.ledger[index].rows.filter {
        Double(model.store[Int($0)].ledgerNanoseconds ?? -1) / 1_000_000 >= limit
      }
      return listed(bySize(rows) { $0.ledgerNanoseconds ?? 0 })
    case .stream(let index): return missing(finding, overview.streams[index])
    case .span, .budget: return EvidenceList()
    }
  }

  // MARK: - Kinds of subjects

  private func named(_ finding: Finding, _ figures: ScreenFigures) -> EvidenceList {
    let rule = finding.judgement.rule
    let key = WorstKey(subject: finding.subject, rule: rule)
    if worst[key] == nil {
      let isFrames = rule == .freezeRate || rule == .droppedFrames
      if isFrames {
        findWorstVisits(figures, finding.subject)
      } else {
        findSlowest(figures, finding.subject)
      }
    }
    var rows = worst[key] ?? []
    guard rule != .freezeRate, rule != .droppedFrames, let limit = finding.judgement.limit else {
      return proofs(rows, in: nil, rule: rule)
    }
    rows.keep { Double(value(of: model.store[Int($0)], rule)) >= limit }
    var list = proofs(rows, in: nil, rule: rule)
    let values = rule == .ttfrSlow ? figures.ttfr : figures.tti
    list.more = values.count(from: limit) - rows.count
    return list
  }

  private func value(of row: RecordRow, _ rule: RuleID) -> UInt32 {
    rule == .ttfrSlow ? row.secondary : row.primary
  }

  /// One pass over a screen's rows for both of its times.
  private func findSlowest(_ figures: ScreenFigures, _ subject: FindingSubject) {
    var tti = WorstRows(most: Self.most)
    var ttfr = WorstRows(most: Self.most)
    for number in figures.rows {
      let row = model.store[Int(number)]
      guard row.signal != .screenRendering, !row.outcome.isError, let value = row.primaryValue
      else { continue }
      tti.add(number, Int64(value)) { precedes($0, $1) }
      guard let first = row.secondaryValue else { continue }
      ttfr.add(number, Int64(first)) { precedes($0, $1) }
    }
    worst[WorstKey(subject: subject, rule: .ttiSlow)] = tti.rows
    worst[WorstKey(subject: subject, rule: .fragmentTTISlow)] = tti.rows
    worst[WorstKey(subject: subject, rule: .ttfrSlow)] = ttfr.rows
  }

  private func findWorstVisits(_ figures: ScreenFigures, _ subject: FindingSubject) {
    var freeze = WorstRows(most: Self.most)
    var dropped = WorstRows(most: Self.most)
    for number in figures.rows where model.store[Int(number)].signal == .screenRendering {
      let row = model.store[Int(number)]
      let measurements = model.store.extra(of: row).measurements
      if let value = measurements[.freezeTime], value > 0 {
        freeze.add(number, Int64(value)) { precedes($0, $1) }
      }
      if let value = measurements[.droppedFrames], value > 0 {
        dropped.add(number, Int64(value)) { precedes($0, $1) }
      }
    }
    worst[WorstKey(subject: subject, rule: .freezeRate)] = freeze.rows
    worst[WorstKey(subject: subject, rule: .droppedFrames)] = dropped.rows
  }

  private func startups(_ finding: Finding, _ group: StartupGroup) -> EvidenceList {
    let limit = finding.judgement.limit ?? 0
    let rows = group.rows.filter { Double(model.store[Int($0)].primary) >= limit }
    return listed(bySize(rows) { Int64($0.primary) })
  }

  private func session(_ finding: Finding, _ stream: Int, _ index: Int) -> EvidenceList {
    let rows = overview.streams[stream].sessions[index].renderingRows
    var list = EvidenceList(items: rows.prefix(Self.most).map { proof($0) })
    list.more = max(0, rows.count - Self.most)
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
      case .refreshRate:
        summary.sessions.filter { $0.frames?.isSlowDisplay == true }.flatMap(\.renderingRows)
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
    var rows = gathering.matchingRows(budget, index)
    switch finding.subject {
    case .screen(let place):
      rows.keep { model.store[Int($0)].subject == overview.screens[place].name }
    case .fragment(let place):
      rows.keep { model.store[Int($0)].subject == overview.fragments[place].name }
    case .span(let place): rows.keep { model.store[Int($0)].subject == overview.spans[place].name }
    case .ledger(let place): rows.keep { model.store[Int($0)].name == overview.ledger[place].name }
    case .startup(let place):
      let own = Set(findings.startups[place].rows)
      rows.keep { own.contains($0) }
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

  // MARK: - Records

  private func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
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
      items: rows.prefix(Self.most).map { proof($0) },
      more: max(0, rows.count - Self.most)
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

  private func proof(_ number: UInt32, _ rule: RuleID = .hang) -> Evidence {
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

  // MARK: - At the same time

  /// What took place while a record was measured, the greatest cover first.
  package func atSameTime(as number: UInt32) -> [Evidence] {
    let row = model.store[Int(number)]
    guard row.isTimed, let stream = streamNumber(row.stream) else { return [] }
    return sameTime(row.measuredWindow(model.options), in: stream, but: number) { _ in true }
  }

  private func sameTime(
    _ window: TimeIndex.Stretch,
    in stream: Int,
    but number: UInt32?,
    where isWanted: (RecordRow) -> Bool
  ) -> [Evidence] {
    if streams[stream] == nil { streams[stream] = times(stream) }
    guard let times = streams[stream] else { return [] }
    let overlaps = times.index.overlaps(window, most: Self.mostAtSameTime) { index in
      times.rows[index] != number && isWanted(model.store[Int(times.rows[index])])
    }
    return overlaps.map { overlap in
      var evidence = proof(times.rows[overlap.index])
      evidence.share = overlap.share ?? 0
      return evidence
    }
  }

  /// Visits to screens are left out: they last throughout.
  private func times(_ stream: Int) -> StreamTimes {
    var entries: [(window: TimeIndex.Stretch, row: UInt32)] = []
    func add(_ number: UInt32) {
      let row = model.store[Int(number)]
      guard row.signal != .screenRendering, row.signal != .appRendering else { return }
      entries.append((row.measuredWindow(model.options), number))
    }
    for index in overview.streams[stream].sessions.indices {
      let items = overview.streams[stream].sessions[index].items
      entries.reserveCapacity(entries.count + items.count)
      for number in items { add(number) }
    }
    for termination in overview.streams[stream].terminations { add(UInt32(termination.row)) }
    let isBefore = {
      (
        left: (window: TimeIndex.Stretch, row: UInt32),
        right: (window: TimeIndex.Stretch, row: UInt32)
      ) in
      left.window.start != right.window.start
        ? left.window.start < right.window.start : self.precedes(left.row, right.row)
    }
    // Items of a session are in order already, but for hangs that the next launch told.
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { !isBefore($1, $0) }
    if !isSorted { entries.sort(by: isBefore) }
    return StreamTimes(rows: entries.map(\.row), index: TimeIndex(sorted: entries.map(\.window)))
  }

  private func streamNumber(_ id: StreamID) -> Int? {
    if streamNumbers.isEmpty {
      for (number, summary) in overview.streams.enumerated() {
        streamNumbers[summary.stream] = number
      }
    }
    return streamNumbers[id]
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
  fileprivate func count(from limit: Double) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if Double(sorted[middle]) >= limit { high = middle } else { low = middle + 1 }
    }
    return sorted.count - low
  }
}

extension [UInt32] {
  fileprivate mutating func keep(_ isWanted: (UInt32) -> Bool) { removeAll { !isWanted($0) } }
}

/// The rows with the greatest sizes, the greatest first.
private struct WorstRows {
  let most: Int
  private(set) var rows: [UInt32] = []
  private var sizes: [Int64] = []

  init(most: Int) { self.most = most }

  /// Of equal sizes, what precedes comes first.
  mutating func add(_ row: UInt32, _ size: Int64, _ precedes: (UInt32, UInt32) -> Bool) {
    if sizes.count == most, let least = sizes.last, size < least { return }
    let place =
      sizes.indices.first { size > sizes[$0] || (size == sizes[$0] && precedes(row, rows[$0])) }
      ?? sizes.count
    guard place < most else { return }
    rows.insert(row, at: place)
    sizes.insert(size, at: place)
    if rows.count > most {
      rows.removeLast()
      sizes.removeLast()
    }
  }
}
