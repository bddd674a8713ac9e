import Model
import TestSupport
import Testing

@testable import TUI

@Suite("Timeline screen")
struct TimelineScreenTests {
  private func lines(_ state: AppState) -> [String] {
    GridText.plain(Picture.draw(state)).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  private func line(_ name: String, _ state: AppState) -> String {
    lines(state).dropFirst(4).first { $0.hasPrefix(name) } ?? ""
  }

  @Test("the story of one session looks as it should", arguments: [(80, 24), (120, 36)])
  func goldens(width: Int, height: Int) {
    let state = TimelineStory.state(TimelineStory.shop(), width: width, height: height)
    expectGolden(Picture.draw(state), "timeline-\(width)x\(height)")
  }

  @Test("a fatal hang looks as it should in the session that died")
  func fatalGolden() {
    expectGolden(Picture.draw(TimelineStory.died()), "timeline-fatal")
  }

  @Test("the head says which session it is, how long, how it stands, and how much shows")
  func title() {
    let title = lines(TimelineStory.state(TimelineStory.shop()))[4]
    // The launch begins 1 s before the session of 33 s; the margin is a 32nd of these 34 s, twice.
    #expect(title.hasPrefix("─ session 12:03:58 · 33 s · ● open · iPhone15,2 ─"))
    #expect(title.hasSuffix("─ 36 s shown ─"))
  }

  @Test("the header's figures are those of the story")
  func header() {
    let figures = lines(TimelineStory.state(TimelineStory.shop()))[1]
    // 850, 1,200 and 2,870 ms: 1,200 + 0.8 × 1,670. Freeze: 2,362 ms in 31.36 s.
    let expected =
      "launch 1.21s  TTI p90 2.54s  freeze 75.3ms/s■  hangs 1▲  leaks 1  watchdog 0"
    #expect(figures == expected)
  }

  @Test("the axis has a label for every ten seconds that has room")
  func axis() {
    let ticks = Array(lines(TimelineStory.state(TimelineStory.shop()))[5])
    // 36.125 s on 70 columns, from 12:03:55.9375 on: 4.0625 s are 7.9 columns, 14.0625 s are 27.2.
    #expect(String(ticks[17..<25]) == "12:04:00")
    #expect(String(ticks[37..<43]) == ":04:10")
    #expect(String(ticks[56..<62]) == ":04:20")
    // :04:30 would begin in column 66 of 70.
    #expect(ticks.count == 62)
  }

  @Test("each lane shows its records with their numbers")
  func lanes() {
    let state = TimelineStory.state(TimelineStory.shop())
    // From 1.0625 s to 2.2725 s of 36.125 s on 70 columns: columns 2.1 to 4.4.
    #expect(line("launch", state).hasPrefix("launch      ██▍ 1.21 s "))
    #expect(line("screens", state).contains(" Home "))
    #expect(line("screens", state).contains("Search 1.20 s"))
    #expect(line("screens", state).hasSuffix("Details 2.87 s"))
    #expect(line("hangs", state).hasSuffix("■ 2.31 s"))
    #expect(line("leaks", state).hasSuffix("◆ RoomListVC"))
    #expect(line("ledger", state).contains("· socket.reconnect"))
    #expect(line("ledger", state).hasSuffix("api.get"))
    // 5.15 s after the start, less 150 ms, plus 2.0625 s: column 13.7 of the axis.
    #expect(Array(line("rendering", state))[23] == "▪")
  }

  @Test("a hang stands in its true window, 3 s before the reported one")
  func trueWindow() {
    let hangs = Array(line("hangs", TimelineStory.state(TimelineStory.shop())))
    // From 21.5625 s to 23.8725 s of 36.125 s on 70 columns: columns 41.8 to 46.3.
    let columns = hangs.indices.filter { hangs[$0] == "■" }
    #expect(columns == Array(51...56))
  }

  @Test("a TTI is split where the first frame came")
  func firstFrame() {
    let state = TimelineStory.state(TimelineStory.shop(), width: 120, height: 36)
    let screens = Array(line("screens", state))
    // 110 columns: from 21.0625 s, column 64.1, first frame at 21.7025 s, 66.1, ready at 72.9.
    #expect(String(screens[74...82]) == "▐░██████▉")
  }

  @Test("below the lanes stands what is under the cursor, and what covers how much of it")
  func evidence() {
    let state = TimelineStory.state(TimelineStory.shop())
    let shown = lines(state)
    #expect(shown.contains { $0.hasPrefix("─ at 12:04:17.500Z ─") })
    #expect(
      line(" hang", state) == " hang      2.31 s ▲  non-fatal  Details  over 2 s (hang threshold)"
    )
    #expect(line(" tti", state).contains("Details  2.87 s ▲  first frame 640 ms  budget 1 s"))
    // 212 of 590 + 212 frames; 2,290 ms in 13.36 s.
    #expect(
      line(" frames", state).contains(
        "Details  212 dropped (26.4%), freeze 2.29 s  171 ms/s ■"
      )
    )
    // The TTI lasts throughout; of 2,310 ms the request takes 1,402.
    #expect(shown.contains(" same time tti Details 2.87 s  covers 100% of the hang"))
    #expect(
      shown.contains(" same time ledger api.get /v1/rooms 1.40 s  covers 61% of the hang")
    )
  }

  @Test("wide pictures list the items around the selected one")
  func around() {
    let state = TimelineStory.state(TimelineStory.shop(), width: 120, height: 36)
    let shown = lines(state)
    // By start: launch, three TTIs and visits, a hitch, a note, the hang, the request, the leak.
    #expect(shown.contains { $0.hasSuffix("items 9 of 12") })
    let items = [
      "12:03:57.000  launch    1.21 s",
      "12:03:58.500  tti       Home  850 ms",
      "12:03:58.700  visit     Home  9.30 s",
      // Written at 5.15 s, 150 ms long.
      "12:04:03.000  hitch     150 ms",
      "12:04:06.000  ledger    socket.reconnect",
      "12:04:08.000  tti       Search  1.20 s",
      "12:04:08.300  visit     Search  8.70 s",
      "12:04:17.000  tti       Details  2.87 s",
      "12:04:17.500  hang      Details  2.31 s",
      // Written at 21 s, 1,402 ms long.
      "12:04:17.598  ledger    api.get …1/rooms  1.40 s",
      "12:04:17.640  visit     Details  13.4 s",
      "12:04:24.000  leak      RoomListVC",
    ]
    let first = shown.firstIndex { $0.hasSuffix("items 9 of 12") } ?? 0
    for (row, item) in items.enumerated() {
      #expect(shown[first + 1 + row].hasSuffix("  " + item))
    }
  }

  @Test("lanes without data in the whole stream are not there, in no window")
  func missingLanes() {
    var state = TimelineStory.state(TimelineStory.shop())
    #expect(line("watchdog", state).isEmpty)
    #expect(line("spans", state).isEmpty)
    for _ in 0..<12 { TimelineStory.press("+", &state) }
    #expect(line("leaks", state).hasPrefix("leaks"))
  }

  @Test("a fatal hang is drawn in the session that died, in the critical role, with who told it")
  func fatal() {
    let state = TimelineStory.died()
    // From the launch 1 s before to the end of the hang 24 s after 12:03:58.
    #expect(lines(state)[4].hasPrefix("─ session 12:03:57 · ≥25 s · ✗ lost · iPhone15,2 ─"))
    let hangs = line("hangs", state)
    #expect(hangs.contains("6.00 s fatal, told by next launch"))
    #expect(line(" hang", state).contains("6.00 s ■  fatal  Checkout  told by next launch"))
    let grid = Picture.draw(state)
    let row = lines(state).firstIndex(of: hangs) ?? 0
    let cells = (10..<80).filter { grid[$0, row].glyph == Glyph("■") }
    #expect(!cells.isEmpty)
    #expect(cells.allSatisfy { grid[$0, row].role == .critical })
    #expect(line("state", state).contains("✗ lost"))
  }

  @Test("a launch that no startup measures says so, and has no length", arguments: [true, false])
  func unmeasuredLaunch(isCancelled: Bool) {
    var script = TelemetryScript()
    if isCancelled {
      script.span(
        "app-startup",
        .appStartup,
        at: TimelineStory.base,
        seconds: 1,
        error: "cancelled"
      )
    } else {
      script.hang(at: TimelineStory.base, 3000, fatal: true)
    }
    var state = TimelineStory.state(script)
    TimelineStory.press(isCancelled ? "g" : "G", &state)
    let words = isCancelled ? "not measured" : "no app-startup span"
    #expect(line(" launch", state).hasPrefix(" launch    \(words)"))
    #expect(
      state.timeline.selected.map { TimelineText(state.timeline.items.items[$0], state).title }
        == "launch"
    )
  }

  @Test("records without a usable time are counted, not drawn, and stretch nothing")
  func untimed() {
    var script = TimelineStory.shop()
    let before = TimelineStory.state(script).timeline
    script.source = SourceID(0)
    script.span("wild", .otherSpan, at: -900_000_000, seconds: 1)
    script.span("none", .otherSpan, at: 0, seconds: 1, flags: .noStart)
    var state = TimelineStory.state(script, width: 100)
    #expect(lines(state)[4].contains(" 2 records without a usable time · 36 s shown "))
    #expect(state.timeline.start == before.start)
    for _ in 0..<40 { TimelineStory.press("-", &state) }
    #expect(state.timeline.length == before.length)
  }

  @Test("without anything to draw the screen says why")
  func empty() {
    let none = TimelineStory.state(TelemetryScript())
    #expect(GridText.plain(Picture.draw(none)).contains("no telemetry yet"))
    var script = TelemetryScript()
    script.span("none", .otherSpan, at: 0, seconds: 1, flags: .noStart)
    let untimed = TimelineStory.state(script)
    #expect(GridText.plain(Picture.draw(untimed)).contains("no records with a usable time"))
  }
}
