import TUI
import Testing

@Suite("Grid")
struct GridTests {
  private func text(_ grid: Grid) -> [String] {
    GridText.plain(grid).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  @Test(
    "text is clipped and wide characters are never split",
    arguments: [
      (0, "日本語", "日本語"),
      (1, "日本語", " 日本"),
      (-1, "日本語", " 本語"),
      (-2, "日本語", "本語"),
      (5, "日本語", ""),
      (6, "abc", ""),
      (-9, "abc", ""),
      (4, "abc", "    ab"),
    ]
  )
  func clipped(x: Int, put: String, shown: String) {
    var grid = Grid(width: 6, height: 1)
    grid.put(put, x: x, y: 0)
    #expect(text(grid) == [shown])
  }

  @Test("what is put returns the column after it")
  func columnAfter() {
    var grid = Grid(width: 10, height: 1)
    #expect(grid.put("ab", x: 1, y: 0) == 3)
    #expect(grid.put("日本", x: 3, y: 0) == 7)
    #expect(grid.put("long text", x: 7, y: 0) == 10)
  }

  @Test("a clip keeps everything around it")
  func clip() {
    var grid = Grid(width: 8, height: 3)
    grid.fill(grid.bounds, with: Cell(Glyph("x")))
    let area = Rect(x: 2, y: 1, width: 3, height: 1)
    for y in -1...3 { grid.put("日本日本日本", x: -1, y: y, clip: area) }
    #expect(text(grid) == ["xxxxxxxx", "xx 日xxx", "xxxxxxxx"])
  }

  @Test("writing over half of a wide character removes the other half", arguments: [0, 1])
  func mended(x: Int) {
    var grid = Grid(width: 4, height: 1)
    grid.put("日本", x: 0, y: 0)
    grid.put("a", x: x, y: 0)
    #expect(text(grid) == [x == 0 ? "a 本" : " a本"])
  }

  @Test(
    "text over wide characters leaves no halves at its ends, and its part out of view changes nothing",
    arguments: [
      (0, "ab", "ab本語"), (1, "ab", " ab 語"), (1, "a–b", " a–b語"), (-2, "abc", "c 本語"),
      (3, "abcd", "日 abc"), (5, "ab", "日本 a"), (-3, "abc", "日本語"), (6, "ab", "日本語"),
    ]
  )
  func over(x: Int, put: String, shown: String) {
    var grid = Grid(width: 6, height: 1)
    grid.put("日本語", x: 0, y: 0)
    grid.put(put, x: x, y: 0)
    #expect(text(grid) == [shown])
  }

  @Test("wide characters over wide characters leave no halves, whatever the offsets")
  func halves() {
    for first in 0..<6 {
      for second in 0..<6 {
        var grid = Grid(width: 8, height: 2)
        grid.put("日本", x: first, y: 0)
        grid.put("語", x: second, y: 0)
        grid.put("日", x: 7, y: 0)
        for x in 0..<8 {
          let glyph = grid[x, 0].glyph
          if glyph.isWide { #expect(grid[x + 1, 0].glyph.isContinuation) }
          if glyph.isContinuation { #expect(x > 0 && grid[x - 1, 0].glyph.isWide) }
        }
        #expect((0..<8).allSatisfy { grid[$0, 1] == .blank })
      }
    }
  }

  @Test("the selection joins every cell of the row and keeps its role")
  func selection() {
    var grid = Grid(width: 6, height: 2)
    grid.put("日", x: 0, y: 0, role: .critical, attributes: [.bold])
    grid.select(grid.bounds)
    #expect((0..<6).allSatisfy { grid[$0, 0].attributes.contains(.selected) })
    #expect(grid[0, 0].role == .critical)
    #expect(grid[0, 0].attributes == [.bold, .selected])
    #expect((0..<6).allSatisfy { grid[$0, 1] == .blank })
  }

  @Test("a rule line holds its title")
  func rule() {
    var grid = Grid(width: 12, height: 1)
    grid.rule(grid.bounds, title: StyledText("hangs", .heading))
    #expect(text(grid) == ["─ hangs ────"])
    #expect(grid[2, 0].role == .heading)
    #expect(grid[0, 0].role == .rule)
  }

  @Test("text at the right ends before the edge")
  func right() {
    var grid = Grid(width: 8, height: 1)
    #expect(grid.putRight(StyledText("live"), in: grid.bounds) == 4)
    #expect(text(grid) == ["    live"])
  }

  @Test("a cell holds its text without heap storage")
  func size() {
    #expect(MemoryLayout<Cell>.stride == 16)
  }

  @Test("areas are cut off without going below nothing")
  func areas() {
    var area = Rect(x: 0, y: 0, width: 10, height: 5)
    #expect(area.takeTop(2) == Rect(x: 0, y: 0, width: 10, height: 2))
    #expect(area.takeBottom(1) == Rect(x: 0, y: 4, width: 10, height: 1))
    #expect(area.takeLeft(4) == Rect(x: 0, y: 2, width: 4, height: 2))
    #expect(area.takeRight(99) == Rect(x: 4, y: 2, width: 6, height: 2))
    #expect(area.isEmpty)
    #expect(area.takeTop(-3).height == 0)
  }

  @Test(
    "the size decides how much is shown",
    arguments: [
      (19, 24, ScreenClass.tooSmall), (80, 4, .tooSmall), (20, 5, .compact), (79, 24, .compact),
      (80, 24, .standard), (119, 50, .standard), (120, 36, .wide),
    ]
  )
  func classes(width: Int, height: Int, expected: ScreenClass) {
    #expect(ScreenClass(width: width, height: height) == expected)
  }

  @Test("a terminal without room shows its size")
  func tooSmall() {
    #expect(text(Grid.tooSmall(width: 10, height: 3)) == ["", "   10×3", ""])
    #expect(text(Grid.tooSmall(width: 2, height: 1)) == ["2×"])
    #expect(text(Grid.tooSmall(width: 0, height: 0)).isEmpty)
  }

  @Test("nothing that is drawn into a part changes a cell outside of it", arguments: 0..<100)
  func confined(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let number = { (range: Range<Int>) in Int.random(in: range, using: &random) }
    let texts = ["日本語テキスト", "plain text", "👨‍👩‍👧", "e\u{301}\u{1B}[2J", "▁▂▃█"]
    var grid = Grid(width: 24, height: 6)
    for y in 0..<6 { grid.put(String(repeating: "x", count: 24), x: 0, y: y) }
    let before = grid
    let part = Rect(x: number(-3..<26), y: number(-2..<7), width: number(0..<12), height: 2)
    for _ in 0..<10 {
      let text = texts[number(0..<texts.count)]
      grid.put(text, x: number(-8..<26), y: number(-2..<8), clip: part)
      grid.putRight(StyledText(text), in: part)
    }
    grid.rule(part, title: StyledText("日本語"))
    grid.select(part)
    LinePane.draw(into: &grid, in: part, lineCount: 9, top: 3) { _ in StyledText("日本語") }
    for y in 0..<6 {
      for x in 0..<24 where !part.contains(x: x, y: y) { #expect(grid[x, y] == before[x, y]) }
    }
  }

  @Test("lines without a cursor scroll between their ends and say what is left out")
  func lines() {
    let draw = { (top: Int) -> (Int, [String]) in
      var grid = Grid(width: 6, height: 3)
      let drawn = LinePane.draw(into: &grid, in: grid.bounds, lineCount: 5, top: top) {
        StyledText("l\($0)")
      }
      return (drawn, text(grid))
    }
    #expect(draw(-4) == (0, ["l0", "l1", "l2   ↓"]))
    #expect(draw(1) == (1, ["l1   ↑", "l2", "l3   ↓"]))
    #expect(draw(99) == (2, ["l2   ↑", "l3", "l4"]))
  }
}
