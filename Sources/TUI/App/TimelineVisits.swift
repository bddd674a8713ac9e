import Model

/// One visit of any stream, as the timeline steps through them.
struct TimelineVisit: Hashable, Sendable {
  var key: RowKey
  /// Index into the overview's streams.
  var streamIndex: Int
  /// Index into the stream's visits.
  var index: Int
  var sessions: Range<Int>
  var start: Int64
  var end: Int64
  /// Its launch, where that belongs to it; else its start.
  var from: Int64

  /// How far before its first segment a launch still counts as the visit's.
  static let reach: Int64 = 30_000_000_000

  func summary(_ state: AppState) -> StreamSummary { state.overview.streams[streamIndex] }
}

/// The visits of every stream by start; those whose times cannot be trusted are left out.
struct TimelineVisits: Sendable {
  private(set) var visits: [TimelineVisit] = []

  init() {}

  init(_ state: AppState) {
    let overview = state.overview
    for entry in SessionsScreen.entries(state, sort: nil) where !entry.isHead {
      let summary = overview.streams[entry.first]
      let range = summary.visits[entry.second].sessions
      let sessions = summary.sessions[range]
      guard let start = sessions.first?.start, let end = sessions.map(\.end).max() else { continue }
      // A stream without any trustworthy time is shown by the times that it has.
      let stream = state.model.streams[Int(summary.stream.rawValue)]
      // What is known of nothing but its death ended before anything was told.
      let earliest = overview.earliest &- state.model.options.hangShift &- 1
      guard stream.newestEnd == .min || (start <= overview.now && end >= earliest) else {
        continue
      }
      visits.append(
        TimelineVisit(
          key: entry.key,
          streamIndex: entry.first,
          index: entry.second,
          sessions: range,
          start: start,
          end: end,
          from: from(entry.key, start)
        )
      )
    }
    visits.sort { left, right in
      if left.start != right.start { return left.start < right.start }
      return left.streamIndex < right.streamIndex
    }
  }

  /// The first visit of a launch begins with it.
  private func from(_ key: RowKey, _ start: Int64) -> Int64 {
    guard case .visit(_, let launch, let ordinal) = key, ordinal == 0, launch < start,
      launch >= start - TimelineVisit.reach
    else { return start }
    return launch
  }

  func visit(_ key: RowKey?) -> TimelineVisit? { visits.first { $0.key == key } }

  /// The visit that began last up to an instant, else the first one; of one stream.
  func visit(at instant: Int64, streamIndex: Int) -> TimelineVisit? {
    let own = visits.lazy.filter { $0.streamIndex == streamIndex }
    return own.last { $0.from <= instant } ?? own.first
  }

  var newest: TimelineVisit? { visits.last }

  func newest(ofStream streamIndex: Int) -> TimelineVisit? {
    visits.last { $0.streamIndex == streamIndex }
  }
}
