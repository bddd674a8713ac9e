import Model

/// Which part of the time the timeline shows, of which stream, and where its cursor is.
package struct TimelineState: Sendable {
  /// The stream shown; nil before there is one.
  private(set) var stream: StreamID?
  private(set) var items = TimelineItems()
  private(set) var visits = TimelineVisits()
  /// First instant shown, nanoseconds since 1970.
  private(set) var start: Int64 = 0
  /// Nanoseconds shown; at least a millisecond.
  private(set) var length = Self.shortest
  /// The instant under the cursor.
  private(set) var cursor: Int64 = 0
  /// Index of the selected item.
  private(set) var selected: Int?
  private var selectedKey: ItemKey?
  /// The earliest and latest instants that can be shown.
  private var limits: ClosedRange<Int64> = 0...Self.shortest
  /// The window still is the visit that was asked for.
  private var isFitted = false
  private var wasFollowing = false
  /// The row under the cursor on the list of sessions when it was last looked at.
  private var sessionKey: RowKey?
  /// The picture that the items are of; 0 before the first.
  private var picture = 0

  private static let shortest: Int64 = 1_000_000
  private static let leastMargin: Int64 = 500_000_000

  /// The same for every copy of a record.
  private struct ItemKey: Hashable {
    var trace: UInt64 = 0
    var span: UInt64 = 0
    /// Of what has no identity: its row, or the start of a launch that no record tells of.
    var number: Int64 = 0
  }

  package init() {}

  var end: Int64 { Self.sum(start, length) }

  func axis(width: Int) -> TimeAxis {
    TimeAxis(
      start: Timestamp(nanoseconds: start),
      end: Timestamp(nanoseconds: end),
      width: width
    )
  }

  func streamIndex(_ state: AppState) -> Int? {
    stream.flatMap(state.digest.place)
  }

  /// The visit that the cursor is in, or after.
  func visit(_ state: AppState) -> TimelineVisit? {
    streamIndex(state).flatMap { visits.visit(at: cursor, streamIndex: $0) }
  }

  // MARK: - Data

  /// Takes what is new in the overview; returns whether the newest data is still followed.
  fileprivate mutating func take(_ state: AppState) -> Bool {
    visits = TimelineVisits(state)
    var follows = state.isFollowing
    let target = target(state, follows: follows)
    let summary =
      target?.summary(state) ?? streamIndex(state).map { state.overview.streams[$0] }
      ?? state.overview.streams.first
    guard let summary else {
      self = TimelineState()
      return follows
    }
    let isNew = stream != summary.stream
    load(summary, state)
    if summary.visits.isEmpty {
      if isNew || isFitted { fitItems(state) }
    } else if let target {
      fit(target, state)
      if target != visits.newest(ofStream: target.streamIndex) { follows = false }
      if follows, state.isReceiving {
        selectNewest(state)
      } else {
        selectWorst(from: target.start, state)
      }
    } else if follows {
      follow(state)
    }
    if !state.isReceiving { follows = false }
    wasFollowing = follows
    clamp()
    return follows
  }

  /// The visit to show anew; nil to stay.
  private mutating func target(_ state: AppState, follows: Bool) -> TimelineVisit? {
    let listed = state.list(.sessions).selected?.key
    if listed != sessionKey {
      sessionKey = listed
      if let chosen = visits.visit(listed) { return chosen }
    }
    if stream == nil || streamIndex(state) == nil || picture == 0 { return visits.newest }
    return follows && !wasFollowing ? visits.newest : nil
  }

  private mutating func load(_ summary: StreamSummary, _ state: AppState) {
    let overview = state.overview
    if stream != summary.stream || picture != state.picture {
      stream = summary.stream
      picture = state.picture
      items = TimelineItems(summary, state)
      selected = selectedKey.flatMap { key in
        items.items.firstIndex { self.key($0, state) == key }
      }
    }
    var first = min(overview.earliest, items.start ?? .max)
    var last = max(overview.now, items.end ?? .min)
    if first > last { (first, last) = (0, 0) }
    let margin = Self.margin(last - first)
    limits = Self.sum(first, -margin)...Self.sum(last, margin)
  }

  private func key(_ item: TimelineItem, _ state: AppState) -> ItemKey {
    guard let number = item.row else { return ItemKey(number: item.start) }
    let row = state.model.store[number]
    guard row.hasIdentity else { return ItemKey(number: Int64(number)) }
    return ItemKey(trace: state.model.store.traceHash(of: row), span: row.spanID)
  }

  private static func margin(_ length: Int64) -> Int64 { max(length / 32, leastMargin) }

  /// Saturates: ends may lie in any year.
  private static func sum(_ instant: Int64, _ delta: Int64) -> Int64 {
    Timestamp(nanoseconds: instant).advanced(byNanoseconds: delta).nanoseconds
  }

  // MARK: - Window

  /// Shows one visit with its launch and a small margin.
  private mutating func fit(_ visit: TimelineVisit, _ state: AppState) {
    var first = max(visit.start, limits.lowerBound)
    var last = min(max(visit.end, first), limits.upperBound)
    let sessions = visit.summary(state).sessions[visit.sessions]
    let from = Self.sum(visit.start, -TimelineVisit.reach)
    let to = Self.sum(visit.end, TimelineVisit.reach)
    let store = state.model.store
    for number in sessions.lazy.flatMap(\.items) {
      let row = store[Int(number)]
      guard row.signal != .appHang, row.start >= from, row.end <= to else { continue }
      first = min(first, row.start)
      last = max(last, row.end)
    }
    show(first, last)
  }

  /// Shows everything of a stream that has no session.
  private mutating func fitItems(_ state: AppState) {
    guard let first = items.start, let last = items.end else { return }
    show(first, last)
    selectWorst(from: first, state)
  }

  private mutating func show(_ first: Int64, _ last: Int64) {
    let margin = Self.margin(last - first)
    start = first - margin
    length = last - first + 2 * margin
    isFitted = true
  }

  /// Keeps the newest end of the stream in the window.
  private mutating func follow(_ state: AppState) {
    guard let index = streamIndex(state), let newest = visits.newest(ofStream: index) else {
      return
    }
    if isFitted {
      fit(newest, state)
    } else {
      let latest = max(newest.end, items.end ?? newest.end)
      start = Self.sum(Self.sum(latest, min(Self.margin(length), length / 8)), -length)
    }
    selectNewest(state)
  }

  private mutating func clamp() {
    let room = limits.upperBound - limits.lowerBound
    length = min(max(length, Self.shortest), max(room, Self.shortest))
    start = min(max(start, limits.lowerBound), max(limits.lowerBound, limits.upperBound - length))
    cursor = min(max(cursor, start), end)
  }

  fileprivate mutating func zoom(in isCloser: Bool, width: Int) {
    isFitted = false
    let factor = isCloser ? max(0.5, Double(Self.shortest) / Double(length)) : 2
    let axis = axis(width: width).zoomed(by: factor, around: Timestamp(nanoseconds: cursor))
    start = axis.start.nanoseconds
    length = axis.length
    clamp()
  }

  fileprivate mutating func moveCursor(byColumns step: Int, width: Int, _ state: AppState) {
    let axis = axis(width: width)
    let column = (axis.column(of: Timestamp(nanoseconds: cursor)) ?? 0) + step
    if column < 0 || column >= width {
      isFitted = false
      start = axis.moved(byColumns: step).start.nanoseconds
      clamp()
    }
    let shown = self.axis(width: width)
    cursor = shown.instant(atColumn: min(max(column, 0), width - 1)).nanoseconds
    select(atCursor(width: width).first, state)
  }

  fileprivate mutating func step(bySessions step: Int, _ state: AppState) {
    guard let current = visit(state), let place = visits.visits.firstIndex(of: current),
      visits.visits.indices.contains(place + step)
    else { return }
    let target = visits.visits[place + step]
    load(target.summary(state), state)
    fit(target, state)
    selectWorst(from: target.start, state)
    clamp()
  }

  // MARK: - Selection

  /// Items in the column of the cursor, what matters most first.
  func atCursor(width: Int) -> [Int] {
    let axis = axis(width: width)
    guard let column = axis.column(of: Timestamp(nanoseconds: cursor)) else { return [] }
    let size = axis.nanosecondsPerColumn
    let from = Self.sum(start, Int64(Double(column) * size))
    let to = max(from, Self.sum(start, Int64(Double(column + 1) * size) - 1))
    var best: [TimelineLane: [Int]] = [:]
    items.forEach(from: from, to: to) { index, item in
      // A few of each lane are all that anybody reads.
      let known = best[item.lane, default: []]
      let place = known.firstIndex { matters(item, more: items.items[$0]) } ?? known.count
      guard place < 3 else { return }
      best[item.lane] = Array((known[..<place] + [index] + known[place...]).prefix(3))
    }
    return best.values.joined().sorted { left, right in
      let (a, b) = (items.items[left], items.items[right])
      return a.lane == b.lane ? left < right : matters(a, more: b)
    }
  }

  private func matters(_ item: TimelineItem, more other: TimelineItem) -> Bool {
    if item.urgency != other.urgency { return item.urgency > other.urgency }
    if item.lane != other.lane { return item.lane.dropOrder < other.lane.dropOrder }
    return item.end - item.start > other.end - other.start
  }

  fileprivate mutating func select(_ index: Int?, _ state: AppState) {
    selected = index
    selectedKey = index.map { key(items.items[$0], state) }
  }

  /// Puts the cursor on an item and shows it.
  fileprivate mutating func go(to index: Int, _ state: AppState) {
    select(index, state)
    cursor = items.items[index].start
    guard cursor < start || cursor > end else { return }
    isFitted = false
    start = cursor - length / 2
    clamp()
  }

  fileprivate mutating func move(_ move: Action.Move, _ state: AppState) {
    let count = items.items.count
    guard count > 0 else { return }
    let next = items.firstIndex(startingAfter: cursor)
    let forward = selected.map { $0 + 1 } ?? next
    let back = selected.map { $0 - 1 } ?? next - 1
    let target =
      switch move {
      case .up: back
      case .down: forward
      case .halfPageUp: back - 4
      case .halfPageDown: forward + 4
      case .pageUp: back - 9
      case .pageDown: forward + 9
      case .top: 0
      case .bottom: count - 1
      }
    go(to: min(max(target, 0), count - 1), state)
  }

  private mutating func selectNewest(_ state: AppState) {
    if items.isEmpty { return rest(at: end) }
    select(items.items.count - 1, state)
    cursor = items.items[items.items.count - 1].start
    if cursor < start || cursor > end { rest(at: end) }
  }

  /// The cursor begins where a visit was worst, or else at its first item.
  private mutating func selectWorst(from first: Int64, _ state: AppState) {
    var worst: Int?
    items.forEach(from: start, to: end) { index, item in
      guard item.start >= start, item.start <= end else { return }
      let isWorse =
        worst.map {
          let known = items.items[$0]
          if item.urgency != known.urgency { return item.urgency > known.urgency }
          return item.urgency >= .warning && matters(item, more: known)
        } ?? true
      if isWorse { worst = index }
    }
    guard let worst else { return rest(at: max(first, start)) }
    select(worst, state)
    cursor = items.items[worst].start
  }

  private mutating func rest(at instant: Int64) {
    selected = nil
    selectedKey = nil
    cursor = instant
  }
}

extension AppState {
  /// More may come from one of the sources.
  fileprivate var isReceiving: Bool {
    model.sources.contains { ![.ended, .stopped, .failed].contains($0.state) }
  }

  /// Columns of the time axis.
  var timelineWidth: Int { max(1, width - TimelineScreen.labelWidth(width)) }

  mutating func updateTimeline() {
    guard screen == .timeline else { return }
    var next = timeline
    isFollowing = next.take(self)
    timeline = next
  }

  mutating func performOnTimeline(_ action: Action) {
    guard details == nil, !timeline.items.isEmpty || timeline.visit(self) != nil else { return }
    let width = timelineWidth
    var next = timeline
    switch action {
    case .zoomIn: next.zoom(in: true, width: width)
    case .zoomOut: next.zoom(in: false, width: width)
    case .cursorLeft: next.moveCursor(byColumns: -1, width: width, self)
    case .cursorRight: next.moveCursor(byColumns: 1, width: width, self)
    case .previousSession: next.step(bySessions: -1, self)
    case .nextSession: next.step(bySessions: 1, self)
    default: return
    }
    // Zooming keeps to the newest data; every other key leaves it.
    if action != .zoomIn, action != .zoomOut { isFollowing = false }
    timeline = next
    timeline.noteFollowing(isFollowing)
  }

  mutating func moveOnTimeline(_ move: Action.Move) {
    var next = timeline
    next.move(move, self)
    leaveFollowing(next)
  }

  mutating func selectOnTimeline(_ index: Int) {
    var next = timeline
    next.go(to: index, self)
    leaveFollowing(next)
  }

  private mutating func leaveFollowing(_ next: TimelineState) {
    isFollowing = false
    timeline = next
    timeline.noteFollowing(false)
  }

  mutating func openOnTimeline() -> [Effect] {
    if let index = timeline.selected {
      let text = TimelineText(timeline.items.items[index], self)
      let item = timeline.items.items[index]
      return open(title: text.title, facts: text.facts(index), row: item.row)
    }
    guard let visit = timeline.visit(self) else { return [] }
    let entry = ListEntry(visit.key, visit.streamIndex, visit.index)
    return open(
      title: SessionsScreen.searchText(entry, self),
      facts: SessionsScreen.facts(entry, self),
      row: SessionsScreen.record(entry, self)
    )
  }
}

extension TimelineState {
  fileprivate mutating func noteFollowing(_ isFollowing: Bool) { wasFollowing = isFollowing }
}
