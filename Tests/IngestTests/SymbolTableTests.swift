import Model
import Testing

@testable import Ingest

@Suite("Symbols")
struct SymbolTableTests {
  private func intern(
    _ table: inout SymbolTable,
    _ bytes: [UInt8]
  ) -> SymbolTable.Interned {
    bytes.withUnsafeBytes { table.intern($0) }
  }

  private func intern(_ table: inout SymbolTable, _ text: String) -> SymbolTable.Interned {
    intern(&table, Array(text.utf8))
  }

  @Test("numbers rise from 1 and a known text keeps its own")
  func numbers() {
    var table = SymbolTable()
    #expect(intern(&table, "a").symbol == Symbol(1))
    #expect(intern(&table, "").symbol == Symbol(2))
    #expect(intern(&table, "b").newText == "b")
    let again = intern(&table, "a")
    #expect(again.symbol == Symbol(1))
    #expect(again.newText == nil)
    #expect(intern(&table, "").symbol == Symbol(2))
  }

  @Test("ten thousand texts of every length stay apart", arguments: [1, 7, 16, 17, 48, 49, 300])
  func many(length: Int) {
    var table = SymbolTable()
    let padding = String(repeating: "x", count: length)
    for number in 0..<10_000 {
      #expect(intern(&table, "\(number)\(padding)").symbol.rawValue == UInt32(number + 1))
    }
    for number in stride(from: 0, to: 10_000, by: 7) {
      let text = "\(number)\(padding)"
      #expect(intern(&table, text).symbol.rawValue == UInt32(number + 1))
      #expect(table.bytes(of: Symbol(UInt32(number + 1))).elementsEqual(text.utf8))
    }
  }

  /// The replacements are those of the Unicode standard, table 3-8 and section 3.9 (best practice).
  @Test(
    "invalid UTF-8 becomes U+FFFD for each maximal bad part",
    arguments: [
      ([0x61, 0xff, 0x62], "a\u{fffd}b"),
      ([0xf1, 0x80, 0x80, 0xe1, 0x80, 0xc2, 0x62], "\u{fffd}\u{fffd}\u{fffd}b"),
      ([0xed, 0xa0, 0x80], "\u{fffd}\u{fffd}\u{fffd}"),
      ([0xc0, 0xaf], "\u{fffd}\u{fffd}"),
      ([0xe2, 0x82], "\u{fffd}"),
      ([0xf4, 0x90, 0x80, 0x80], "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
    ] as [([UInt8], String)]
  )
  func repair(bytes: [UInt8], text: String) {
    var table = SymbolTable()
    let raw = intern(&table, bytes)
    #expect(raw.newText == text)
    // The same bytes again, and the text itself, are the same symbol.
    #expect(intern(&table, bytes).symbol == raw.symbol)
    #expect(intern(&table, text).symbol == raw.symbol)
    #expect(intern(&table, text).newText == nil)
  }

  @Test("bytes that repair to a known text are that text's symbol")
  func alias() {
    var table = SymbolTable()
    let text = intern(&table, "a\u{fffd}b")
    for bad: UInt8 in [0xff, 0xfe, 0x80] {
      let raw = intern(&table, [0x61, bad, 0x62])
      #expect(raw.symbol == text.symbol)
      #expect(raw.newText == nil)
    }
    #expect(table.count == 1)
  }

  @Test("nothing is normalised")
  func normalisation() {
    var table = SymbolTable()
    #expect(intern(&table, "é").symbol != intern(&table, "e\u{301}").symbol)
  }

  @Test("a text of 1,024 scalars is whole, a longer one is cut and marked")
  func cut() throws {
    var table = SymbolTable()
    let whole = String(repeating: "é", count: 1024)
    let kept = intern(&table, whole)
    #expect(kept.newText == whole)
    #expect(!kept.isTruncated)
    let first = intern(&table, whole + "1")
    let second = intern(&table, whole + "2")
    #expect(first.isTruncated && second.isTruncated)
    #expect(first.symbol != second.symbol)
    let text = try #require(first.newText)
    #expect(text.unicodeScalars.count == 1033)
    #expect(text.hasPrefix(whole + "…"))
    #expect(text.suffix(8).allSatisfy { $0.isHexDigit && !$0.isUppercase })
    let again = intern(&table, whole + "1")
    #expect(again.symbol == first.symbol)
    #expect(again.isTruncated)
    #expect(again.newText == nil)
  }

  @Test("scalars are counted, not the characters that they make")
  func scalars() throws {
    var table = SymbolTable()
    let text = "e" + String(repeating: "\u{301}", count: 5000)
    let cut = try #require(intern(&table, text).newText)
    #expect(cut.unicodeScalars.count == 1033)
  }

  @Test("beyond the limit new texts share one symbol and known ones keep theirs")
  func limit() {
    var table = SymbolTable(limit: 3)
    for text in ["a", "b", "c"] { _ = intern(&table, text) }
    let other = intern(&table, "d")
    #expect(other.newText == "other")
    #expect(intern(&table, "e").symbol == other.symbol)
    #expect(intern(&table, "other").symbol == other.symbol)
    #expect(intern(&table, "b").symbol == Symbol(2))
    for number in 0..<1000 {
      #expect(intern(&table, "new \(number)").symbol == other.symbol)
    }
    #expect(table.count == 4)
  }
}
