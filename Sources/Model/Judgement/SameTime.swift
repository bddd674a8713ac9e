// What took place while something was measured.
extension EvidenceGathering {
  /// How many records are told.
  private static let most = 5
  /// Up to so many records of a stream, looking at each is faster than an index of them.
  private static let fewRecords = 512

  /// What took place while a record was measured, the greatest cover first.
  package func atSameTime(as number: UInt32) -> [Evidence] {
    let row = model.store[Int(number)]
    guard row.isTimed, let stream = streamNumber(row.stream) else { return [] }
    return sameTime(row.measuredWindow(model.options), in: stream, but: number) { _ in true }
  }

  func sameTime(
    _ window: TimeIndex.Stretch,
    in stream: Int,
    but number: UInt32?,
    where isWanted: (RecordRow) -> Bool
  ) -> [Evidence] {
    var nearest = OverlappingRows(window: window, most: Self.most)
    func add(_ other: UInt32) {
      let row = model.store[Int(other)]
      guard other != number, row.mayExplain else { return }
      nearest.add(other, row.measuredWindow(model.options), precedes) { isWanted(row) }
    }
    if count(in: stream) <= Self.fewRecords {
      forEachRecord(in: stream, add)
    } else {
      if streams[stream] == nil { streams[stream] = times(stream) }
      guard let times = streams[stream] else { return [] }
      times.index.forEach(from: window.start, to: window.end) { add(times.rows[$0]) }
    }
    return nearest.rows.map { overlap in
      var evidence = proof(overlap.row)
      evidence.share = nearest.share(overlap.covered)
      return evidence
    }
  }

  private func count(in stream: Int) -> Int {
    overview.streams[stream].sessions.indices.reduce(0) {
      $0 + overview.streams[stream].sessions[$1].items.count
    }
  }

  private func forEachRecord(in stream: Int, _ body: (UInt32) -> Void) {
    for index in overview.streams[stream].sessions.indices {
      for number in overview.streams[stream].sessions[index].items { body(number) }
    }
    for index in overview.streams[stream].terminations.indices {
      body(UInt32(overview.streams[stream].terminations[index].row))
    }
  }

  private func times(_ stream: Int) -> StreamTimes {
    var entries: [(window: TimeIndex.Stretch, row: UInt32)] = []
    forEachRecord(in: stream) { number in
      let row = model.store[Int(number)]
      if row.mayExplain { entries.append((row.measuredWindow(model.options), number)) }
    }
    entries.sort { $0.window.start < $1.window.start }
    return StreamTimes(rows: entries.map(\.row), index: TimeIndex(sorted: entries.map(\.window)))
  }
}

extension RecordRow {
  /// Visits to screens and sessions last throughout: they explain nothing.
  fileprivate var mayExplain: Bool { signal != .screenRendering && signal != .appRendering }
}

/// The rows that cover most of a stretch of time.
private struct OverlappingRows {
  let window: TimeIndex.Stretch
  let most: Int
  /// The greatest cover first, equal ones by start.
  private(set) var rows: [(row: UInt32, covered: Int64, start: Int64)] = []

  init(window: TimeIndex.Stretch, most: Int) {
    self.window = window
    self.most = most
  }

  /// Takes a row if it is among the greatest; touching is not overlapping, but an instant can lie within.
  mutating func add(
    _ row: UInt32,
    _ stretch: TimeIndex.Stretch,
    _ precedes: (UInt32, UInt32) -> Bool,
    where isWanted: () -> Bool
  ) {
    guard stretch.end >= window.start, stretch.start <= window.end else { return }
    let covered = min(window.end, stretch.end) - max(window.start, stretch.start)
    guard covered > 0 || stretch.start == stretch.end || window.start == window.end else { return }
    let place =
      rows.firstIndex { other in
        if other.covered != covered { return other.covered < covered }
        if other.start != stretch.start { return other.start > stretch.start }
        return precedes(row, other.row)
      } ?? rows.count
    guard place < most, isWanted() else { return }
    rows.insert((row, covered, stretch.start), at: place)
    if rows.count > most { rows.removeLast() }
  }

  /// The part of the window; 0 where the window has no length.
  func share(_ covered: Int64) -> Double {
    let length = window.end - window.start
    return length > 0 ? Double(covered) / Double(length) : 0
  }
}
