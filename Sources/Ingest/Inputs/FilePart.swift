import Model

/// A file behind a followed path, read as far as it has grown.
///
/// Knows its first bytes and those before the place it has reached, so that a file that was written anew
/// is told from one that grew, even when it is longer than before.
struct FilePart {
  enum Reading {
    /// Nothing new.
    case unchanged
    /// The next bytes, in the caller's buffer.
    case bytes(Range<Int>)
    /// What was read before is no longer there.
    case overwritten
    case failed(SystemError)
  }

  /// Bytes at the beginning that are compared.
  static let headSize = 1_024
  /// Bytes before the reached place that are compared.
  static let tailSize = 64

  let number: Int
  let file: OpenFile
  let identity: FileIdentity
  /// The place that reading has reached.
  private(set) var offset: UInt64
  private(set) var head: [UInt8]
  private(set) var tail: [UInt8]
  /// When bytes came last, or when the part was opened.
  var grewAt: Timestamp
  /// Since when the path has named another file; nil while this is the path's.
  var retiredAt: Timestamp?
  /// Whether the decoder was told that the last line may be whole.
  var isSettled = true
  /// How the file stood when its end was reached.
  var readStatus: FileStatus?

  init(number: Int, file: OpenFile, identity: FileIdentity, offset: UInt64, now: Timestamp) {
    self.number = number
    self.file = file
    self.identity = identity
    self.offset = offset
    grewAt = now
    head = file.bytes(at: 0, count: Int(min(offset, UInt64(Self.headSize))))
    let tailCount = min(offset, UInt64(Self.tailSize))
    tail = file.bytes(at: offset - tailCount, count: Int(tailCount))
  }

  /// The same file from its beginning, after it was written anew.
  func restarted(number: Int, now: Timestamp) -> FilePart {
    var part = FilePart(number: number, file: file, identity: identity, offset: 0, now: now)
    part.retiredAt = retiredAt
    return part
  }

  /// Reads the next bytes if the file is still the one that was read so far.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    read(into: buffer, from: file)
  }

  /// Reads the next bytes from another file that begins with all that was read so far.
  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer,
    from file: OpenFile
  ) -> Reading {
    guard file.bytes(at: 0, count: head.count) == head else { return .overwritten }
    // The bytes before the reached place come along in the same read, so that nothing can be exchanged
    // between looking at them and reading on.
    let overlap = tail.count
    switch file.read(into: buffer, at: offset - UInt64(overlap)) {
    case .failure(let error): return .failed(error)
    case .success(let count):
      guard count >= overlap, buffer[..<overlap].elementsEqual(tail) else { return .overwritten }
      guard count > overlap else { return .unchanged }
      advance(over: UnsafeRawBufferPointer(rebasing: buffer[overlap..<count]))
      return .bytes(overlap..<count)
    }
  }

  private mutating func advance(over bytes: UnsafeRawBufferPointer) {
    if head.count < Self.headSize, UInt64(head.count) == offset {
      head.append(contentsOf: bytes.prefix(Self.headSize - head.count))
    }
    offset += UInt64(bytes.count)
    tail.append(contentsOf: bytes.suffix(Self.tailSize))
    tail.removeFirst(max(0, tail.count - Self.tailSize))
  }

  /// Whether a backup is a copy that was made of this file since its end was last seen.
  func isCopied(to backup: Backups.Backup) -> Bool {
    guard offset > 0, backup.status.identity != identity, let readStatus,
      backup.status.changed >= readStatus.changed
    else { return false }
    return backup.status.size >= offset && isContinued(by: backup.file)
  }

  /// The copy as a file that was read as far as this one.
  func copied(to backup: Backups.Backup) -> FilePart {
    FilePart(
      number: number,
      file: backup.file,
      identity: backup.status.identity,
      offset: offset,
      now: grewAt
    )
  }

  /// Whether another file begins with everything that was read of this one.
  func isContinued(by other: OpenFile) -> Bool {
    other.bytes(at: 0, count: head.count) == head
      && other.bytes(at: offset - UInt64(tail.count), count: tail.count) == tail
  }
}
