/// How far the data can be believed: everything received, lost, repeated or doubtful, counted.
package struct Quality: Equatable, Sendable {
  package var receivedSpans = 0
  package var receivedLogs = 0
  package var receivedLedgerEvents = 0
  package var metricPayloads = 0
  package var diagnosticPayloads = 0
  package var metricPoints = 0
  package var profiles = 0
  package var malformed = 0
  package var notTelemetry = 0
  package var incomplete = 0
  /// Sources that could not be read (further).
  package var unreadable = 0
  /// Copies of spans that equal the winner.
  package var duplicates = 0
  /// Copies of spans that lost and differ.
  package var replaced = 0
  /// Spans whose copies go by more than one name, pending measurements apart.
  package var renamed = 0
  package var duplicateLogs = 0
  /// Records that the host asked to drop (`shouldEmit_rejected`); copies of one are one.
  package var rejected = 0
  /// Spans whose format has no status, so that errors among them cannot be told from success.
  ///
  /// Copies of a span are one, and none where another copy has a status: what is received again or better
  /// is no further doubt, whatever `receivedSpans` counts.
  package var statusUnknown = 0
  package var outOfOrder = 0
  package var late = 0
  /// Records whose times are not to be believed; copies of one are one.
  package var clockSuspect = 0
  package var truncatedValues = 0
  /// Texts beyond `TableLimits`, which are shown as `other`; one that comes again may count again.
  package var otherTexts = 0
  /// The same of resources: nothing but the app is known of them.
  package var otherResources = 0
  /// Records of devices beyond the limit, which are one.
  package var otherDevices = 0
  /// Records of names beyond the limit, which are one row.
  package var otherNames = 0
  /// Records of a part of their stream that was no longer kept when they came.
  package var afterFolding = 0
  /// Records that are counted in the figures and no longer kept, because of the memory limit.
  package var foldedRecords = 0
  package var foldedSessions = 0
  package var foldedLaunches = 0
  package var foldedHangs = 0
  /// Records and resources whose further attributes were not kept: there were too many different sets.
  package var hostAttributesDropped = 0
  /// Records of live sources that opening the run again does not show: they made room for newer ones, or
  /// could not be written.
  package var spoolDropped = 0
  /// Messages of remote taps that came too fast and were never looked at.
  package var attachDropped = 0

  package init() {}

  /// What was not told apart, as tables were full; see `TableLimits`.
  package var beyondLimits: Int { otherTexts + otherResources + otherDevices + otherNames }

  /// Records and lines that were lost.
  package var lost: Int { malformed + incomplete + notTelemetry + attachDropped }
}

/// A source as far as it has been read.
package struct SourceState: Sendable {
  package var opened: SourceOpened
  package var kind = SourceKind.unknown
  package var bytesRead: UInt64 = 0
  package var bytesTotal: UInt64?
  package var state = SourceProgress.State.reading
  package var records = 0
  package var malformed = 0
  package var problems = 0
  package var firstProblem: Problem?
  /// Of a source that perftop attached itself to.
  package internal(set) var connection: SourceConnection?
  /// When bytes came last; nil before the first.
  package internal(set) var lastArrival: Timestamp?
  /// Messages that came too fast and were never looked at.
  package internal(set) var dropped = 0
  var lastStart = Int64.min

  init(_ opened: SourceOpened) {
    self.opened = opened
  }

  package var name: String { opened.name }

  mutating func advance(_ progress: SourceProgress, newestArrival: Int64) {
    if progress.bytesRead > bytesRead, newestArrival != .min {
      lastArrival = Timestamp(nanoseconds: newestArrival)
    }
    bytesRead = progress.bytesRead
    bytesTotal = progress.bytesTotal
    state = progress.state
    found(progress.kind)
  }

  mutating func found(_ found: SourceKind) {
    guard found != .unknown, found != kind else { return }
    kind = kind == .unknown ? found : .mixed
  }
}

extension SourceState {
  /// Adds the next file behind the same followed path.
  fileprivate mutating func add(_ next: SourceState) {
    found(next.kind)
    bytesRead += next.bytesRead
    bytesTotal = nil
    state = next.state
    records += next.records
    malformed += next.malformed
    problems += next.problems
    if firstProblem == nil { firstProblem = next.firstProblem }
  }
}

extension SessionModel {
  mutating func note(_ connection: SourceConnection) {
    let index = Int(connection.source.rawValue)
    guard sources.indices.contains(index) else { return }
    sources[index].connection = connection
  }

  mutating func noteDropped(_ count: Int, of source: SourceID) {
    quality.attachDropped += count
    let index = Int(source.rawValue)
    if sources.indices.contains(index) { sources[index].dropped += count }
  }

  /// Takes how a spool stands: this run's, or that of a run that is read again.
  mutating func note(_ spool: SpoolState) {
    // The folder of the run takes the place of that of all runs.
    if let known = spools.firstIndex(where: { $0.folder == spool.folder || $0.limit != nil }),
      spool.limit != nil || spools[known].limit == nil
    {
      spools[known] = spool
    } else {
      spools.append(spool)
    }
    quality.spoolDropped = spools.reduce(0) { $0 + $1.missingRecords }
  }

  /// The sources as the user named them: the files that a followed path stood for are one.
  package var namedSources: [SourceState] {
    var named: [SourceState] = []
    for source in sources {
      guard source.opened.isLive,
        let known = named.firstIndex(where: { $0.opened.isLive && $0.name == source.name })
      else {
        named.append(source)
        continue
      }
      named[known].add(source)
    }
    return named
  }
}
