/// From the records of one stream to its launches, sessions, visits and hangs.
///
/// A pure function of the set of winning rows: the order of their arrival plays no part. One derivation
/// serves many streams, one after the other.
struct StreamDerivation {
  let model: SessionModel
  let bound: Int
  var summary = StreamSummary(stream: StreamID(0))
  private(set) var renderings: ContiguousArray<UInt32> = []
  /// A record is there that can tell of a launch without being its startup.
  private(set) var hasHints = false
  private(set) var showsAppRendering = false
  var room: Room

  /// What is held of a stream while it is derived; its arrays keep their room for the next.
  struct Room: Sendable {
    fileprivate var items: [UInt32] = []
    fileprivate var startups: [UInt32] = []
    fileprivate var startedItems: [StartedRow] = []
    fileprivate var startedRenderings: [StartedRow] = []
    /// Items with the sessions that they were put into.
    var owned = OwnedItems()
    var segments = SegmentLookup()
    var counting = SessionCounting()
  }

  init(model: SessionModel, bound: Int, room: consuming Room = Room()) {
    self.model = model
    self.bound = bound
    self.room = room
  }

  /// Winning rows with a usable time, rejected ones apart, by start.
  var items: [UInt32] { room.items }

  /// Leaves out ledger rows that repeat those of another source.
  mutating func derive(
    _ stream: StreamID,
    ledgers: [StreamID] = [],
    repeated: Set<UInt32> = []
  ) -> StreamSummary {
    summary = StreamSummary(stream: stream)
    summary.joinedLedgers = ledgers
    hasHints = false
    showsAppRendering = model.cut(of: stream).showedAppRendering
    room.owned.removeAll()
    gather(repeated)
    findLaunches()
    findSegments()
    placeItems()
    placeFatalHangs()
    summarizeSessions()
    nameExits()
    findVisits()
    summary.trim()
    return summary
  }

  @inline(__always)
  func row(_ number: UInt32) -> RecordRow { model.store[Int(number)] }

  private mutating func gather(_ repeated: Set<UInt32>) {
    room.startedItems.removeAll(keepingCapacity: true)
    room.startedRenderings.removeAll(keepingCapacity: true)
    gather(summary.stream, repeated)
    for ledger in summary.joinedLedgers { gather(ledger, repeated) }
    summary.hasTrustedTime = model.hasTrustedTime(summary.stream)
    let store = model.store
    store.sort(&room.startedItems)
    store.sort(&room.startedRenderings)
    // Not kept for the next stream: sessions share it.
    renderings = ContiguousArray(room.startedRenderings.lazy.map(\.number))
    room.items.removeAll(keepingCapacity: true)
    room.startups.removeAll(keepingCapacity: true)
    for started in room.startedItems {
      room.items.append(started.number)
      let isStartup = store[Int(started.number)].signal == .appStartup
      if isStartup { room.startups.append(started.number) }
    }
  }

  private mutating func gather(_ stream: StreamID, _ repeated: Set<UInt32>) {
    let store = model.store
    let (rows, revision) = model.rows(of: stream)
    summary.revision += revision
    // With nothing to be believed more, the device's own times are what there is.
    let isWrongClock = !model.hasTrustedTime(stream)
    for number in rows where store.isLive(Int(number), upTo: bound) {
      if !repeated.isEmpty, repeated.contains(number) { continue }
      let row = row(number)
      if row.signal == .appRendering { showsAppRendering = true }
      guard row.isTimed || isWrongClock && row.hasPlausibleStart else {
        summary.unplaced.append(number)
        continue
      }
      if row.signal == .appRendering {
        room.startedRenderings.append(StartedRow(start: row.start, number: number))
      } else if row.outcome == .rejected, row.signal != .appStartup {
        summary.unplaced.append(number)
      } else {
        room.startedItems.append(StartedRow(start: row.start, number: number))
        switch row.signal {
        case .watchdogTermination, .ledgerSpan, .appHang: hasHints = true
        default: break
        }
      }
    }
  }

  // MARK: - Launches

  /// A record of the previous process's death comes right after the launch that tells it.
  private static let launchWindow: Int64 = 60_000_000_000

  private mutating func findLaunches() {
    for number in room.startups {
      let row = row(number)
      var launch = Launch(row: Int(number), resource: row.resource, start: row.start)
      launch.hasStartup = true
      launch.outcome = row.outcome
      if !row.outcome.isError {
        launch.totalMilliseconds = row.primaryValue.map(Int.init)
        let extra = model.store.extra(of: row)
        launch.premainMilliseconds = extra.measurements[.secondary].map(Int.init)
        launch.mainMilliseconds = extra.measurements[.tertiary].map(Int.init)
        launch.isPrewarmed = row.flags.contains(.prewarmed)
      }
      summary.launches.append(launch)
    }
    guard hasHints else { return }
    for number in items {
      let row = row(number)
      switch row.signal {
      case .watchdogTermination: addLaunch(at: row.start, of: row, row: nil)
      case .ledgerSpan where model.text(row.name) == LedgerNames.firstFrame:
        addLaunch(at: row.start, of: row, row: Int(number))
      case .appHang where row.isFatalHang:
        let trueEnd = row.trueEnd(model.options)
        let trueStart = row.trueStart(model.options)
        if summary.launches.contains(where: { $0.start > trueStart }) { continue }
        let next = items.first { self.row($0).start > trueEnd && $0 != number }
        addLaunch(at: next.map { self.row($0).start } ?? trueEnd, of: row, row: nil)
      default: break
      }
    }
  }

  /// Adds a launch that no startup tells of, unless one began shortly before.
  private mutating func addLaunch(at time: Int64, of row: RecordRow, row number: Int?) {
    let known = summary.launches.contains { launch in
      let startupEnd = launch.row.map { model.store[$0].end } ?? launch.start
      return launch.start <= time && time <= max(startupEnd, launch.start + Self.launchWindow)
    }
    if known { return }
    var launch = Launch(row: number, resource: row.resource, start: time)
    if let number, model.store[number].signal == .ledgerSpan {
      launch.totalMilliseconds = row.primaryValue.map(Int.init)
    }
    let position = summary.launches.firstIndex { $0.start > time } ?? summary.launches.count
    summary.launches.insert(launch, at: position)
  }

  /// The launch during which an instant lies; nil before the first.
  func launchIndex(at time: Int64) -> Int? {
    var low = 0
    var high = summary.launches.count
    while low < high {
      let middle = (low + high) / 2
      if summary.launches[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  // MARK: - Segments

  private mutating func findSegments() {
    let showsSessionSpans = model.showsSessionSpans(summary.stream)
    summary.showsSessionSpans = showsSessionSpans
    var deltaSession: [Int: Int] = [:]
    for (place, number) in renderings.enumerated() {
      let row = row(number)
      let extra = model.store.extra(of: row)
      let kind = SegmentKind(
        row,
        extra: extra,
        showsSessionSpans: showsSessionSpans,
        message: model.text(extra.statusMessage)
      )
      let launch = launchIndex(at: row.start)
      let frames = FrameFigures(extra.measurements)
      if kind == .delta, let index = deltaSession[launch ?? -1] {
        summary.sessions[index].add(delta: number, row, frames)
        continue
      }
      var session = Session(
        stream: row.stream,
        renderingRows: RowList(place..<place + 1, of: renderings),
        launch: launch,
        resource: row.resource,
        sessionID: row.session,
        state: .open,
        reason: "not ended yet",
        start: row.start,
        end: row.end,
        spanEnd: row.end,
        frames: frames
      )
      switch kind {
      case .ended(let state, let reason):
        session.state = state
        session.reason = reason
        if state == .rejected { session.frames = nil }
        if state == .clean {
          session.reportedMilliseconds = extra.measurements[.sessionDuration].map(Int.init)
        }
      case .delta:
        session.state = .clean
        session.reason = "sum of the parts that PerformanceSuite before 1.9 sends"
        deltaSession[launch ?? -1] = summary.sessions.count
      case .open: break
      }
      append(session)
    }
  }

  mutating func append(_ session: Session) {
    summary.sessions.append(session)
    summary.sessions[summary.sessions.count - 1].number = UInt32(summary.sessions.count - 1)
  }

  // MARK: - Exits and visits

  private mutating func nameExits() {
    /// By launch: the index of the session that ended last.
    var last = [Int?](repeating: nil, count: summary.launches.count)
    for index in summary.sessions.indices {
      guard let launch = summary.sessions[index].launch else { continue }
      if let known = last[launch], summary.sessions[known].end >= summary.sessions[index].end {
        continue
      }
      last[launch] = index
    }
    let terminated = Set(summary.terminations.compactMap { launchIndex(at: $0.time) })
    var fatal: Set<Int> = []
    for index in summary.hangs.indices where summary.hangs[index].type == .fatal {
      let session = summary.hangs[index].session.map { summary.sessions[$0].launch }
      let next = ((session ?? launchIndex(at: summary.hangs[index].trueStart)) ?? -1) + 1
      fatal.insert(next)
      guard next < summary.launches.count else { continue }
      summary.hangs[index].toldAt = summary.launches[next].start
    }
    for index in summary.launches.indices {
      summary.launches[index].previousExit =
        if fatal.contains(index) {
          .hang
        } else if terminated.contains(index) {
          .watchdog
        } else {
          switch index == 0 ? nil : last[index - 1].map({ summary.sessions[$0].state }) {
          case nil where index == 0: model.cut(of: summary.stream).exit ?? .unknown
          case .lost: .lost
          case .clean: .clean
          default: .unknown
          }
        }
    }
  }

  private mutating func findVisits() {
    /// Of the sessions of the last visit.
    var latestEnd = Int64.min
    for index in summary.sessions.indices {
      let (start, end) = (summary.sessions[index].start, summary.sessions[index].end)
      if let last = summary.visits.last,
        summary.sessions[index - 1].launch == summary.sessions[index].launch,
        start - latestEnd < model.options.mergeGap
      {
        summary.visits[summary.visits.count - 1].sessions = last.sessions.lowerBound..<index + 1
        latestEnd = max(latestEnd, end)
      } else {
        summary.visits.append(Visit(sessions: index..<index + 1))
        latestEnd = end
      }
    }
  }
}

/// A row with what it is sorted by, so that sorting seldom looks at the rows themselves.
private struct StartedRow: Sendable {
  var start: Int64
  var number: UInt32
}

extension RecordStore {
  private static let few = 64

  /// By start; ties are broken by what the records say.
  fileprivate func sort(_ rows: inout [StartedRow]) {
    guard rows.count <= Self.few else { return rows.sort(by: precedes) }
    // Most streams have few rows, which come nearly in order.
    for index in rows.indices.dropFirst() {
      let moved = rows[index]
      var place = index
      while place > 0, precedes(moved, rows[place - 1]) {
        rows[place] = rows[place - 1]
        place -= 1
      }
      if place != index { rows[place] = moved }
    }
  }

  @inline(__always)
  private func precedes(_ left: StartedRow, _ right: StartedRow) -> Bool {
    if left.start != right.start { return left.start < right.start }
    return self[Int(left.number)].precedes(self[Int(right.number)])
  }
}

extension Session {
  /// Adds a further part; parts come by start.
  fileprivate mutating func add(delta number: UInt32, _ row: RecordRow, _ more: FrameFigures?) {
    renderingRows = RowList(renderingRows + [number])
    end = max(end, row.end)
    spanEnd = end
    if let more { frames = frames.map { $0 + more } ?? more }
  }
}

extension RecordRow {
  /// By start; ties are broken by what the records say, never by arrival.
  package func precedes(_ other: RecordRow) -> Bool {
    if start != other.start { return start < other.start }
    if end != other.end { return end < other.end }
    if spanID != other.spanID { return spanID < other.spanID }
    if traceHash != other.traceHash { return traceHash < other.traceHash }
    return content < other.content
  }
}
