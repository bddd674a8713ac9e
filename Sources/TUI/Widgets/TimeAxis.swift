package import Model

/// A stretch of time laid over columns.
package struct TimeAxis: Hashable, Sendable {
  package var start: Timestamp
  /// Nanoseconds that the whole width covers; at least one a column.
  package private(set) var length: Int64
  package private(set) var width: Int

  package init(start: Timestamp, end: Timestamp, width: Int) {
    self.start = start
    self.width = max(0, width)
    length = max(end.nanoseconds(since: start), Int64(max(1, width)))
  }

  package var end: Timestamp { start.advanced(byNanoseconds: length) }
  package var nanosecondsPerColumn: Double { Double(length) / Double(max(1, width)) }

  /// The place of an instant in columns from the left edge; negative or beyond the width outside.
  package func place(of instant: Timestamp) -> Double {
    Double(instant.nanoseconds(since: start)) / nanosecondsPerColumn
  }

  /// The column that holds an instant; nil outside.
  package func column(of instant: Timestamp) -> Int? {
    guard instant >= start, instant <= end, width > 0 else { return nil }
    return min(width - 1, Int(place(of: instant)))
  }

  /// The instant at the middle of a column.
  package func instant(atColumn column: Int) -> Timestamp {
    start.advanced(byNanoseconds: Int64((Double(column) + 0.5) * nanosecondsPerColumn))
  }

  /// The axis with its length multiplied by `factor`, so that `center` keeps its column.
  package func zoomed(by factor: Double, around center: Timestamp) -> TimeAxis {
    let before = Double(center.nanoseconds(since: start))
    let longest = 4e18
    let size = min(max(Double(length) * factor, Double(max(1, width)) * 1000), longest)
    let scale = size / Double(length)
    let shift = min(max(before * scale, -longest), longest)
    let first = center.advanced(byNanoseconds: -Int64(shift))
    return TimeAxis(start: first, end: first.advanced(byNanoseconds: Int64(size)), width: width)
  }

  package func moved(byColumns columns: Int) -> TimeAxis {
    let delta = min(max(Double(columns) * nanosecondsPerColumn, -4e18), 4e18)
    var axis = self
    axis.start = start.advanced(byNanoseconds: Int64(delta))
    return axis
  }

  /// Labels for round instants: the first whole, later ones from what changes (`:04:06`).
  ///
  /// Steps are 1, 2 or 5 of a unit (or 15, 30 seconds and minutes), at least `spacing` columns apart.
  /// A label that would reach beyond the width is left out.
  package func ticks(clock: ClockText, spacing: Int = 14) -> [(column: Int, label: String)] {
    guard width > 0 else { return [] }
    let needed = nanosecondsPerColumn * Double(spacing)
    guard let step = Self.steps.first(where: { Double($0) >= needed }) else { return [] }
    // Round in the zone shown: half-hour zones have their full hours elsewhere.
    let offset = Int64(clock.zone.offset(at: start)) * 1_000_000_000
    let (local, overflow) = start.nanoseconds.addingReportingOverflow(offset)
    guard !overflow else { return [] }
    let past = local % step
    var next = start.advanced(byNanoseconds: past == 0 ? 0 : past < 0 ? -past : step - past)
    var ticks: [(column: Int, label: String)] = []
    while let column = column(of: next), ticks.count < width {
      let whole =
        step >= 86_400_000_000_000
        ? clock.date(next) : clock.time(next, milliseconds: step < 1_000_000_000)
      let isWhole = ticks.isEmpty || step >= 60_000_000_000
      let label = isWhole ? whole : String(whole.dropFirst(2))
      guard column + label.utf8.count <= width else { break }
      ticks.append((column, label))
      let following = next.advanced(byNanoseconds: step)
      guard following > next else { break }
      next = following
    }
    return ticks
  }

  private static let steps: [Int64] = {
    let small = [1, 2, 5, 10, 20, 50, 100, 200, 500].map { Int64($0) * 1_000_000 }
    let seconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200]
    let days = [1, 2, 5, 10, 30, 100, 365, 1000, 3650, 10_000].map {
      Int64($0) * 86_400_000_000_000
    }
    return small + seconds.map { Int64($0) * 1_000_000_000 } + days
  }()
}
