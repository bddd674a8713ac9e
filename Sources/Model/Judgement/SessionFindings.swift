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
    return max(
      freeze,
      dropped,
      hangVerdict(of: sessions, in: summary),
      leakVerdict(of: sessions, in: summary),
      terminationVerdict(of: sessions, in: summary, model)
    )
  }

  /// The worst verdict of a hang in the sessions.
  package func hangVerdict(of sessions: Range<Int>, in summary: StreamSummary) -> Verdict {
    summary.hangs.lazy.filter { $0.session.map(sessions.contains) == true }
      .map { rulebook.hang($0).verdict }.max() ?? .insufficient
  }

  /// The worst verdict of a class that leaked in a launch of the sessions.
  ///
  /// A single leak says nothing of the session.
  package func leakVerdict(of sessions: Range<Int>, in summary: StreamSummary) -> Verdict {
    let worst =
      leakPlaces(of: sessions, in: summary)
      .map { rulebook.leakRepeated(leaks[$0]).verdict }.max() ?? .insufficient
    return worst > .holds ? worst : .insufficient
  }

  private func terminationVerdict(
    of sessions: Range<Int>,
    in summary: StreamSummary,
    _ model: SessionModel
  ) -> Verdict {
    summary.terminations.lazy.filter { $0.session.map(sessions.contains) == true }
      .map { rulebook.watchdog($0, appState: model.text($0.appState)).verdict }
      .max() ?? .insufficient
  }

  /// The findings about sessions that follow each other and about what is in them, the worst first.
  ///
  /// Hints of the stream that are about single sessions come with these sessions alone.
  package func findings(
    of sessions: Range<Int>,
    in stream: Int,
    of overview: Overview,
    _ model: SessionModel
  ) -> [Finding] {
    let summary = overview.streams[stream]
    let ofLeaks = leakPlaces(of: sessions, in: summary).flatMap(places.ofLeak)
    let ofStream = places.ofStream(stream)
    return (ofLeaks.isEmpty ? Array(ofStream) : (ofStream + ofLeaks).sorted()).compactMap { place in
      let finding = list[Int(place)]
      let isOwn =
        switch finding.subject {
        case .session(_, let index): sessions.contains(index)
        case .hang(_, let index): summary.hangs[index].session.map(sessions.contains) ?? false
        case .termination(_, let index):
          summary.terminations[index].session.map(sessions.contains) ?? false
        case .leak: true
        default: false
        }
      if isOwn { return finding }
      guard finding.subject == .stream(stream), let missing = finding.judgement.missing,
        let judgement = MissingDataRules.judgement(missing, of: sessions, in: summary, model)
      else { return nil }
      return Finding(.session(stream, sessions.lowerBound), judgement)
    }
  }

  /// What a stream lacks as a whole.
  package func hints(ofStream stream: Int) -> [Finding] {
    places.ofStream(stream).lazy.map { list[Int($0)] }.filter { finding in
      guard finding.subject == .stream(stream) else { return false }
      return finding.judgement.missing.map { !$0.isOfSessions } ?? true
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
