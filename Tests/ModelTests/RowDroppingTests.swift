import Testing

@testable import Model

/// Rows that are given up, and the memory that they took.
@Suite struct RowDroppingTests {
  /// Three chunks of rows with an identity and an extra each; the row's number is its name.
  private func filled() -> RecordStore {
    var store = RecordStore()
    for number in 0..<3 * RowChunk.size {
      let place = RecordPlace(source: SourceID(0), offset: UInt64(number), length: 1)
      var row = RecordRow(place: place, signal: .appRendering)
      row.setIdentity(traceHash: 7, spanID: UInt64(number + 1), content: 0)
      row.name = Symbol(UInt32(number))
      var extra = RecordExtra()
      extra.measurements[.totalFrames] = UInt32(number)
      store.append(row, extra: extra)
      store.crown(number, replacing: nil)
    }
    return store
  }

  private func selection(_ rows: some Sequence<Int>, of store: RecordStore) -> RowSelection {
    var selection = RowSelection(rows: store.count)
    for row in rows { selection.insert(row) }
    return selection
  }

  private func frames(_ row: Int, _ store: RecordStore) -> UInt32? {
    store.extra(of: store[row]).measurements[.totalFrames]
  }

  @Test(
    "a dropped row looks replaced and is not found again, before its memory is given back and after"
  )
  func looks() {
    var store = filled()
    let room = store.rowCapacity
    store.drop(selection(stride(from: 0, to: RowChunk.size, by: 2), of: store))
    #expect(store.rowCapacity == room)
    for _ in 0..<2 {
      #expect(!store.holds(0) && store.holds(1))
      #expect(store[0].isReplaced && !store[1].isReplaced)
      #expect(!store.isLive(0, upTo: store.count) && store.isLive(1, upTo: store.count))
      #expect(store.winner(traceHash: 7, spanID: 1) == nil)
      #expect(store.winner(traceHash: 7, spanID: 2) == 1)
      #expect(store[1].name == Symbol(1) && frames(1, store) == 1)
      #expect(frames(RowChunk.size, store) == UInt32(RowChunk.size))
      store.compact()
    }
    // Every second row of the first chunk.
    #expect(store.rowCapacity == room - RowChunk.size / 2)
    #expect(!store.canCompact)
  }

  @Test("what was left of a chunk can be dropped in turn, until it takes nothing")
  func again() {
    var store = filled()
    for part in 0..<4 {
      store.drop(selection(stride(from: part, to: RowChunk.size, by: 4), of: store))
      #expect(store.canCompact)
      store.compact()
      let left = (part + 1..<4).map { RowChunk.size / 4 + $0 }
      #expect(left.allSatisfy { frames($0, store) == UInt32($0) })
    }
    #expect(store.rowCapacity == 2 * RowChunk.size)
    #expect(frames(RowChunk.size, store) == UInt32(RowChunk.size))
  }

  @Test(
    "few rows do not make a chunk be written anew; an eighth does, but never of the newest chunk"
  )
  func threshold() {
    var store = filled()
    store.drop(selection(0..<RowChunk.size / 8 - 1, of: store))
    #expect(!store.canCompact)
    store.drop(selection([RowChunk.size / 8 - 1], of: store))
    #expect(store.canCompact)
    store.compact()
    store.drop(selection(2 * RowChunk.size..<3 * RowChunk.size, of: store))
    #expect(!store.canCompact)
    store.append(
      RecordRow(place: RecordPlace(source: SourceID(0), offset: 0, length: 1), signal: .otherLog),
      extra: nil
    )
    #expect(store.canCompact)
  }

  @Test(
    "what another store holds does not change when rows are dropped, given back or written here"
  )
  func copies() {
    var store = filled()
    let old = store
    store.drop(selection(0..<RowChunk.size, of: store))
    store.supersede(RowChunk.size, by: RowChunk.size + 1)
    #expect(old[0].name == Symbol(0) && !old[0].isReplaced && !old[RowChunk.size].isReplaced)
    store.compact()
    #expect(frames(0, old) == 0 && frames(5, old) == 5)
    #expect(!store.holds(5) && old.holds(5))
  }
}
