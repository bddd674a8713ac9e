import Model
import TUI
import Testing

@Suite("Timeline lanes")
struct TimelineLanesTests {
  private static func at(_ tenths: Int64) -> Timestamp {
    Timestamp(nanoseconds: tenths * 100_000_000)
  }

  /// A lane of 20 columns, a second each.
  private func lane(_ items: [LaneItem], now: Timestamp = at(200)) -> String {
    let axis = TimeAxis(start: .zero, end: Self.at(200), width: 20)
    var grid = Grid(width: 20, height: 1)
    TimelineLanes.draw(items, on: axis, now: now, into: &grid, in: grid.bounds)
    return String(GridText.plain(grid).dropLast())
  }

  @Test(
    "a bar starts and ends inside its columns",
    arguments: [
      (20, 50, "  ███"),
      (20, 55, "  ███▌"),
      (25, 50, "  ▐██"),
      (28, 50, "  ▕██"),
      (20, 51, "  ███▏"),
      (20, 30, "  █"),
      (22, 24, "  ▏"),
      (20, 20, "  ▏"),
      (50, 20, "     ▏"),
      (-30, 20, "██"),
      (180, 900, "                  ██"),
      (-900, 900, "████████████████████"),
      (-20, -10, ""),
      (201, 300, ""),
    ] as [(Int64, Int64, String)]
  )
  func bar(start: Int64, end: Int64, text: String) {
    #expect(lane([LaneItem(start: Self.at(start), end: Self.at(end))]) == text)
  }

  @Test("what lasts runs to now and ends in a live tail")
  func live() {
    #expect(lane([LaneItem(start: Self.at(20), end: nil)], now: Self.at(60)) == "  ███┄")
  }

  @Test("what began after now is a mark, not a bar backwards")
  func future() {
    #expect(lane([LaneItem(start: Self.at(20), end: nil)], now: Self.at(10)) == "  ▏")
  }

  @Test("points and runs are made of their own character")
  func shapes() {
    let items = [
      LaneItem(start: Self.at(10), end: Self.at(10), shape: .point("◆")),
      LaneItem(start: Self.at(50), end: Self.at(80), shape: .run("■")),
      LaneItem(start: Self.at(100), end: Self.at(130), shape: .low),
    ]
    #expect(lane(items) == " ◆   ■■■  ▁▁▁")
  }

  @Test("a later item lies over an earlier one")
  func overlap() {
    let items = [
      LaneItem(start: Self.at(0), end: Self.at(60), shape: .low),
      LaneItem(start: Self.at(10), end: Self.at(30)),
    ]
    #expect(lane(items) == "▁██▁▁▁")
  }

  @Test("a label stands after its item, before it, or nowhere")
  func labels() {
    let first = LaneItem(start: Self.at(0), end: Self.at(20), label: "one")
    let last = LaneItem(start: Self.at(170), end: Self.at(200), label: "two")
    let wide = LaneItem(start: Self.at(90), end: Self.at(100), label: "no room here")
    #expect(lane([first, last]) == "██ one       two ███")
    #expect(lane([first, last, wide]) == "██ one   █   two ███")
    let tight = LaneItem(start: Self.at(40), end: Self.at(60), label: "Home")
    let after = LaneItem(start: Self.at(60), end: Self.at(90), shape: .low)
    #expect(lane([tight, after]) == "Home██▁▁▁")
  }

  @Test("the selected item is marked, and its row is not")
  func selected() {
    let axis = TimeAxis(start: .zero, end: Self.at(200), width: 20)
    var grid = Grid(width: 20, height: 1)
    let item = LaneItem(start: Self.at(20), end: Self.at(40), isSelected: true)
    TimelineLanes.draw([item], on: axis, now: Self.at(200), into: &grid, in: grid.bounds)
    let marked = (0..<20).filter { grid[$0, 0].attributes.contains(.selected) }
    #expect(marked == [2, 3])
  }

  @Test("an axis finds the column of an instant and the instant of a column")
  func axis() {
    let axis = TimeAxis(start: Self.at(100), end: Self.at(300), width: 20)
    #expect(axis.column(of: Self.at(100)) == 0)
    #expect(axis.column(of: Self.at(109)) == 0)
    #expect(axis.column(of: Self.at(110)) == 1)
    #expect(axis.column(of: Self.at(300)) == 19)
    #expect(axis.column(of: Self.at(99)) == nil)
    #expect(axis.column(of: Self.at(301)) == nil)
    #expect(axis.instant(atColumn: 3) == Self.at(135))
  }

  @Test("zooming keeps the instant under the cursor in its place")
  func zoom() {
    let axis = TimeAxis(start: .zero, end: Self.at(200), width: 20)
    let half = axis.zoomed(by: 0.5, around: Self.at(50))
    #expect(half.start == Self.at(25))
    #expect(half.end == Self.at(125))
    #expect(half.zoomed(by: 2, around: Self.at(50)) == axis)
    #expect(axis.moved(byColumns: -3).start == Self.at(-30))
  }

  @Test("zooming and moving without end never leave the range of time")
  func extremes() {
    var axis = TimeAxis(start: .distantPast, end: .distantFuture, width: 20)
    for _ in 0..<80 { axis = axis.zoomed(by: 2, around: .zero) }
    #expect(axis.ticks(clock: ClockText()).count <= 20)
    for _ in 0..<80 { axis = axis.moved(byColumns: 1000) }
    #expect(axis.width == 20)
    for _ in 0..<200 { axis = axis.zoomed(by: 0.5, around: .distantFuture) }
    #expect(axis.length >= 20)
  }

  @Test("ticks are round, the first whole and the others short")
  func ticks() {
    // 12:03:58 to 12:04:31 on the day zero, over 66 columns: a tick needs at least 14 columns = 7 s.
    let start = Timestamp(seconds: 43_438)
    let axis = TimeAxis(start: start, end: Timestamp(seconds: 43_471), width: 66)
    let ticks = axis.ticks(clock: ClockText())
    #expect(ticks.map(\.label) == ["12:04:00", ":04:10", ":04:20"])
    #expect(ticks.map(\.column) == [4, 24, 44])
  }
}
