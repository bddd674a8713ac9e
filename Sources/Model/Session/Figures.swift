/// Figures of one screen or fragment of one app.
package struct ScreenFigures: Sendable {
  package var app: Symbol
  package var name: Symbol
  /// What the rows have in common beside the name; nil where figures are not parted, none where unknown.
  package var group: Symbol?
  /// What stands before it, such as the name of a system before its version.
  package var groupPrefix = Symbol.none
  /// One row for all names beyond the limit of 10,000.
  package var isOverflow = false
  /// Milliseconds, of accepted measurements.
  package var tti = Distribution()
  package var ttfr = Distribution()
  /// Measurements that ended with an error other than a rejection.
  package var cancelled = 0
  /// Measurements that have not ended.
  package var open = 0
  /// Accepted measurements that took did-appear for the end: readiness was never signalled.
  package var readyFallback = 0
  /// Accepted measurements that began when the screen was being created.
  package var customStart = 0
  /// Renderings with counters.
  package var visits = 0
  package var frames: FrameFigures?
  /// From start to end of the renderings with counters, nanoseconds: what coverage is of.
  package var renderedNanoseconds: Int64 = 0
  /// The newest record, nanoseconds since 1970.
  package var lastSeen = Int64.min
  /// Rows behind the figures, in order of arrival.
  package var rows: [UInt32] = []
  /// By TTI, of accepted measurements.
  package var slowest = WorstRows()
  /// By TTFR.
  package var slowestFirstFrames = WorstRows()
  /// Renderings by their freeze time, those without any left out.
  package var longestFreezes = WorstRows()
  /// Renderings by their dropped frames, those without any left out.
  package var mostDropped = WorstRows()

  package var coverage: Double? { frames?.coverage(ofNanoseconds: renderedNanoseconds) }
}

private struct PartKey: Hashable {
  var key: GroupKey
  var value: GroupValue?
}

/// Figures over all launches.
package struct StartupFigures: Sendable {
  /// Milliseconds, of accepted launches that were not prewarmed.
  package var total = Distribution()
  package var prewarmed = 0
  package var rejected = 0
  package var cancelled = 0
  /// Those in `total` so long that they may have been prewarmed without saying so.
  package var suspect = 0
}

/// Leaks of one class in one app.
package struct LeakFigures: Sendable {
  package var app: Symbol
  package var className: Symbol
  /// One row for all classes beyond the limit of 10,000.
  package var isOverflow = false
  package var count = 0
  /// Distinct identifiers.
  package var instances = 0
  package var firstSeen = Int64.max
  package var lastSeen = Int64.min
  /// The most of this class in one launch.
  package var mostInLaunch = 0
  package var rows: [UInt32] = []
}

/// Figures of one ledger name.
package struct LedgerFigures: Sendable {
  package var name: Symbol
  package var kind: Signal
  package var count = 0
  /// Milliseconds; empty for notes.
  package var duration = Distribution(divisor: 1_000_000)
  /// Milliseconds; nil where no budget is known.
  package var budget: Int?
  /// Only events above a floor are recorded: counts and tails mean something, medians do not.
  package var isCensored = false
  package var lastSeen = Int64.min
  package var rows: [UInt32] = []
}

/// Spans that are none of PerformanceSuite's, by name.
package struct OtherSpanFigures: Sendable {
  package var app: Symbol
  package var name: Symbol
  package var isOverflow = false
  package var count = 0
  package var errors = 0
  package var duration = Distribution(divisor: 1_000_000)
}

extension SessionModel {
  private func liveRows(_ rows: ContiguousArray<UInt32>, in view: RowView) -> [UInt32] {
    rows.filter { store.isLive(Int($0), in: view) }
  }

  /// Figures per (app, name) of one kind of measurement, and of renderings where given; by name.
  func screenFigures(
    tti ttiSignal: Signal,
    rendering renderingSignal: Signal?,
    in view: RowView
  ) -> [ScreenFigures] {
    var figures: [PartKey: ScreenFigures] = [:]
    var grouping = options.groupBy.map { RowGrouping($0, self) }
    let signals = [ttiSignal] + (renderingSignal.map { [$0] } ?? [])
    for group in shownGroups(of: signals, in: view) where group.key.name.isPresent {
      let key = group.key
      var parts = grouping?.parts(group.rows).map { (Optional($0.value), $0.rows) }
      if group.folded != nil, parts?.contains(where: { $0.0?.value == .overflow }) == false {
        parts?.append((GroupValue(value: .overflow), []))
      }
      for (value, rows) in parts ?? [(nil, group.rows)] {
        // What the host asked to drop does not make a screen.
        let isAccepted = { (number: UInt32) in
          self.store.isLive(Int(number), in: view) && self.store[Int(number)].outcome != .rejected
        }
        // Of folded ones it is not known by what they are parted.
        let isRest = parts == nil || value?.value == .overflow
        let folded = isRest ? group.folded.flatMap { $0.accepted > 0 ? $0 : nil } : nil
        guard folded != nil || rows.contains(where: isAccepted) else { continue }
        let unsigned = GroupKey(signal: ttiSignal, app: key.app, name: key.name)
        let place = PartKey(key: unsigned, value: value)
        // Removed, so that its rows grow in place.
        var figure =
          figures.removeValue(forKey: place) ?? ScreenFigures(app: key.app, name: key.name)
        figure.group = value?.value
        figure.groupPrefix = value?.prefix ?? .none
        figure.isOverflow = group.isOverflow
        if key.signal == ttiSignal {
          figure.addMeasurements(rows, store, in: view, folded)
        } else {
          figure.addRenderings(rows, store, in: view, folded)
        }
        figures[place] = figure
      }
    }
    return figures.values.sorted { left, right in
      if (left.app, left.name) == (right.app, right.name), left.group != nil {
        // An empty value comes behind none.
        let (first, second) = (groupText(left), groupText(right))
        if first == nil || second == nil { return first == nil && second != nil }
        return first ?? "" < second ?? ""
      }
      return inOrder((left.app, left.name), (right.app, right.name))
    }
  }

  func startupFigures(in view: RowView) -> StartupFigures {
    var figures = StartupFigures()
    var totals: [Int64] = []
    var counted: CountedValues?
    for (index, key) in groups.keys.enumerated() where key.signal == .appStartup {
      for number in liveRows(groups.rows[index], in: view) {
        let row = store[Int(number)]
        if row.outcome == .rejected {
          figures.rejected += 1
        } else if row.outcome.isError {
          figures.cancelled += 1
        } else if row.flags.contains(.prewarmed) {
          figures.prewarmed += 1
        } else if let total = row.primaryValue {
          totals.append(Int64(total))
          if total > Launch.longestBelievable { figures.suspect += 1 }
        }
      }
      guard let group = folded(key, in: view) else { continue }
      figures.rejected += group.rejected
      figures.cancelled += group.cancelled
      figures.prewarmed += group.prewarmed
      figures.suspect += group.suspect
      counted = counted.map { $0 + group.primary } ?? group.primary
    }
    figures.total = Distribution(totals, and: counted)
    return figures
  }

  func leakFigures(in view: RowView, launchOf: (RecordRow) -> Int) -> [LeakFigures] {
    var figures: [LeakFigures] = []
    for group in shownGroups(of: [.leak], in: view) {
      let rows = liveRows(group.rows, in: view)
      guard !rows.isEmpty || group.folded != nil else { continue }
      var figure = LeakFigures(app: group.key.app, className: group.key.name)
      figure.isOverflow = group.isOverflow
      var instances: Set<UInt64> = []
      var perLaunch: [Int: Int] = [:]
      for number in rows {
        let row = store[Int(number)]
        instances.insert(row.spanID)
        perLaunch[launchOf(row), default: 0] += 1
        guard row.isTimed else { continue }
        figure.firstSeen = min(figure.firstSeen, row.start)
        figure.lastSeen = max(figure.lastSeen, row.start)
      }
      figure.count = rows.count
      figure.instances = instances.count
      figure.mostInLaunch = perLaunch.values.max() ?? 0
      if let folded = group.folded {
        figure.count += folded.count
        figure.instances = instances.union(folded.instances).count + folded.moreInstances
        figure.mostInLaunch = max(figure.mostInLaunch, folded.mostInLaunch)
        figure.firstSeen = min(figure.firstSeen, folded.firstSeen)
        figure.lastSeen = max(figure.lastSeen, folded.lastSeen)
      }
      figure.rows = rows
      figures.append(figure)
    }
    return figures.sorted { inOrder(($0.app, $0.className), ($1.app, $1.className)) }
  }

  func otherSpanFigures(in view: RowView) -> [OtherSpanFigures] {
    var figures: [OtherSpanFigures] = []
    for group in shownGroups(of: [.otherSpan], in: view) {
      let rows = liveRows(group.rows, in: view)
      guard !rows.isEmpty || group.folded != nil else { continue }
      var figure = OtherSpanFigures(app: group.key.app, name: group.key.name)
      figure.isOverflow = group.isOverflow
      var lengths: [Int64] = []
      for number in rows {
        let row = store[Int(number)]
        if row.outcome.isError { figure.errors += 1 }
        if let length = row.otherSpanLength { lengths.append(length) }
      }
      figure.count = rows.count + (group.folded?.count ?? 0)
      figure.errors += group.folded?.cancelled ?? 0
      figure.duration = Distribution(lengths, and: group.folded?.primary, divisor: 1_000_000)
      figures.append(figure)
    }
    return figures.sorted { inOrder(($0.app, $0.name), ($1.app, $1.name)) }
  }

  /// By app, then name, as their text sorts.
  private func inOrder(_ left: (Symbol, Symbol), _ right: (Symbol, Symbol)) -> Bool {
    if left.0 != right.0 { return text(left.0) < text(right.0) }
    return text(left.1) < text(right.1)
  }
}

extension ScreenFigures {
  mutating func addMeasurements(
    _ arrived: ContiguousArray<UInt32>,
    _ store: RecordStore,
    in view: RowView,
    _ folded: FoldedGroup? = nil
  ) {
    var ttis: [Int64] = []
    var ttfrs: [Int64] = []
    rows.reserveCapacity(rows.count + arrived.count)
    ttis.reserveCapacity(arrived.count)
    ttfrs.reserveCapacity(arrived.count)
    for number in arrived where store.isLive(Int(number), in: view) {
      let row = store[Int(number)]
      if row.outcome == .rejected { continue }
      rows.append(number)
      if row.isTimed { lastSeen = max(lastSeen, row.end) }
      if row.outcome.isError {
        cancelled += 1
      } else if let value = row.primaryValue {
        ttis.append(Int64(value))
        slowest.add(number, Int64(value)) { store[Int($0)].precedes(store[Int($1)]) }
        if let value = row.secondaryValue {
          ttfrs.append(Int64(value))
          slowestFirstFrames.add(number, Int64(value)) { store[Int($0)].precedes(store[Int($1)]) }
        }
        if row.flags.contains(.readyFallback) { readyFallback += 1 }
        if row.flags.contains(.customStart) { customStart += 1 }
      } else {
        open += 1
      }
    }
    if let folded {
      lastSeen = max(lastSeen, folded.lastSeen)
      cancelled += folded.cancelled
      open += folded.open
      readyFallback += folded.readyFallback
      customStart += folded.customStart
    }
    tti = Distribution(ttis, and: folded?.primary)
    ttfr = Distribution(ttfrs, and: folded?.secondary)
  }

  mutating func addRenderings(
    _ arrived: ContiguousArray<UInt32>,
    _ store: RecordStore,
    in view: RowView,
    _ folded: FoldedGroup? = nil
  ) {
    if let folded {
      lastSeen = max(lastSeen, folded.lastSeen)
      visits += folded.visits
      renderedNanoseconds &+= folded.renderedNanoseconds
      if let counted = folded.frames { frames = frames.map { $0 + counted } ?? counted }
    }
    rows.reserveCapacity(rows.count + arrived.count)
    for number in arrived where store.isLive(Int(number), in: view) {
      let row = store[Int(number)]
      if row.outcome == .rejected { continue }
      rows.append(number)
      if row.isTimed { lastSeen = max(lastSeen, row.end) }
      guard let counted = FrameFigures(store.extra(of: row).measurements) else { continue }
      visits += 1
      renderedNanoseconds &+= row.end - row.start
      frames = frames.map { $0 + counted } ?? counted
      if let freeze = counted.freezeMilliseconds, freeze > 0 {
        longestFreezes.add(number, Int64(freeze)) { store[Int($0)].precedes(store[Int($1)]) }
      }
      guard counted.dropped > 0 else { continue }
      mostDropped.add(number, Int64(counted.dropped)) { store[Int($0)].precedes(store[Int($1)]) }
    }
  }
}
