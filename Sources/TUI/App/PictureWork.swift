import Model

/// Everything that a new picture is derived from: a value, so that any thread can do it.
package struct PictureWork: Sendable {
  let model: SessionModel
  let previous: Overview
  let filter: RecordFilter
  /// Which of the state's questions the picture answers.
  let question: Int
  /// The row count to look at; nil for all rows.
  var bound: Int?
  /// Now and the earliest time of a picture of the past.
  var moment: (now: Int64, earliest: Int64)?

  init(model: SessionModel, previous: Overview, filter: RecordFilter, question: Int) {
    self.model = model
    self.previous = previous
    self.filter = filter
    self.question = question
  }

  package func derive() -> DerivedPicture {
    var overview = model.overview(previous: previous, filter: filter, upTo: bound)
    // Of the moment that is shown, not of what came since.
    if let moment { (overview.now, overview.earliest) = moment }
    let findings = model.findings(overview)
    return DerivedPicture(
      findings: findings,
      slowestTTI: overview.slowestTTI,
      hasSeveralApps: overview.hasSeveralApps(model),
      slowScreens: SlowScreens(overview, findings),
      hasPartlyRejectedVisits: overview.hasPartlyRejectedVisits,
      sessionPaneRows: SessionEvidence.rows(overview, findings),
      identity: IdentityText.shown(overview, model),
      question: question,
      isOfPast: bound != nil,
      overview: overview
    )
  }
}

/// What `AppState` shows of the model, derived.
package struct DerivedPicture: Sendable {
  let findings: Findings
  let slowestTTI: Double
  let hasSeveralApps: Bool
  let slowScreens: SlowScreens
  let hasPartlyRejectedVisits: Bool
  let sessionPaneRows: Int
  let identity: String
  let question: Int
  let isOfPast: Bool
  let overview: Overview
}

extension Overview {
  fileprivate var hasPartlyRejectedVisits: Bool {
    streams.contains { summary in
      summary.visits.contains { visit in
        guard visit.sessions.count > 1 else { return false }
        let rejected = summary.sessions[visit.sessions].count { $0.state == .rejected }
        return rejected > 0 && rejected < visit.sessions.count
      }
    }
  }

  fileprivate var slowestTTI: Double {
    (screens + fragments).reduce(0) { max($0, $1.tti.quantile(0.99) ?? 0) }
  }
}
