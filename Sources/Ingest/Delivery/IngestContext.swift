import CPlatform
import Model

/// What every input of the ingest thread needs; never leaves that thread.
final class IngestContext {
  /// Reading in larger pieces is several times slower, since they leave the cache.
  static let pieceSize = 64 << 10

  var assembler: RecordAssembler
  let catalog: SourceCatalog
  let options: IngestOptions
  let buffer: UnsafeMutableRawBufferPointer
  /// Keeps live sources; one of the telemetry's sinks.
  let spool: SpoolSink?
  /// Where events wait for whoever takes them; nil where nothing waits.
  let mailbox: MailboxSink?
  /// Records what comes; one of the telemetry's sinks.
  let record: RecordSink?
  private var reportedSpool: SpoolState?
  private var nextSource: UInt16 = 0

  init(
    telemetry: consuming Telemetry,
    catalog: SourceCatalog,
    options: IngestOptions,
    spool: SpoolSink? = nil,
    mailbox: MailboxSink? = nil,
    record: RecordSink? = nil
  ) {
    self.record = record
    self.spool = spool
    self.mailbox = mailbox
    reportedSpool = spool?.state
    assembler = RecordAssembler(
      telemetry: telemetry,
      limits: options.limits,
      // A gate that is to close with a record has to see it before the next.
      handoverSize: mailbox?.gate?.isIdle ?? true ? MailboxSink.batchSize : 1
    )
    self.catalog = catalog
    self.options = options
    buffer = .allocate(byteCount: Self.pieceSize, alignment: 4_096)
  }

  deinit { buffer.deallocate() }

  /// Nothing more of live sources is taken: enough has come, or what comes cannot be recorded.
  var isOver: Bool { mailbox?.gate?.isClosed == true || record?.hasFailed == true }

  func observe(_ event: TelemetryEvent) {
    assembler.observe(event)
  }

  /// Announces a source and gives it the next number.
  ///
  /// The last number is given again and again should a run rotate through all 65,536.
  func openSource(
    name: String,
    ledgerName: String? = nil,
    isLive: Bool,
    isSpooled: Bool = false,
    endpoint: Endpoint? = nil
  ) -> SourceID {
    let source = SourceID(nextSource)
    if nextSource < UInt16.max { nextSource += 1 }
    observe(
      .source(
        SourceOpened(
          id: source,
          name: name,
          ledgerName: ledgerName ?? LedgerName.of(name),
          isLive: isLive,
          isSpooled: isSpooled,
          endpoint: endpoint
        )
      )
    )
    return source
  }

  /// Announces a live source that has no capture of its own: the spool is its capture, if there is one.
  func openStream(name: String, endpoint: Endpoint? = nil) -> SourceID {
    let source = openSource(name: name, isLive: true, endpoint: endpoint)
    if let spool {
      spool.keep(source, name: name, ledgerName: LedgerName.of(name))
      catalog.addSpooled(source, in: spool.index)
    } else {
      catalog.addStream(source)
    }
    return source
  }

  /// Tells how the spool stands, if that is news.
  func reportSpool() {
    guard let state = spool?.state, state != reportedSpool else { return }
    reportedSpool = state
    observe(.spool(state))
  }

  /// Reports a source that cannot be read at all.
  func refuse(_ name: String, _ text: String) {
    let source = openSource(name: name, isLive: false)
    observe(
      .problem(Problem(source: source, kind: .unreadable, offset: 0, line: 0, text: text))
    )
    observe(
      .progress(
        SourceProgress(
          source: source,
          bytesRead: 0,
          bytesTotal: nil,
          state: .failed,
          kind: .unknown
        )
      )
    )
  }
}

/// One source on its way from bytes to events, with its progress.
struct SourceFeed {
  /// Bytes between two reports of progress.
  private static let reportInterval: UInt64 = 8 << 20

  let source: SourceID
  var bytesTotal: UInt64?
  private(set) var bytesRead: UInt64 = 0
  private var stream: ContentStream
  private var reported: SourceProgress.State?
  private var reportedBytes: UInt64 = 0
  private var isMarkedCompressed = false

  init(
    source: SourceID,
    offset: UInt64 = 0,
    bytesTotal: UInt64?,
    isFile: Bool = true,
    context: IngestContext
  ) {
    self.source = source
    self.bytesTotal = bytesTotal
    bytesRead = offset
    stream = ContentStream(
      source: source,
      offset: offset,
      recorder: isFile ? RestartRecorder(context.catalog.restarts, source) : nil,
      makeDecoder: context.options.makeDecoder
    )
  }

  var hasFailed: Bool { stream.hasFailed }
  /// What the bytes were found to be; nil while that is open.
  var content: Content? { stream.content }
  /// Where the next stream of the same source begins.
  var nextOffset: UInt64 { max(bytesRead, stream.nextOffset) }

  mutating func take(
    _ bytes: UnsafeRawBufferPointer,
    arrival: Timestamp? = nil,
    context: IngestContext
  ) {
    let arrival = arrival ?? context.options.clock()
    context.observe(.arrival(arrival))
    stream.arrival = arrival
    stream.consume(bytes, into: &context.assembler)
    bytesRead += UInt64(bytes.count)
    if stream.isCompressed, !isMarkedCompressed {
      isMarkedCompressed = true
      context.catalog.markCompressed(source)
    }
    if bytesRead - reportedBytes >= Self.reportInterval, let reported {
      send(reported, context: context)
    }
  }

  mutating func settle(context: IngestContext) {
    stream.settle(into: &context.assembler)
  }

  /// The source has ended.
  mutating func finish(context: IngestContext) {
    stream.finish(into: &context.assembler)
    report(stream.hasFailed ? .failed : .ended, context: context)
  }

  /// The bytes have ended, the source has not: more may come in another stream.
  mutating func endStream(context: IngestContext) {
    stream.finish(into: &context.assembler)
  }

  /// The source was not read to its end, because the user wished so.
  mutating func stop(context: IngestContext) {
    stream.settle(into: &context.assembler)
    report(.stopped, context: context)
  }

  mutating func fail(_ text: String, context: IngestContext) {
    stream.settle(into: &context.assembler)
    context.observe(
      .problem(
        Problem(source: source, kind: .unreadable, offset: bytesRead, line: 0, text: text)
      )
    )
    report(.failed, context: context)
  }

  /// Tells how the source stands, if that is news.
  mutating func report(_ state: SourceProgress.State, context: IngestContext) {
    guard state != reported || bytesRead != reportedBytes else { return }
    send(state, context: context)
  }

  private mutating func send(_ state: SourceProgress.State, context: IngestContext) {
    reported = state
    reportedBytes = bytesRead
    context.observe(
      .progress(
        SourceProgress(
          source: source,
          bytesRead: bytesRead,
          bytesTotal: bytesTotal,
          state: state,
          kind: stream.takeKind()
        )
      )
    )
  }
}
