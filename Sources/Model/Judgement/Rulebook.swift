/// The rules as they stand for one run: default thresholds, and what the budgets file puts in their place.
///
/// Its functions are the only ones that judge; each is pure, of figures to a judgement.
package struct Rulebook: Sendable {
  package let scale: HitchScale
  package let budgets: [Budget]
  /// Which entry of the budgets file replaces a rule for a subject.
  private var overrides: [OverrideKey: Int] = [:]
  /// Where entries judge a part of a subject's records: what is left for the default rule.
  var rests: [RestKey: JudgedRest] = [:]
  private var freeze: Threshold

  package init(scale: HitchScale = .wwdc20, budgets: [Budget] = []) {
    self.scale = scale
    self.budgets = budgets
    freeze = DefaultRules.freezeRate(scale)
  }

  /// The first entry that covers a subject is the one that counts.
  mutating func override(_ key: OverrideKey, by budget: Int) {
    if overrides[key] == nil { overrides[key] = budget }
  }

  func isOverridden(_ key: OverrideKey) -> Bool { overrides[key] != nil }

  /// What applies to a subject.
  package func threshold(_ rule: RuleID, _ subject: OverrideKey.Subject? = nil) -> Threshold {
    if !overrides.isEmpty, let subject,
      let index = overrides[OverrideKey(rule: rule, subject: subject)]
    {
      return budgets[index].threshold(index, scale)
    }
    return rule == .freezeRate ? freeze : DefaultRules.threshold(rule, scale)
  }

  /// What applies to figures of a name, such as a screen's.
  package func threshold(_ rule: RuleID, app: Symbol, name: Symbol) -> Threshold {
    threshold(rule, .named(app: app, name: name))
  }

  /// The entry of the budgets file that a threshold comes from.
  package func budget(_ source: ThresholdSource) -> Budget? {
    guard case .budget(let index) = source else { return nil }
    return budgets[index]
  }

  /// Where a judgement's limit comes from, in words.
  package func sourceText(_ judgement: Judgement) -> String {
    switch judgement.threshold.source {
    case .defaultRule: judgement.rule.sourceText
    case .budget(let index): "budgets file, entry \(budgets[index].id)"
    case .ledger: "the ledger's own budget"
    }
  }
}

extension RuleID {
  private static let sourceTexts = allCases.map { "default rule \($0.rawValue)" }

  /// Where its thresholds come from: made once, as it is said of every finding.
  fileprivate var sourceText: String { Self.sourceTexts[order] }
}

/// A rule and one subject of it.
package struct OverrideKey: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// A screen, fragment or ledger name; of startups the app and its version.
    case named(app: Symbol, name: Symbol)
    case session(StreamID, Int)
    /// A class in one launch of a stream.
    case leak(app: Symbol, className: Symbol, StreamID, launch: Int)
    /// A hang, by its row.
    case row(Int)
    /// All fatal hangs together.
    case fatalHangs
    /// All watchdog terminations together.
    case terminations
  }

  var rule: RuleID
  var subject: Subject
}

/// Frames that can be judged: of a session, or of all visits to a screen.
package struct MeasuredFrames: Sendable {
  package var frames: FrameFigures?
  /// Measured time ÷ all time; nil where unknown.
  package var coverage: Double?
  package var subject: OverrideKey.Subject?
  /// What the visits behind them share, where figures are parted.
  var group: Symbol?

  package init(frames: FrameFigures?, coverage: Double?, subject: OverrideKey.Subject? = nil) {
    self.frames = frames
    self.coverage = coverage
    self.subject = subject
  }

  package init(_ session: borrowing Session, _ index: Int) {
    frames = session.frames
    coverage = session.coverage
    subject = .session(session.stream, index)
  }

  package init(_ screen: ScreenFigures) {
    frames = screen.frames
    coverage = screen.coverage
    subject = .named(app: screen.app, name: screen.name)
    group = screen.group
  }
}

extension MeasuredFrames {
  /// Freeze time per second on screen, or the share of dropped frames; nil where unknown.
  func ratio(_ signal: BudgetSignal) -> Double? {
    signal == .freezeRate ? frames?.freezeMillisecondsPerSecond : frames?.droppedRatio
  }
}

/// Accepted launches of one version that were not prewarmed.
package struct StartupGroup: Sendable {
  package var app: Symbol
  package var version: Symbol
  /// Milliseconds.
  package var total = Distribution()
  package var rows: [UInt32] = []
}

/// Leaks of one class in one launch of one stream.
package struct LeakGroup: Sendable {
  package var app: Symbol
  package var className: Symbol
  package var stream: StreamID
  /// Index into the stream's launches; -1 before the first.
  package var launch: Int
  package var rows: [UInt32] = []
}

extension FrameFigures {
  /// A display at 30 or 48 Hz, by the frames that were due: rendered and dropped ones together.
  ///
  /// There every frame takes longer than 17 ms and counts as slow; where few do, the rate is the mean of a
  /// display that changes its own.
  package var isOfSlowDisplay: Bool {
    guard let hertz = impliedHertz, total > 0 else { return false }
    let isRate = (28.5...31.5).contains(hertz) || (46...50).contains(hertz)
    return isRate && (slow.map { $0 * 20 >= total * 19 } ?? true)
  }

  /// What is slow there is the display's pace alone, as next to nothing was dropped.
  package var isPacedByDisplay: Bool {
    isOfSlowDisplay && slow != nil && dropped * 1000 <= total
  }
}
