import Model

/// The lanes of the timeline, from top to bottom.
enum TimelineLane: UInt8, CaseIterable, Sendable {
  case state
  case launch
  case screens
  case fragments
  case rendering
  case hangs
  case leaks
  case watchdog
  case ledger
  case other

  var name: String { self == .other ? "spans" : String(describing: self) }

  /// Where there are fewer rows than lanes, those with the greatest numbers give way first.
  var dropOrder: Int {
    switch self {
    case .state: 0
    case .hangs: 1
    case .screens: 2
    case .watchdog: 3
    case .rendering: 4
    case .launch: 5
    case .leaks: 6
    case .ledger: 7
    case .fragments: 8
    case .other: 9
    }
  }
}

/// One thing on a lane, reduced to what placing and colouring it takes.
struct TimelineItem: Sendable {
  /// What stands behind it, as an index into the stream's summary.
  enum Origin: Hashable, Sendable {
    case record
    case hang(Int)
    case launch(Int)
    case termination(Int)
  }

  var lane: TimelineLane
  var origin = Origin.record
  /// Nil for a launch that no record tells of.
  var row: Int?
  /// Nanoseconds since 1970; hangs have their true window.
  var start: Int64
  /// Of an open one: now.
  var end: Int64
  var isOpen = false
  var verdict = Verdict.holds
  /// Freeze milliseconds per second of a visit to a screen; nil without counters.
  var freezeRate: Double?

  /// How much it asks to be looked at: a visit's frames tell of moments that stand on other lanes.
  var urgency: Verdict { lane == .rendering ? min(verdict, .holds) : verdict }
}

/// Everything of one stream that has a place in time, by start.
struct TimelineItems: Sendable {
  private(set) var items: [TimelineItem] = []
  /// Where the items stand on the axis.
  private var places = TimeIndex()
  /// When what they measure took place: a TTI ends before its span where the span goes on.
  private var windows = TimeIndex()
  /// Lanes with data anywhere in the stream.
  private(set) var lanes: Set<TimelineLane> = []
  /// Records that cannot be placed in time.
  private(set) var untimed = 0
  /// Two screens were measured at the same time somewhere.
  private(set) var hasOverlappingScreens = false

  init() {}

  init(_ summary: StreamSummary, _ state: AppState) {
    var gathered = TimelineGathering(summary, state)
    gathered.gather()
    // Where no clock of the stream can be trusted, its own order is better than nothing.
    let trusted = gathered.trusted.isEmpty ? gathered.suspect : gathered.trusted
    untimed = gathered.untimed + (gathered.trusted.isEmpty ? 0 : gathered.suspect.count)
    let store = state.model.store
    items = trusted.sorted { left, right in
      if left.start != right.start { return left.start < right.start }
      if left.lane != right.lane { return left.lane.rawValue < right.lane.rawValue }
      guard let a = left.row, let b = right.row else { return left.row == nil && right.row != nil }
      return store[a].precedes(store[b])
    }
    lanes = Set(items.map(\.lane))
    if !summary.sessions.isEmpty { lanes.insert(.state) }
    places = TimeIndex(sorted: items.map { TimeIndex.Stretch(start: $0.start, end: $0.end) })
    windows = TimeIndex(sorted: items.map { Self.window($0, state) })
    var latestScreen = Int64.min
    for item in items where item.lane == .screens {
      if item.start < latestScreen { hasOverlappingScreens = true }
      latestScreen = max(latestScreen, item.end)
    }
  }

  var isEmpty: Bool { items.isEmpty }
  var start: Int64? { items.first?.start }
  var end: Int64? { places.end }

  /// Calls `body` with each item that reaches into a stretch of time, by start.
  func forEach(from: Int64, to: Int64, _ body: (Int, TimelineItem) -> Void) {
    places.forEach(from: from, to: to) { body($0, items[$0]) }
  }

  /// The first item that starts after an instant; the count when there is none.
  func firstIndex(startingAfter time: Int64) -> Int { places.firstIndex(startingAfter: time) }

  /// What took place at the same time as an item, the greatest cover first.
  ///
  /// Visits to screens are left out: they last throughout, and their frames have a line of their own.
  func atSameTime(as index: Int, most: Int) -> [Overlap] {
    windows.overlaps(windows[index], most: most) { $0 != index && items[$0].freezeRate == nil }
  }

  /// How long an item lasted for those at the same time.
  func window(_ index: Int) -> TimeIndex.Stretch { windows[index] }

  private static func window(_ item: TimelineItem, _ state: AppState) -> TimeIndex.Stretch {
    let placed = TimeIndex.Stretch(start: item.start, end: item.end)
    guard item.lane == .screens || item.lane == .fragments, !item.isOpen, let row = item.row else {
      return placed
    }
    return state.model.store[row].measuredWindow(state.model.options)
  }
}

/// From a stream's summary to items in no order.
struct TimelineGathering {
  let summary: StreamSummary
  let state: AppState
  private(set) var trusted: [TimelineItem] = []
  private(set) var suspect: [TimelineItem] = []
  private(set) var untimed = 0

  init(_ summary: StreamSummary, _ state: AppState) {
    self.summary = summary
    self.state = state
  }

  mutating func gather() {
    let store = state.model.store
    for number in summary.unplaced where !store[Int(number)].isTimed { untimed += 1 }
    let launchRows = Set(summary.launches.compactMap(\.row))
    for session in summary.sessions {
      for number in session.items where !launchRows.contains(Int(number)) {
        add(Int(number), in: session)
      }
    }
    for index in summary.launches.indices { addLaunch(index) }
    for (index, hang) in summary.hangs.enumerated() where store[hang.row].isTimed {
      var item = TimelineItem(lane: .hangs, start: hang.trueStart, end: hang.trueEnd)
      item.origin = .hang(index)
      item.row = hang.row
      item.verdict = state.rulebook.hang(hang).verdict
      let session = hang.session.map { summary.sessions[$0] }
      if hang.type == .open { leaveOpen(&item, in: session) }
      add(item)
    }
    for (index, termination) in summary.terminations.enumerated() {
      var item = TimelineItem(lane: .watchdog, start: termination.time, end: termination.time)
      item.origin = .termination(index)
      item.row = termination.row
      let appState = state.model.text(termination.appState)
      item.verdict = state.rulebook.watchdog(termination, appState: appState).verdict
      add(item)
    }
  }

  private mutating func add(_ item: TimelineItem) {
    let isSuspect = item.row.map { state.model.store[$0].flags.isClockSuspect } ?? false
    if isSuspect { suspect.append(item) } else { trusted.append(item) }
  }

  private mutating func addLaunch(_ index: Int) {
    let launch = summary.launches[index]
    let row = launch.row.map { state.model.store[$0] }
    var item = TimelineItem(
      lane: .launch,
      start: launch.start,
      end: max(launch.start, row?.end ?? launch.start)
    )
    item.origin = .launch(index)
    item.row = launch.row
    if !launch.isPrewarmed {
      item.verdict = LaunchText.verdict(launch, state)
    }
    add(item)
  }

  private mutating func add(_ number: Int, in session: Session) {
    let row = state.model.store[number]
    guard let lane = Self.lane(row.signal) else { return }
    var item = TimelineItem(lane: lane, start: row.start, end: row.end)
    item.row = number
    if row.signal.isSpan, !row.flags.isDisjoint(with: [.inProgress, .pending]) {
      leaveOpen(&item, in: session)
    }
    switch row.signal {
    case .screenTTI, .fragmentTTI, .ledgerSpan:
      item.verdict = state.rulebook.verdict(of: row, in: state.model)
    case .screenRendering:
      let frames = FrameFigures(state.model.store.extra(of: row).measurements)
      item.freezeRate = frames?.freezeMillisecondsPerSecond
      item.verdict =
        state.rulebook.freezeRate(
          MeasuredFrames(
            frames: frames,
            coverage: frames?.coverage(ofNanoseconds: row.end - row.start),
            subject: .named(app: state.model.resource(row.resource).app, name: row.subject)
          )
        ).verdict
    default: break
    }
    add(item)
  }

  /// One measurement is judged by the thresholds of a percentile, for want of others.
  static func threshold(_ row: RecordRow, _ state: AppState) -> Threshold {
    let rule: RuleID = row.signal == .screenTTI ? .ttiSlow : .fragmentTTISlow
    let app = state.model.resource(row.resource).app
    return state.rulebook.threshold(rule, app: app, name: row.subject)
  }

  /// What has not ended lasts until now, or as long as its session was seen.
  private func leaveOpen(_ item: inout TimelineItem, in session: Session?) {
    if session?.state == .open {
      item.isOpen = true
      item.end = max(item.end, state.overview.now)
    } else {
      item.end = max(item.end, session?.end ?? item.end)
    }
  }

  /// Nil for what comes from elsewhere: hangs, terminations, and the sessions themselves.
  private static func lane(_ signal: Signal) -> TimelineLane? {
    switch signal {
    case .appStartup: .launch
    case .screenTTI: .screens
    case .fragmentTTI: .fragments
    case .screenRendering, .ledgerHitch: .rendering
    case .leak: .leaks
    case .ledgerSpan, .ledgerNote, .ledgerPayload: .ledger
    case .otherSpan, .otherLog: .other
    case .appRendering, .appHang, .ledgerHang, .watchdogTermination: nil
    }
  }
}
