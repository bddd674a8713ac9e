import Model

/// Everything that a new picture is derived from: a value, so that any thread can do it.
package struct PictureWork: Sendable {
  let model: SessionModel
  let shown: Overview
  let filter: RecordFilter
  /// Which of the state's questions the picture answers.
  package let question: Int
  /// Asks something else of the records that show, instead of what came since.
  let isOfShownRecords: Bool
  /// Rows between two looks at whether anybody still wants the answer.
  var step = 1 << 16

  /// Nil when `watch` says that nobody wants the answer any more.
  package func derive(_ watch: PictureWatch = PictureWatch()) -> DerivedPicture? {
    guard isOfShownRecords else {
      return picture(of: model.overview(previous: shown, filter: filter))
    }
    guard var scan = model.scan(filter, ofRecordsIn: shown) else {
      return picture(of: model.overview(ofRecordsIn: shown))
    }
    var hasHits = false
    while !scan.isDone {
      scan.examine(rows: step)
      if watch.isCancelled() { return nil }
      let isFirst = !hasHits && scan.selection.count > 0 && !scan.isDone
      if isFirst { hasHits = true }
      watch.onProgress(scan.share, isFirst ? picture(of: model.overview(of: scan)) : nil)
    }
    let overview = model.overview(of: scan)
    return watch.isCancelled() ? nil : picture(of: overview)
  }

  private func picture(of overview: Overview) -> DerivedPicture {
    let findings = model.findings(overview)
    return DerivedPicture(
      overview: overview,
      findings: findings,
      digest: Digest(overview, findings, model),
      question: question,
      isOfShownRecords: isOfShownRecords
    )
  }
}

/// What was asked of the records and is not answered yet.
struct Question: Sendable {
  /// What showed before, with what it answered: where Escape leads.
  let shown: DerivedPicture
  let filter: RecordFilter
  let groupBy: Grouping?
  /// The part of the records that was looked at, 0 to 1.
  var share = 0.0
  /// The first hits show already.
  var hasHits = false
}

/// How somebody follows the derivation of a picture from another thread.
package struct PictureWatch: Sendable {
  let isCancelled: @Sendable () -> Bool
  /// Told the part of the records that was looked at, 0 to 1, and once what was found first.
  let onProgress: @Sendable (Double, DerivedPicture?) -> Void

  package init(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    onProgress: @escaping @Sendable (Double, DerivedPicture?) -> Void = { _, _ in }
  ) {
    self.isCancelled = isCancelled
    self.onProgress = onProgress
  }
}

/// What `AppState` shows of the model, derived.
package struct DerivedPicture: Sendable {
  let overview: Overview
  let findings: Findings
  let digest: Digest
  let question: Int
  let isOfShownRecords: Bool
}
