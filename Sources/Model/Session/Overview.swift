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

  package init() {}

  package var isEmpty: Bool { bound == 0 }
}

extension SessionModel {
  /// Derives the overview; streams that did not change since `previous` are taken from it.
  ///
  /// So are those of `early` that are still up to date.
  package func overview(previous: Overview? = nil, early: EarlySummaries? = nil) -> Overview {
    var overview = Overview()
    let bound = store.count
    overview.bound = bound
    overview.quality = quality
    for stream in streamTable.streams {
      overview.now = max(overview.now, stream.newestEnd)
      overview.earliest = min(overview.earliest, stream.oldestStart)
    }
    let repeated = repeatedLedgerRows(upTo: bound)
    let joins = ledgerJoins()
    let joined = Set(joins.values.joined())
    var known: [StreamID: StreamSummary] = [:]
    for summary in previous?.streams ?? [] { known[summary.stream] = summary }
    for number in streamsByStart {
      let id = StreamID(UInt32(number))
      if joined.contains(id) { continue }
      let ledgers = joins[id] ?? []
      var summary: StreamSummary
      if let old = known[id] ?? early?[id], repeated.isEmpty, isCurrent(old, ledgers: ledgers) {
        summary = old
      } else {
        var derivation = StreamDerivation(model: self, stream: id, ledgers: ledgers, bound: bound)
        summary = derivation.derive(repeated: repeated)
      }
      summary.markStale(now: overview.now, after: options.staleAfter)
      overview.streams.append(summary)
    }
    overview.startup = startupFigures(upTo: bound)
    overview.screens = screenFigures(
      tti: .screenTTI,
      rendering: .screenRendering,
      upTo: bound
    )
    overview.fragments = screenFigures(tti: .fragmentTTI, rendering: nil, upTo: bound)
    let launchStarts = overview.launchStarts
    overview.leaks = leakFigures(upTo: bound) { row in
      let index = launchStarts[row.stream]?.lastIndex { $0 <= row.start } ?? -1
      return Int(row.stream.rawValue) << 32 | (index & 0xFFFF_FFFF)
    }
    overview.ledger = ledgerFigures(repeated: repeated, upTo: bound)
    overview.spans = otherSpanFigures(upTo: bound)
    for number in 0..<bound where store.isLive(number, upTo: bound) {
      let row = store[number]
      overview.signalCounts[Int(row.signal.rawValue)] += 1
      if row.outcome == .rejected { overview.quality.rejected += 1 }
      if row.flags.isClockSuspect { overview.quality.clockSuspect += 1 }
      if row.flags.contains(.statusUnknown) { overview.quality.statusUnknown += 1 }
    }
    overview.totals = Totals(overview, self)
    return overview
  }

  /// True when deriving the stream again would give the same summary.
  func isCurrent(_ summary: StreamSummary, ledgers: [StreamID]) -> Bool {
    let stream = streamTable.streams[Int(summary.stream.rawValue)]
    let revision = ledgers.reduce(stream.revision) {
      $0 + streamTable.streams[Int($1.rawValue)].revision
    }
    return summary.revision == revision && summary.joinedLedgers == ledgers
      && summary.showsSessionSpans == stream.showsSessionSpans
  }

  /// Numbers of the streams by their earliest record; equal ones by what identifies them.
  private var streamsByStart: [Int] {
    let starts = streamTable.streams.map(\.oldestStart)
    return starts.indices.sorted { left, right in
      if starts[left] != starts[right] { return starts[left] < starts[right] }
      return identity(of: StreamID(UInt32(left))) < identity(of: StreamID(UInt32(right)))
    }
  }

  /// Ledgers that join a device stream: those that exactly one overlaps in time.
  private func ledgerJoins() -> [StreamID: [StreamID]] {
    var joins: [StreamID: [StreamID]] = [:]
    for (number, ledger) in streams.enumerated() where ledger.isLedger {
      let overlapping = streams.indices.filter {
        !streams[$0].isLedger && streams[$0].overlaps(ledger)
      }
      guard overlapping.count == 1 else { continue }
      joins[StreamID(UInt32(overlapping[0])), default: []].append(StreamID(UInt32(number)))
    }
    return joins
  }
}

extension Overview {
  fileprivate var launchStarts: [StreamID: [Int64]] {
    var starts: [StreamID: [Int64]] = [:]
    for summary in streams { starts[summary.stream] = summary.launches.map(\.start) }
    return starts
  }
}

extension DeviceStream {
  fileprivate func overlaps(_ other: DeviceStream) -> Bool {
    oldestStart <= other.newestEnd && other.oldestStart <= newestEnd
  }
}

extension StreamSummary {
  /// Open sessions far behind now are stale, whether or not anything more of their stream came.
  fileprivate mutating func markStale(now: Int64, after staleAfter: Int64) {
    for index in sessions.indices where sessions[index].state == .open {
      guard now > sessions[index].end, now - sessions[index].end > staleAfter else { continue }
      sessions[index].state = .stale
      sessions[index].reason = "open, and nothing came for a long time"
    }
  }
}
