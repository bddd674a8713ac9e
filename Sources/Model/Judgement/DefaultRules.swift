/// How a number stands against its thresholds.
package enum Verdict: Int, Comparable, Sendable {
  /// Not enough evidence to judge.
  case insufficient
  case holds
  case warning
  case critical

  package static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
}

/// A threshold pair and the evidence that it asks for.
package struct Threshold: Equatable, Sendable {
  package var warning: Double
  package var critical: Double
  /// The least number of values (frames for frame rules) that can be judged.
  package var minimumSample: Int

  package func verdict(_ value: Double?, sample: Int) -> Verdict {
    guard let value, sample >= minimumSample else { return .insufficient }
    if value >= critical { return .critical }
    return value >= warning ? .warning : .holds
  }
}

/// The default rules: what is too slow when no budget says otherwise.
package enum DefaultRules {
  /// 90th percentile of a screen's TTI, milliseconds.
  package static let tti = Threshold(warning: 1000, critical: 3000, minimumSample: 5)
  /// 90th percentile of a screen's TTFR; 250 ms is where Apple's tools start to report delays.
  package static let ttfr = Threshold(warning: 250, critical: 1000, minimumSample: 5)
  package static let fragmentTTI = Threshold(warning: 500, critical: 2000, minimumSample: 5)
  /// 90th percentile of startup; 5 s is Android vitals' "excessive" cold start.
  package static let startup = Threshold(warning: 2000, critical: 5000, minimumSample: 5)
  package static let droppedFrames = Threshold(warning: 0.01, critical: 0.05, minimumSample: 300)
  /// Leaks of one class in one launch.
  package static let leak = Threshold(warning: 2, critical: 5, minimumSample: 1)
  /// 90th percentile of a ledger name ÷ its budget.
  package static let ledger = Threshold(warning: 1, critical: 3, minimumSample: 3)
  /// Below this share of measured time, frames are not judged.
  package static let minimumCoverage = 0.5
  /// Milliseconds from which a hang is critical.
  package static let criticalHang = 5000

  package static func freezeRate(_ scale: HitchScale) -> Threshold {
    Threshold(warning: scale.warning, critical: scale.critical, minimumSample: 300)
  }

  /// Freeze rate and dropped frames, the worse of the two; insufficient without evidence.
  package static func frames(
    _ frames: FrameFigures?,
    coverage: Double?,
    scale: HitchScale
  ) -> Verdict {
    guard let frames, coverage.map({ $0 >= minimumCoverage }) ?? true else { return .insufficient }
    let sample = frames.total + frames.dropped
    let freeze = freezeRate(scale).verdict(frames.freezeMillisecondsPerSecond, sample: sample)
    return max(freeze, droppedFrames.verdict(frames.droppedRatio, sample: sample))
  }

  package static func hang(_ hang: Hang) -> Verdict {
    self.hang(hang.type, milliseconds: hang.duration.map(Double.init))
  }

  package static func hang(_ type: HangType, milliseconds: Double?) -> Verdict {
    switch type {
    case .fatal: .critical
    case .cancelled: .insufficient
    case .open: .warning
    case .nonFatal: (milliseconds ?? 0) >= Double(criticalHang) ? .critical : .warning
    }
  }
}
