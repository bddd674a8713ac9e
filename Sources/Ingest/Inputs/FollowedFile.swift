import Model

/// What a followed path yields, in order.
enum FollowOutput {
  /// Bytes of another file follow, or of the same file written anew.
  case began(part: Int, path: String, file: OpenFile, offset: UInt64)
  case bytes(part: Int, UnsafeRawBufferPointer)
  /// Nothing came for a while, or the path names another file now: a last line that is whole counts.
  case settled(part: Int)
  /// Nothing more will be read of it; `isOverwritten` when its bytes are gone.
  case ended(part: Int, isOverwritten: Bool)
  /// The path cannot be followed at present.
  case problem(SystemError)
  /// The path names something that cannot grow.
  case unsuitable(String)
}

/// A path whose file grows, is rotated, truncated, replaced, deleted or not there yet.
///
/// Stepwise and without a clock of its own: each `poll` looks at the file system, which is the truth,
/// and passes on what is new. Every file behind the path is a part with a number of its own, since
/// offsets start anew with it.
struct FollowedFile {
  /// Nanoseconds without growth after which an unterminated last line is offered to the decoder.
  static let calm: Int64 = 2_000_000_000
  /// Nanoseconds for which a file that was moved away is still read: writers reopen late.
  static let retirement: Int64 = 5_000_000_000
  /// Rotated files that stay open at a time; with faster rotations the oldest, which is read, is closed early.
  static let retiredLimit = 8
  /// Pieces that one `poll` passes on at most, so that other inputs and the stop signal get their turn.
  static let piecesPerPoll = 64

  let path: String
  /// Lines of the first file to begin with; nil for all.
  private let tail: Int?
  /// Oldest first.
  private(set) var parts: [FilePart] = []
  /// The part that the path named last.
  private var current: Int?
  /// Files that were read and closed, as they stood.
  private var finished: [FilePart] = []
  private var nextNumber = 0
  private var hasBegun = false
  /// True until the first look at the path is over: only then do `tail` and the backups matter.
  private var isFirstLook = true
  private var lastProblem: String?
  /// True while the path names no file that can be read.
  private(set) var isAwaited = true

  init(path: String, tail: Int? = nil) {
    self.path = path
    self.tail = tail
  }

  /// When `poll` has something to do although no file changes; nil when never.
  var deadline: Timestamp? {
    parts.compactMap { part -> Timestamp? in
      if let retiredAt = part.retiredAt {
        return max(retiredAt, part.grewAt).advanced(byNanoseconds: Self.retirement)
      }
      return part.isSettled ? nil : part.grewAt.advanced(byNanoseconds: Self.calm)
    }.min()
  }

  /// Passes on what is new; true when there is more and the caller should come back at once.
  mutating func poll(
    now: Timestamp,
    buffer: UnsafeMutableRawBufferPointer,
    deliver: (FollowOutput) -> Void
  ) -> Bool {
    let status = FileStatus.ofPath(path)
    if !hasBegun {
      hasBegun = true
      openBackups(now: now, deliver: deliver)
    }
    var budget = Self.piecesPerPoll
    for index in parts.indices {
      drain(index, now: now, buffer: buffer, budget: &budget, deliver: deliver)
      if budget <= 0 { return true }
      settle(index, now: now, deliver: deliver)
    }
    retire(now: now, deliver: deliver)
    switch status {
    case .failure(let error):
      isAwaited = true
      if error.isMissing {
        lastProblem = nil
      } else if lastProblem != error.text {
        lastProblem = error.text
        deliver(.problem(error))
      }
    case .success(let found) where found.kind != .regular:
      isAwaited = true
      let text = found.kind == .directory ? "is a directory" : "is not a regular file"
      if lastProblem != text {
        lastProblem = text
        deliver(.unsuitable(text))
      }
    case .success(let found):
      guard let part = currentPart, part.identity == found.identity else {
        defer { isFirstLook = false }
        return open(now: now, deliver: deliver)
      }
      isAwaited = false
    }
    isFirstLook = false
    return false
  }

  private var currentPart: FilePart? {
    parts.first { $0.number == current }
  }

  /// The part that the path named last, while it is still read.
  var currentNumber: Int? { currentPart?.number }

  /// Whether the path was reported as one that cannot be followed.
  var hasProblem: Bool { lastProblem != nil }

  // MARK: - Reading

  private mutating func drain(
    _ index: Int,
    now: Timestamp,
    buffer: UnsafeMutableRawBufferPointer,
    budget: inout Int,
    deliver: (FollowOutput) -> Void
  ) {
    while budget > 0, case .success(let status) = parts[index].file.status() {
      if status == parts[index].readStatus { return }
      if status.size < parts[index].offset {
        restart(index, now: now, buffer: buffer, deliver: deliver)
        budget -= 1
        continue
      }
      switch parts[index].read(into: buffer) {
      case .unchanged:
        parts[index].readStatus = status
        return
      case .overwritten:
        restart(index, now: now, buffer: buffer, deliver: deliver)
      case .failed(let error):
        parts[index].readStatus = status
        deliver(.problem(error))
        return
      case .bytes(let range):
        parts[index].grewAt = now
        parts[index].isSettled = false
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[range])
        deliver(.bytes(part: parts[index].number, bytes))
      }
      budget -= 1
    }
  }

  /// Goes on with the same file from its beginning.
  private mutating func restart(
    _ index: Int,
    now: Timestamp,
    buffer: UnsafeMutableRawBufferPointer,
    deliver: (FollowOutput) -> Void
  ) {
    var old = parts[index]
    // Whoever copies and truncates leaves what came after the last look in the copy.
    if let copy = Backups.present(of: path).first(where: { old.isCopied(to: $0) }) {
      while case .bytes(let range) = old.read(into: buffer, from: copy.file) {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[range])
        deliver(.bytes(part: old.number, bytes))
      }
      finish(old.copied(to: copy))
    }
    finish(old)
    deliver(.ended(part: old.number, isOverwritten: true))
    parts[index] = old.restarted(number: takeNumber(), now: now)
    if current == old.number { current = parts[index].number }
    deliver(.began(part: parts[index].number, path: path, file: old.file, offset: 0))
  }

  private mutating func settle(
    _ index: Int,
    now: Timestamp,
    deliver: (FollowOutput) -> Void
  ) {
    let part = parts[index]
    guard !part.isSettled else { return }
    let isCalm = now.nanoseconds(since: part.grewAt) >= Self.calm
    guard isCalm || part.retiredAt != nil else { return }
    parts[index].isSettled = true
    deliver(.settled(part: part.number))
  }

  private mutating func retire(now: Timestamp, deliver: (FollowOutput) -> Void) {
    var excess = parts.count { $0.retiredAt != nil } - Self.retiredLimit
    for part in parts {
      guard let retiredAt = part.retiredAt else { continue }
      let isDue = now.nanoseconds(since: max(retiredAt, part.grewAt)) >= Self.retirement
      guard isDue || excess > 0 else { continue }
      excess -= 1
      deliver(.ended(part: part.number, isOverwritten: false))
      finish(part)
      parts.removeAll { $0.number == part.number }
      if current == part.number { current = nil }
    }
  }

  /// Remembers what was read of a file.
  private mutating func finish(_ part: FilePart) {
    finished.append(part)
    // What was deleted cannot come back as a backup, and an open descriptor would pin its blocks.
    finished.removeAll { (try? $0.file.status().get())?.links == 0 }
    if finished.count > 64 { finished.removeFirst() }
  }

  // MARK: - Opening

  private mutating func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Opens the file that the path names now; true when it has to be read.
  private mutating func open(now: Timestamp, deliver: (FollowOutput) -> Void) -> Bool {
    let file: OpenFile
    switch OpenFile.open(path) {
    case .success(let opened): file = opened
    case .failure(let error):
      isAwaited = true
      if !error.isMissing, lastProblem != error.text {
        lastProblem = error.text
        deliver(.problem(error))
      }
      return false
    }
    guard case .success(let status) = file.status(), status.kind == .regular else { return true }
    isAwaited = false
    lastProblem = nil
    retireCurrent(now: now, deliver: deliver)
    if !isFirstLook { openMissed(except: status.identity, now: now, deliver: deliver) }
    if let known = parts.firstIndex(where: { $0.identity == status.identity }) {
      parts[known].retiredAt = nil
      current = parts[known].number
      return true
    }
    var offset: UInt64 = 0
    if let known = finished.firstIndex(where: {
      $0.identity == status.identity && $0.isContinued(by: file)
    }) {
      offset = finished.remove(at: known).offset
    } else if let tail, isFirstLook {
      offset = TailStart.offset(of: file, size: status.size, lines: tail)
    }
    current = begin(file, identity: status.identity, path: path, offset: offset, now, deliver)
    return true
  }

  @discardableResult
  private mutating func begin(
    _ file: OpenFile,
    identity: FileIdentity,
    path: String,
    offset: UInt64,
    _ now: Timestamp,
    _ deliver: (FollowOutput) -> Void
  ) -> Int {
    let number = takeNumber()
    parts.append(
      FilePart(number: number, file: file, identity: identity, offset: offset, now: now)
    )
    deliver(.began(part: number, path: path, file: file, offset: offset))
    return number
  }

  private mutating func retireCurrent(now: Timestamp, deliver: (FollowOutput) -> Void) {
    guard let index = parts.firstIndex(where: { $0.number == current }) else { return }
    parts[index].retiredAt = now
    settle(index, now: now, deliver: deliver)
  }

  /// Opens what was rotated away before perftop came, oldest first.
  ///
  /// With `--tail` these files are only remembered, so that no rotation reads them later.
  private mutating func openBackups(now: Timestamp, deliver: (FollowOutput) -> Void) {
    for backup in Backups.present(of: path) {
      if tail != nil {
        finished.append(
          FilePart(
            number: -1,
            file: backup.file,
            identity: backup.status.identity,
            offset: backup.status.size,
            now: now
          )
        )
      } else if !isKnown(backup) {
        openRetired(backup, now: now, deliver: deliver)
      }
    }
  }

  /// Opens what was rotated away unseen, when the path was rotated twice since the last look.
  private mutating func openMissed(
    except identity: FileIdentity,
    now: Timestamp,
    deliver: (FollowOutput) -> Void
  ) {
    for backup in Backups.missed(of: path, isKnown: isKnown)
    where backup.status.identity != identity {
      openRetired(backup, now: now, deliver: deliver)
    }
  }

  private mutating func openRetired(
    _ backup: Backups.Backup,
    now: Timestamp,
    deliver: (FollowOutput) -> Void
  ) {
    begin(
      backup.file,
      identity: backup.status.identity,
      path: backup.path,
      offset: 0,
      now,
      deliver
    )
    parts[parts.count - 1].retiredAt = now
  }

  private func isKnown(_ backup: Backups.Backup) -> Bool {
    (parts + finished).contains { part in
      if part.identity == backup.status.identity { return part.isContinued(by: backup.file) }
      // A copy, as copytruncate makes it; short files may begin alike by chance.
      return part.offset >= UInt64(FilePart.headSize) && part.isContinued(by: backup.file)
    }
  }
}
