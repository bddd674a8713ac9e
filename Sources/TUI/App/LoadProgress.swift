import Model

/// How far the files of a run have been read, and how fast.
package struct LoadProgress: Equatable, Sendable {
  /// Nanoseconds between two looks at the clock: figures that change faster cannot be read.
  private static let interval: Int64 = 500_000_000
  /// Reading that is over sooner is not worth a word.
  private static let patience: Int64 = 200_000_000

  private(set) var bytesRead: UInt64 = 0
  /// Nil while the size of a file is not known.
  private(set) var bytesTotal: UInt64?
  /// Bytes a second over the last looks; nil before the second one.
  private(set) var rate: Double?
  /// Some file is still being read.
  private(set) var isReading = false
  private(set) var isWorthShowing = false
  private let start: Int64
  private var lastLook: (time: Int64, bytes: UInt64)
  /// Until the next look the same, however far the reading has come.
  private(set) var secondsLeft: Int?

  init(at now: Int64) {
    start = now
    lastLook = (now, 0)
  }

  package static func == (left: LoadProgress, right: LoadProgress) -> Bool {
    left.bytesRead == right.bytesRead && left.bytesTotal == right.bytesTotal
      && left.rate == right.rate && left.isReading == right.isReading
      && left.isWorthShowing == right.isWorthShowing && left.secondsLeft == right.secondsLeft
  }

  /// Takes how the sources stand at a time of a clock that never jumps, nanoseconds.
  mutating func take(_ sources: [SourceState], at now: Int64) {
    let files = sources.filter { !$0.opened.isLive }
    isReading = files.contains { $0.state == .reading }
    bytesRead = files.reduce(0) { $0 + $1.bytesRead }
    let totals = files.map(\.bytesTotal)
    bytesTotal = totals.contains(nil) ? nil : totals.reduce(0) { $0 + ($1 ?? 0) }
    isWorthShowing = isReading && now - start >= Self.patience
    guard now - lastLook.time >= Self.interval else { return }
    let seconds = Double(now - lastLook.time) / 1e9
    let latest = Double(bytesRead - min(bytesRead, lastLook.bytes)) / seconds
    // Smoothed, so that a moment's pause does not promise hours.
    rate = rate.map { $0 * 0.7 + latest * 0.3 } ?? latest
    lastLook = (now, bytesRead)
    secondsLeft = left.map { Int($0.rounded(.up)) }
  }

  private var left: Double? {
    guard let bytesTotal, let rate, rate > 0, bytesTotal >= bytesRead else { return nil }
    let seconds = Double(bytesTotal - bytesRead) / rate
    return seconds < 1e6 ? seconds : nil
  }

  /// The part that has been read, 0 to 1.
  var share: Double? {
    guard let bytesTotal, bytesTotal > 0 else { return nil }
    return min(1, Double(bytesRead) / Double(bytesTotal))
  }

  /// `412 MB of 1.00 GB`, or what was read where the whole is not known.
  var amount: String {
    let read = QuantityText.bytes(bytesRead)
    return bytesTotal.map { "\(read) of \(QuantityText.bytes($0))" } ?? read
  }

  /// The same of files whose reading has ended.
  static func amount(of sources: [SourceState]) -> String {
    var progress = LoadProgress(at: 0)
    progress.take(sources, at: 0)
    return progress.amount
  }
}

/// What was read of what is to be read, at what speed, for how long: on the header's rule, to the right.
enum ProgressBar {
  private static let barWidth = 20

  static func draw(_ loading: LoadProgress, into grid: inout Grid, in area: Rect) {
    guard loading.isWorthShowing else { return }
    var parts = [loading.amount]
    if let rate = loading.rate {
      parts.append("\(QuantityText.bytes(UInt64(max(0, min(rate, 1e15)))))/s")
    }
    if let seconds = loading.secondsLeft {
      parts.append("\(QuantityText.length(milliseconds: Double(max(1, seconds)) * 1000)) left")
    }
    parts.append("Esc stops")
    var text = StyledText()
    while true {
      text = StyledText(" " + parts.joined(separator: " · ") + " ", .muted)
      if text.columns + barWidth + 2 <= area.width || parts.count == 1 { break }
      parts.removeLast()
    }
    if let share = loading.share, text.columns + barWidth + 2 <= area.width {
      let filled = Int((share * Double(barWidth)).rounded(.down))
      text.append(String(repeating: "━", count: filled), .accent)
      text.append(String(repeating: "─", count: barWidth - filled), .rule)
    }
    grid.putRight(text, in: area)
  }
}

extension AppState {
  /// Looks at how the reading goes on; `now` is of a clock that never jumps, nanoseconds.
  package mutating func noteProgress(at now: Int64) {
    let isReading = model.sources.contains { !$0.opened.isLive && $0.state == .reading }
    guard loading != nil || isReading else { return }
    var progress = loading ?? LoadProgress(at: now)
    progress.take(model.sources, at: now)
    loading = isReading ? progress : nil
  }
}
