import CPlatform
import Model

/// How an input stands after a step.
enum InputStep {
  /// There is more: step again before waiting.
  case more
  /// Wait for the descriptor or the deadline.
  case waiting
  case ended
}

/// An input that more may come from, stepped by the ingest thread's poll loop.
protocol LiveInput {
  /// Readable when there is something to do; nil where only the deadline helps.
  var descriptor: Int32? { get }
  /// When to step again at the latest, on the monotonic clock; nil when never.
  var deadline: Timestamp? { get }
  /// Takes what there is now; `isReadable` is what `poll` said of the descriptor.
  mutating func step(now: Timestamp, isReadable: Bool, context: IngestContext) -> InputStep
  /// The run ends although more might come.
  mutating func finish(context: IngestContext)
}

/// A pipe or another stream, read until its writer closes it.
struct StreamInput: LiveInput {
  private let file: OpenFile
  private var feed: SourceFeed
  private var grewAt: Timestamp?

  init(file: OpenFile, name: String, context: IngestContext) {
    self.file = file
    let source = context.openStream(name: name)
    feed = SourceFeed(source: source, bytesTotal: nil, isFile: false, context: context)
    feed.report(.live, context: context)
  }

  var descriptor: Int32? { file.descriptor }

  var deadline: Timestamp? {
    grewAt?.advanced(byNanoseconds: FollowedFile.calm)
  }

  mutating func step(now: Timestamp, isReadable: Bool, context: IngestContext) -> InputStep {
    if isReadable {
      switch file.readNext(into: context.buffer) {
      case .success(0):
        feed.finish(context: context)
        return .ended
      case .success(let count):
        grewAt = now
        feed.take(UnsafeRawBufferPointer(rebasing: context.buffer[..<count]), context: context)
        if feed.hasFailed {
          feed.finish(context: context)
          return .ended
        }
      case .failure(let error) where error.number == EAGAIN:
        break
      case .failure(let error):
        feed.fail(error.text, context: context)
        return .ended
      }
    }
    if let grewAt, now.nanoseconds(since: grewAt) >= FollowedFile.calm {
      self.grewAt = nil
      feed.settle(context: context)
      feed.report(.live, context: context)
    }
    return .waiting
  }

  mutating func finish(context: IngestContext) {
    feed.finish(context: context)
  }
}

/// Bytes that a simulation makes, for one source or several.
struct GeneratedInput: LiveInput {
  private var generator: any GeneratedSource
  private var feeds: [SourceFeed]
  /// What to add to an instant of the wall clock for the monotonic one.
  private let clockOffset: Int64

  init(
    names: [String],
    generator: any GeneratedSource,
    now: Timestamp,
    context: IngestContext
  ) {
    self.generator = generator
    feeds = names.map { name in
      let source = context.openSource(name: name, ledgerName: name, isLive: true)
      context.catalog.addStream(source)
      return SourceFeed(source: source, bytesTotal: nil, isFile: false, context: context)
    }
    for index in feeds.indices { feeds[index].report(.live, context: context) }
    clockOffset = now.nanoseconds(since: context.options.clock())
  }

  var descriptor: Int32? { nil }

  var deadline: Timestamp? {
    generator.nextDue?.advanced(byNanoseconds: clockOffset)
  }

  mutating func step(now: Timestamp, isReadable: Bool, context: IngestContext) -> InputStep {
    let wall = now.advanced(byNanoseconds: -clockOffset)
    for _ in 0..<FollowedFile.piecesPerPoll {
      guard let piece = generator.next(until: wall) else {
        if generator.nextDue != nil { return .waiting }
        finish(context: context)
        return .ended
      }
      guard feeds.indices.contains(piece.stream) else { continue }
      piece.bytes.withUnsafeBytes {
        feeds[piece.stream].take($0, arrival: piece.arrival, context: context)
      }
    }
    return .more
  }

  mutating func finish(context: IngestContext) {
    for index in feeds.indices { feeds[index].finish(context: context) }
  }
}
