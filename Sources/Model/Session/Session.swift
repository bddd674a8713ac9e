/// How a session stands.
package enum SessionState: String, CaseIterable, Sendable {
  case clean
  case abandoned
  case detached
  case rejected
  case open
  case stale
  case lost
  case unmeasured
}

/// One active stretch of the app: an app-rendering span, or what came without one.
package struct Session: Sendable {
  package var stream: StreamID
  /// Rows of app-rendering spans; several only for the deltas of PerformanceSuite 1.7.0 to 1.8.1, none
  /// for an implicit session.
  package var renderingRows: RowList
  /// Index into the stream's launches; nil before the first known launch.
  @OptionalIndex package var launch: Int?
  package var resource: ResourceID
  package var sessionID = Symbol.none
  package var state: SessionState
  /// Why the state is what it is, in words.
  package var reason: String
  /// Nanoseconds since 1970.
  package var start: Int64
  package var end: Int64
  /// The end of the app-rendering span itself, up to which frames were counted.
  package var spanEnd: Int64
  /// `app.session.duration.ms`, which only a clean end carries.
  @OptionalNumber package var reportedMilliseconds: Int? = nil
  package var frames: FrameFigures?
  /// Rows that belong to the session, by start; the app-rendering rows are not among them.
  package var items = RowList()
  @SmallCount package var fatalHangs = 0
  @SmallCount package var nonFatalHangs = 0
  package var hangMilliseconds = 0
  @SmallCount package var leaks = 0
  /// Ledger events `frame.hitch`.
  @SmallCount package var hitches = 0
  /// Distinct screens with a TTI or a rendering.
  @SmallCount package var screens = 0
  /// 90th percentile of the session's TTIs, milliseconds.
  @OptionalMeasure package var ttiP90: Double? = nil
  @SmallCount package var ttiCount = 0
  /// In the order in which the derivation came to the stream's sessions.
  var number: UInt32 = 0

  package var isImplicit: Bool { renderingRows.isEmpty }

  /// Milliseconds from start to end, as reported where it was.
  package var durationMilliseconds: Double {
    reportedMilliseconds.map(Double.init) ?? Double(end - start) / 1_000_000
  }

  package var coverage: Double? { frames?.coverage(ofNanoseconds: spanEnd - start) }
}

/// Why the previous process ended.
package enum ExitCause: String, CaseIterable, Sendable {
  case clean
  case hang
  case watchdog
  case lost
  case unknown
}

/// One start of the app.
package struct Launch: Sendable {
  /// The app-startup row (or `boot.firstFrame`); nil where a fatal record alone shows the launch.
  @OptionalIndex package var row: Int?
  package var resource: ResourceID
  package var start: Int64
  @OptionalNumber package var totalMilliseconds: Int? = nil
  @OptionalNumber package var premainMilliseconds: Int? = nil
  @OptionalNumber package var mainMilliseconds: Int? = nil
  package var isPrewarmed = false
  /// An app-startup span tells of it, which says whether it was prewarmed.
  package var hasStartup = false
  package var previousExit = ExitCause.unknown
  /// Set where the measurement was rejected or cancelled.
  package var outcome = Outcome.normal

  /// Milliseconds beyond which a launch is suspect: iOS prewarmed it, and the app does not say so.
  static let longestBelievable = 60_000

  /// Longer than a launch takes, and not said to be prewarmed.
  package var isSuspect: Bool { !isPrewarmed && (totalMilliseconds ?? 0) > Self.longestBelievable }

  /// PerformanceSuite's measurement of the launch arrived: whether it was prewarmed is known.
  package var isMeasured: Bool { hasStartup && totalMilliseconds != nil && !outcome.isError }
}

/// Where hangs were told.
package enum HangOrigin: String, Sendable {
  case otlp
  case ledger
}

package enum HangType: String, CaseIterable, Sendable {
  case fatal
  case nonFatal = "non_fatal"
  case open
  case cancelled
}

/// One hang with its reported and its true window.
package struct Hang: Sendable {
  @SmallCount package var row: Int
  package var origin: HangOrigin
  package var type: HangType
  package var start: Int64
  package var end: Int64
  package var trueStart: Int64
  package var trueEnd: Int64
  /// Milliseconds; nil for open and cancelled ones.
  @OptionalNumber package var duration: Int?
  package var duringStartup: Bool
  /// Index into the stream's sessions.
  @OptionalIndex package var session: Int?
  /// Of a fatal hang: the start of the launch that told it, nanoseconds since 1970; nil when unknown.
  package var toldAt: Int64?

  /// How long after its true end a fatal hang was told, nanoseconds; nil where that is unknown.
  package var delay: Int64? { toldAt.map { max(0, $0 - trueEnd) } }
}

/// One watchdog termination, told by the launch after it.
package struct Termination: Sendable {
  package var row: Int
  package var time: Int64
  package var memoryWarnings: Int?
  package var appState: Symbol
  /// Index into the stream's sessions: the one that was terminated.
  package var session: Int?
}

/// Segments of a stream so close that they are one visit; indices into the stream's sessions.
package struct Visit: Sendable {
  package var sessions: Range<Int>
}

/// What the records of one stream mean together.
package struct StreamSummary: Sendable {
  package var stream: StreamID
  package var launches: [Launch] = []
  /// By start.
  package var sessions: [Session] = []
  package var visits: [Visit] = []
  package var hangs: [Hang] = []
  package var terminations: [Termination] = []
  /// Ledgers that were joined to the stream.
  package var joinedLedgers: [StreamID] = []
  /// Live rows that belong to no session: without a usable time, or rejected.
  package var unplaced: [UInt32] = []
  /// The sum of the revisions of the stream and its ledgers that were considered.
  var revision = 0
  /// What was known of the stream then.
  var showsSessionSpans = false
  var hasTrustedTime = false
}
