/// Room for rows that lie together and never move; written only by a store that alone has it.
///
/// All rows of a stretch are there, or those that were left when others were dropped.
final class RowChunk: Sendable {
  static let shift = 12
  static let size = 1 << shift
  static let mask = size - 1

  /// What every dropped row looks like: replaced before anything was there.
  private nonisolated(unsafe) static let nothing: UnsafeMutablePointer<RecordRow> = {
    let none = RecordPlace(source: SourceID(.max), offset: 0, length: 0)
    var row = RecordRow(place: none, signal: .otherLog)
    row.flags = [.noStart, .noEnd]
    row.supersede(by: 0)
    let place = UnsafeMutablePointer<RecordRow>.allocate(capacity: 1)
    place.initialize(to: row)
    return place
  }()

  let capacity: Int
  /// The store knows how many are there.
  nonisolated(unsafe) let rows: UnsafeMutablePointer<RecordRow>
  /// Nil where all are there.
  private let left: RowsLeft?

  init(capacity: Int, left: RowsLeft? = nil) {
    self.capacity = capacity
    self.left = left
    rows = .allocate(capacity: max(1, capacity))
  }

  convenience init(copying count: Int, of other: RowChunk) {
    self.init(capacity: other.capacity, left: other.left)
    rows.initialize(from: other.rows, count: count)
  }

  deinit {
    // Rows are plain memory: nothing to deinitialize.
    rows.deallocate()
  }

  @inline(__always)
  func place(of offset: Int) -> UnsafeMutablePointer<RecordRow> {
    left == nil ? rows + offset : placeAmongLeft(offset)
  }

  private func placeAmongLeft(_ offset: Int) -> UnsafeMutablePointer<RecordRow> {
    left?.position(of: offset).map { rows + $0 } ?? Self.nothing
  }

  func holds(_ offset: Int) -> Bool { left?.contains(offset) ?? true }
}

/// Which rows of a chunk are left, a bit each.
struct RowsLeft: Sendable {
  private var words = ContiguousArray<UInt64>(repeating: 0, count: RowChunk.size / 64)
  /// Rows before each word.
  private var before = ContiguousArray<UInt16>(repeating: 0, count: RowChunk.size / 64)
  private(set) var count = 0

  /// Offsets for which `isLeft` holds.
  init(_ isLeft: (Int) -> Bool) {
    for word in words.indices {
      before[word] = UInt16(count)
      for bit in 0..<64 where isLeft(word << 6 | bit) { words[word] |= 1 << UInt64(bit) }
      count += words[word].nonzeroBitCount
    }
  }

  func contains(_ offset: Int) -> Bool { words[offset >> 6] >> UInt64(offset & 63) & 1 != 0 }

  /// The place among those that are left.
  func position(of offset: Int) -> Int? {
    guard contains(offset) else { return nil }
    let lower = words[offset >> 6] & (1 << UInt64(offset & 63) - 1)
    return Int(before[offset >> 6]) + lower.nonzeroBitCount
  }
}

extension RecordStore {
  /// Bytes that rows and extras take.
  var byteCount: Int { rowCapacity * MemoryLayout<RecordRow>.stride + extras.byteCount }

  /// Gives up rows for good: from now on they look replaced and say nothing.
  ///
  /// Numbers of other rows stay. Rows of the newest chunk keep their room.
  mutating func drop(_ gone: RowSelection) {
    for number in chunks.indices {
      let first = number << RowChunk.shift
      let old = chunks[number]
      let end = min(RowChunk.size, count - first)
      // Of a stretch that was emptied nothing can go.
      guard old.capacity > 0, gone.containsAny(of: first..<first + RowChunk.size) else { continue }
      for offset in 0..<end where gone.contains(first + offset) && old.holds(offset) {
        let row = old.place(of: offset).pointee
        extras.release(row.extra)
        identities.remove(first + offset, traceHash: row.traceHash, spanID: row.spanID)
      }
      if number == chunks.count - 1 {
        for offset in 0..<end where gone.contains(first + offset) {
          write(first + offset) {
            $0.extra = nil
            $0.supersede(by: 0)
          }
        }
        continue
      }
      let left = RowsLeft { old.holds($0) && !gone.contains(first + $0) }
      let new = RowChunk(capacity: left.count, left: left)
      for offset in 0..<end where left.contains(offset) {
        var row = old.place(of: offset).pointee
        if let extra = row.extra { row.extra = extras.move(extra) }
        new.place(of: offset).initialize(to: row)
      }
      rowCapacity += left.count - old.capacity
      chunks[number] = new
    }
  }
}
