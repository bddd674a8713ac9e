// The part of an overview that a filter lets through.
extension SessionModel {
  /// What a scan has selected so far, as an overview.
  package func overview(of scan: FilterScan) -> Overview {
    var overview = scan.whole
    let all = overview.streams
    let selection = scan.selection
    overview.signalCounts = [Int](repeating: 0, count: Signal.allCases.count)
    overview.unfiltered = all
    overview.selection = selection
    overview.examined = scan.examined
    let view = RowView(bound: overview.bound, selection: selection)
    var isTouched = [Bool](repeating: false, count: streamTable.streams.count)
    selection.forEach { row in
      isTouched[Int(store[row].stream.rawValue)] = true
      overview.signalCounts[Int(store[row].signal.rawValue)] += 1
    }
    overview.streams = []
    for index in all.indices {
      // Most streams of a large capture hold nothing that was asked for, and copying them would cost most.
      let streams = [all[index].stream] + all[index].joinedLedgers
      guard streams.contains(where: { isTouched[Int($0.rawValue)] }) else { continue }
      if let cut = all[index].selected(selection, store) { overview.streams.append(cut) }
    }
    overview.screens = screenFigures(tti: .screenTTI, rendering: .screenRendering, in: view)
    addFigures(to: &overview, repeated: scan.repeated, in: view)
    addLeaks(to: &overview, launchesIn: all, in: view)
    overview.totals = Totals(overview, self)
    return overview
  }
}

/// The streams of an overview as they are without its filter, by their places in the overview.
struct WholeStreams {
  private let overview: Overview
  /// Places before the filter by stream; empty without one.
  private var positions: [Int] = []

  init(_ overview: Overview, ofStreams count: Int) {
    self.overview = overview
    guard let all = overview.unfiltered else { return }
    positions = Overview.positions(of: all, ofStreams: count)
  }

  subscript(index: Int) -> StreamSummary {
    let summary = overview.streams[index]
    guard let all = overview.unfiltered else { return summary }
    return all[positions[Int(summary.stream.rawValue)]]
  }
}

extension StreamSummary {
  /// What holds a selected record; nil where nothing does.
  ///
  /// States, times and causes stay what all records make them; numbers are those of the selected records
  /// alone: frames where the session's own span is selected, a launch's time where its span is.
  func selected(_ selection: RowSelection, _ store: RecordStore) -> StreamSummary? {
    var cut = self
    cut.hangs = hangs.filter { selection.contains($0.row) }
    cut.terminations = terminations.filter { selection.contains($0.row) }
    cut.unplaced = unplaced.filter { selection.contains(Int($0)) }
    let told = Set((cut.hangs.map(\.session) + cut.terminations.map(\.session)).compactMap { $0 })
    let kept = sessions.indices.filter { index in
      told.contains(index) || sessions[index].holds(anyOf: selection)
    }
    let launchesOfKept = Set(kept.compactMap { sessions[$0].launch })
    let keptLaunches = launches.indices.filter { index in
      launchesOfKept.contains(index) || launches[index].row.map(selection.contains) ?? false
    }
    if kept.isEmpty, keptLaunches.isEmpty, cut.hangs.isEmpty, cut.terminations.isEmpty {
      return nil
    }
    let newSession = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    let newLaunch = Dictionary(uniqueKeysWithValues: zip(keptLaunches, keptLaunches.indices))
    cut.launches = keptLaunches.map { index in
      var launch = launches[index]
      if launch.row.map(selection.contains) != true {
        (launch.totalMilliseconds, launch.premainMilliseconds) = (nil, nil)
        launch.mainMilliseconds = nil
      }
      return launch
    }
    var counting = SessionCounting()
    cut.sessions = kept.map { index in
      var session = sessions[index].cut(to: selection, store, &counting)
      session.launch = session.launch.flatMap { newLaunch[$0] }
      return session
    }
    for index in cut.hangs.indices {
      cut.hangs[index].session = cut.hangs[index].session.flatMap { newSession[$0] }
    }
    for index in cut.terminations.indices {
      cut.terminations[index].session = cut.terminations[index].session.flatMap { newSession[$0] }
    }
    cut.visits = visits.compactMap { visit in
      let left = visit.sessions.compactMap { newSession[$0] }
      guard let first = left.first, let last = left.last else { return nil }
      return Visit(sessions: first..<last + 1)
    }
    return cut
  }
}

extension Session {
  fileprivate func cut(
    to selection: RowSelection,
    _ store: RecordStore,
    _ counting: inout SessionCounting
  ) -> Session {
    var session = self
    session.items = RowList(items.filter { selection.contains(Int($0)) })
    if !renderingRows.contains(where: { selection.contains(Int($0)) }) { session.frames = nil }
    (session.nonFatalHangs, session.hangMilliseconds) = (0, 0)
    (session.leaks, session.hitches) = (0, 0)
    counting.begin()
    for number in session.items { counting.add(store[Int(number)], to: &session) }
    counting.end(&session)
    session.fatalHangs = session.items.count { store[Int($0)].isFatalHang }
    return session
  }

  fileprivate func holds(anyOf selection: RowSelection) -> Bool {
    renderingRows.contains { selection.contains(Int($0)) }
      || items.contains { selection.contains(Int($0)) }
  }
}
