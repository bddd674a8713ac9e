import Model

/// Columns that the greatest counts of a list need: a number is never cut.
struct CountWidths: Sendable {
  var values = 0
  var visits = 0
  var leaks = 0
  var instances = 0
  var ledgerEvents = 0

  init() {}

  init(_ overview: Overview) {
    let figures = overview.screens + overview.fragments
    values = Self.columns(figures.lazy.map(\.tti.count).max())
    visits = Self.columns(figures.lazy.map(\.visits).max())
    leaks = Self.columns(overview.leaks.lazy.map(\.count).max())
    instances = Self.columns(overview.leaks.lazy.map(\.instances).max())
    // The row of all names has the sum.
    ledgerEvents = Self.columns(overview.ledger.reduce(0) { $0 + $1.count })
  }

  private static func columns(_ count: Int?) -> Int { QuantityText.count(count ?? 0).count }
}

/// What screens need of all streams together, gathered once for a picture: drawing costs the same of any data.
struct Digest: Sendable {
  /// Whose data it is, for the header.
  var identity = ""
  /// Names need their app.
  var hasSeveralApps = false
  /// The slowest 99th percentile of any TTI, milliseconds: where the common axis ends.
  var slowestTTI = 0.0
  var slowScreens = SlowScreens()
  /// Some visit has both measured parts and rejected ones.
  var hasPartlyRejectedVisits = false
  /// What the pane below the sessions needs.
  var sessionPaneRows = 0
  /// Hours of sessions by app.
  var sessionHours: [Symbol: Double] = [:]
  var hangBands = HangBands()
  /// Where in the overview the summary of each stream is, by the stream's number; -1 for none.
  private var streamPlaces: [Int] = []
  /// The sources as the user named them.
  var sources: [SourceState] = []
  /// The rows of the sessions in their natural order.
  var visitRows: [ListEntry] = []
  var widths = CountWidths()

  init() {}

  init(_ overview: Overview, _ findings: Findings, _ model: SessionModel) {
    identity = IdentityText.shown(overview, model)
    hasSeveralApps = overview.hasSeveralApps(model)
    slowestTTI = (overview.screens + overview.fragments)
      .reduce(0) { max($0, $1.tti.quantile(0.99) ?? 0) }
    widths = CountWidths(overview)
    sources = model.namedSources
    streamPlaces = overview.positions(ofStreams: model.streams.count)
    visitRows = SessionsScreen.naturalRows(overview)
    slowScreens = SlowScreens(overview, findings)
    sessionPaneRows = SessionEvidence.rows(overview, findings)
    for index in overview.streams.indices { add(overview.streams[index], model) }
  }

  /// Index into `Overview.streams`; nil for a stream that has no summary.
  func place(of stream: StreamID) -> Int? {
    let number = Int(stream.rawValue)
    guard number < streamPlaces.count, streamPlaces[number] >= 0 else { return nil }
    return streamPlaces[number]
  }

  private mutating func add(_ summary: borrowing StreamSummary, _ model: SessionModel) {
    for index in summary.sessions.indices {
      let app = model.resource(summary.sessions[index].resource).app
      let length = summary.sessions[index].durationMilliseconds
      sessionHours[app, default: 0] += length / 3_600_000
    }
    for hang in summary.hangs { hangBands.add(hang) }
    if hasPartlyRejectedVisits { return }
    for visit in summary.visits where visit.sessions.count > 1 {
      let rejected = summary.sessions[visit.sessions].count { $0.state == .rejected }
      if rejected > 0, rejected < visit.sessions.count { hasPartlyRejectedVisits = true }
    }
  }
}
