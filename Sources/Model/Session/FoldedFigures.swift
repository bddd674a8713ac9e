/// What is left of records that are no longer kept: counts, sums and the values of percentiles.
package struct FoldedFigures: Sendable {
  /// Winning records that were folded.
  package var records = 0
  package var sessions = 0
  package var states: [SessionState: Int] = [:]
  /// Devices of which nothing is kept.
  package var devices = 0
  package var launches = 0
  package var hangs = 0
  var fatalHangs = 0
  var openHangs = 0
  var terminations = 0
  var frames: FrameFigures?
  /// Of the newest folded launch that was not prewarmed and has a time: its start and the time.
  var lastLaunch: (start: Int64, milliseconds: Int)?
  /// By `Signal.rawValue`.
  var signalCounts = [Int](repeating: 0, count: Signal.allCases.count)
  var rejected = 0
  var clockSuspect = 0
  var statusUnknown = 0
  /// Ledger lines go by their names, without an app.
  var groups: [GroupKey: FoldedGroup] = [:]
  /// Milliseconds of the startups that are judged.
  var startups: [AppVersion: CountedValues] = [:]
  var findings = FoldedFindings()

  package var isEmpty: Bool { records == 0 }

  /// Distinct values that all groups together may keep.
  private static let mostValues = 1_000_000

  /// Keeps values less exactly while there are too many; called after folding.
  mutating func bound() {
    var left = 5
    while left > 0, groups.values.reduce(0, { $0 + $1.distinct }) > Self.mostValues {
      for key in groups.keys { groups[key]?.coarsen() }
      left -= 1
    }
  }

  /// Takes a winning record.
  mutating func add(_ row: RecordRow, key: GroupKey, frames: FrameFigures?) {
    records += 1
    signalCounts[Int(row.signal.rawValue)] += 1
    if row.outcome == .rejected { rejected += 1 }
    if row.flags.isClockSuspect { clockSuspect += 1 }
    if row.flags.contains(.statusUnknown) { statusUnknown += 1 }
    groups[key, default: FoldedGroup()].add(row, frames: frames)
  }

  /// Takes what is counted over sessions; their records come apart.
  mutating func add(_ session: Session) {
    sessions += 1
    states[session.state, default: 0] += 1
    guard let counted = session.frames else { return }
    frames = frames.map { $0 + counted } ?? counted
  }

  mutating func add(_ hang: Hang) {
    guard hang.type != .cancelled else { return }
    hangs += 1
    if hang.type == .fatal { fatalHangs += 1 }
    if hang.type == .open { openHangs += 1 }
  }

  mutating func add(_ launch: Launch) {
    launches += 1
    guard !launch.isPrewarmed, let total = launch.totalMilliseconds else { return }
    if launch.start >= lastLaunch?.start ?? .min { lastLaunch = (launch.start, total) }
  }
}

/// An app and one version of it.
struct AppVersion: Hashable, Sendable {
  var app: Symbol
  var version: Symbol

  /// Both as one number.
  var order: UInt64 { UInt64(app.rawValue) << 32 | UInt64(version.rawValue) }
}

extension Quality {
  mutating func add(_ folded: FoldedFigures) {
    rejected += folded.rejected
    clockSuspect += folded.clockSuspect
    statusUnknown += folded.statusUnknown
    foldedRecords = folded.records
    foldedSessions = folded.sessions
    foldedLaunches = folded.launches
    foldedHangs = folded.hangs
  }
}

/// What is left of the records of one signal and name.
struct FoldedGroup: Sendable {
  var count = 0
  /// Milliseconds of measurements, nanoseconds of other spans and ledger lines.
  var primary = CountedValues()
  var secondary = CountedValues()
  var accepted = 0
  var rejected = 0
  var cancelled = 0
  var open = 0
  var prewarmed = 0
  var suspect = 0
  var readyFallback = 0
  var customStart = 0
  /// Renderings with counters.
  var visits = 0
  var frames: FrameFigures?
  var renderedNanoseconds: Int64 = 0
  var firstSeen = Int64.max
  var lastSeen = Int64.min
  /// Of leaks: hashes of identifiers, while there are not too many.
  private(set) var instances: Set<UInt64> = []
  /// Identifiers beyond those, each counted as often as it came.
  private(set) var moreInstances = 0
  private static let mostInstances = 10_000
  var mostInLaunch = 0

  var distinct: Int { primary.distinct + secondary.distinct }

  mutating func coarsen() {
    primary.coarsen()
    secondary.coarsen()
  }

  mutating func add(_ row: RecordRow, frames counted: FrameFigures?) {
    count += 1
    if row.outcome == .rejected { rejected += 1 } else { accepted += 1 }
    if row.isTimed {
      firstSeen = min(firstSeen, row.start)
      if row.outcome != .rejected { lastSeen = max(lastSeen, row.end) }
    }
    switch row.signal {
    case .appStartup: addStartup(row)
    case .screenTTI, .fragmentTTI: addMeasurement(row)
    case .screenRendering:
      guard row.outcome != .rejected, let counted else { return }
      visits += 1
      renderedNanoseconds &+= row.end - row.start
      frames = frames.map { $0 + counted } ?? counted
    case .otherSpan:
      if row.outcome.isError { cancelled += 1 }
      if let length = row.otherSpanLength { primary.add(length) }
    case .ledgerSpan, .ledgerHang, .ledgerHitch, .ledgerNote, .ledgerPayload:
      if let nanoseconds = row.ledgerNanoseconds { primary.add(nanoseconds) }
    case .leak: note(instance: row.spanID)
    case .appRendering, .appHang, .watchdogTermination, .otherLog: break
    }
  }

  private mutating func note(instance: UInt64) {
    if instances.count < Self.mostInstances {
      instances.insert(instance)
    } else if !instances.contains(instance) {
      moreInstances += 1
    }
  }

  private mutating func addStartup(_ row: RecordRow) {
    guard row.outcome != .rejected else { return }
    if row.outcome.isError {
      cancelled += 1
    } else if row.flags.contains(.prewarmed) {
      prewarmed += 1
    } else if let total = row.primaryValue {
      primary.add(Int64(total))
      if total > Launch.longestBelievable { suspect += 1 }
    }
  }

  private mutating func addMeasurement(_ row: RecordRow) {
    guard row.outcome != .rejected else { return }
    if row.outcome.isError {
      cancelled += 1
    } else if let value = row.primaryValue {
      primary.add(Int64(value))
      if let value = row.secondaryValue { secondary.add(Int64(value)) }
      if row.flags.contains(.readyFallback) { readyFallback += 1 }
      if row.flags.contains(.customStart) { customStart += 1 }
    } else {
      open += 1
    }
  }
}

extension FoldedGroup {
  static func + (left: FoldedGroup, right: FoldedGroup) -> FoldedGroup {
    var sum = left
    sum.count += right.count
    sum.primary = left.primary + right.primary
    sum.secondary = left.secondary + right.secondary
    sum.accepted += right.accepted
    sum.rejected += right.rejected
    sum.cancelled += right.cancelled
    sum.open += right.open
    sum.prewarmed += right.prewarmed
    sum.suspect += right.suspect
    sum.readyFallback += right.readyFallback
    sum.customStart += right.customStart
    sum.visits += right.visits
    if let more = right.frames { sum.frames = left.frames.map { $0 + more } ?? more }
    sum.renderedNanoseconds &+= right.renderedNanoseconds
    sum.firstSeen = min(left.firstSeen, right.firstSeen)
    sum.lastSeen = max(left.lastSeen, right.lastSeen)
    for instance in right.instances { sum.note(instance: instance) }
    sum.moreInstances += right.moreInstances
    sum.mostInLaunch = max(left.mostInLaunch, right.mostInLaunch)
    return sum
  }
}

extension RecordRow {
  /// Nanoseconds of a span that is none of PerformanceSuite's; nil where they are not known.
  var otherSpanLength: Int64? {
    flags.isDisjoint(with: [.noStart, .noEnd, .endBeforeStart, .inProgress]) ? end - start : nil
  }
}
