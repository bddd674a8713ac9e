import Model

/// One visit's sessions and what they add up to.
struct VisitFigures {
  typealias Column = SessionsScreen.Column

  private let shared: SharedState
  private var state: AppState { _read { yield shared.state } }
  private let summary: StreamSummary
  let sessions: ArraySlice<Session>
  /// The stream's place in the overview.
  let stream: Int
  /// Hangs whose end has not been seen.
  let openHangs: Int

  init(_ entry: ListEntry, _ shared: SharedState) {
    self.shared = shared
    stream = entry.first
    summary = shared.state.overview.streams[entry.first]
    sessions =
      entry.isHead ? [] : summary.sessions[summary.visits[entry.second].sessions]
    let range = sessions.indices
    openHangs = summary.hangs.count {
      $0.type == .open && $0.session.map(range.contains) == true
    }
  }

  /// What the visit came to: its last part that the host did not reject, as what it rejects was not
  /// measured; the last one where it rejected all.
  var lastMeasured: Session? { sessions.lastMeasured.map { sessions[$0] } }
  var stateWord: SessionState { sessions.lastMeasured.map { sessions[$0].state } ?? .open }
  /// Nil where the resource does not name it.
  var app: String? {
    let app = sessions.first.map { state.model.resource($0.resource).app } ?? .none
    return app.isPresent ? state.model.text(app) : nil
  }
  var start: Int64 { sessions.first?.start ?? 0 }
  var end: Int64 { sessions.map(\.end).max() ?? 0 }
  var length: Double { sessions.reduce(0) { $0 + $1.durationMilliseconds } }
  var fatalHangs: Int { sessions.reduce(0) { $0 + $1.fatalHangs } }
  var hangs: Int {
    sessions.reduce(openHangs) { $0 + $1.nonFatalHangs + $1.fatalHangs }
  }
  var leaks: Int { sessions.reduce(0) { $0 + $1.leaks } }
  /// The termination that ended it.
  var termination: Termination? {
    let range = sessions.indices
    return summary.terminations.first { $0.session.map(range.contains) == true }
  }
  var screens: Int { sessions.map(\.screens).max() ?? 0 }
  var ttiP90: Double? { sessions.compactMap(\.ttiP90).max() }

  var frames: FrameFigures? {
    var sum: FrameFigures?
    for index in sessions.indices {
      guard let next = sessions[index].frames else { continue }
      sum = sum.map { $0 + next } ?? next
    }
    return sum
  }

  /// Its hangs, the cancelled ones too, by time.
  private var hangList: [HangFigures] {
    let range = sessions.indices
    return summary.hangs.indices
      .filter { summary.hangs[$0].session.map(range.contains) == true }
      .map { HangFigures(ListEntry(.record(0), stream, $0), shared) }
      .sorted { $0.hang.trueStart < $1.hang.trueStart }
  }

  /// The launch whose first visit this is.
  var launch: Launch? {
    guard let first = sessions.first, let index = first.launch else { return nil }
    let isFirst = summary.sessions.first { $0.launch == index }?.start == first.start
    return isFirst ? summary.launches[index] : nil
  }

  /// The worst of everything in the visit.
  var verdict: Verdict {
    state.findings.verdict(
      of: sessions.indices,
      in: stream,
      of: state.overview,
      freezeVerdict,
      droppedVerdict,
      state.model
    )
  }

  /// Of the session for which it is worst.
  private var freezeVerdict: Verdict { worst { state.rulebook.freezeRate($0).verdict } }
  private var droppedVerdict: Verdict { worst { state.rulebook.droppedFrames($0).verdict } }

  private func worst(_ judge: (MeasuredFrames) -> Verdict) -> Verdict {
    sessions.indices.reduce(.insufficient) { max($0, judge(MeasuredFrames(sessions[$1], $1))) }
  }

  /// What the rules say of the visit, the worst first.
  var findings: [Finding] {
    state.findings.findings(of: sessions.indices, in: stream, of: state.overview, state.model)
  }

  /// Launches are judged by version: one stands out where its version breaks the rule and it does too.
  private func launchVerdict(_ launch: Launch) -> Verdict {
    let resource = state.model.resource(launch.resource)
    let group = state.findings.startups.first {
      $0.app == resource.app && $0.version == resource.version
    }
    guard let group else { return .insufficient }
    return min(state.rulebook.startupSlow(group).verdict, LaunchText.verdict(launch, state))
  }

  /// TTIs are judged by screen: that of a session stands out where a screen that it measured breaks the
  /// rule and the session's P90 is past the limit too.
  private var ttiVerdict: Verdict {
    guard let ttiP90, !state.digest.slowScreens.isEmpty else { return .insufficient }
    var worst = Verdict.insufficient
    for index in sessions.indices {
      for number in sessions[index].items {
        let row = state.model.store[Int(number)]
        guard row.signal == .screenTTI, !row.outcome.isError else { continue }
        let app = state.model.resource(row.resource).app
        let verdict = state.digest.slowScreens.verdict(ttiP90, app: app, name: row.subject)
        worst = max(worst, verdict)
        if worst == .critical { return worst }
      }
    }
    return worst
  }

  var isUnended: Bool {
    [.open, .stale, .lost, .unmeasured].contains(stateWord)
  }

  func sortValue(_ column: Column?) -> Double? {
    switch column {
    case .state: Double(SessionState.allCases.firstIndex(of: stateWord) ?? 0)
    case .start: Double(start)
    case .length: length
    case .launch: launch?.totalMilliseconds.map(Double.init)
    case .exit:
      launch.flatMap { ExitCause.allCases.firstIndex(of: $0.previousExit) }
        .map(Double.init)
    case .screens: Double(screens)
    case .tti: ttiP90
    case .frames: frames.map { Double($0.total) }
    case .dropped: frames?.droppedRatio
    case .freeze: frames?.freezeMillisecondsPerSecond
    case .hangs: Double(hangs)
    case .leaks: Double(leaks)
    case .verdict: Double(verdict.rawValue)
    case nil: nil
    }
  }

  /// `width` is the column's.
  func cell(_ column: Column?, width: Int) -> StyledText {
    switch column {
    case .state: StateText.text(stateWord, sessions, columns: SessionsScreen.stateWidth(state))
    case .start: MomentText.cell(start, state)
    case .length:
      // Of a process of which only its death is told nothing has a length.
      length == 0 && isUnended
        ? StyledText(QuantityText.unknown, .muted)
        : StyledText(QuantityText.length(milliseconds: length, isAtLeast: isUnended))
    case .launch: launchCell
    case .exit: exitCell
    case .screens: counted(screens)
    case .tti: judged(QuantityText.duration(milliseconds: ttiP90), ttiVerdict)
    case .frames: StyledText(QuantityText.count(frames?.total))
    case .dropped:
      judged(QuantityText.percent(frames?.droppedRatio), droppedVerdict)
    case .freeze: freezeCell(width: width)
    case .hangs:
      hangs == 0
        ? StyledText("–", .muted)
        : StyledText(
          fatalHangs > 0 ? "\(hangs) F" : openHangs > 0 ? "\(hangs) ●" : "\(hangs)",
          VerdictText.role(state.findings.hangVerdict(of: sessions.indices, in: summary))
        )
    case .leaks:
      counted(leaks, state.findings.leakVerdict(of: sessions.indices, in: summary))
    case .verdict: VerdictText.badge(verdict)
    case nil: StyledText()
    }
  }

  private var launchCell: StyledText {
    guard let launch else { return StyledText("–", .muted) }
    let total = launch.totalMilliseconds.map(Double.init)
    let text = QuantityText.duration(milliseconds: total)
    if launch.isPrewarmed { return StyledText("prewarm", .muted) }
    return judged(text, launchVerdict(launch))
  }

  /// How the process before this launch ended.
  private var exitCell: StyledText {
    switch launch?.previousExit {
    case nil, .unknown: StyledText("–", .muted)
    case .clean: StyledText("clean", .muted)
    // The session that ended so has the verdict.
    case .hang: StyledText("hang")
    case .watchdog: StyledText("watchdog")
    case .lost: StyledText("lost")
    }
  }

  private func freezeCell(width: Int) -> StyledText {
    let rate = frames?.freezeMillisecondsPerSecond
    guard rate != nil else { return StyledText("–", .muted) }
    var text = StyledText(
      DisplayText.field(QuantityText.ratio(rate), columns: 5, alignment: .right),
      VerdictText.role(freezeVerdict)
    )
    // Beside the rate.
    let strip = FreezeStrip.strip(sessions, state, width: max(0, width - 6))
    if !strip.isEmpty { text.append(" " + strip, .muted) }
    return text
  }

  private func judged(_ text: String, _ verdict: Verdict) -> StyledText {
    StyledText(text, text == QuantityText.unknown ? .muted : VerdictText.role(verdict))
  }

  private func counted(_ count: Int, _ verdict: Verdict = .holds) -> StyledText {
    count == 0
      ? StyledText("–", .muted) : StyledText(QuantityText.count(count), VerdictText.role(verdict))
  }

  var searchText: String {
    guard let session = sessions.first else { return "" }
    let resource = state.model.resource(session.resource)
    let parts = [resource.app, resource.version, resource.deviceModel, session.sessionID]
    return "\(stateWord.rawValue) \(MomentText.text(start, state)) "
      + parts.map(state.model.text).filter { !$0.isEmpty }.joined(separator: " ")
  }

  var facts: [DetailsState.Fact] {
    var facts = SessionEvidence(self, shared).facts
    for session in sessions {
      let from = state.clock.dateTime(Timestamp(nanoseconds: session.start))
      let length = QuantityText.length(milliseconds: session.durationMilliseconds)
      facts.append(DetailsState.Fact("session", "\(from), \(length)"))
      facts.append(
        DetailsState.Fact("state", "\(session.state.rawValue): \(session.reason)")
      )
      guard let frames = session.frames else { continue }
      facts.append(
        DetailsState.Fact(
          "frames",
          "\(QuantityText.count(frames.total)) rendered, "
            + "\(QuantityText.count(frames.dropped)) dropped "
            + "(\(QuantityText.percent(frames.droppedRatio))), freeze "
            + QuantityText.duration(milliseconds: frames.freezeMilliseconds.map(Double.init))
        )
      )
      facts.append(
        DetailsState.Fact(
          "display",
          "about \(QuantityText.ratio(frames.impliedHertz)) Hz, "
            + "\(QuantityText.ratio(frames.effectiveFrameRate)) fps, "
            + "\(QuantityText.percent(session.coverage)) of the session measured"
        )
      )
    }
    facts += hangList.map { DetailsState.Fact("hang", $0.words) }
    if let launch { facts.append(contentsOf: LaunchText.facts(launch, state)) }
    return facts
  }
}

extension ArraySlice<Session> {
  /// The last part that the host did not reject, else the last one.
  var lastMeasured: Int? {
    indices.last { self[$0].state != .rejected } ?? indices.last
  }
}
