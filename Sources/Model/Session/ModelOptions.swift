/// How sessions are cut and what counts as slow; the user's options in the model's terms.
package struct ModelOptions: Equatable, Sendable {
  /// Segments of a stream less than this apart are one visit (`--merge-gap`), nanoseconds.
  package var mergeGap: Int64 = 10_000_000_000
  /// An open session this far behind now is stale (`--stale-after`), nanoseconds.
  package var staleAfter: Int64 = 300_000_000_000
  /// The threshold of the app's hang detector (`--hang-threshold`), nanoseconds; not on the wire.
  package var hangThreshold: Int64 = 2_000_000_000
  /// Which bands judge freeze time (`--hitch-scale`).
  package var hitchScale = HitchScale.wwdc20
  /// Entries of the budgets file (`--budgets`); of several that cover a subject, the first counts.
  package var budgets: [Budget] = []

  /// By what the figures of screens and fragments are parted (`--group-by`).
  package var groupBy: Grouping?

  /// Ledgers that join a device whatever their times (`--join`).
  package var joins: [LedgerJoin] = []

  /// Bytes that the model may take (`--max-memory`, less what the program itself needs); nil for any number.
  package var memoryLimit: Int?
  package var limits = TableLimits()
  /// Records that are folded at once: few where keys wait meanwhile; nil for what costs least in all.
  package var foldedAtOnce: Int?

  package init() {}

  /// How much later than the block itself PerformanceSuite draws a hang: one and a half thresholds.
  package var hangShift: Int64 { hangThreshold / 2 * 3 }
}

/// Bands for freeze milliseconds per second.
package enum HitchScale: String, CaseIterable, Sendable {
  /// Warning from 5, critical from 10: WWDC20 session 10077, "Eliminate animation hitches with XCTest".
  case wwdc20
  /// Warning from 10, critical from 25: "Understanding hitches in your app", Xcode documentation.
  case organizer

  package var warning: Double { self == .wwdc20 ? 5 : 10 }
  package var critical: Double { self == .wwdc20 ? 10 : 25 }
}
