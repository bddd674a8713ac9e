/// Rows that lie together and never move, or those that were left when others were dropped.
///
/// Written only by a store that alone has the memory.
struct RowChunk: Sendable {
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

  private var memory: RowMemory
  /// The store knows how many are there.
  nonisolated(unsafe) private(set) var rows: UnsafeMutablePointer<RecordRow>
  /// Those that lie in memory, one behind the other; nil for all.
  private let layout: RowsLeft?
  /// Those that were not dropped; nil for all.
  private(set) var left: RowsLeft?

  var capacity: Int { memory.capacity }

  init(capacity: Int, layout: RowsLeft? = nil) {
    memory = RowMemory(capacity: capacity)
    rows = memory.rows
    self.layout = layout
    left = layout
  }

  /// Rows that were dropped and still take memory.
  private var wasted: Int { left.map { (layout?.count ?? Self.size) - $0.count } ?? 0 }

  /// A chunk is written anew when one of so many of its rows was dropped.
  private static let wastedShare = 8

  /// So much was dropped that it should be written anew.
  var isWasteful: Bool { wasted > 0 && wasted >= capacity / Self.wastedShare }

  @inline(__always)
  func place(of offset: Int) -> UnsafeMutablePointer<RecordRow> {
    left == nil ? rows + offset : placeAmongLeft(offset)
  }

  private func placeAmongLeft(_ offset: Int) -> UnsafeMutablePointer<RecordRow> {
    holds(offset) ? placeInMemory(offset) ?? Self.nothing : Self.nothing
  }

  /// Where a row lies, also one that was dropped; nil where it no longer lies anywhere.
  func placeInMemory(_ offset: Int) -> UnsafeMutablePointer<RecordRow>? {
    guard let layout else { return rows + offset }
    return layout.position(of: offset).map { rows + $0 }
  }

  func holds(_ offset: Int) -> Bool { left?.contains(offset) ?? true }

  /// Makes rows look as if they had been replaced; their memory stays.
  mutating func drop(_ gone: RowSelection, from first: Int) {
    left = RowsLeft { word in
      (left?.word(word) ?? .max) & ~gone.word(first >> 6 + word)
    }
  }

  /// Copies the rows first if another store has them too; `count` rows of the stretch were ever there.
  mutating func own(_ count: Int) {
    if isKnownUniquelyReferenced(&memory) { return }
    memory = RowMemory(copying: min(layout?.count ?? count, capacity), of: memory)
    rows = memory.rows
  }
}

/// Room for rows.
private final class RowMemory: Sendable {
  let capacity: Int
  nonisolated(unsafe) let rows: UnsafeMutablePointer<RecordRow>

  init(capacity: Int) {
    self.capacity = capacity
    rows = .allocate(capacity: max(1, capacity))
  }

  convenience init(copying count: Int, of other: RowMemory) {
    self.init(capacity: other.capacity)
    rows.initialize(from: other.rows, count: count)
  }

  deinit {
    // Rows are plain memory: nothing to deinitialize.
    rows.deallocate()
  }
}

/// Which rows of a chunk are left, a bit each.
final class RowsLeft: Sendable {
  private static let words = RowChunk.size / 64

  private let words: ContiguousArray<UInt64>
  /// Rows before each word.
  private let before: ContiguousArray<UInt16>
  let count: Int

  /// The bits of each word.
  init(_ bits: (Int) -> UInt64) {
    words = ContiguousArray((0..<Self.words).map(bits))
    var count = 0
    before = ContiguousArray(
      words.map { word in
        defer { count += word.nonzeroBitCount }
        return UInt16(count)
      }
    )
    self.count = count
  }

  func word(_ index: Int) -> UInt64 { words[index] }

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

  /// False for a row that was dropped.
  func holds(_ row: Int) -> Bool { chunks[row >> RowChunk.shift].holds(row & RowChunk.mask) }

  /// Gives up rows for good: from now on they look replaced and say nothing.
  ///
  /// Numbers of other rows stay. Memory is given back by `compact`.
  mutating func drop(_ gone: RowSelection) {
    for number in chunks.indices {
      let first = number << RowChunk.shift
      // Of a stretch that was emptied nothing can go.
      guard chunks[number].capacity > 0, gone.containsAny(of: first..<first + RowChunk.size)
      else { continue }
      let wasWasteful = chunks[number].isWasteful
      chunks[number].drop(gone, from: first)
      if !wasWasteful, chunks[number].isWasteful { wasteful.append(number) }
    }
  }

  /// Whether there is memory to give back; the newest chunk keeps its room.
  var canCompact: Bool { wasteful.contains { $0 < chunks.count - 1 } }

  /// Gives back the memory of dropped rows of one chunk, and forgets what they were found by.
  mutating func compact() {
    guard let index = wasteful.firstIndex(where: { $0 < chunks.count - 1 }) else { return }
    let number = wasteful.remove(at: index)
    let first = number << RowChunk.shift
    let old = chunks[number]
    let left = old.left ?? RowsLeft { _ in .max }
    let new = RowChunk(capacity: left.count, layout: left)
    for offset in 0..<RowChunk.size {
      guard let place = old.placeInMemory(offset) else { continue }
      var row = place.pointee
      if left.contains(offset) {
        if let extra = row.extra { row.extra = extras.move(extra) }
        new.place(of: offset).initialize(to: row)
      } else {
        extras.release(row.extra)
        // Of copies only the winner is known.
        if row.isReplaced { continue }
        identities.remove(first + offset, traceHash: row.traceHash, spanID: row.spanID)
      }
    }
    rowCapacity += left.count - old.capacity
    chunks[number] = new
  }
}
