// The memory limit: the oldest records give way, what was counted of them stays.
extension SessionModel {
  /// Rows that are given up at once, of those that there is room for.
  private static let share = 8
  /// So many rows are looked at for each that is given up, to forget those of which nothing is left.
  private static let looks = 4
  /// A stream that nothing came for this long is folded whole, nanoseconds of the data's time.
  private static let quietTime: Int64 = 3_600_000_000_000

  /// Bytes that the model takes, as far as the number of records decides.
  ///
  /// Beside rows and extras that is the index of identities, the lists of streams and groups, and what
  /// is derived of a record: 48 bytes of each, measured.
  package var byteCount: Int { recordBytes + tableBytes }

  private var recordBytes: Int {
    store.byteCount + store.rowCapacity * 48 + seenLogs.count * 64 + equalCopies.byteCount
  }

  /// What no record can give up; `TableLimits` bounds it.
  private var tableBytes: Int {
    nameBytes + resources.count * TableLimits.resourceCost
      + streamTable.streams.count * TableLimits.streamCost
      + groups.keys.count * TableLimits.groupCost
  }

  /// Folds the oldest sessions while there are too many bytes; called between batches of events.
  mutating func keepWithinMemory() {
    guard let limit = options.memoryLimit, recordBytes > max(limit / 4, limit - tableBytes) else {
      return
    }
    // A step at a time: nobody waits for the memory of everything that was given up.
    if store.canCompact { return store.compact() }
    let wanted = options.foldedAtOnce ?? max(RowChunk.size, store.rowCapacity / Self.share)
    apply(choose(wanted))
  }

  /// What is given up; whoever chooses holds the whole model, so it must be gone before anything is dropped.
  private func choose(_ wanted: Int) -> Fold.Choice {
    var fold = Fold(model: self)
    let oldestFirst = streamTable.streams.indices
      .filter { !streamTable.streams[$0].rows.isEmpty }
      .sorted { streamTable.streams[$0].newestEnd < streamTable.streams[$1].newestEnd }
    let quiet = newestEnd == .min ? .min : newestEnd - Self.quietTime
    for number in oldestFirst where fold.choice.gone.count < wanted {
      let isQuiet = streamTable.streams[number].newestEnd < quiet
      guard isQuiet || streamTable.streams[number].mayBeFoldable else { continue }
      fold.take(StreamID(UInt32(number)), whole: isQuiet)
    }
    // Sessions that may go on are cut only when nothing else is left to give up.
    for number in oldestFirst where fold.choice.gone.count < wanted {
      fold.take(StreamID(UInt32(number)), whole: true)
    }
    return fold.choice
  }

  private mutating func apply(_ choice: consuming Fold.Choice) {
    let gone = choice.gone
    folded = choice.folded
    folded.bound()
    for (stream, cut) in choice.cuts {
      streamTable[stream].take(cut, gone)
    }
    for stream in choice.unfoldable {
      streamTable[stream].unfoldableMarks = streamTable[stream].launchMarks
    }
    for stream in choice.touched { streamTable[stream].drop(gone) }
    ledgerRows.removeAll { gone.contains(Int($0)) }
    equalCopies.drop(gone)
    store.drop(gone)
    groups.compact(rows: gone.count * Self.looks) { store.holds($0) }
    rowsUnseen += gone.count
    if rowsUnseen * Self.looks >= seenLogs.count {
      seenLogs = seenLogs.filter { store.holds(Int($0.value)) }
      rowsUnseen = 0
    }
    foldings += 1
  }
}

/// What a stream remembers of the part that was folded.
struct StreamCut: Sendable {
  /// What starts before belongs to that part.
  var until = Int64.min
  /// How the last folded process ended; nil where nothing was folded.
  var exit: ExitCause?
  var showedAppRendering = false
}

/// Chooses what is given up, and sums it up.
private struct Fold {
  struct Choice {
    var gone: RowSelection
    var folded: FoldedFigures
    var cuts: [StreamID: StreamCut] = [:]
    /// Streams of which nothing is left but launches that may go on.
    var unfoldable: [StreamID] = []
    /// Streams that lose rows, joined ledgers included.
    var touched: Set<StreamID> = []
  }

  private(set) var choice: Choice

  private let model: SessionModel
  private var derivation: StreamDerivation
  private let joins: [StreamID: [StreamID]]
  private let joined: Set<StreamID>
  /// Nil where entries of a budgets file judge.
  private let rulebook: Rulebook?
  /// Leaks by class and launch, for the most in one launch.
  private var leaks: [GroupKey: [Int: Int]] = [:]
  /// How many launches of a stream were taken before everything else of it is.
  private var taken: [StreamID: Int] = [:]

  init(model: SessionModel) {
    self.model = model
    choice = Choice(gone: RowSelection(rows: model.store.count), folded: model.folded)
    derivation = StreamDerivation(model: model, bound: model.store.count)
    joins = model.ledgerJoins()
    joined = Set(joins.values.joined())
    let options = model.options
    rulebook = options.budgets.isEmpty ? Rulebook(scale: options.hitchScale) : nil
  }

  /// Takes the sessions of all launches but the two newest, or everything.
  mutating func take(_ stream: StreamID, whole: Bool) {
    guard !joined.contains(stream), choice.cuts[stream] == nil || whole else { return }
    var summary = derivation.derive(stream, ledgers: joins[stream] ?? [])
    summary.markStale(now: model.newestEnd, after: model.options.staleAfter)
    let first = whole ? summary.launches.count : summary.launches.count - 2
    guard whole || first > 0 && summary.launches[first].hasStartup else {
      // A ledger that joins brings launches of its own.
      if summary.joinedLedgers.isEmpty { choice.unfoldable.append(stream) }
      return
    }
    let newest = model.streams[Int(stream.rawValue)].newestEnd
    let until = whole ? newest : summary.launches[first].start
    leaks = [:]
    // Those of launches that were taken before are still there: nothing is dropped yet.
    let old = taken[stream]
    taken[stream] = first
    func isTaken(_ session: Int?) -> Bool {
      guard let session else { return false }
      let launch = summary.sessions[session].launch ?? -1
      return (whole || launch < first) && old.map { launch >= $0 } != false
    }
    for (index, session) in summary.sessions.enumerated() where isTaken(index) {
      choice.folded.add(session)
      judge(session, index)
      for row in session.renderingRows { take(row, launch: session.launch) }
      for row in session.items { take(row, launch: session.launch) }
    }
    for hang in summary.hangs where isTaken(hang.session) { add(hang) }
    for termination in summary.terminations where isTaken(termination.session) {
      add(termination, launch: termination.session.flatMap { summary.sessions[$0].launch })
    }
    for index in summary.launches.indices where index >= old ?? 0 && index < first {
      add(summary.launches[index])
    }
    takeRest(of: stream, summary, until: until, whole: whole)
    for (key, launches) in leaks {
      if let rulebook {
        for count in launches.values {
          choice.folded.findings.add(rulebook.leakRepeated(count: count))
        }
      }
      guard var group = choice.folded.groups[key] else { continue }
      group.mostInLaunch = max(group.mostInLaunch, launches.values.max() ?? 0)
      choice.folded.groups[key] = group
    }
    choice.cuts[stream] = StreamCut(
      until: until,
      exit: whole ? summary.lastExit : summary.launches[first].previousExit,
      showedAppRendering: model.cut(of: stream).showedAppRendering || derivation.showsAppRendering
    )
    choice.touched.formUnion([stream] + summary.joinedLedgers)
  }

  /// What belongs to no session, and what was replaced.
  private mutating func takeRest(
    of stream: StreamID,
    _ summary: StreamSummary,
    until: Int64,
    whole: Bool
  ) {
    func isGoing(_ number: Int) -> Bool {
      let row = model.store[number]
      return (whole || row.isTimed && row.start < until) && !choice.gone.contains(number)
    }
    // Hangs and terminations of processes of which nothing is known.
    for hang in summary.hangs where hang.session == nil && isGoing(hang.row) {
      add(hang)
      take(UInt32(hang.row), launch: nil)
    }
    for termination in summary.terminations
    where termination.session == nil && isGoing(termination.row) {
      add(termination, launch: nil)
    }
    for number in summary.unplaced where isGoing(Int(number)) { take(number, launch: nil) }
    for number in model.rows(of: stream).rows where !choice.gone.contains(Int(number)) {
      let row = model.store[Int(number)]
      if whole || row.isReplaced && row.start < until { choice.gone.insert(Int(number)) }
    }
  }

  private mutating func judge(_ session: Session, _ index: Int) {
    let measured = MeasuredFrames(session, index)
    guard let rulebook, measured.frames != nil else { return }
    choice.folded.findings.add(rulebook.freezeRate(measured))
    choice.folded.findings.add(rulebook.droppedFrames(measured))
  }

  private mutating func add(_ hang: Hang) {
    choice.folded.add(hang)
    if let rulebook { choice.folded.findings.add(rulebook.hang(hang)) }
  }

  private mutating func add(_ termination: Termination, launch: Int?) {
    choice.folded.terminations += 1
    if let rulebook {
      let state = model.text(termination.appState)
      choice.folded.findings.add(rulebook.watchdog(termination, appState: state))
    }
    take(UInt32(termination.row), launch: launch)
  }

  private mutating func add(_ launch: Launch) {
    choice.folded.add(launch)
    guard let total = model.judgedStartup(launch) else { return }
    let resource = model.resource(launch.resource)
    let version = AppVersion(app: resource.app, version: resource.version)
    choice.folded.startups[version, default: CountedValues()].add(Int64(total))
  }

  private mutating func take(_ number: UInt32, launch: Int?) {
    guard !choice.gone.contains(Int(number)) else { return }
    choice.gone.insert(Int(number))
    let row = model.store[Int(number)]
    let app = model.resource(row.resource).app
    let key =
      row.signal.isLedger
      ? GroupKey(signal: row.signal, app: .none, name: row.name)
      : model.groups.known(GroupTable.key(row, app: app))
    let frames =
      row.signal == .screenRendering
      ? FrameFigures(model.store.extra(of: row).measurements) : nil
    choice.folded.add(row, key: key, frames: frames)
    guard row.signal == .leak else { return }
    leaks[key, default: [:]][launch ?? -1, default: 0] += 1
  }
}

extension StreamSummary {
  /// How the last process ended, as far as its last session tells.
  fileprivate var lastExit: ExitCause {
    switch sessions.last?.state {
    case .clean: .clean
    case .lost: .lost
    default: .unknown
    }
  }
}

extension DeviceStream {
  /// False while nothing came that can tell of another launch since there was none to fold.
  fileprivate var mayBeFoldable: Bool { launchMarks != unfoldableMarks }

  fileprivate mutating func take(_ new: StreamCut, _ gone: RowSelection) {
    cut = StreamCut(
      until: max(cut.until, new.until),
      exit: new.exit,
      showedAppRendering: cut.showedAppRendering || new.showedAppRendering
    )
  }

  /// The revision goes up, as with every change of what is live.
  fileprivate mutating func drop(_ gone: RowSelection) {
    let old = rows.count
    rows = ContiguousArray(rows.filter { !gone.contains(Int($0)) })
    lostRows += (old - rows.count) * 2
  }
}
