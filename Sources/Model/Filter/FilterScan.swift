/// The rows that a filter lets through, looked for in steps, the newest first.
///
/// What it has found can be looked at before it is done: `SessionModel.overview(of:)`.
package struct FilterScan {
  private let store: RecordStore
  private let options: ModelOptions
  private let since: Int64?
  private let until: Int64?
  private var matcher: FilterMatcher?
  /// Rows from here on have been examined.
  private var next: Int
  /// The records before the filter, without figures.
  let whole: Overview
  let repeated: Set<UInt32>
  package private(set) var selection: RowSelection

  init(_ filter: RecordFilter, _ model: SessionModel, whole: Overview, repeated: Set<UInt32>) {
    store = model.store
    options = model.options
    since = filter.since?.resolved(now: whole.now)
    until = filter.until?.resolved(now: whole.now)
    self.whole = whole
    self.repeated = repeated
    matcher = filter.expression.map { expression in
      let needsSessions = expression.needsSessions
      return FilterMatcher(
        expression,
        model: model,
        sessions: needsSessions ? SessionsOfRows(whole.streams, rows: whole.bound) : nil
      )
    }
    selection = RowSelection(rows: whole.bound)
    next = whole.bound
  }

  package var isDone: Bool { next == 0 }
  /// Rows that were looked at; nil when that is all of them.
  package var examined: Int? { isDone ? nil : whole.bound - next }
  /// The part that was looked at, 0 to 1; 1 where there is nothing to look at.
  package var share: Double {
    whole.bound == 0 ? 1 : Double(whole.bound - next) / Double(whole.bound)
  }

  /// Looks at so many more rows.
  package mutating func examine(rows: Int = .max) {
    let end = next
    next = max(0, next - rows)
    for number in next..<end where store.isLive(number, upTo: whole.bound) {
      if since != nil || until != nil {
        let row = store[number]
        // Without a usable time nothing can be said to lie within.
        guard row.isTimed else { continue }
        if let since, row.trueEnd(options) < since { continue }
        if let until, row.trueStart(options) > until { continue }
      }
      if matcher?.matches(number) ?? true { selection.insert(number) }
    }
  }
}
