import Model

/// A followed path with a feed for each file that was behind it.
struct FollowedInput: LiveInput {
  /// Nanoseconds between two looks where the system gives no hints.
  static let pollInterval: Int64 = 1_000_000_000

  private var file: FollowedFile
  private var feeds: FollowedFeeds
  private var isServed = false
  private var polledAt = Timestamp.distantPast

  init(path: String, tail: Int?) {
    file = FollowedFile(path: path, tail: tail)
    feeds = FollowedFeeds(path: path)
  }

  /// Hints come through the run's one descriptor.
  var descriptor: Int32? { nil }

  var deadline: Timestamp? {
    let next = polledAt.advanced(byNanoseconds: Self.pollInterval)
    // A file that may not be read becomes readable without a hint.
    guard isServed, !file.hasProblem else { return file.deadline.map { min($0, next) } ?? next }
    return file.deadline
  }

  /// Watches what is behind the path now; true when that is news and a look is due.
  mutating func watch(with hints: borrowing ChangeHints) -> Bool {
    let watching = hints.watch(
      path: file.path,
      descriptors: file.parts.map { $0.file.descriptor }
    )
    isServed = watching.isServed
    return watching.hasChanged
  }

  mutating func step(now: Timestamp, isReadable: Bool, context: IngestContext) -> InputStep {
    polledAt = now
    let hasMore = file.poll(now: now, buffer: context.buffer) {
      feeds.take($0, context: context)
    }
    if hasMore { return .more }
    feeds.reportStates(of: file, context: context)
    return .waiting
  }

  mutating func finish(context: IngestContext) {
    feeds.finish(file.parts.map { $0.number }, context: context)
  }
}

/// The sources of a followed path, one for each part.
private struct FollowedFeeds {
  let path: String
  private var feeds: [Int: SourceFeed] = [:]
  /// The source that stands for the path while no file is behind it.
  private var awaited: SourceFeed?

  init(path: String) {
    self.path = path
  }

  mutating func take(_ output: FollowOutput, context: IngestContext) {
    switch output {
    case .began(let part, let name, let file, let offset):
      begin(part, name: name, file: file, offset: offset, isBackup: name != path, context)
    case .bytes(let part, let bytes):
      feeds[part]?.take(bytes, context: context)
    case .settled(let part):
      feeds[part]?.settle(context: context)
    case .ended(let part, let isOverwritten):
      guard var feed = feeds.removeValue(forKey: part) else { return }
      feed.finish(context: context)
      if isOverwritten { context.catalog.markOverwritten(feed.source) }
    case .problem(let error):
      reportProblem(error.text, context: context)
    case .unsuitable(let text):
      reportProblem(text, context: context)
    }
  }

  private mutating func begin(
    _ part: Int,
    name: String,
    file: OpenFile,
    offset: UInt64,
    isBackup: Bool,
    _ context: IngestContext
  ) {
    let source: SourceID
    if let awaited, !isBackup {
      source = awaited.source
      self.awaited = nil
    } else {
      source = context.openSource(name: name, isLive: !isBackup)
    }
    let status = try? file.status().get()
    if let status {
      context.catalog.addFile(source, path: name, identity: status.identity, file: file)
    }
    feeds[part] = SourceFeed(
      source: source,
      offset: offset,
      bytesTotal: status?.size,
      context: context
    )
    feeds[part]?.report(.reading, context: context)
  }

  /// The source of the path itself, opened if there is none.
  private mutating func withAwaited(
    context: IngestContext,
    _ body: (inout SourceFeed) -> Void
  ) {
    var feed =
      awaited
      ?? SourceFeed(
        source: context.openSource(name: path, isLive: true),
        bytesTotal: nil,
        context: context
      )
    body(&feed)
    awaited = feed
  }

  private mutating func reportProblem(_ text: String, context: IngestContext) {
    withAwaited(context: context) { $0.fail(text, context: context) }
  }

  mutating func reportStates(of file: FollowedFile, context: IngestContext) {
    let current = file.currentNumber
    for part in file.parts {
      if let status = part.readStatus { feeds[part.number]?.bytesTotal = status.size }
      let isGone = part.number == current && file.isAwaited
      feeds[part.number]?.report(isGone ? .awaited : .live, context: context)
    }
    if file.isAwaited, current == nil, !file.hasProblem {
      withAwaited(context: context) { $0.report(.awaited, context: context) }
    }
  }

  mutating func finish(_ parts: [Int], context: IngestContext) {
    for part in parts { feeds[part]?.finish(context: context) }
    feeds = [:]
    awaited?.finish(context: context)
  }
}
