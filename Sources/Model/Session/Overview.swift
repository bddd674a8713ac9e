/// Everything that screens and reports show, derived from the records up to one row count.
///
/// A value: a paused picture is an overview that is kept.
package struct Overview: Sendable {
  /// The row count it was derived from.
  package var bound = 0
  /// The newest end among the trustworthy records; `Int64.min` before the first.
  package var now = Int64.min
  /// The earliest start among them; `Int64.max` before the first.
  package var earliest = Int64.max
  /// Streams by their earliest record; joined ledgers are in the stream that they joined.
  package var streams: [StreamSummary] = []
  /// The same before a filter was applied; nil where there was none.
  var unfiltered: [StreamSummary]?
  /// What is shown of the records; nil where there is no filter.
  package var selection: RowSelection?
  /// So many of the newest records were asked so far; nil when all were.
  package var examined: Int?
  package var startup = StartupFigures()
  package var screens: [ScreenFigures] = []
  package var fragments: [ScreenFigures] = []
  package var leaks: [LeakFigures] = []
  package var ledger: [LedgerFigures] = []
  package var spans: [OtherSpanFigures] = []
  /// Distinct spans by signal, indexed by `Signal.rawValue`.
  package var signalCounts = [Int](repeating: 0, count: Signal.allCases.count)
  package var quality = Quality()
  package var totals = Totals()
  /// What is counted in the figures without being listed anywhere; with a filter it is in none.
  package var folded = FoldedFigures()

  package init() {}

  package var isEmpty: Bool { bound == 0 }
}

/// Runs two pieces of work and returns when both are done; how much at once is the caller's choice.
package typealias TwoAtOnce = (_ first: () -> Void, _ second: @Sendable () -> Void) -> Void

/// One after the other.
package func inSequence(_ first: () -> Void, _ second: @Sendable () -> Void) {
  first()
  second()
}

extension SessionModel {
  /// Derives the overview; streams that did not change since `previous` are taken from it.
  ///
  /// So are those of `early` that are still up to date. `filter` says which records figures are made of,
  /// while sessions are derived from all of them.
  package func overview(
    previous: Overview? = nil,
    early: consuming EarlySummaries = EarlySummaries(),
    filter: RecordFilter = RecordFilter(),
    atOnce: TwoAtOnce = inSequence
  ) -> Overview {
    var early = early
    var overview = Overview()
    overview.bound = store.count
    overview.quality = quality
    for stream in streamTable.streams {
      overview.now = max(overview.now, stream.newestEnd)
      overview.earliest = min(overview.earliest, stream.oldestStart)
    }
    let repeated = repeatedLedgerRows(upTo: overview.bound)
    let known = previous?.unfiltered ?? previous?.streams ?? []
    let view = RowView(bound: overview.bound)
    guard filter.isEmpty else {
      overview.streams = summaries(known: known, early: &early, repeated: repeated, overview)
      countRows(of: &overview, isQualityKnown: false)
      var scan = FilterScan(filter, self, whole: overview, repeated: repeated)
      scan.examine()
      return self.overview(of: scan)
    }
    nonisolated(unsafe) var screens: [ScreenFigures] = []
    atOnce(
      {
        overview.streams = summaries(known: known, early: &early, repeated: repeated, overview)
        addFigures(to: &overview, repeated: repeated, in: view)
        countRows(of: &overview, isQualityKnown: false)
      },
      { screens = screenFigures(tti: .screenTTI, rendering: .screenRendering, in: view) }
    )
    overview.screens = screens
    addLeaks(to: &overview, launchesIn: overview.streams, in: view)
    overview.totals = Totals(overview, self)
    return overview
  }

  /// Another look at the records of an overview: all of them, and parted as the options say now.
  package func overview(ofRecordsIn shown: Overview) -> Overview {
    var overview = shown.withoutFigures
    let view = RowView(bound: overview.bound)
    let repeated = repeatedLedgerRows(upTo: overview.bound)
    overview.screens = screenFigures(tti: .screenTTI, rendering: .screenRendering, in: view)
    addFigures(to: &overview, repeated: repeated, in: view)
    countRows(of: &overview, isQualityKnown: true)
    addLeaks(to: &overview, launchesIn: overview.streams, in: view)
    overview.totals = Totals(overview, self)
    return overview
  }

  /// Another look at the records of an overview: those that a filter lets through, a step at a time.
  ///
  /// Nil for a filter that asks nothing.
  package func scan(_ filter: RecordFilter, ofRecordsIn shown: Overview) -> FilterScan? {
    guard !filter.isEmpty else { return nil }
    let repeated = repeatedLedgerRows(upTo: shown.bound)
    return FilterScan(filter, self, whole: shown.withoutFigures, repeated: repeated)
  }

  /// All figures but those of screens and leaks.
  func addFigures(to overview: inout Overview, repeated: Set<UInt32>, in view: RowView) {
    overview.startup = startupFigures(in: view)
    overview.fragments = screenFigures(tti: .fragmentTTI, rendering: nil, in: view)
    overview.ledger = ledgerFigures(repeated: repeated, in: view)
    overview.spans = otherSpanFigures(in: view)
  }

  /// Counts all rows by signal; quality is of everything received, whatever is looked at.
  private func countRows(of overview: inout Overview, isQualityKnown: Bool) {
    overview.folded = folded
    overview.folded.devices = streamTable.streams.count { $0.isFoldedWhole }
    for index in folded.signalCounts.indices {
      overview.signalCounts[index] += folded.signalCounts[index]
    }
    if !isQualityKnown {
      overview.quality.add(folded)
      overview.quality.otherNames = groups.beyond
    }
    for number in 0..<overview.bound where store.isLive(number, upTo: overview.bound) {
      let row = store[number]
      overview.signalCounts[Int(row.signal.rawValue)] += 1
      if isQualityKnown { continue }
      if row.outcome == .rejected { overview.quality.rejected += 1 }
      if row.flags.isClockSuspect { overview.quality.clockSuspect += 1 }
      if row.flags.contains(.statusUnknown) { overview.quality.statusUnknown += 1 }
    }
  }

  func addLeaks(
    to overview: inout Overview,
    launchesIn summaries: [StreamSummary],
    in view: RowView
  ) {
    let positions = Overview.positions(of: summaries, ofStreams: streamTable.streams.count)
    overview.leaks = leakFigures(in: view) { row in
      let position = positions[Int(row.stream.rawValue)]
      let index =
        position < 0
        ? -1 : summaries[position].launches.lastIndex { $0.start <= row.start } ?? -1
      return Int(row.stream.rawValue) << 32 | (index & 0xFFFF_FFFF)
    }
  }

  private func summaries(
    known: [StreamSummary],
    early: inout EarlySummaries,
    repeated: Set<UInt32>,
    _ overview: Overview
  ) -> [StreamSummary] {
    var summaries: [StreamSummary] = []
    summaries.reserveCapacity(streamTable.streams.count)
    var known = Dictionary(known.map { ($0.stream, $0) }) { $1 }
    var derivation = StreamDerivation(model: self, bound: overview.bound)
    let joins = ledgerJoins()
    let joined = Set(joins.values.joined())
    for number in streamsByStart {
      let id = StreamID(UInt32(number))
      // Of a stream that was folded whole nothing is left to list.
      if joined.contains(id) || streamTable.streams[number].isFoldedWhole { continue }
      let ledgers = joins[id] ?? []
      // Taken out, so that it is changed in place.
      if var summary = known.removeValue(forKey: id) ?? early.take(id), repeated.isEmpty,
        isCurrent(summary, ledgers: ledgers)
      {
        summary.markStale(now: overview.now, after: options.staleAfter)
        summaries.append(summary)
      } else {
        var summary = derivation.derive(id, ledgers: ledgers, repeated: repeated)
        summary.markStale(now: overview.now, after: options.staleAfter)
        summaries.append(summary)
      }
    }
    return summaries
  }

  /// True when deriving the stream again would give the same summary.
  func isCurrent(_ summary: StreamSummary, ledgers: [StreamID]) -> Bool {
    let stream = streamTable.streams[Int(summary.stream.rawValue)]
    let revision = ledgers.reduce(stream.revision) {
      $0 + streamTable.streams[Int($1.rawValue)].revision
    }
    return summary.revision == revision && summary.joinedLedgers == ledgers
      && summary.showsSessionSpans == stream.showsSessionSpans
      && summary.hasTrustedTime == stream.hasTrustedTime
  }

  /// Numbers of the streams by their earliest record; equal ones by what identifies them.
  private var streamsByStart: [Int] {
    let starts = streamTable.streams.map(\.oldestStart)
    return starts.indices.sorted { left, right in
      if starts[left] != starts[right] { return starts[left] < starts[right] }
      return identity(of: StreamID(UInt32(left))) < identity(of: StreamID(UInt32(right)))
    }
  }
}

extension Overview {
  /// The records that it was derived from, before any filter.
  fileprivate var withoutFigures: Overview {
    var whole = Overview()
    (whole.bound, whole.now, whole.earliest) = (bound, now, earliest)
    whole.streams = unfiltered ?? streams
    whole.quality = quality
    return whole
  }

  /// Where the summary of each stream is; -1 for joined ledgers and what a filter left out.
  package func positions(ofStreams count: Int) -> [Int] {
    Self.positions(of: streams, ofStreams: count)
  }

  static func positions(of summaries: [StreamSummary], ofStreams count: Int) -> [Int] {
    var positions = [Int](repeating: -1, count: count)
    for index in summaries.indices { positions[Int(summaries[index].stream.rawValue)] = index }
    return positions
  }
}

extension StreamSummary {
  /// The launch during which an instant lies; -1 before the first.
  func launchIndex(at time: Int64) -> Int {
    var low = 0
    var high = launches.count
    while low < high {
      let middle = (low + high) / 2
      if launches[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  /// When the launch began during which an instant lies; nil before the first.
  package func launchStart(at time: Int64) -> Int64? {
    let index = launchIndex(at: time)
    return index < 0 ? nil : launches[index].start
  }

  /// Open sessions far behind now are stale, whether or not anything more of their stream came.
  mutating func markStale(now: Int64, after staleAfter: Int64) {
    for index in sessions.indices where sessions[index].state == .open {
      guard now > sessions[index].end, now - sessions[index].end > staleAfter else { continue }
      sessions[index].state = .stale
      sessions[index].reason = "open, and nothing came for a long time"
    }
  }
}
