import Model
import TestSupport
import Testing

@testable import TUI

@Suite("Timeline keys")
struct TimelineKeysTests {
  private func shop() -> AppState { TimelineStory.state(TimelineStory.shop()) }

  private func selectedStart(_ state: AppState) -> Int64? {
    state.timeline.selected.map { state.timeline.items.items[$0].start }
  }

  @Test("the timeline opens on the newest visit, its cursor where that was worst")
  func opening() {
    let timeline = shop().timeline
    // From the launch at -1 s to 33 s, and a margin of 34 s ÷ 32.
    #expect(timeline.start == TimelineStory.instant(-2.0625))
    #expect(timeline.length == 36_125_000_000)
    #expect(timeline.cursor == TimelineStory.instant(19.5))
  }

  @Test("/ finds items by name, n and N go through them and round, Esc takes the search back")
  func search() {
    var state = shop()
    for key in ["/", "s", "e", "a", "r", "c", "h"] { TimelineStory.press(key, &state) }
    // The TTI of Search at 10 s and the visit to it at 10.3 s; the cursor was at 19.5 s and comes round.
    #expect(state.hits.count == 2)
    #expect(state.timeline.cursor == TimelineStory.instant(10))
    TimelineStory.press("Enter", &state)
    TimelineStory.press("n", &state)
    #expect(state.timeline.cursor == TimelineStory.instant(10.3))
    TimelineStory.press("n", &state)
    #expect(state.timeline.cursor == TimelineStory.instant(10))
    TimelineStory.press("N", &state)
    #expect(state.timeline.cursor == TimelineStory.instant(10.3))
    TimelineStory.press("Escape", &state)
    #expect(state.search == nil)
  }

  @Test("zooming halves and doubles the window and keeps the cursor's instant and column")
  func zoom() {
    var state = shop()
    let cursor = state.timeline.cursor
    let column = state.timeline.axis(width: 70).column(of: Timestamp(nanoseconds: cursor))
    TimelineStory.press("+", &state)
    #expect(abs(state.timeline.length - 18_062_500_000) <= 1)
    #expect(state.timeline.cursor == cursor)
    #expect(
      state.timeline.axis(width: 70).column(of: Timestamp(nanoseconds: cursor)) == column
    )
    TimelineStory.press("-", &state)
    #expect(abs(state.timeline.length - 36_125_000_000) <= 2)
    #expect(state.timeline.cursor == cursor)
  }

  @Test("zooming ends at a millisecond and at the whole capture")
  func zoomLimits() {
    var state = TimelineStory.state(TimelineStory.fatal())
    let cursor = state.timeline.cursor
    for _ in 0..<60 { TimelineStory.press("+", &state) }
    #expect(state.timeline.length == 1_000_000)
    #expect(state.timeline.cursor == cursor)
    for _ in 0..<60 { TimelineStory.press("-", &state) }
    // From the first launch at -1 s to the end of the second session at 130 s, and twice a 32nd.
    #expect(state.timeline.length == 139_187_500_000)
    #expect(state.timeline.start == TimelineStory.instant(-5.09375))
    #expect(state.timeline.cursor == cursor)
  }

  @Test("the cursor moves by a column, the window with it at the edges, and stops at the ends")
  func cursor() {
    var state = shop()
    let size = 36.125 / 70
    TimelineStory.press("Right", &state)
    // From column 41 to the middle of column 42.
    let expected = TimelineStory.instant(-2.0625 + 42.5 * size)
    #expect(abs(state.timeline.cursor - expected) < 1000)
    TimelineStory.press("h", &state)
    #expect(abs(state.timeline.cursor - TimelineStory.instant(-2.0625 + 41.5 * size)) < 1000)
    for _ in 0..<200 { TimelineStory.press("Left", &state) }
    #expect(state.timeline.start == TimelineStory.instant(-2.0625))
    #expect(abs(state.timeline.cursor - TimelineStory.instant(-2.0625 + 0.5 * size)) < 1000)
    for _ in 0..<3 { TimelineStory.press("+", &state) }
    let start = state.timeline.start
    for _ in 0..<80 { TimelineStory.press("l", &state) }
    #expect(state.timeline.start > start)
    #expect(state.timeline.cursor > state.timeline.start)
    #expect(state.timeline.cursor < state.timeline.end)
    for _ in 0..<2000 { TimelineStory.press("l", &state) }
    #expect(state.timeline.end == TimelineStory.instant(34.0625))
  }

  @Test("moving the cursor selects what matters most in its column, or nothing")
  func cursorSelects() {
    var state = shop()
    // A column on, the hang is still there.
    TimelineStory.press("Right", &state)
    #expect(selectedStart(state) == TimelineStory.instant(19.5))
    for _ in 0..<200 { TimelineStory.press("Left", &state) }
    #expect(state.timeline.selected == nil)
  }

  @Test("up and down go through the items of the stream by start; g and G to its ends")
  func items() {
    var state = shop()
    TimelineStory.press("j", &state)
    // The request began 98 ms after the hang.
    #expect(state.timeline.cursor == TimelineStory.instant(19.598))
    TimelineStory.press("Up", &state)
    TimelineStory.press("k", &state)
    #expect(state.timeline.cursor == TimelineStory.instant(19))
    TimelineStory.press("g", &state)
    #expect(state.timeline.cursor == TimelineStory.instant(-1))
    TimelineStory.press("k", &state)
    #expect(state.timeline.cursor == TimelineStory.instant(-1))
    TimelineStory.press("G", &state)
    #expect(state.timeline.cursor == TimelineStory.instant(26))
    #expect(selectedStart(state) == TimelineStory.instant(26))
    TimelineStory.press("Down", &state)
    #expect(state.timeline.cursor == TimelineStory.instant(26))
  }

  @Test("an item out of the window brings the window to it")
  func itemElsewhere() {
    var state = TimelineStory.state(TimelineStory.fatal())
    TimelineStory.press("g", &state)
    let timeline = state.timeline
    #expect(timeline.cursor == TimelineStory.instant(-1))
    #expect(timeline.start <= timeline.cursor && timeline.cursor <= timeline.end)
  }

  @Test("brackets step through the visits of all streams in the order of time")
  func sessions() {
    var script = TelemetryScript()
    for (device, start) in [("DEVICE-1", 0.0), ("DEVICE-2", 100), ("DEVICE-1", 200)] {
      script.device(device)
      script.session(at: TimelineStory.base + start, seconds: 20, total: 1190, dropped: 1)
    }
    var state = TimelineStory.state(script)
    func shown() -> [Int64] { [state.timeline.visit(state)?.start ?? 0] }
    #expect(shown() == [TimelineStory.instant(200)])
    TimelineStory.press("[", &state)
    #expect(shown() == [TimelineStory.instant(100)])
    #expect(GridText.plain(Picture.draw(state)).contains("iPhone15,2 CE-2"))
    TimelineStory.press("[", &state)
    #expect(shown() == [TimelineStory.instant(0)])
    TimelineStory.press("[", &state)
    #expect(shown() == [TimelineStory.instant(0)])
    #expect(state.timeline.start == TimelineStory.instant(-0.625))
    #expect(state.timeline.length == 21_250_000_000)
    TimelineStory.press("]", &state)
    TimelineStory.press("]", &state)
    TimelineStory.press("]", &state)
    #expect(shown() == [TimelineStory.instant(200)])
  }

  @Test("the session selected on the list of sessions is the one shown, until another is")
  func fromSessions() {
    var state = TimelineStory.state(TimelineStory.fatal())
    TimelineStory.press("1", &state)
    TimelineStory.press("g", &state)
    TimelineStory.press("2", &state)
    #expect(state.timeline.visit(state)?.start == TimelineStory.instant(100))
    TimelineStory.press("1", &state)
    TimelineStory.press("j", &state)
    TimelineStory.press("2", &state)
    #expect(state.timeline.visit(state)?.start == TimelineStory.instant(-1))
    TimelineStory.press("]", &state)
    TimelineStory.press("1", &state)
    TimelineStory.press("2", &state)
    #expect(state.timeline.visit(state)?.start == TimelineStory.instant(100))
  }

  @Test("following keeps the newest end in the window; moving the cursor ends it, f resumes it")
  func follow() {
    let script = TimelineStory.shop()
    let count = script.records.count
    var more = script
    more.source = SourceID(0)
    more.tti("Late", at: TimelineStory.base + 40, 700)
    more.tti("Later", at: TimelineStory.base + 50, 700)
    var state = TimelineStory.state(script, isLive: true)
    #expect(state.isFollowing)
    // The newest item is the leak.
    #expect(state.timeline.cursor == TimelineStory.instant(26))
    state.observe(Array(more.definitions.dropFirst(script.definitions.count)))
    state.observe([more.records[count]])
    state.refresh()
    #expect(state.timeline.cursor == TimelineStory.instant(40))
    #expect(state.timeline.end >= TimelineStory.instant(40.7))
    TimelineStory.press("h", &state)
    #expect(!state.isFollowing)
    let before = state.timeline
    state.observe([more.records[count + 1]])
    state.refresh()
    #expect(state.timeline.start == before.start)
    #expect(state.timeline.cursor == before.cursor)
    TimelineStory.press("f", &state)
    #expect(state.isFollowing)
    #expect(state.timeline.cursor == TimelineStory.instant(50))
    #expect(state.timeline.end >= TimelineStory.instant(50.7))
  }

  @Test("a followed window that was zoomed keeps its length")
  func followZoomed() {
    let script = TimelineStory.shop()
    var more = script
    more.source = SourceID(0)
    more.leak("Cell", at: TimelineStory.base + 60, instance: 9)
    var state = TimelineStory.state(script, isLive: true)
    TimelineStory.press("+", &state)
    TimelineStory.press("+", &state)
    let length = state.timeline.length
    state.observe(Array(more.definitions.dropFirst(script.definitions.count)))
    state.observe([more.records[script.records.count]])
    state.refresh()
    #expect(state.timeline.length == length)
    #expect(state.timeline.cursor == TimelineStory.instant(60))
    #expect(state.timeline.end >= TimelineStory.instant(60))
  }

  @Test("the selection stays on its record when more come and when a later copy replaces it")
  func selectionStays() {
    var script = TelemetryScript()
    script.session(at: TimelineStory.base, seconds: 60, total: 3500, dropped: 3)
    let id = script.span("work", .otherSpan, at: TimelineStory.base + 30, seconds: 1)
    var more = script
    more.tti("Before", at: TimelineStory.base + 10, 500)
    more.span("work", .otherSpan, at: TimelineStory.base + 30, seconds: 4, ok: true, id: id)
    var state = TimelineStory.state(script)
    TimelineStory.press("G", &state)
    state.observe(Array(more.definitions.dropFirst(script.definitions.count)))
    state.observe(Array(more.records.dropFirst(script.records.count)))
    state.refresh()
    let selected = state.timeline.selected.map { state.timeline.items.items[$0] }
    #expect(selected?.start == TimelineStory.instant(30))
    #expect(selected?.end == TimelineStory.instant(34))
  }

  @Test("Enter opens the selected record, or the session where none is selected")
  func open() {
    var state = shop()
    let effects = TimelineStory.press("Enter", &state)
    #expect(effects.count == 1)
    #expect(state.details?.title == "hang Details 2.31 s")
    TimelineStory.press("Escape", &state)
    #expect(state.details == nil)
    for _ in 0..<200 { TimelineStory.press("Left", &state) }
    TimelineStory.press("Enter", &state)
    #expect(state.details?.title.hasPrefix("open 12:03:58") == true)
  }
}
