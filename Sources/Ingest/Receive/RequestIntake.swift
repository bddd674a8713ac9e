import CPlatform
import Model

/// What became of a request.
enum Receipt: Equatable {
  /// Kept and shown, but for so many records.
  case taken(rejected: Int, problem: String?)
  /// Nothing in it can be read.
  case malformed(String)
  /// It could not be written down: the sender has to try again.
  case notKept
}

/// Takes the requests that come to one address: each is kept before it is decoded and acknowledged.
struct RequestIntake {
  let source: SourceID
  private var json: JSONStreamDecoder
  private var protobuf: ProtobufStreamDecoder
  private var offset: UInt64 = 0
  private var reported: (state: SourceProgress.State, offset: UInt64)?
  private var kind = SourceKind.unknown

  init(name: String, endpoint: Endpoint? = nil, context: IngestContext) {
    source = context.openStream(name: name, endpoint: endpoint)
    json = JSONStreamDecoder(source: source)
    protobuf = ProtobufStreamDecoder(source: source)
    report(.live, context: context)
  }

  /// `isSentAgain` when a sender that is told so sends it once more; else it is shown, kept or not.
  @discardableResult
  mutating func take(
    _ body: UnsafeRawBufferPointer,
    as content: PieceContent,
    isSentAgain: Bool = true,
    context: IngestContext
  ) -> Receipt {
    guard !body.isEmpty else { return .taken(rejected: 0, problem: nil) }
    let arrival = context.options.clock()
    // What was told before comes before it.
    context.assembler.flush()
    let piece = RawPiece(
      source: source,
      offset: offset,
      arrival: arrival,
      content: content,
      isWhole: true,
      bytes: body
    )
    let isKept = context.assembler.telemetry.observe(piece: piece)
    guard isKept || !isSentAgain else { return .notKept }
    context.observe(.arrival(arrival))
    let start = offset
    offset += UInt64(body.count)
    let before = context.assembler.losses
    let found: SourceKind
    switch content {
    case .protobuf:
      protobuf.consumeMessage(body, at: start, into: &context.assembler)
      found = protobuf.takeKind()
    case .json:
      json.begin(at: start)
      json.consume(body, into: &context.assembler)
      json.finish(into: &context.assembler)
      found = json.takeKind()
    }
    if found != .unknown { kind = kind == .unknown || kind == found ? found : .mixed }
    // Acknowledged is what everybody can see.
    context.assembler.flush()
    if context.record?.hasFailed == true { return .notKept }
    return receipt(since: before, isTelemetry: found != .unknown, body, context)
  }

  private func receipt(
    since before: RecordLosses,
    isTelemetry: Bool,
    _ body: UnsafeRawBufferPointer,
    _ context: IngestContext
  ) -> Receipt {
    let losses = context.assembler.losses
    let count = losses.count - before.count
    guard count > 0 else { return .taken(rejected: 0, problem: nil) }
    if isTelemetry { return .taken(rejected: count, problem: losses.newest) }
    // JSON that says nothing of OTLP is a request without any of its members.
    let isForeign = losses.foreign - before.foreign == count && body.first == UInt8(ascii: "{")
    return isForeign ? .taken(rejected: 0, problem: losses.newest) : .malformed(losses.newest)
  }

  /// Tells how much has come, if that is news.
  mutating func report(_ state: SourceProgress.State, context: IngestContext) {
    guard reported.map({ $0 != (state, offset) }) ?? true else { return }
    reported = (state, offset)
    context.observe(
      .progress(
        SourceProgress(
          source: source,
          bytesRead: offset,
          bytesTotal: nil,
          state: state,
          kind: kind
        )
      )
    )
    kind = .unknown
  }

  /// Something that a sender did wrong before there was a request to take.
  func complain(
    _ text: String,
    as kind: ProblemKind = .malformed,
    context: IngestContext
  ) {
    context.assembler.lose(kind, of: source, at: offset, text)
  }
}

/// Whether anything more can be taken: whoever asks in vain is told to try again before the body is read.
struct IntakeRoom {
  /// Nanoseconds for which a full mailbox is waited for, so that a burst is no reason to send anybody away.
  private static let patience: Int64 = 100_000_000

  /// It was waited for in vain, and is still full: nobody else waits.
  private var isStuck = false

  mutating func isBusy(_ context: IngestContext) -> Bool {
    if context.spool?.isKeeping == false || context.isOver { return true }
    let start = cp_monotonic_nanoseconds()
    while context.mailbox?.isCrowded == true {
      guard !isStuck, cp_monotonic_nanoseconds() - start < Self.patience else {
        isStuck = true
        return true
      }
      usleep(1_000)
    }
    isStuck = false
    return false
  }
}
