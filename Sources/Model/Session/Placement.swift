// Which session each record of a stream belongs to.
extension StreamDerivation {
  /// Puts every item but fatal hangs and terminations into a session, opening implicit ones where needed.
  mutating func placeItems() {
    room.segments.fill(summary.sessions)
    var implicit: [Int: Int] = [:]
    let store = model.store
    for number in items {
      // Looked at where it lies: most rows need no copy.
      let place = Int(number)
      let signal = store[place].signal
      if signal == .watchdogTermination || signal == .appHang && store[place].isFatalHang {
        continue
      }
      let start = store[place].trueStart(model.options)
      let end = store[place].trueEnd(model.options)
      let launch = launchIndex(at: start)
      let index =
        segment(isStartup: signal == .appStartup, start: start, end: end, launch: launch)
        ?? implicitSession(launch: launch, row: store[place], start: start, &implicit)
      room.owned.append(number, to: summary.sessions[index].number)
      summary.sessions[index].stretch(start, end, store[place].session)
    }
    sortSessions()
  }

  private func segment(
    isStartup: Bool,
    start: Int64,
    end: Int64,
    launch: Int?
  ) -> Int? {
    if !isStartup, let index = room.segments.mostOverlapped(start, end) { return index }
    // A startup comes before its own first segment, even where it (prewarmed) overlaps older ones.
    let before = isStartup ? nil : room.segments.last(endingBy: start)
    let after = room.segments.first(startingFrom: start)
    let previous = before.flatMap { summary.sessions[$0].launch == launch ? $0 : nil }
    let next = after.flatMap { summary.sessions[$0].launch == launch ? $0 : nil }
    guard let previous else { return next }
    let gap = start - summary.sessions[previous].end
    // What is open goes on until something else begins.
    let isOpen = summary.sessions[previous].state == .open
    guard let next else { return isOpen || gap <= model.options.mergeGap ? previous : nil }
    return gap <= summary.sessions[next].start - end ? previous : next
  }

  private mutating func implicitSession(
    launch: Int?,
    row: RecordRow,
    start: Int64,
    _ known: inout [Int: Int]
  ) -> Int {
    if let index = known[launch ?? -1] { return index }
    let session = Session(
      stream: summary.stream,
      renderingRows: RowList(),
      launch: launch,
      resource: row.resource,
      sessionID: row.session,
      state: .open,
      reason: "no app-rendering span yet",
      start: start,
      end: start,
      spanEnd: start
    )
    known[launch ?? -1] = summary.sessions.count
    append(session)
    return summary.sessions.count - 1
  }

  private mutating func sortSessions() {
    guard summary.sessions.count > 1 else { return }
    let owned = room.owned
    summary.sessions.sort {
      if $0.start != $1.start { return $0.start < $1.start }
      if $0.end != $1.end { return $0.end < $1.end }
      return $0.tieBreaker(owned, model.store) < $1.tieBreaker(owned, model.store)
    }
  }

  /// Fatal hangs and terminations are told by the next launch: they go to the session that died.
  mutating func placeFatalHangs() {
    openSessionsOfTheDead()
    var hasFatal: Set<Int> = []
    for number in hasHints ? items : [] {
      let row = row(number)
      switch row.signal {
      case .appHang where row.isFatalHang:
        let index = sessionThatDied(row)
        if let index {
          room.owned.append(number, to: summary.sessions[index].number)
          summary.sessions[index].fatalHangs += 1
          if summary.sessions[index].isImplicit {
            summary.sessions[index].end = max(
              summary.sessions[index].end,
              row.trueEnd(model.options)
            )
          }
          hasFatal.insert(index)
        }
        addHang(number, session: index)
      case .watchdogTermination:
        let died = lastSession(beforeLaunchOf: row)
        if let died { hasFatal.insert(died) }
        summary.terminations.append(
          Termination(
            row: Int(number),
            time: row.start,
            memoryWarnings: row.primaryValue.map(Int.init),
            appState: model.store.extra(of: row).appState,
            session: died
          )
        )
      default: break
      }
    }
    room.owned.distribute(to: &summary.sessions)
    for index in summary.sessions.indices where summary.sessions[index].isImplicit {
      judgeImplicit(index, diedFatally: hasFatal.contains(index))
    }
  }

  /// Opens an implicit session for each process of which nothing but its death is known.
  private mutating func openSessionsOfTheDead() {
    guard hasHints else { return }
    let known = summary.sessions.count
    // What died before the first launch that is kept was counted when it was folded.
    let isCut = model.cut(of: summary.stream).exit != nil
    for number in items {
      let row = row(number)
      guard row.isFatalHang, sessionThatDied(row) == nil else { continue }
      let start = row.trueStart(model.options)
      if isCut, launchIndex(at: start) == nil { continue }
      let isOwn = row.session != model.resource(row.resource).sessionID
      let isStampedOver = summary.sessions.contains { $0.sessionID == row.session }
      openSession(
        ofDead: row,
        launch: launchIndex(at: start),
        from: start,
        to: row.trueEnd(model.options),
        sessionID: isOwn && !isStampedOver ? row.session : .none
      )
    }
    for number in items {
      let row = row(number)
      guard row.signal == .watchdogTermination, lastSession(beforeLaunchOf: row) == nil,
        let launch = launchIndex(at: row.start), !isCut || launch > 0
      else { continue }
      // When it died is not told, only that it was before this launch.
      let time = summary.launches[launch].start - 1
      let process = launch == 0 ? nil : launch - 1
      openSession(ofDead: row, launch: process, from: time, to: time, sessionID: .none)
    }
    if summary.sessions.count > known { sortSessions() }
  }

  private mutating func openSession(
    ofDead row: RecordRow,
    launch: Int?,
    from start: Int64,
    to end: Int64,
    sessionID: Symbol
  ) {
    append(
      Session(
        stream: summary.stream,
        renderingRows: RowList(),
        launch: launch,
        resource: row.resource,
        sessionID: sessionID,
        state: .open,
        reason: "nothing but its end is known",
        start: start,
        end: end,
        spanEnd: start
      )
    )
  }

  /// The last session of the process before the launch that a termination belongs to; nil where nothing
  /// else is known of that process.
  private func lastSession(beforeLaunchOf termination: RecordRow) -> Int? {
    guard let launch = launchIndex(at: termination.start) else { return nil }
    return summary.sessions.lastIndex { ($0.launch ?? -1) == launch - 1 }
  }

  /// By session id first, which a fatal hang carries from the process that died; else by time.
  ///
  /// An id that only later sessions have is the reporting process's own: some SDKs stamp it over. By time it
  /// is a session of the process that ran then; nil where nothing else is known of it.
  private func sessionThatDied(_ row: RecordRow) -> Int? {
    let start = row.trueStart(model.options)
    let end = row.trueEnd(model.options)
    // The resource is that of the process that reported the hang.
    let isOwn = row.session != model.resource(row.resource).sessionID
    let host = model.store.extra(of: row).hostSession
    for id in [isOwn ? row.session : .none, host, row.session] where id.isPresent {
      let index =
        lastSession(startedBy: start, withID: id) ?? lastSession(startedBy: end, withID: id)
      if let index { return index }
    }
    let launch = launchIndex(at: start)
    return lastSession(startedBy: start, in: launch) ?? lastSession(startedBy: end, in: launch)
  }

  private func lastSession(startedBy time: Int64, withID id: Symbol) -> Int? {
    summary.sessions.lastIndex {
      $0.start <= time && $0.state != .rejected && $0.sessionID == id
    }
  }

  private func lastSession(startedBy time: Int64, in launch: Int?) -> Int? {
    summary.sessions.lastIndex {
      $0.start <= time && $0.state != .rejected && $0.launch == launch
    }
  }

  private mutating func judgeImplicit(_ index: Int, diedFatally: Bool) {
    guard showsAppRendering else {
      summary.sessions[index].state = .unmeasured
      summary.sessions[index].reason = "the app never reports app-rendering"
      return
    }
    let launch = summary.sessions[index].launch ?? -1
    let laterLaunch = launch + 1 < summary.launches.count
    guard laterLaunch || diedFatally else { return }
    summary.sessions[index].state = .lost
    let isAllThatIsKnown = summary.sessions[index].items.allSatisfy { row($0).isFatalHang }
    summary.sessions[index].reason =
      !diedFatally
      ? "the app was launched again: its app-rendering span never ended"
      : isAllThatIsKnown
        ? "the process died, and nothing else of it was received"
        : "the process died: its app-rendering span never ended"
  }

  mutating func addHang(_ number: UInt32, session: Int?) {
    let row = row(number)
    let type = row.hangType
    let isMeasured = type == .fatal || type == .nonFatal
    summary.hangs.append(
      Hang(
        row: Int(number),
        origin: row.signal == .ledgerHang ? .ledger : .otlp,
        type: type,
        start: row.start,
        end: row.end,
        trueStart: row.trueStart(model.options),
        trueEnd: row.trueEnd(model.options),
        duration: isMeasured ? row.primaryValue.map(Int.init) : nil,
        duringStartup: row.flags.contains(.duringStartup),
        session: session
      )
    )
  }

  /// Counts per session, and the hangs that lie in sessions.
  mutating func summarizeSessions() {
    for index in summary.sessions.indices {
      room.counting.begin()
      // Taken out for the time, which is faster than reaching into the array for each record.
      var session = summary.sessions[index]
      for number in session.items {
        let row = row(number)
        room.counting.add(row, to: &session)
        guard row.signal == .appHang || row.signal == .ledgerHang else { continue }
        if row.hangType != .fatal { addHang(number, session: index) }
      }
      room.counting.end(&session)
      summary.sessions[index] = session
    }
    for number in summary.unplaced {
      let row = row(number)
      guard row.signal == .appHang, row.outcome != .rejected else { continue }
      addHang(number, session: nil)
    }
    guard summary.hangs.count > 1 else { return }
    let store = model.store
    summary.hangs.sort { store[$0.row].precedes(store[$1.row]) }
  }
}

extension Session {
  /// A session without an end of its own reaches to its newest record.
  fileprivate mutating func stretch(_ start: Int64, _ end: Int64, _ known: Symbol) {
    guard isImplicit || state == .open else { return }
    if isImplicit { self.start = min(self.start, start) }
    self.end = max(self.end, end)
    if !sessionID.isPresent { sessionID = known }
  }

  fileprivate func tieBreaker(_ owned: OwnedItems, _ store: RecordStore) -> UInt64 {
    guard let row = renderingRows.first ?? owned.first(of: self) else { return 0 }
    return store[Int(row)].spanID &+ store[Int(row)].content
  }
}

/// Segments by start, for finding the one that an interval belongs to.
struct SegmentLookup: Sendable {
  private var starts: [Int64] = []
  private var ends: [Int64] = []
  /// The latest end up to and including each segment.
  private var latestEnds: [Int64] = []

  /// Takes these sessions in the place of those before.
  mutating func fill(_ sessions: [Session]) {
    starts.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    latestEnds.removeAll(keepingCapacity: true)
    var latest = Int64.min
    for index in sessions.indices {
      let end = sessions[index].end
      latest = max(latest, end)
      starts.append(sessions[index].start)
      ends.append(end)
      latestEnds.append(latest)
    }
  }

  /// The segment with the longest overlap, the earliest of equals; touching counts as overlap.
  func mostOverlapped(_ start: Int64, _ end: Int64) -> Int? {
    var best: Int?
    var longest: Int64 = -1
    var index = latestEnds.firstIndexSorted { $0 >= start }
    while index < starts.count, starts[index] <= end {
      let overlap = min(end, ends[index]) - max(start, starts[index])
      if overlap > longest {
        longest = overlap
        best = index
      }
      index += 1
    }
    return best
  }

  /// The segment that ended last before an instant.
  func last(endingBy time: Int64) -> Int? {
    var index = starts.firstIndexSorted { $0 > time } - 1
    while index >= 0, ends[index] > time { index -= 1 }
    return index >= 0 ? index : nil
  }

  func first(startingFrom time: Int64) -> Int? {
    let index = starts.firstIndexSorted { $0 >= time }
    return index < starts.count ? index : nil
  }
}

extension [Int64] {
  /// The first index whose element satisfies a condition that holds from some index on; `count` if none does.
  fileprivate func firstIndexSorted(_ holds: (Int64) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
