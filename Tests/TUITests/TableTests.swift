import TUI
import Testing

@Suite("Tables")
struct TableTests {
  private let table = Table<String>(
    [
      TableColumn("name", "NAME", width: .flexible(minimum: 8, weight: 1), cut: .inMiddle),
      TableColumn("p90", "P90", width: .fixed(6), alignment: .right, dropOrder: 1),
      TableColumn("n", "N", width: .fixed(4), alignment: .right, dropOrder: 2),
      TableColumn("last", "LAST", width: .fixed(8), dropOrder: 3),
    ],
    sort: TableSort("p90", isDescending: true)
  )

  private func draw(
    width: Int,
    height: Int,
    rowCount: Int,
    position: ScrollPosition = ScrollPosition()
  ) -> (lines: [String], asked: Set<Int>, position: ScrollPosition) {
    var grid = Grid(width: width, height: height)
    var asked: Set<Int> = []
    let drawn = table.draw(into: &grid, in: grid.bounds, rowCount: rowCount, position: position) {
      row in
      asked.insert(row)
      return { column, _ in StyledText(column == "name" ? "CheckoutViewController" : "\(row)") }
    }
    let lines = GridText.plain(grid).split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.dropLast().map(String.init), asked, drawn)
  }

  @Test("header and rows stand in their columns")
  func rows() {
    let drawn = draw(width: 40, height: 3, rowCount: 2)
    #expect(
      drawn.lines == [
        "NAME                P90▼     N  LAST",
        "Checkout…troller       0     0  0",
        "Checkout…troller       1     1  1",
      ]
    )
  }

  @Test(
    "columns leave by their drop order when there is no room",
    arguments: [
      (40, ["name", "p90", "n", "last"]), (32, ["name", "p90", "n", "last"]),
      (31, ["name", "p90", "n"]), (21, ["name", "p90"]), (15, ["name"]), (3, ["name"]),
      (0, ["name"]),
    ]
  )
  func dropped(width: Int, kept: [String]) {
    #expect(table.layout(width: width).map(\.column.id) == kept)
  }

  @Test("columns never overlap and never reach beyond the width")
  func layout() {
    for width in 0...200 {
      var next = 0
      for placed in table.layout(width: width) {
        #expect(placed.x >= next)
        #expect(placed.x + placed.width <= max(width, placed.x))
        next = placed.x + placed.width
      }
    }
  }

  @Test("of a hundred thousand rows only the visible ones are asked for")
  func lazy() {
    let position = ScrollPosition(selected: 50_000, top: 49_990)
    let drawn = draw(width: 40, height: 21, rowCount: 100_000, position: position)
    #expect(drawn.asked == Set(49_990..<50_010))
    #expect(drawn.position == position)
  }

  @Test("a position beyond the rows is brought back")
  func beyond() {
    let drawn = draw(
      width: 40,
      height: 5,
      rowCount: 10,
      position: ScrollPosition(selected: 99, top: 99)
    )
    #expect(drawn.position == ScrollPosition(selected: 9, top: 6))
    #expect(drawn.asked == [6, 7, 8, 9])
  }

  @Test("no rows, or no room for rows, draws no rows", arguments: [(0, 5), (10, 1), (10, 0)])
  func empty(rowCount: Int, height: Int) {
    #expect(draw(width: 40, height: height, rowCount: rowCount).asked.isEmpty)
  }

  @Test(
    "moving keeps the cursor on a row and in view",
    arguments: [
      (.by(1), 0, 0, 1, 0), (.by(-1), 0, 0, 0, 0), (.by(1), 9, 0, 10, 1), (.by(1), 99, 90, 99, 90),
      (.by(-1), 5, 5, 4, 4), (.pages(1), 3, 0, 12, 9), (.pages(-1), 12, 9, 3, 0),
      (.pages(1), 95, 88, 99, 90), (.halfPages(1), 0, 0, 5, 5), (.halfPages(-1), 2, 2, 0, 0),
      (.top, 55, 50, 0, 0), (.bottom, 0, 0, 99, 90),
    ] as [(ScrollPosition.Move, Int, Int, Int, Int)]
  )
  func moves(move: ScrollPosition.Move, selected: Int, top: Int, row: Int, first: Int) {
    var position = ScrollPosition(selected: selected, top: top)
    position.move(move, rowCount: 100, height: 10)
    #expect(position == ScrollPosition(selected: row, top: first))
  }

  @Test("the cursor follows its record and keeps its place on the screen")
  func follow() {
    var position = ScrollPosition(selected: 20, top: 15)
    position.follow(to: 27, rowCount: 107, height: 10)
    #expect(position == ScrollPosition(selected: 27, top: 22))
    position.follow(to: 0, rowCount: 50, height: 10)
    #expect(position == ScrollPosition(selected: 0, top: 0))
  }

  @Test("a hit of the search is marked where it shows")
  func search() throws {
    var grid = Grid(width: 20, height: 1)
    grid.put("日本 Home home", x: 0, y: 0)
    let columns = { (grid: Grid) in
      (0..<20).filter { grid[$0, 0].attributes.contains(.match) }
    }
    var folded = grid
    try #require(SearchPattern("home")).mark(in: &folded, folded.bounds)
    #expect(columns(folded) == [5, 6, 7, 8, 10, 11, 12, 13])
    var exact = grid
    try #require(SearchPattern("Home")).mark(in: &exact, exact.bounds)
    #expect(columns(exact) == [5, 6, 7, 8])
    try #require(SearchPattern("本")).mark(in: &grid, grid.bounds)
    #expect(columns(grid) == [2, 3])
    #expect(SearchPattern("") == nil)
  }

  @Test(
    "a search ignores case until a capital is typed",
    arguments: [
      ("home", "HomeView", true), ("Home", "homeview", false), ("straße", "STRASSE", false),
      ("é", "CAFÉ", true), ("x", "", false), ("abc", "ab", false),
    ]
  )
  func smartCase(pattern: String, text: String, matches: Bool) {
    #expect(SearchPattern(pattern)?.matches(text) == matches)
  }
}
