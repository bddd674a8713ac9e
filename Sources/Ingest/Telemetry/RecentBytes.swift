package import Model

/// Keeps the newest bytes of sources that cannot be read again: the demo, and live ones without a spool.
///
/// Written by the ingest thread before a piece is decoded, read by the screen thread when the user opens
/// a record.
package final class RecentBytes: TelemetrySink, Sendable {
  package let name = "capture"
  private let ring: Guarded<ByteRing>
  private let kept = Guarded<Set<SourceID>>([])

  /// - Parameter capacity: Bytes to keep; memory is taken as they come.
  package init(capacity: Int = 64 << 20) {
    ring = Guarded(ByteRing(capacity: max(1, capacity)))
  }

  /// Makes the records of a source worth keeping; those of files, which can be read again, are not.
  func keep(_ source: SourceID) {
    kept.withLock { _ = $0.insert(source) }
  }

  package func receive(record: RawRecord) throws(SinkError) {
    guard kept.withLock({ $0.contains(record.place.source) }) else { return }
    append(record)
  }

  /// Keeps a record, whatever its source.
  func append(_ record: RawRecord) {
    ring.withLock {
      $0.append(record.bytes, source: record.place.source, offset: record.place.offset)
    }
  }

  package func receive(event: TelemetryEvent) throws(SinkError) {}

  package func receive(events: [TelemetryEvent]) -> Int { 0 }

  package func flush() throws(SinkError) {}

  /// The bytes at a place, or nil when they have left the ring.
  package func bytes(at place: RecordPlace) -> [UInt8]? {
    ring.withLock { $0.bytes(at: place) }
  }
}

/// A ring of bytes that remembers which part of which source lies where.
struct ByteRing: ~Copyable {
  private struct Piece {
    var source: SourceID
    /// Of the first byte, in the source.
    var offset: UInt64
    /// Of the first byte, counted over everything that was ever appended.
    var position: UInt64
    var count: Int
  }

  let capacity: Int
  private let storage: UnsafeMutableRawBufferPointer
  private var written: UInt64 = 0
  private var pieces: [Piece] = []
  /// Pieces before this index have left the ring.
  private var first = 0

  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { storage.deallocate() }

  mutating func append(_ bytes: UnsafeRawBufferPointer, source: SourceID, offset: UInt64) {
    // Of a piece larger than the ring only its end can stay.
    let dropped = max(0, bytes.count - capacity)
    let kept = UnsafeRawBufferPointer(rebasing: bytes[dropped...])
    guard !kept.isEmpty else { return }
    let start = Int(written % UInt64(capacity))
    let untilEnd = min(kept.count, capacity - start)
    copy(kept[..<untilEnd], to: start)
    copy(kept[untilEnd...], to: 0)
    let firstOffset = offset + UInt64(dropped)
    if let last = pieces.last, first < pieces.count, last.source == source,
      last.offset + UInt64(last.count) == firstOffset, last.count < capacity
    {
      pieces[pieces.count - 1].count += kept.count
    } else {
      pieces.append(
        Piece(source: source, offset: firstOffset, position: written, count: kept.count)
      )
    }
    written += UInt64(kept.count)
    evict()
  }

  private func copy(_ bytes: Slice<UnsafeRawBufferPointer>, to start: Int) {
    guard !bytes.isEmpty else { return }
    UnsafeMutableRawBufferPointer(rebasing: storage[start..<start + bytes.count])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
  }

  private mutating func evict() {
    let oldest = written > UInt64(capacity) ? written - UInt64(capacity) : 0
    while first < pieces.count, pieces[first].position + UInt64(pieces[first].count) <= oldest {
      first += 1
    }
    if first > 1_024, first > pieces.count / 2 {
      pieces.removeFirst(first)
      first = 0
    }
  }

  func bytes(at place: RecordPlace) -> [UInt8]? {
    let oldest = written > UInt64(capacity) ? written - UInt64(capacity) : 0
    var wanted = place.offset
    let end = place.offset + UInt64(place.length)
    var result: [UInt8] = []
    result.reserveCapacity(Int(place.length))
    for piece in pieces[first...] where piece.source == place.source {
      let pieceEnd = piece.offset + UInt64(piece.count)
      guard piece.offset <= wanted, wanted < pieceEnd else { continue }
      let position = piece.position + (wanted - piece.offset)
      guard position >= oldest else { return nil }
      let count = Int(min(end, pieceEnd) - wanted)
      for index in 0..<UInt64(count) {
        result.append(storage[Int((position + index) % UInt64(capacity))])
      }
      wanted += UInt64(count)
      if wanted == end { return result }
    }
    return nil
  }
}
