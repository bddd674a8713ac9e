// Ledger lines have no identity: equal lines count as written, unless a second source repeats a whole run.
extension SessionModel {
  /// Rows of a source whose whole sequence of lines stands, in order and without a gap, in another source.
  ///
  /// Of two sources with the same lines, the later one repeats the earlier.
  func repeatedLedgerRows(upTo bound: Int) -> Set<UInt32> {
    var bySource: [SourceID: [UInt32]] = [:]
    for number in ledgerRows where Int(number) < bound {
      bySource[store[Int(number)].place.source, default: []].append(number)
    }
    guard bySource.count > 1 else { return [] }
    let runs = bySource.sorted { $0.key < $1.key }.map { source in
      LedgerRun(rows: source.value, lines: source.value.map { store[Int($0)].content })
    }
    var repeated: Set<UInt32> = []
    for (index, run) in runs.enumerated() {
      let isRepeat = runs.enumerated().contains { other, longer in
        guard other != index else { return false }
        if longer.lines.count == run.lines.count, other > index { return false }
        return longer.contains(run)
      }
      if isRepeat { repeated.formUnion(run.rows) }
    }
    return repeated
  }

  /// Figures per ledger name, by name.
  func ledgerFigures(repeated: Set<UInt32>, in view: RowView) -> [LedgerFigures] {
    var figures: [Symbol: LedgerFigures] = [:]
    var durations: [Symbol: [Int64]] = [:]
    for number in ledgerRows where !repeated.contains(number) {
      guard store.isLive(Int(number), in: view) else { continue }
      let row = store[Int(number)]
      var figure = figures[row.name] ?? LedgerFigures(name: row.name, kind: row.signal)
      figure.count += 1
      // A name of several kinds has the first of them, whatever came first.
      if row.signal.rawValue < figure.kind.rawValue { figure.kind = row.signal }
      figure.rows.append(number)
      if row.isTimed { figure.lastSeen = max(figure.lastSeen, row.end) }
      if let nanoseconds = row.ledgerNanoseconds {
        durations[row.name, default: []].append(nanoseconds)
      }
      figures[row.name] = figure
    }
    var counted: [Symbol: CountedValues] = [:]
    for (key, group) in folded.groups where key.signal.isLedger && view.selection == nil {
      var figure = figures[key.name] ?? LedgerFigures(name: key.name, kind: key.signal)
      figure.count += group.count
      if key.signal.rawValue < figure.kind.rawValue { figure.kind = key.signal }
      figure.lastSeen = max(figure.lastSeen, group.lastSeen)
      figures[key.name] = figure
      counted[key.name] = counted[key.name].map { $0 + group.primary } ?? group.primary
    }
    return figures.values.map { figure in
      var figure = figure
      figure.duration = Distribution(
        durations[figure.name] ?? [],
        and: counted[figure.name],
        divisor: 1_000_000
      )
      let seam = LedgerNames.seam(text(figure.name))
      figure.budget = seam?.budget
      figure.isCensored = seam.map { $0.floor != nil } ?? (figure.kind == .ledgerSpan)
      return figure
    }
    .sorted { text($0.name) < text($1.name) }
  }
}

extension RecordRow {
  /// The duration that a ledger line tells, nanoseconds; nil for notes.
  package var ledgerNanoseconds: Int64? {
    guard signal.isLedger, let milliseconds = primaryValue else { return nil }
    return Int64(milliseconds) * 1_000_000 + Int64(secondary)
  }
}

private struct LedgerRun {
  var rows: [UInt32]
  var lines: [UInt64]

  func contains(_ other: LedgerRun) -> Bool {
    guard let first = other.lines.first, other.lines.count <= lines.count else { return false }
    for start in 0...(lines.count - other.lines.count) where lines[start] == first {
      if lines[start..<start + other.lines.count].elementsEqual(other.lines) { return true }
    }
    return false
  }
}
