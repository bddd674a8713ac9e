import CPlatform
package import Model

/// The thread that turns the bytes of a run's sources into batches of events.
///
/// A consumer that leaves early cancels the mailbox, so that a waiting post returns, and then stops and
/// joins the thread; one that wants what is left stops it and takes from the mailbox until it is drained.
package final class IngestThread: Sendable {
  private let requests: [SourceRequest]
  private let options: IngestOptions
  private let mailbox: Mailbox
  private let recentBytes: RecentBytes
  private let catalog: SourceCatalog
  private let spoolIndex = SpoolIndex()
  private let stopSignal = StopSignal()
  private let loadingStop = Guarded(false)
  private let hasReachedLimit = Guarded(false)
  private let thread = Guarded<UInt?>(nil)

  package init(requests: [SourceRequest], options: IngestOptions, mailbox: Mailbox) {
    self.requests = requests
    self.options = options
    self.mailbox = mailbox
    recentBytes = RecentBytes(capacity: options.recentBytesCapacity)
    catalog = SourceCatalog(recentBytes: recentBytes)
  }

  /// Starts reading.
  ///
  /// Should the system have no thread to give, everything is read before `start` returns only if the
  /// mailbox can take it; therefore the run ends at once instead, and this is false.
  @discardableResult
  package func start() -> Bool {
    let body = Unmanaged.passRetained(self)
    var started: UInt = 0
    let error = cp_start_thread(
      &started,
      { Unmanaged<IngestThread>.fromOpaque($0).takeRetainedValue().run() },
      body.toOpaque()
    )
    guard error == 0 else {
      body.release()
      mailbox.finish()
      return false
    }
    thread.withLock { $0 = started }
    return true
  }

  private func run() {
    let spool = options.spool.map {
      SpoolSink(settings: $0, index: spoolIndex, fallback: recentBytes)
    }
    let sink = MailboxSink(mailbox: mailbox)
    sink.gate = options.ending.map { LiveGate($0, stop: stopSignal) }
    sink.gate?.admitsWholeRecords = options.recording != nil
    let record = options.recording.map { RecordSink($0, onFailure: stopSignal.set) }
    record?.isOver = { [weak sink] in sink?.gate?.isClosed == true }
    var loop = IngestLoop(
      requests: requests,
      options: options,
      telemetry: Telemetry.live(
        mailbox: sink,
        recentBytes: recentBytes,
        spool: spool,
        record: record
      ),
      catalog: catalog,
      spool: spool,
      mailbox: sink,
      record: record,
      stopSignal: stopSignal,
      loadingStop: loadingStop
    )
    loop.runToEnd()
    hasReachedLimit.withLock { $0 = sink.gate?.isClosed == true }
    mailbox.finish()
  }

  /// True once a limit of `IngestOptions.ending` has ended the run.
  package var isOver: Bool { hasReachedLimit.withLock { $0 } }

  /// Asks the thread to end: decoders finish what they hold, the mailbox is finished.
  package func stop() {
    stopSignal.set()
  }

  /// Asks the thread to read no further in files; what is live goes on.
  package func stopLoading() {
    loadingStop.withLock { $0 = true }
  }

  /// Waits for the thread's end; while batches are not taken and not cancelled it may not come.
  package func join() {
    let started = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let started { cp_join_thread(started) }
  }

  /// Reads a record again, for the screen thread.
  package func details(at place: RecordPlace) -> Result<RecordDetails, DetailsUnavailable> {
    catalog.bytes(at: place).flatMap { bytes in
      options.decodeDetails(bytes).map { .success($0) } ?? .failure(.sourceChanged)
    }
  }
}
