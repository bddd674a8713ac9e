/// The few figures that say at one glance how the app does.
package struct Totals: Sendable {
  /// Milliseconds over every screen's accepted TTIs.
  package var ttiP90: Double?
  package var ttiCount = 0
  /// Frames of all sessions.
  package var frames: FrameFigures?
  package var hangs = 0
  package var fatalHangs = 0
  package var openHangs = 0
  package var leaks = 0
  package var terminations = 0
  /// The newest accepted launch that was not prewarmed, milliseconds.
  package var lastLaunch: Int?
  package var sessions = 0

  package init() {}

  init(_ overview: Overview, _ model: SessionModel) {
    let ttis = overview.screens.map(\.tti)
    ttiP90 = Distribution.quantile(0.9, ofAll: ttis)
    ttiCount = ttis.reduce(0) { $0 + $1.count }
    leaks = overview.leaks.reduce(0) { $0 + $1.count }
    var newestLaunch = Int64.min
    for index in overview.streams.indices { add(overview.streams[index], &newestLaunch) }
    if overview.selection == nil, !overview.folded.isEmpty { add(overview.folded, newestLaunch) }
  }

  private mutating func add(_ folded: FoldedFigures, _ newestLaunch: Int64) {
    sessions += folded.sessions
    terminations += folded.terminations
    hangs += folded.hangs
    fatalHangs += folded.fatalHangs
    openHangs += folded.openHangs
    if let counted = folded.frames { frames = frames.map { $0 + counted } ?? counted }
    if let last = folded.lastLaunch, last.start > newestLaunch { lastLaunch = last.milliseconds }
  }

  private mutating func add(_ summary: borrowing StreamSummary, _ newestLaunch: inout Int64) {
    sessions += summary.sessions.count
    terminations += summary.terminations.count
    for index in summary.sessions.indices {
      guard let counted = summary.sessions[index].frames else { continue }
      frames = frames.map { $0 + counted } ?? counted
    }
    for hang in summary.hangs where hang.type != .cancelled {
      hangs += 1
      if hang.type == .fatal { fatalHangs += 1 }
      if hang.type == .open { openHangs += 1 }
    }
    for launch in summary.launches where !launch.isPrewarmed {
      guard let total = launch.totalMilliseconds, launch.start >= newestLaunch else { continue }
      newestLaunch = launch.start
      lastLaunch = total
    }
  }
}
