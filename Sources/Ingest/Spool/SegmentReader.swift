/// Walks the frames of one segment from its beginning, past what is damaged.
struct SegmentReader: ~Copyable {
  enum Item {
    /// A frame that is whole and right; the payload is valid until the next call.
    case frame(SpoolFrame, payload: UnsafeRawBufferPointer, position: UInt64)
    /// The file ends within a frame, whose bytes so far cannot be checked.
    ///
    /// The frame is nil where not even its head is whole.
    case cut(SpoolFrame?, payload: UnsafeRawBufferPointer, missing: Int, position: UInt64)
    /// So many bytes are wrong; the frame is nil where its head is among them.
    case damaged(SpoolFrame?, bytes: Int, position: UInt64)
  }

  private let file: OpenFile
  /// Of the next frame.
  private(set) var position: UInt64 = 0
  private var buffer: [UInt8] = []
  /// Bytes of the buffer before the next frame.
  private var used = 0
  private var isAtEnd = false

  init(_ file: OpenFile) {
    self.file = file
  }

  /// Hands the next item to `body`; false, without calling it, at the end.
  mutating func next(_ body: (Item) -> Void) -> Bool {
    fill(SpoolFrame.headSize)
    let available = buffer.count - used
    guard available > 0 else { return false }
    guard available >= SpoolFrame.headSize else {
      // What is left of a head that could not be written to its end begins like one.
      let isHead = buffer[used...].prefix(4).elementsEqual(SpoolFrame.magic.prefix(available))
      let empty = UnsafeRawBufferPointer(start: nil, count: 0)
      body(
        isHead
          ? .cut(nil, payload: empty, missing: SpoolFrame.headSize - available, position: position)
          : .damaged(nil, bytes: available, position: position)
      )
      take(available)
      return true
    }
    guard let frame = frame(at: used) else {
      let start = position
      body(.damaged(nil, bytes: skipDamage(), position: start))
      return true
    }
    let size = SpoolFrame.headSize + frame.length
    fill(size)
    let (start, from) = (position, used + SpoolFrame.headSize)
    let whole = buffer.count - used >= size
    let count = whole ? frame.length : buffer.count - from
    buffer.withUnsafeBytes {
      let payload = UnsafeRawBufferPointer(rebasing: $0[from..<from + count])
      if !whole {
        body(.cut(frame, payload: payload, missing: frame.length - count, position: start))
      } else if SpoolChecksum.of(payload) == frame.checksum {
        body(.frame(frame, payload: payload, position: start))
      } else {
        body(.damaged(frame, bytes: frame.length, position: start))
      }
    }
    take(SpoolFrame.headSize + count)
    return true
  }

  private func frame(at index: Int) -> SpoolFrame? {
    buffer.withUnsafeBytes { SpoolFrame(UnsafeRawBufferPointer(rebasing: $0[index...])) }
  }

  private mutating func take(_ count: Int) {
    used += count
    position += UInt64(count)
  }

  /// Goes on to the next head that is right, or to the end; returns how many bytes were passed over.
  private mutating func skipDamage() -> Int {
    take(1)
    var skipped = 1
    while true {
      fill(SpoolFrame.headSize)
      let last = buffer.count - SpoolFrame.headSize
      guard used <= last else {
        let rest = buffer.count - used
        take(rest)
        return skipped + rest
      }
      let found = buffer.withUnsafeBytes { SpoolFrame.firstHead($0, from: used, to: last) }
      let count = (found ?? last + 1) - used
      take(count)
      skipped += count
      if found != nil { return skipped }
    }
  }

  /// Reads until `count` bytes lie in the buffer, or up to the end of the file.
  private mutating func fill(_ count: Int) {
    guard !isAtEnd, buffer.count - used < count else { return }
    buffer.removeFirst(used)
    used = 0
    while buffer.count < count {
      let piece = max(IngestContext.pieceSize, min(count - buffer.count, 1 << 20))
      let read = file.bytes(at: position + UInt64(buffer.count), count: piece)
      buffer += read
      if read.count < piece {
        isAtEnd = true
        return
      }
    }
  }
}
