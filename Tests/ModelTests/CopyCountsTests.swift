import Testing

@testable import Model

@Suite("Counts of equal copies")
struct CopyCountsTests {
  @Test("a row is counted however often it comes, and its count can be taken once")
  func counts() {
    var counts = CopyCounts()
    for _ in 0..<1_000 { counts.add(5_000) }
    counts.add(1)
    #expect(counts.remove(5_000) == 1_000)
    #expect(counts.remove(5_000) == 0)
    #expect(counts.remove(1) == 1)
    #expect(counts.remove(9_999_999) == 0)
  }

  @Test("rows that are dropped are forgotten, and stretches without a count take no room")
  func dropped() {
    var counts = CopyCounts()
    for row in [3, 4, 10_000] { for _ in 0..<300 { counts.add(row) } }
    #expect(counts.byteCount == 2 * RowChunk.size)
    var gone = RowSelection(rows: 20_000)
    gone.insert(3)
    gone.insert(10_000)
    counts.drop(gone)
    #expect(counts.byteCount == RowChunk.size)
    #expect(counts.remove(3) == 0)
    #expect(counts.remove(10_000) == 0)
    #expect(counts.remove(4) == 300)
  }
}
