/// Frames of one rendering, or the sum of several; ratios come from the sums.
package struct FrameFigures: Equatable, Sendable {
  /// Frames rendered.
  package var total: Int
  package var dropped: Int
  @OptionalNumber package var slow: Int?
  @OptionalNumber package var freezeMilliseconds: Int?
  /// `rendering.session_duration.ms`.
  @OptionalNumber package var onScreenMilliseconds: Int?
  /// On-screen time of the parts whose freeze time is known: what the freeze rate is of.
  @OptionalNumber private var freezeBase: Int?
  /// Frames of the parts whose on-screen time is known: what the refresh rate is of.
  @OptionalNumber private var rateFrames: Int?

  package init(
    total: Int,
    dropped: Int,
    slow: Int?,
    freezeMilliseconds: Int?,
    onScreenMilliseconds: Int?
  ) {
    self.total = total
    self.dropped = dropped
    self.slow = slow
    self.freezeMilliseconds = freezeMilliseconds
    self.onScreenMilliseconds = onScreenMilliseconds
    freezeBase = freezeMilliseconds == nil ? nil : onScreenMilliseconds
    rateFrames = onScreenMilliseconds == nil ? nil : total + dropped
  }

  /// The frames of a record; nil where it carries no counters.
  package init?(_ measurements: Measurements) {
    guard let total = measurements[.totalFrames], let dropped = measurements[.droppedFrames] else {
      return nil
    }
    self.init(
      total: Int(total),
      dropped: Int(dropped),
      slow: measurements[.slowFrames].map(Int.init),
      freezeMilliseconds: measurements[.freezeTime].map(Int.init),
      onScreenMilliseconds: measurements[.onScreenTime].map(Int.init)
    )
  }

  package static func + (left: FrameFigures, right: FrameFigures) -> FrameFigures {
    var figures = FrameFigures(
      total: left.total + right.total,
      dropped: left.dropped + right.dropped,
      slow: sum(left.slow, right.slow),
      freezeMilliseconds: sum(left.freezeMilliseconds, right.freezeMilliseconds),
      onScreenMilliseconds: sum(left.onScreenMilliseconds, right.onScreenMilliseconds)
    )
    // What is unknown of one part must not thin out what is known of the other.
    figures.freezeBase = sum(left.freezeBase, right.freezeBase)
    figures.rateFrames = sum(left.rateFrames, right.rateFrames)
    return figures
  }

  /// Dropped ÷ (total + dropped); nil without frames.
  package var droppedRatio: Double? {
    let expected = total + dropped
    return expected == 0 ? nil : Double(dropped) / Double(expected)
  }

  /// Freeze milliseconds per second on screen; nil when either is unknown or nothing was on screen.
  package var freezeMillisecondsPerSecond: Double? {
    guard let freeze = freezeMilliseconds, let base = freezeBase, base > 0 else { return nil }
    return Double(freeze) / (Double(base) / 1000)
  }

  /// The refresh rate that the counted frames imply, in Hz.
  package var impliedHertz: Double? {
    guard let frames = rateFrames, let seconds = onScreenSeconds else { return nil }
    return Double(frames) / seconds
  }

  /// Frames rendered per second on screen; nil unless the time of every part is known.
  package var effectiveFrameRate: Double? {
    guard rateFrames == total + dropped, let seconds = onScreenSeconds else { return nil }
    return Double(total) / seconds
  }

  /// Measured time ÷ the span's own length; nil for an empty span.
  package func coverage(ofNanoseconds length: Int64) -> Double? {
    guard let onScreen = onScreenMilliseconds, length > 0 else { return nil }
    return Double(onScreen) * 1_000_000 / Double(length)
  }

  private var onScreenSeconds: Double? {
    guard let onScreen = onScreenMilliseconds, onScreen > 0 else { return nil }
    return Double(onScreen) / 1000
  }
}

/// Adds what is known; unknown only when both are.
private func sum(_ left: Int?, _ right: Int?) -> Int? {
  guard let left else { return right }
  return left + (right ?? 0)
}
