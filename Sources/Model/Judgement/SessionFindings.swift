// What the rules say of sessions that are shown together as one visit.
extension Findings {
  /// The worst verdict of anything in sessions that follow each other.
  ///
  /// `freeze` and `dropped` are those of the sessions' frames.
  package func verdict(
    of sessions: Range<Int>,
    in stream: Int,
    of overview: Overview,
    _ freeze: Verdict,
    _ dropped: Verdict,
    _ model: SessionModel
  ) -> Verdict {
    let summary = overview.streams[stream]
    var worst = max(freeze, dropped)
    for hang in summary.hangs where hang.session.map(sessions.contains) == true {
      worst = max(worst, rulebook.hang(hang).verdict)
    }
    for termination in summary.terminations
    where termination.session.map(sessions.contains) == true {
      let appState = model.text(termination.appState)
      worst = max(worst, rulebook.watchdog(termination, appState: appState).verdict)
    }
    for index in leakPlaces(of: sessions, in: summary) {
      let verdict = rulebook.leakRepeated(leaks[index]).verdict
      // A single leak says nothing of the session.
      if verdict > .holds { worst = max(worst, verdict) }
    }
    return worst
  }

  /// The findings about sessions that follow each other and about what is in them, the worst first; those
  /// about their stream come with them.
  package func findings(
    of sessions: Range<Int>,
    in stream: Int,
    of overview: Overview
  ) -> [Finding] {
    let summary = overview.streams[stream]
    let leaks = Set(leakPlaces(of: sessions, in: summary))
    return list.filter { finding in
      switch finding.subject {
      case .session(stream, let index): sessions.contains(index)
      case .hang(stream, let index): summary.hangs[index].session.map(sessions.contains) ?? false
      case .termination(stream, let index):
        summary.terminations[index].session.map(sessions.contains) ?? false
      case .leak(let index): leaks.contains(index)
      case .stream(stream): true
      default: false
      }
    }
  }

  /// Classes that leaked in the launches of sessions with leaks.
  private func leakPlaces(of sessions: Range<Int>, in summary: StreamSummary) -> [Int] {
    var launches: Set<Int> = []
    for index in sessions where summary.sessions[index].leaks > 0 {
      launches.insert(summary.sessions[index].launch ?? -1)
    }
    return launches.sorted().flatMap { leakPlaces(summary.stream, launch: $0) }
  }
}
