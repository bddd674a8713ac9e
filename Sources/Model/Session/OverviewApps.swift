extension Overview {
  /// Whether records of more than one app are in it, so that names alone do not tell whose they are.
  package func hasSeveralApps(_ model: SessionModel) -> Bool {
    var first = Symbol.none
    func isOther(_ app: Symbol) -> Bool {
      guard app.isPresent else { return false }
      if !first.isPresent { first = app }
      return app != first
    }
    for summary in streams {
      let resource =
        summary.sessions.first?.resource ?? summary.launches.first?.resource
        ?? summary.hangs.first.map { model.store[$0.row].resource }
      if let resource, isOther(model.resource(resource).app) { return true }
    }
    for figures in screens where isOther(figures.app) { return true }
    for figures in fragments where isOther(figures.app) { return true }
    for figures in leaks where isOther(figures.app) { return true }
    for figures in spans where isOther(figures.app) { return true }
    return false
  }
}
