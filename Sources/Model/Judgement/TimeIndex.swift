/// How much of a stretch of time another one covers.
package struct Overlap: Equatable, Sendable {
  /// Index of the stretch among those that were indexed.
  package var index: Int
  /// Nanoseconds of the window; 0 for an instant within it.
  package var covered: Int64
  /// Part of the window; 0 for instants, nil where the window itself has no length.
  package var share: Double?
}

/// Stretches of time by start, for finding those that reach into another.
package struct TimeIndex: Sendable {
  package struct Stretch: Equatable, Sendable {
    /// Nanoseconds since 1970.
    package var start: Int64
    package var end: Int64

    package init(start: Int64, end: Int64) {
      self.start = start
      self.end = end
    }
  }

  /// By start.
  private let stretches: [Stretch]
  /// The latest end up to and including each.
  private let latestEnds: [Int64]

  package init(sorted stretches: [Stretch] = []) {
    self.stretches = stretches
    var latest = Int64.min
    latestEnds = stretches.map { stretch in
      latest = max(latest, stretch.end)
      return latest
    }
  }

  /// The latest end of all; nil without any.
  package var end: Int64? { latestEnds.last }

  package subscript(index: Int) -> Stretch { stretches[index] }

  /// Calls `body` with each stretch that reaches into a window or touches it, by start.
  package func forEach(from: Int64, to: Int64, _ body: (Int) -> Void) {
    var index = firstIndex { latestEnds[$0] >= from }
    while index < stretches.count, stretches[index].start <= to {
      if stretches[index].end >= from { body(index) }
      index += 1
    }
  }

  /// The first that starts after an instant; their number when there is none.
  package func firstIndex(startingAfter time: Int64) -> Int {
    firstIndex { stretches[$0].start > time }
  }

  /// What overlaps a window most, the greatest cover first, equal ones by start.
  ///
  /// Touching is not overlapping, but an instant can lie within.
  package func overlaps(
    _ window: Stretch,
    most: Int,
    where isWanted: (Int) -> Bool
  ) -> [Overlap] {
    let length = window.end - window.start
    var best: [Overlap] = []
    forEach(from: window.start, to: window.end) { index in
      let stretch = stretches[index]
      let covered = min(window.end, stretch.end) - max(window.start, stretch.start)
      guard covered > 0 || stretch.start == stretch.end || length == 0 else { return }
      let place = best.firstIndex { $0.covered < covered } ?? best.count
      guard place < most, isWanted(index) else { return }
      let share = length > 0 ? Double(covered) / Double(length) : nil
      best.insert(Overlap(index: index, covered: covered, share: share), at: place)
      if best.count > most { best.removeLast() }
    }
    return best
  }

  private func firstIndex(_ holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = stretches.count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension RecordRow {
  /// When what the record measures took place.
  ///
  /// Of a TTI that is from its start for as long as its attribute says, whatever the span's length; of a
  /// hang the true window instead of the reported one.
  package func measuredWindow(_ options: ModelOptions) -> TimeIndex.Stretch {
    switch signal {
    case .screenTTI, .fragmentTTI:
      guard !outcome.isError, let value = primaryValue else { break }
      return TimeIndex.Stretch(start: start, end: start + Int64(value) * 1_000_000)
    case .appHang:
      return TimeIndex.Stretch(start: trueStart(options), end: trueEnd(options))
    default: break
    }
    return TimeIndex.Stretch(start: start, end: end)
  }
}
