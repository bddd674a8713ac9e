import Model
import TUI

/// A picture with every widget in it.
enum WidgetSampler {
  static let table = Table<Int>(
    [
      TableColumn(0, "STATE", width: .fixed(7)),
      TableColumn(1, "NAME", width: .flexible(minimum: 12, weight: 1), cut: .inMiddle),
      TableColumn(2, "TTI P90", width: .fixed(9), alignment: .right, dropOrder: 1),
      TableColumn(3, "FREEZE ms/s", width: .fixed(17), dropOrder: 3),
    ],
    sort: TableSort(2, isDescending: true)
  )

  private static let names = [
    "Checkout 日本語", "CheckoutConfirmationAndReceiptViewController", "a\u{1B}[31mred", "שלום",
  ]

  static func grid(width: Int, height: Int) -> Grid {
    var grid = Grid(width: width, height: height)
    var area = grid.bounds
    let header = area.takeTop(1)
    grid.put(
      StyledText([Segment("perftop ", .title), Segment("1.83 s ▲", .warning)]),
      x: header.x,
      y: header.y,
      clip: header
    )
    grid.putRight(StyledText("▶ live", .good), in: header)
    grid.rule(area.takeTop(1), title: StyledText("sessions", .heading))
    let footer = area.takeBottom(1)
    grid.put(Keymap.footer(on: .sessions, width: width), x: 0, y: footer.y, clip: footer)
    drawTimeline(into: &grid, in: area.takeBottom(3))
    let values: [Double?] = [0, 1, 2, nil, 5, 8, 12, 3, 0, 1]
    table.draw(
      into: &grid,
      in: area,
      rowCount: 100,
      position: ScrollPosition(selected: 12, top: 8),
      search: SearchPattern("red"),
      banner: { $0 == 9 ? StyledText("iPhone15,2 · 8.42.1", .accent) : nil },
      cells: { row in
        { column, _ in
          switch column {
          case 0: return StyledText("● open", .good)
          case 1: return StyledText(names[row % names.count])
          case 2: return StyledText(QuantityText.duration(milliseconds: Double(row) * 99.95))
          default:
            let strip = Charts.heatStrip(
              values,
              maximum: 12,
              warning: 5,
              critical: 10,
              width: 11
            )
            return StyledText("6.4 ") + strip
          }
        }
      }
    )
    return grid
  }

  private static func drawTimeline(into grid: inout Grid, in area: Rect) {
    let second = { (value: Int64) in Timestamp(seconds: value) }
    let axis = TimeAxis(start: second(0), end: second(40), width: area.width)
    for tick in axis.ticks(clock: ClockText()) {
      grid.put(tick.label, x: area.x + tick.column, y: area.y, role: .muted, clip: area)
    }
    let items = [
      LaneItem(start: second(2), end: second(9), shape: .low, role: .muted),
      LaneItem(start: second(2), end: second(4), role: .accent, label: "Home"),
      LaneItem(start: second(12), end: second(14), shape: .run("■"), role: .critical, label: "2 s"),
      LaneItem(start: second(20), end: nil, role: .good, label: "Details"),
      LaneItem(start: second(38), end: second(38), shape: .point("◆"), role: .warning),
    ]
    TimelineLanes.draw(items, on: axis, now: second(30), into: &grid, in: area.row(1))
    let whisker = Whisker(
      low: 10,
      lowerQuartile: 20,
      median: 25,
      upperQuartile: 30,
      high: 50,
      maximum: 78
    )
    let values = ValueAxis(lowest: 0, highest: 79, width: area.width)
    grid.put(whisker.text(on: values), x: area.x, y: area.y + 2, clip: area)
  }
}
