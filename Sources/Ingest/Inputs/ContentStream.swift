import Model

/// Makes the decoder for a source once its content is known.
///
/// `content` is `.json` or `.protobuf`; `offset` is the place in the source of the
/// first byte that the decoder will get, not 0 where `--tail` began in the middle.
typealias DecoderFactory =
  @Sendable (
    _ content: Content, _ source: SourceID, _ offset: UInt64
  ) -> any StreamDecoder

/// Carries the bytes of one source through its container to the decoder that its content asks for.
struct ContentStream {
  private enum Container {
    case undecided
    case plain
    case compressed(any Decompressor)
    case collectorFrames(CollectorFrames)
  }

  let source: SourceID
  /// What the outer bytes were found to be; nil while undecided.
  private(set) var content: Content?
  /// True after a problem that ends the source; further bytes are ignored.
  private(set) var hasFailed = false
  /// When the bytes that come next arrived.
  var arrival: Timestamp {
    get { inner.arrival }
    set { inner.arrival = newValue }
  }
  private let makeDecoder: DecoderFactory
  private let recorder: RestartRecorder?
  private var container = Container.undecided
  private var inner: InnerStream
  private var head: [UInt8] = []

  /// A stream whose first byte lies at `offset` of the source; `recorder` is for files that can be read again.
  init(
    source: SourceID,
    offset: UInt64 = 0,
    recorder: RestartRecorder? = nil,
    makeDecoder: @escaping DecoderFactory
  ) {
    self.recorder = recorder
    self.source = source
    self.makeDecoder = makeDecoder
    inner = InnerStream(
      source: source,
      offset: offset,
      makeDecoder: makeDecoder
    )
  }

  /// Of the next byte without its compression.
  var nextOffset: UInt64 { inner.offset }

  var isCompressed: Bool {
    switch container {
    case .compressed, .collectorFrames: true
    case .undecided, .plain: false
    }
  }

  mutating func consume(
    _ bytes: UnsafeRawBufferPointer,
    into assembler: inout RecordAssembler
  ) {
    guard !hasFailed else { return }
    if case .undecided = container {
      head.append(contentsOf: bytes)
      guard decide(isComplete: false, into: &assembler) else { return }
      let held = head
      head = []
      held.withUnsafeBytes { pass($0, into: &assembler) }
    } else {
      pass(bytes, into: &assembler)
    }
  }

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer,
    into assembler: inout RecordAssembler
  ) {
    do {
      switch container {
      case .undecided: break
      case .plain: inner.consume(bytes, into: &assembler)
      case .compressed(let decompressor):
        try decompressor.decompress(bytes) { inner.consume($0, into: &assembler) }
      case .collectorFrames(let frames):
        try frames.decompress(bytes) { inner.consume($0, into: &assembler) }
        for loss in frames.takeLosses() {
          report(.malformed, "a frame of the file: \(loss)", into: &assembler)
        }
      }
      if inner.hasFailed { hasFailed = true }
    } catch {
      fail(error, into: &assembler)
    }
  }

  /// True when the container is known afterwards and can be read.
  private mutating func decide(isComplete: Bool, into assembler: inout RecordAssembler) -> Bool {
    guard let content = ContentDetector.detect(head, isComplete: isComplete) else { return false }
    self.content = content
    switch content {
    case .json, .protobuf:
      container = .plain
      inner.begin(with: content)
    case .gzip: container = .compressed(GzipDecompressor(recorder: recorder))
    case .zstd: container = .compressed(ZstdDecompressor(recorder: recorder))
    case .zstdFrames: container = .collectorFrames(CollectorFrames(recorder: recorder))
    case .refused(let name):
      hasFailed = true
      // In another encoding it may well be telemetry; a format of another kind is none.
      let kind: ProblemKind = name.hasPrefix("UTF-") ? .unreadable : .notTelemetry
      report(kind, "\(name) is not a format that perftop reads", into: &assembler)
      return false
    }
    return true
  }

  mutating func settle(into assembler: inout RecordAssembler) {
    if !hasFailed { inner.settle(into: &assembler) }
  }

  /// The source has ended: everything held back is passed on or counted.
  mutating func finish(into assembler: inout RecordAssembler) {
    guard !hasFailed else { return }
    if case .undecided = container {
      guard decide(isComplete: true, into: &assembler) else { return }
      let held = head
      head = []
      held.withUnsafeBytes { pass($0, into: &assembler) }
    }
    guard !hasFailed else { return }
    do {
      switch container {
      case .undecided, .plain: break
      case .compressed(let decompressor): try decompressor.finish()
      case .collectorFrames(let frames): try frames.finish()
      }
    } catch {
      fail(error, into: &assembler)
      return
    }
    inner.finish(into: &assembler)
    hasFailed = inner.hasFailed
  }

  mutating func takeKind() -> SourceKind { inner.takeKind() }

  /// One problem for the loss of everything behind the failure, the record that it cuts included.
  private mutating func fail(
    _ failure: DecompressionFailure,
    into assembler: inout RecordAssembler
  ) {
    inner.settle(into: &assembler)
    hasFailed = true
    switch failure {
    case .cut(let text): report(.incomplete, text, into: &assembler)
    case .damaged(let text): report(.malformed, text, into: &assembler)
    }
  }

  private func report(
    _ kind: ProblemKind,
    _ text: String,
    into assembler: inout RecordAssembler
  ) {
    assembler.observe(
      .problem(Problem(source: source, kind: kind, offset: inner.offset, line: 0, text: text))
    )
  }
}

/// The bytes without their container, on their way to a decoder.
private struct InnerStream {
  let source: SourceID
  /// Of the next byte that comes.
  private(set) var offset: UInt64
  private(set) var hasFailed = false
  var arrival = Timestamp(nanoseconds: 0)
  private let makeDecoder: DecoderFactory
  private var decoder: (any StreamDecoder)?
  private var content = PieceContent.json
  private var head: [UInt8] = []
  private var isBeginning = true

  init(
    source: SourceID,
    offset: UInt64,
    makeDecoder: @escaping DecoderFactory
  ) {
    self.source = source
    self.offset = offset
    self.makeDecoder = makeDecoder
  }

  mutating func begin(with content: Content) {
    decoder = makeDecoder(content, source, offset)
    self.content = content == .protobuf ? .protobuf : .json
  }

  mutating func consume(
    _ bytes: UnsafeRawBufferPointer,
    into assembler: inout RecordAssembler
  ) {
    guard !hasFailed else { return }
    if decoder != nil {
      decode(bytes, into: &assembler)
      return
    }
    head.append(contentsOf: bytes)
    decideAndDecode(isComplete: false, into: &assembler)
  }

  private mutating func decideAndDecode(
    isComplete: Bool,
    into assembler: inout RecordAssembler
  ) {
    guard let content = ContentDetector.detect(head, isComplete: isComplete) else { return }
    switch content {
    case .json, .protobuf:
      begin(with: content)
      let held = head
      head = []
      held.withUnsafeBytes { decode($0, into: &assembler) }
    case .gzip: refuse("gzip", into: &assembler)
    case .zstd, .zstdFrames: refuse("zstd", into: &assembler)
    case .refused(let name): refuse(name, into: &assembler)
    }
  }

  private mutating func refuse(_ name: String, into assembler: inout RecordAssembler) {
    hasFailed = true
    let text = "\(name) inside compressed data is not a format that perftop reads"
    assembler.observe(
      .problem(Problem(source: source, kind: .notTelemetry, offset: offset, line: 0, text: text))
    )
  }

  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer,
    into assembler: inout RecordAssembler
  ) {
    let piece = RawPiece(
      source: source,
      offset: offset,
      arrival: arrival,
      content: content,
      isBeginning: isBeginning,
      bytes: bytes
    )
    isBeginning = false
    assembler.telemetry.observe(piece: piece)
    offset += UInt64(bytes.count)
    decoder?.consume(bytes, into: &assembler)
  }

  mutating func settle(into assembler: inout RecordAssembler) {
    decoder?.settle(into: &assembler)
  }

  mutating func finish(into assembler: inout RecordAssembler) {
    guard !hasFailed else { return }
    if decoder == nil { decideAndDecode(isComplete: true, into: &assembler) }
    decoder?.finish(into: &assembler)
  }

  mutating func takeKind() -> SourceKind { decoder?.takeKind() ?? .unknown }
}
