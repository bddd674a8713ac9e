import CPlatform
package import Model

/// Reads the sources of a run: the files in order, then whatever is live, until everything has ended.
///
/// Belongs to one thread, `IngestThread` or that of a caller who wants no other.
package struct IngestLoop: ~Copyable {
  /// Nanoseconds to wait after new bytes, so that a busy writer is answered in batches.
  private static let breath: Int64 = 10_000_000

  private let requests: [SourceRequest]
  private let context: IngestContext
  private let stopSignal: StopSignal
  private let loadingStop: Guarded<Bool>
  private let hints = ChangeHints()
  private var live: [any LiveInput] = []

  /// A loop that hands everything to the sinks of `telemetry` itself.
  package init(
    requests: [SourceRequest],
    options: IngestOptions,
    telemetry: consuming Telemetry
  ) {
    self.init(
      requests: requests,
      options: options,
      telemetry: telemetry,
      catalog: SourceCatalog(recentBytes: RecentBytes(capacity: options.recentBytesCapacity)),
      stopSignal: StopSignal()
    )
  }

  init(
    requests: [SourceRequest],
    options: IngestOptions,
    telemetry: consuming Telemetry,
    catalog: SourceCatalog,
    spool: SpoolSink? = nil,
    mailbox: MailboxSink? = nil,
    record: RecordSink? = nil,
    stopSignal: StopSignal,
    loadingStop: Guarded<Bool> = Guarded(false)
  ) {
    self.requests = requests
    self.stopSignal = stopSignal
    self.loadingStop = loadingStop
    context = IngestContext(
      telemetry: telemetry,
      catalog: catalog,
      options: options,
      spool: spool,
      mailbox: mailbox,
      record: record
    )
  }

  /// Returns when every source has ended or the run was stopped.
  package mutating func runToEnd() {
    for request in requests where !stopSignal.isSet { open(request) }
    var isReadable: [Bool] = []
    while !live.isEmpty, !stopSignal.isSet {
      let hasMore = stepAll(isReadable: isReadable)
      gate?.look(now: Timestamp.monotonic.nanoseconds)
      guard !live.isEmpty else { break }
      let hasNewWatch = watchAll()
      isReadable = hasMore || hasNewWatch ? poll(for: 0) : waitForInput()
    }
    for index in live.indices { live[index].finish(context: context) }
    live = []
    context.assembler.flush()
    context.reportSpool()
    context.assembler.flush()
  }

  private var gate: LiveGate? { context.mailbox?.gate }

  private mutating func open(_ request: SourceRequest) {
    let (stop, loadingStop) = (stopSignal, loadingStop)
    let files = FileInput(context: context) { stop.isSet || loadingStop.withLock { $0 } }
    switch request {
    case .path(let path):
      if let stream = files.read(path) { live.append(stream) }
    case .standardInput:
      let file = OpenFile(borrowing: STDIN_FILENO)
      if case .success(let status) = file.status(), status.kind == .regular {
        files.readFile(file, path: "/dev/stdin", name: "-")
      } else {
        live.append(StreamInput(file: file, name: "-", context: context))
      }
    case .follow(let path, let tail):
      live.append(FollowedInput(path: path, tail: tail))
    case .listen(let listening):
      live.append(ReceiverInput(listening, context: context))
    case .attach(let address, let settings):
      live.append(AttachInput(address, settings, context: context))
    case .demo(let seed, let start, let seconds):
      generate(DemoSource.names, DemoSource(seed: seed, start: start, seconds: seconds))
    case .generated(let names, let make):
      generate(names, make())
    }
    context.assembler.flush()
  }

  private mutating func generate(_ names: [String], _ generator: any GeneratedSource) {
    let now = Timestamp.monotonic
    live.append(
      GeneratedInput(names: names, generator: generator, now: now, context: context)
    )
  }

  /// True when an input has more to give at once.
  private mutating func stepAll(isReadable: [Bool]) -> Bool {
    let now = Timestamp.monotonic
    var hasMore = false
    var ended: [Int] = []
    for index in live.indices where !stopSignal.isSet {
      let readable = index < isReadable.count && isReadable[index]
      switch live[index].step(now: now, isReadable: readable, context: context) {
      case .more: hasMore = true
      case .waiting: break
      case .ended: ended.append(index)
      }
    }
    for index in ended.reversed() { live.remove(at: index) }
    return hasMore
  }

  private mutating func watchAll() -> Bool {
    var hasNewWatch = false
    for index in live.indices {
      guard var followed = live[index] as? FollowedInput else { continue }
      if followed.watch(with: hints) { hasNewWatch = true }
      live[index] = followed
    }
    return hasNewWatch
  }

  /// Passes on what is held back, and sleeps until an input has something or a deadline comes.
  private mutating func waitForInput() -> [Bool] {
    context.reportSpool()
    context.assembler.flush()
    var deadlines = live.compactMap { $0.deadline }
    if let end = gate?.deadline { deadlines.append(Timestamp(nanoseconds: end)) }
    guard let deadline = deadlines.min() else { return poll(for: nil) }
    let wait = deadline.nanoseconds(since: .monotonic)
    return poll(for: max(0, wait))
  }

  /// Which of the live inputs are readable after at most `wait` nanoseconds; nil waits for ever.
  private func poll(for wait: Int64?) -> [Bool] {
    var entries = live.map {
      pollfd(fd: $0.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    }
    entries.append(pollfd(fd: stopSignal.descriptor, events: Int16(POLLIN), revents: 0))
    entries.append(pollfd(fd: hints.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
    // Rounded up, or the last millisecond before a deadline would be spent spinning.
    let timeout = wait.map { Int32(min(($0 + 999_999) / 1_000_000, 3_600_000)) } ?? -1
    let count = CPlatform.poll(&entries, nfds_t(entries.count), timeout)
    guard count > 0 else { return [] }
    if entries[entries.count - 1].revents != 0 {
      hints.clear()
      rest()
      hints.clear()
    }
    return entries.dropLast(2).map { $0.revents != 0 }
  }

  /// Lets a writer go on for a moment, unless the run is stopped.
  private func rest() {
    var entry = pollfd(fd: stopSignal.descriptor, events: Int16(POLLIN), revents: 0)
    _ = CPlatform.poll(&entry, 1, Int32(Self.breath / 1_000_000))
  }
}

/// Ends a run from another thread.
final class StopSignal: Sendable {
  private let flag = Guarded(false)
  private let wakePipe = WakePipe()

  /// Readable once the signal is set.
  var descriptor: Int32 { wakePipe.descriptor }
  var isSet: Bool { flag.withLock { $0 } }

  func set() {
    flag.withLock { $0 = true }
    wakePipe.wake()
  }
}

extension Timestamp {
  /// A clock that never jumps, for intervals only.
  static var monotonic: Timestamp { Timestamp(nanoseconds: cp_monotonic_nanoseconds()) }

  /// The system's wall clock.
  package static var wallClock: Timestamp { Timestamp(nanoseconds: cp_wall_nanoseconds()) }
}
