import Model
import TestSupport
import Testing

@testable import TUI

@Suite("A capture that is being loaded")
struct LoadingTests {
  private static let second: Int64 = 1_000_000_000

  private func state(_ read: UInt64, _ source: SourceProgress.State = .reading) -> AppState {
    var state = AppState()
    state.resize(width: 120, height: 36)
    let id = SourceID(0)
    state.observe([
      .source(SourceOpened(id: id, name: "big.jsonl", ledgerName: "big.jsonl", isLive: false))
    ])
    take(read, source, to: &state)
    return state
  }

  private func take(
    _ read: UInt64,
    _ source: SourceProgress.State = .reading,
    to state: inout AppState
  ) {
    let progress = SourceProgress(
      source: SourceID(0),
      bytesRead: read,
      bytesTotal: 1_000_000_000,
      state: source,
      kind: .otlpJSON
    )
    state.observe([.progress(progress)])
  }

  private func picture(_ state: AppState) -> String { GridText.plain(Picture.draw(state)) }

  @Test("the bar tells bytes, rate and the time left, and goes when everything is read")
  func bar() {
    var state = state(0)
    state.noteProgress(at: 0)
    #expect(!picture(state).contains("Esc stops"))
    take(200_000_000, to: &state)
    state.noteProgress(at: Self.second)
    let text = picture(state)
    // 800 MB are left at 200 MB a second.
    #expect(text.contains("200 MB of 1.00 GB · 200 MB/s · 4 s left · Esc stops ━━━━────"))
    take(1_000_000_000, .ended, to: &state)
    state.noteProgress(at: 5 * Self.second)
    #expect(!picture(state).contains("Esc stops"))
    #expect(picture(state).contains("■ read"))
  }

  @Test("a rate is shown for half a second at least, however often it is asked for")
  func calm() {
    var state = state(0)
    state.noteProgress(at: 0)
    take(100_000_000, to: &state)
    state.noteProgress(at: Self.second)
    take(900_000_000, to: &state)
    state.noteProgress(at: Self.second + Self.second / 10)
    #expect(picture(state).contains("900 MB of 1.00 GB · 100 MB/s · 9 s left"))
  }

  @Test("Escape closes what lies on top, then stops the loading, then clears the search")
  func escape() throws {
    var state = state(1)
    state.noteProgress(at: 0)
    let escape = try Key.list("Escape")[0]
    for key in try Key.list("/ a Enter ?") { _ = state.press(key) }
    #expect(state.screen == .help)
    let effects1 = state.press(escape)
    #expect(effects1.isEmpty)
    #expect(state.screen != .help)
    let effects2 = state.press(escape)
    #expect(effects2 == [.stopLoading])
    #expect(state.search != nil)
    take(412_000_000, .stopped, to: &state)
    state.noteProgress(at: Self.second)
    let effects3 = state.press(escape)
    #expect(effects3.isEmpty)
    #expect(state.search == nil)
  }

  @Test("what was stopped says so for good, counted")
  func stopped() {
    var state = state(412_000_000, .stopped)
    state.noteProgress(at: 0)
    #expect(picture(state).contains("■ stopped at 412 MB of 1.00 GB"))
  }

  @Test("a picture derived elsewhere is the one that would be derived here")
  func elsewhere() throws {
    var here = DashboardStory.state(width: 120, height: 36)
    var elsewhere = here
    let begun = elsewhere.beginPicture()
    let work = try #require(begun)
    let derived = work.derive()
    elsewhere.take(try #require(derived))
    here.refresh()
    #expect(picture(elsewhere) == picture(here))
  }

  @Test("a picture of another question, or for a paused screen, is not shown")
  func late() throws {
    var state = DashboardStory.state(width: 120, height: 36)
    let shown = picture(state)
    let begun = state.beginPicture()
    let work = try #require(begun)
    for key in try Key.list("& s c r e e n : S Enter") { _ = state.press(key) }
    let filtered = picture(state)
    #expect(filtered != shown)
    let derived = work.derive()
    state.take(try #require(derived))
    #expect(picture(state) == filtered)
    #expect(state.needsRefresh)
  }
}
