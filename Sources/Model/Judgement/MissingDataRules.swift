/// `data-missing`: what a stream lacks, and what makes its numbers mean less than they seem to.
///
/// Every check is a function of its own; nil where nothing is missing. A ledger alone is no device's stream
/// and lacks nothing.
enum MissingDataRules {
  typealias Check = @Sendable (SessionModel, StreamSummary, Quality) -> Judgement?

  static let all: [Check] = [
    { model, summary, _ in startup(model, summary) },
    { model, summary, _ in hangs(model, summary) },
    { model, summary, _ in sessionID(model, summary) },
    { model, summary, _ in coverage(model, summary) },
    { model, summary, _ in
      refreshRate(model, summary, atLeast: DefaultRules.droppedFrames.minimumSample)
    },
    { model, summary, _ in topScreen(model, summary) },
    { model, summary, _ in terminationCause(model, summary) },
    { model, summary, quality in
      quality.statusUnknown > 0 ? status(model, summary) : nil
    },
  ]

  /// What is missing in sessions that follow each other; nil for what only a whole stream can lack.
  static func judgement(
    _ missing: MissingData,
    of sessions: Range<Int>,
    in summary: StreamSummary,
    _ model: SessionModel
  ) -> Judgement? {
    guard missing.isOfSessions else { return nil }
    var part = StreamSummary(stream: summary.stream)
    part.sessions = Array(summary.sessions[sessions])
    part.terminations = summary.terminations.filter { $0.session.map(sessions.contains) == true }
    return switch missing {
    case .coverage: coverage(model, part)
    case .refreshRate: refreshRate(model, part)
    case .terminationCause: terminationCause(model, part)
    case .status: status(model, part)
    case .startup, .hangs, .sessionID, .topScreen: nil
    }
  }

  /// No app-startup span: the tracer provider was registered late, or what was read begins later.
  static func startup(_ model: SessionModel, _ summary: StreamSummary) -> Judgement? {
    guard summary.isOfDevice(model), !summary.sessions.isEmpty else { return nil }
    let told = summary.launches.contains { launch in
      launch.row.map { model.store[$0].signal == .appStartup } ?? false
    }
    guard !told, summary.sessions.contains(where: { $0.showsPerformanceSuite(model) }) else {
      return nil
    }
    return judgement(.startup, value: nil, .count, sample: summary.sessions.count)
  }

  /// No hang of any kind, although frames stood still for longer than every detector lets pass.
  ///
  /// Freeze time ÷ slow frames is the mean; one frame was at least as long. Every block of twice the
  /// threshold is detected; shorter ones may escape between two polls.
  static func hangs(_ model: SessionModel, _ summary: StreamSummary) -> Judgement? {
    guard summary.isOfDevice(model), summary.hangs.isEmpty else { return nil }
    let certain = Double(model.options.hangThreshold) * 2 / 1_000_000
    var longest = 0.0
    for session in summary.sessions {
      guard let frames = session.frames, let slow = frames.slow, slow > 0,
        let freeze = frames.freezeMilliseconds
      else { continue }
      longest = max(longest, Double(freeze) / Double(slow))
    }
    guard longest >= certain else { return nil }
    let wasRejected = summary.unplaced.contains { model.store[Int($0)].signal == .appHang }
    guard !wasRejected else { return nil }
    return judgement(.hangs, value: longest, .milliseconds, sample: summary.sessions.count)
  }

  /// No `session.id` on any record: sessions are told apart by time alone.
  static func sessionID(_ model: SessionModel, _ summary: StreamSummary) -> Judgement? {
    guard summary.isOfDevice(model), !summary.sessions.isEmpty,
      !summary.sessions.contains(where: { $0.sessionID.isPresent })
    else { return nil }
    return judgement(.sessionID, value: nil, .count, sample: summary.sessions.count)
  }

  /// Sessions with frames enough, of which too little was measured.
  static func coverage(_ model: SessionModel, _ summary: StreamSummary) -> Judgement? {
    var lowest: Double?
    var count = 0
    for session in summary.sessions {
      guard let frames = session.frames, let coverage = session.coverage,
        frames.total + frames.dropped >= DefaultRules.droppedFrames.minimumSample,
        coverage < DefaultRules.minimumCoverage
      else { continue }
      count += 1
      lowest = min(lowest ?? coverage, coverage)
    }
    return lowest.map { judgement(.coverage, value: $0, .ratio, sample: count) }
  }

  /// A display at 30 or 48 Hz: every frame counts as slow.
  ///
  /// Short sessions show it together; where no session has frames of its own, visits to screens do.
  static func refreshRate(
    _ model: SessionModel,
    _ summary: StreamSummary,
    atLeast minimum: Int = 0
  ) -> Judgement? {
    var hertz: Double?
    var count = 0
    var due = 0
    func see(_ frames: FrameFigures) {
      due += frames.total + frames.dropped
      hertz = hertz ?? frames.impliedHertz
    }
    if summary.hasSessionSpans {
      for session in summary.sessions where session.isOnSlowDisplay {
        guard let frames = session.frames else { continue }
        count += 1
        see(frames)
      }
    } else {
      for session in summary.sessions {
        let visits = session.items.compactMap { model.store.framesOfSlowVisit(Int($0)) }
        count += visits.isEmpty ? 0 : 1
        visits.forEach(see)
      }
    }
    guard due >= minimum else { return nil }
    return hertz.map { judgement(.refreshRate, value: $0, .hertz, sample: count) }
  }

  /// No hang names its screen: the app's logging is not connected.
  static func topScreen(_ model: SessionModel, _ summary: StreamSummary) -> Judgement? {
    var count = 0
    for hang in summary.hangs where hang.origin == .otlp {
      if model.store[hang.row].subject.isPresent { return nil }
      count += 1
    }
    return count == 0 ? nil : judgement(.topScreen, value: nil, .count, sample: count)
  }

  /// Terminations that carry neither memory warnings nor the app's state.
  static func terminationCause(_ model: SessionModel, _ summary: StreamSummary) -> Judgement? {
    let bare = summary.terminations.count { $0.memoryWarnings == nil && !$0.appState.isPresent }
    return bare == 0 ? nil : judgement(.terminationCause, value: nil, .count, sample: bare)
  }

  /// Spans of a format that has no status: which of them failed is unknown.
  static func status(_ model: SessionModel, _ summary: StreamSummary) -> Judgement? {
    var count = 0
    for session in summary.sessions {
      for number in [session.renderingRows, session.items].joined()
      where model.store[Int(number)].flags.contains(.statusUnknown) {
        count += 1
      }
    }
    return count == 0 ? nil : judgement(.status, value: nil, .count, sample: count)
  }

  private static func judgement(
    _ missing: MissingData,
    value: Double?,
    _ unit: JudgedUnit,
    sample: Int
  ) -> Judgement {
    let none = DefaultRules.threshold(.dataMissing, .wwdc20)
    var judgement = Judgement(.dataMissing, .count, value, unit, sample: sample, none)
    judgement.missing = missing
    return judgement
  }
}

extension StreamSummary {
  fileprivate func isOfDevice(_ model: SessionModel) -> Bool {
    model.ledgerName(of: stream) == nil
  }

  fileprivate var hasSessionSpans: Bool { sessions.contains { !$0.renderingRows.isEmpty } }

  /// The rows whose frames show a display at 30 or 48 Hz.
  func rowsOfSlowDisplay(_ store: RecordStore) -> [UInt32] {
    if hasSessionSpans { return sessions.filter(\.isOnSlowDisplay).flatMap(\.renderingRows) }
    return sessions.flatMap { session in
      session.items.filter { store.framesOfSlowVisit(Int($0)) != nil }
    }
  }
}

extension RecordStore {
  /// The frames of a visit to a screen on a display at 30 or 48 Hz; nil for every other row.
  fileprivate func framesOfSlowVisit(_ number: Int) -> FrameFigures? {
    let row = self[number]
    guard row.signal == .screenRendering, row.outcome != .rejected,
      let frames = FrameFigures(extra(of: row).measurements), frames.isOfSlowDisplay
    else { return nil }
    let coverage = frames.coverage(ofNanoseconds: row.end - row.start) ?? 1
    return coverage >= DefaultRules.minimumCoverage ? frames : nil
  }
}

extension Session {
  /// Enough of it was measured to say that its display runs at 30 or 48 Hz.
  var isOnSlowDisplay: Bool {
    guard frames?.isOfSlowDisplay == true else { return false }
    return coverage.map { $0 >= DefaultRules.minimumCoverage } ?? true
  }

  /// It holds a record of PerformanceSuite's.
  fileprivate func showsPerformanceSuite(_ model: SessionModel) -> Bool {
    if !renderingRows.isEmpty { return true }
    return items.contains {
      let signal = model.store[Int($0)].signal
      return signal.rawValue < Signal.otherSpan.rawValue || signal == .leak
    }
  }
}
