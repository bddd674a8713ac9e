/// Everything known of the run: columns of records, the tables they refer to, and what was counted.
///
/// Changed only by `apply`. The same events in any order give the same sessions and figures; only what
/// is said of arrival itself (`quality`, `sources`) may differ.
package struct SessionModel: Sendable {
  package internal(set) var store = RecordStore()
  package internal(set) var quality = Quality()
  package internal(set) var sources: [SourceState] = []
  package internal(set) var spools: [SpoolState] = []
  package var options: ModelOptions

  var streamTable: StreamTable
  var groups: GroupTable
  /// What is left of records that are no longer kept.
  package var folded = FoldedFigures()
  /// How often records were folded: then there is memory to give back.
  package internal(set) var foldings = 0
  /// Rows of the ledger in order of arrival, whatever their source.
  var ledgerRows: ContiguousArray<UInt32> = []
  var resources: [Resource] = []
  private var attributeSets: [[HostAttribute]] = []
  private(set) var names: [String] = [""]
  /// Bytes that names take, those of the table that finds them included.
  private(set) var nameBytes = 0
  private var knownMessages = KnownMessages()
  /// Rows of winners that were received again unchanged, and how often.
  var equalCopies = CopyCounts()
  /// Beyond a number of them, a span that is renamed again counts again.
  var renamedSpans: Set<UInt64> = []
  private static let mostRenamed = 100_000
  /// Rows of the logs that count.
  var seenLogs: [LogIdentity: UInt32] = [:]
  /// How many rows were given up since those among them were forgotten.
  var rowsUnseen = 0
  /// Symbols of scope versions from 1.9 on.
  private var recentVersions: Set<Symbol> = []
  /// The scope version that was looked for last, and whether it is from 1.9 on.
  private var lastVersion = (symbol: Symbol.none, isRecent: false)
  var newestArrival = Int64.min
  var ahead = AheadRecords()
  /// The newest end among the trustworthy records of all streams.
  var newestEnd = Int64.min

  struct LogIdentity: Hashable {
    var stream: StreamID
    var time: Int64
    var subject: Symbol
    var content: UInt64
  }

  package init(options: ModelOptions = ModelOptions()) {
    self.options = options
    streamTable = StreamTable(limit: options.limits.streams)
    groups = GroupTable(limit: options.limits.groups)
  }

  package var streams: [DeviceStream] { streamTable.streams }

  /// The text of a symbol; empty for none.
  package func text(_ symbol: Symbol) -> String {
    let number = Int(symbol.rawValue)
    return number < names.count ? names[number] : ""
  }

  package func resource(_ id: ResourceID) -> Resource {
    let number = Int(id.rawValue)
    return number < resources.count ? resources[number] : Resource(app: .none)
  }

  /// The attributes of a set, by the text of their keys; empty for none and for what was not kept.
  package func attributes(of set: AttributeSetID) -> [HostAttribute] {
    let number = Int(set.rawValue)
    return number < attributeSets.count ? attributeSets[number] : []
  }

  /// Keys of the host's attributes, in no order.
  var attributeKeys: Set<Symbol> { Set(attributeSets.joined().map(\.key)) }

  /// Applies events in their order.
  package mutating func apply(_ events: [TelemetryEvent]) {
    // Of an array each event would be copied out.
    events.withUnsafeBufferPointer { events in
      for index in events.indices { apply(events[index]) }
    }
    keepWithinMemory()
  }

  package mutating func apply(_ event: TelemetryEvent) {
    switch event {
    case .span(let span): apply(span)
    case .log(let log): apply(log)
    case .ledger(let line): apply(line)
    case .symbol(let symbol, let text): define(symbol, text)
    case .resource(let id, let resource): define(id, resource)
    case .attributes(let id, let attributes): define(id, attributes)
    case .arrival(let time): arrive(time.nanoseconds)
    case .source(let opened): open(opened)
    case .counted(let what, let count, let source): tally(what, count, source)
    case .problem(let problem): note(problem)
    case .progress(let progress): advance(progress)
    case .connection(let connection): note(connection)
    case .spool(let state): note(state)
    }
  }

  // MARK: - Definitions

  private mutating func define(_ symbol: Symbol, _ text: String) {
    let number = Int(symbol.rawValue)
    while names.count <= number { names.append("") }
    names[number] = text
    nameBytes += TableLimits.cost(ofText: text.utf8.count)
    knownMessages.learn(symbol, text)
    if isVersionWithSessionSpans(text) {
      recentVersions.insert(symbol)
      lastVersion = (.none, false)
    }
  }

  private mutating func define(_ id: ResourceID, _ resource: Resource) {
    let number = Int(id.rawValue)
    while resources.count <= number { resources.append(Resource(app: .none)) }
    resources[number] = resource
    if resource.attributes == .overflow { quality.hostAttributesDropped += 1 }
  }

  private mutating func define(_ id: AttributeSetID, _ attributes: [HostAttribute]) {
    guard id != .none, id != .overflow else { return }
    let number = Int(id.rawValue)
    while attributeSets.count <= number { attributeSets.append([]) }
    attributeSets[number] = attributes
  }

  private mutating func open(_ opened: SourceOpened) {
    let number = Int(opened.id.rawValue)
    while sources.count <= number {
      sources.append(
        SourceState(SourceOpened(id: opened.id, name: "", ledgerName: "", isLive: false))
      )
    }
    sources[number] = SourceState(opened)
  }

  private mutating func tally(_ what: Counted, _ count: Int, _ source: SourceID) {
    switch what {
    case .metricPoints: quality.metricPoints += count
    case .profiles: quality.profiles += count
    case .metricPayloads: quality.metricPayloads += count
    case .diagnosticPayloads: quality.diagnosticPayloads += count
    case .truncatedValues: quality.truncatedValues += count
    case .otherTexts: quality.otherTexts += count
    case .otherResources: quality.otherResources += count
    case .droppedMessages: noteDropped(count, of: source)
    }
  }

  private mutating func note(_ problem: Problem) {
    switch problem.kind {
    case .malformed: quality.malformed += 1
    case .notTelemetry: quality.notTelemetry += 1
    case .incomplete: quality.incomplete += 1
    case .unreadable: quality.unreadable += 1
    }
    let number = Int(problem.source.rawValue)
    guard number < sources.count else { return }
    if problem.kind == .malformed { sources[number].malformed += 1 }
    sources[number].problems += 1
    if sources[number].firstProblem == nil { sources[number].firstProblem = problem }
  }

  private mutating func advance(_ progress: SourceProgress) {
    let number = Int(progress.source.rawValue)
    guard number < sources.count else { return }
    sources[number].advance(progress, newestArrival: newestArrival)
  }

  // MARK: - Records

  private mutating func apply(_ span: SpanRecord) {
    quality.receivedSpans += 1
    let resource = resource(span.resource)
    let session = span.sessionID.isPresent ? span.sessionID : resource.sessionID
    let stream = streamTable.stream(resource: resource, id: span.resource, session: session)
    var row = RecordRow(place: span.place, signal: span.signal)
    row.flags = span.flags
    row.setTimes(start: span.start, end: span.end, newestArrival: newestArrival)
    row.setIdentity(
      traceHash: span.traceHigh ^ (span.traceLow &* 0x9E37_79B9_7F4A_7C15),
      spanID: span.hasIdentity ? span.spanID : 0,
      content: span.content
    )
    row.name = span.name
    row.subject = span.signal == .otherSpan ? span.name : span.subject
    row.stream = stream
    row.resource = span.resource
    row.session = session
    // What goes on has measured nothing yet, whatever it says.
    if span.flags.contains(.inProgress) {
      row.flags.subtract([.fatal, .nonFatal])
    } else {
      row.setNumbers(
        primary: span.measurements[.primary],
        secondary: span.measurements[.secondary]
      )
    }
    row.attributeCount = span.attributeCount
    row.finalAttributeCount = span.finalAttributeCount
    row.attributes = span.attributes
    if span.attributes == .overflow { quality.hostAttributesDropped += 1 }
    row.outcome = knownMessages.outcome(span.status, span.statusMessage)
    count(row, from: span.place.source)
    if span.signal != .otherSpan, isRecent(span.scopeVersion) {
      streamTable[stream].showsSessionSpans = true
    }
    if span.signal == .appRendering {
      if span.measurements.contains(.sessionDuration) || span.flags.contains(.inProgress) {
        streamTable[stream].showsSessionSpans = true
      }
    }
    if row.hasIdentity,
      let winner = store.winner(traceHash: row.traceHash, spanID: row.spanID)
    {
      applyCopy(row, of: span, over: winner)
    } else if !isOfFolded(row) {
      insert(row, of: span, replacing: nil)
    }
  }

  /// True for a record of a part of its stream that was folded, which is counted and not kept.
  private mutating func isOfFolded(_ row: RecordRow) -> Bool {
    // Many devices that are one come in any order.
    guard row.isTimed, row.start < streamTable[row.stream].cut.until,
      row.stream != streamTable.other
    else { return false }
    quality.afterFolding += 1
    return true
  }

  private mutating func isRecent(_ version: Symbol) -> Bool {
    if version != lastVersion.symbol {
      lastVersion = (version, recentVersions.contains(version))
    }
    return lastVersion.isRecent
  }

  private mutating func applyCopy(_ row: RecordRow, of span: SpanRecord, over winner: Int) {
    let old = store[winner]
    if old.content == row.content {
      quality.duplicates += 1
      equalCopies.add(winner)
      return
    }
    // A copy that differs is a live one; copies may be of several streams.
    if row.signal == .appRendering { streamTable[row.stream].showsSessionSpans = true }
    if old.signal == .appRendering { streamTable[old.stream].showsSessionSpans = true }
    let leavesPending = old.flags.contains(.pending) || row.flags.contains(.pending)
    if old.name != row.name, !leavesPending,
      renamedSpans.count >= Self.mostRenamed
        || renamedSpans.insert(row.traceHash ^ row.spanID).inserted
    {
      quality.renamed += 1
    }
    guard row.isGreaterCopy(than: old) else {
      quality.replaced += 1
      return
    }
    // Copies equal to the old winner were duplicates of it; now they have lost and differ.
    let repeated = equalCopies.remove(winner)
    quality.duplicates -= repeated
    quality.replaced += repeated + 1
    insert(row, of: span, replacing: winner)
  }

  private mutating func insert(_ row: RecordRow, of span: SpanRecord, replacing old: Int?) {
    // Running totals of an app-rendering span count while it goes on.
    let isMeasured = !row.flags.contains(.inProgress) || span.signal == .appRendering
    let extra =
      span.signal.hasExtra
      ? RecordExtra(
        measurements: isMeasured ? span.measurements : Measurements(),
        hostSession: span.hostSessionID,
        appState: span.appState,
        statusMessage: span.statusMessage
      ) : nil
    let number = store.append(row, extra: extra)
    ahead.note(row, number: number)
    if row.hasIdentity { store.crown(number, replacing: old) }
    if let old, store[old].stream != row.stream { streamTable[store[old].stream].lostRows += 1 }
    place(number)
  }

  private mutating func apply(_ log: LogRecord) {
    quality.receivedLogs += 1
    let resource = resource(log.resource)
    let session = log.sessionID.isPresent ? log.sessionID : resource.sessionID
    var row = RecordRow(place: log.place, signal: log.signal)
    row.flags = log.flags
    row.setTimes(start: log.time, end: log.time, newestArrival: newestArrival)
    row.stream = streamTable.stream(resource: resource, id: log.resource, session: session)
    row.setIdentity(spanID: log.instance, content: log.content)
    row.name = log.subject
    row.subject = log.subject
    row.resource = log.resource
    row.session = session
    row.setNumbers(primary: UInt32(log.severity), secondary: nil)
    row.attributes = log.attributes
    if log.attributes == .overflow { quality.hostAttributesDropped += 1 }
    count(row, from: log.place.source)
    let identity = LogIdentity(
      stream: row.stream,
      time: row.start,
      subject: row.subject,
      content: log.signal == .leak ? log.instance : log.content
    )
    let last = seenLogs.updateValue(UInt32(store.count), forKey: identity)
    let known = last.flatMap { store.holds(Int($0)) ? $0 : nil }
    if known == nil, isOfFolded(row) {
      seenLogs[identity] = nil
      return
    }
    if let known {
      quality.duplicateLogs += 1
      // Of two that differ elsewhere the greater one stays, whatever came first.
      guard row.content > store[Int(known)].content else {
        seenLogs[identity] = known
        return
      }
    }
    let number = store.append(row, extra: nil)
    ahead.note(row, number: number)
    if let known { store.supersede(Int(known), by: number) }
    place(number)
  }

  private mutating func apply(_ line: LedgerEvent) {
    quality.receivedLedgerEvents += 1
    var row = RecordRow(place: line.place, signal: line.signal)
    row.flags = line.flags
    let length = max(0, line.durationNanoseconds ?? 0)
    row.setTimes(
      start: line.time.advanced(byNanoseconds: -length),
      end: line.time,
      newestArrival: newestArrival
    )
    let source = Int(line.place.source.rawValue)
    let ledger = source < sources.count ? sources[source].opened.ledgerName : ""
    row.stream = streamTable.ledger(named: ledger)
    row.setIdentity(spanID: 0, content: line.content)
    row.name = line.name
    row.subject = line.detail
    row.setNumbers(
      primary: line.durationNanoseconds.map { UInt32(clamping: $0 / 1_000_000) },
      secondary: line.durationNanoseconds.map { UInt32(clamping: $0 % 1_000_000) }
    )
    count(row, from: line.place.source)
    if isOfFolded(row) { return }
    let number = store.append(row, extra: nil)
    ahead.note(row, number: number)
    ledgerRows.append(UInt32(number))
    if row.canTellLaunch { streamTable[row.stream].launchMarks += 1 }
    streamTable[row.stream].rows.appendBySteps(UInt32(number))
  }

  /// Counts what arrival itself shows: order, lateness, trust in the clock.
  private mutating func count(_ row: RecordRow, from source: SourceID) {
    if row.stream == streamTable.other { quality.otherDevices += 1 }
    let number = Int(source.rawValue)
    if number < sources.count {
      sources[number].records += 1
      if row.isTimed {
        if row.start < sources[number].lastStart { quality.outOfOrder += 1 }
        sources[number].lastStart = row.start
      }
    }
    guard row.isTimed, !row.flags.isClockSuspect else {
      ahead.note(row, options)
      return
    }
    let end = row.trueEnd(options)
    let newest = streamTable[row.stream].newestEnd
    if newest != .min, end < newest - 60_000_000_000 { quality.late += 1 }
    widen(row.stream, from: row.start, to: end)
  }

  private mutating func place(_ number: Int) {
    let row = store[number]
    if row.canTellLaunch { streamTable[row.stream].launchMarks += 1 }
    streamTable[row.stream].rows.appendBySteps(UInt32(number))
    groups.add(row, number: UInt32(number), app: resource(row.resource).app)
  }
}
