import Model

/// Reads the segments of one run again, as if what they hold came now.
struct SpoolReplay {
  let folder: String
  private let context: IngestContext
  /// Asked between two frames; true ends the reading.
  private let isStopped: () -> Bool
  private let index = SpoolIndex()
  /// By their number in the run.
  private var sources: [UInt16: SpooledSource] = [:]
  /// The source that the last frame was of.
  private var latest: UInt16?
  private var state = SpoolState()
  private var segment: UInt32 = 0
  private var wasStopped = false
  /// Losses before the first source, which has to be told of them.
  private var pending: [(kind: ProblemKind, text: String)] = []

  init(folder: String, context: IngestContext, isStopped: @escaping () -> Bool) {
    self.folder = folder
    self.context = context
    self.isStopped = isStopped
    state.folder = folder
    index.begin(folder: folder, lock: SpoolLock(folder: folder, exclusive: false))
  }

  /// Reads the next segment of the run.
  mutating func read(_ file: OpenFile, path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    segment = SpoolSegment.number(name) ?? segment + 1
    if case .success(let status) = file.status() { state.bytes += status.size }
    var reader = SegmentReader(file)
    while !wasStopped {
      guard !isStopped() else {
        wasStopped = true
        return
      }
      guard reader.next({ take($0, path: path) }) else { return }
    }
  }

  /// The run ends here.
  mutating func finish() {
    if !pending.isEmpty { open(latest ?? 0, SpoolSource(name: folder, ledgerName: folder)) }
    for number in sources.keys.sorted() {
      sources[number]?.finish(wasStopped: wasStopped, context: context)
      state.droppedBytes += sources[number]?.missingAtStart ?? 0
    }
    context.observe(.spool(state))
  }

  private mutating func take(_ item: SegmentReader.Item, path: String) {
    switch item {
    case .frame(let frame, let payload, let position):
      take(frame, payload, at: position, path: path)
    case .cut(let frame, let payload, let missing, let position):
      // Written by one call that the process did not survive: what is there is what came.
      if let frame, frame.kind == .piece { take(frame, payload, at: position, path: path) }
      let length = frame.map { " of \($0.length)" } ?? ""
      let text = "the last write was cut: \(missing)\(length) bytes are missing"
      lose(.incomplete, text, of: frame)
      if let number = frame?.source ?? latest { sources[number]?.isCut = true }
    case .damaged(let frame, let bytes, _):
      lose(.malformed, "\(bytes) bytes of the spool are damaged", of: frame)
    }
  }

  private mutating func take(
    _ frame: SpoolFrame,
    _ payload: UnsafeRawBufferPointer,
    at position: UInt64,
    path: String
  ) {
    switch frame.kind {
    case .opening:
      guard let opening = SpoolOpening(payload) else { return }
      if sources.isEmpty { state.droppedRecords = Int(clamping: opening.records) }
      state.unkeptRecords = Int(clamping: opening.unkeptRecords)
    case .source:
      guard sources[frame.source] == nil, let names = SpoolSource(payload) else { return }
      open(frame.source, names)
    case .piece:
      if sources[frame.source] == nil {
        open(frame.source, SpoolSource(name: path, ledgerName: path))
      }
      latest = frame.source
      guard let source = sources[frame.source]?.source else { return }
      index.add(source, offset: frame.offset, segment: segment, position: position)
      sources[frame.source]?.take(frame, payload, context: context)
    }
  }

  private mutating func open(_ number: UInt16, _ names: SpoolSource) {
    let source = context.openSource(
      name: names.name,
      ledgerName: names.ledgerName,
      isLive: false,
      isSpooled: true
    )
    index.addSource(source, number: number)
    context.catalog.addSpooled(source, in: index)
    latest = number
    sources[number] = SpooledSource(source: source)
    sources[number]?.report(.reading, context: context)
    for loss in pending { context.assembler.lose(loss.kind, of: source, at: 0, loss.text) }
    pending = []
  }

  /// Counts a loss for the source that it is of, as far as that is known.
  private mutating func lose(_ kind: ProblemKind, _ text: String, of frame: SpoolFrame?) {
    guard let number = frame?.source ?? latest, let source = sources[number] else {
      pending.append((kind, text))
      return
    }
    context.assembler.lose(kind, of: source.source, at: source.next, text)
  }
}

/// One source of a run that is read again.
private struct SpooledSource {
  /// Bytes between two reports of progress.
  private static let reportInterval: UInt64 = 8 << 20

  let source: SourceID
  /// Of the byte that comes next, in the source.
  private(set) var next: UInt64 = 0
  /// Bytes before the first that is there.
  private(set) var missingAtStart: UInt64 = 0
  /// Its end is missing, which has been told.
  var isCut = false
  private var decoder: (any StreamDecoder)?
  private var kind = SourceKind.unknown
  private var hasBegun = false
  private var bytesRead: UInt64 = 0
  private var reportedBytes: UInt64 = 0

  init(source: SourceID) {
    self.source = source
  }

  mutating func take(
    _ frame: SpoolFrame,
    _ payload: UnsafeRawBufferPointer,
    context: IngestContext
  ) {
    let end = frame.offset + UInt64(payload.count)
    if !hasBegun {
      missingAtStart = frame.offset
      next = frame.offset
      hasBegun = true
    } else if frame.offset > next {
      skip(to: frame.offset, context: context)
    }
    // Each segment repeats the record that it begins in the middle of.
    guard next < end else { return }
    if frame.isBeginning { endPart(context: context) }
    let fresh = UnsafeRawBufferPointer(rebasing: payload[Int(next - frame.offset)...])
    context.observe(.arrival(frame.arrival))
    if decoder == nil {
      let content: Content = frame.content == .protobuf ? .protobuf : .json
      decoder = context.options.makeDecoder(content, source, next)
    }
    decoder?.consume(fresh, into: &context.assembler)
    next = end
    bytesRead += UInt64(fresh.count)
    if frame.isWhole { endPart(context: context) }
    if bytesRead - reportedBytes >= Self.reportInterval { report(.reading, context: context) }
  }

  /// Decoding goes on behind a gap as behind a tear.
  private mutating func skip(to offset: UInt64, context: IngestContext) {
    endPart(context: context)
    let text = "\(offset - next) bytes are missing in the spool"
    context.assembler.lose(.incomplete, of: source, at: next, text)
    next = offset
  }

  /// Nothing of what comes next belongs to what came.
  private mutating func endPart(context: IngestContext) {
    decoder?.finish(into: &context.assembler)
    let isNews = noteKind()
    decoder = nil
    if isNews { report(.reading, context: context) }
  }

  private mutating func noteKind() -> Bool {
    guard let found = decoder?.takeKind(), found != .unknown, found != kind else { return false }
    kind = found
    return true
  }

  mutating func finish(wasStopped: Bool, context: IngestContext) {
    if wasStopped || isCut {
      decoder?.settle(into: &context.assembler)
    } else {
      endPart(context: context)
    }
    report(wasStopped ? .stopped : .ended, context: context)
  }

  mutating func report(_ state: SourceProgress.State, context: IngestContext) {
    reportedBytes = bytesRead
    _ = noteKind()
    context.observe(
      .progress(
        SourceProgress(
          source: source,
          bytesRead: bytesRead,
          bytesTotal: state == .ended ? bytesRead : nil,
          state: state,
          kind: kind
        )
      )
    )
  }
}
