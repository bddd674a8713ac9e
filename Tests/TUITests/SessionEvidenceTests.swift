import Model
import TUI
import TestSupport
import Testing

@Suite("What is said of a session")
struct SessionEvidenceTests {
  private func script(named sessionID: String = "S1") -> TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = sessionID
    script.startup(at: 0)
    script.session(at: 2, seconds: 60, total: 3600, dropped: 0)
    return script
  }

  private func lines(_ state: AppState) -> [String] {
    GridText.plain(Picture.draw(state)).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  @Test("what is broken elsewhere is counted with its worst, and the screen that shows it")
  func elsewhere() throws {
    var script = script()
    #expect(!lines(DashboardStory.state(of: script)).contains { $0.contains("elsewhere") })
    for index in 0..<5 { script.tti("A", at: Double(3 + index), 4000) }
    let shown = lines(DashboardStory.state(of: script))
    let head = try #require(shown.firstIndex { $0.hasPrefix("elsewhere: ") })
    #expect(shown[head] == "elsewhere: 1 critical · see 3 Screens")
    #expect(shown[head - 1] == "no rule is broken")
    #expect(shown[head + 1].hasPrefix("■ TTI of A is 4.00 s (P90 of 5), limit 3 s"))
  }

  @Test("where there is little room, the session's own findings come before the worst elsewhere")
  func ownFirst() {
    var script = script()
    for index in 0..<5 { script.tti("A", at: Double(3 + index), 4000) }
    for index in 0..<4 { script.hang(at: Double(20 + index * 5), 3000, screen: "Home") }
    // Six lines at 80 × 24: four hangs, the number elsewhere, and one is free.
    let shown = lines(DashboardStory.state(of: script))
    #expect(shown.count { $0.hasPrefix("▲ a hang of 3.00 s on Home") } == 4)
    #expect(shown.contains("elsewhere: 1 critical · see 3 Screens"))
    #expect(shown.contains { $0.hasPrefix("■ TTI of A is 4.00 s") })
    script.hang(at: 45, 3000, screen: "Home")
    let fuller = lines(DashboardStory.state(of: script))
    #expect(fuller.count { $0.hasPrefix("▲ a hang of 3.00 s on Home") } == 5)
    #expect(fuller.contains("elsewhere: 1 critical · see 3 Screens"))
    #expect(!fuller.contains { $0.hasPrefix("■ TTI of A is 4.00 s") })
  }

  @Test("entries of the budgets file about everything are elsewhere, too")
  func budgets() throws {
    var script = script()
    script.span("GET /rooms", .otherSpan, at: 10, seconds: 1)
    var options = ModelOptions()
    options.budgets = [Budget(id: "none", signal: .span, statistic: .count, limit: 0)]
    let shown = lines(DashboardStory.state(of: script, options: options))
    #expect(shown.contains("elsewhere: 1 critical · see 2 Timeline"))
    #expect(shown.contains { $0.hasPrefix("■ number of spans is 1 ") })
  }

  @Test("a hint about one session is with that session alone, hints of the device are told apart")
  func hints() throws {
    var script = script(named: "")
    // 15 of 60 s were measured.
    var numbers = TelemetryScript.frames(900, 0, onScreen: 15_000)
    numbers[.sessionDuration] = 60_000
    script.span("app-rendering", .appRendering, at: 200, seconds: 60, numbers: numbers)
    var state = DashboardStory.state(of: script)
    let low = "1 session was measured for only 25.0% of its time: its frames are not judged"
    let device = "of this device: no record of 2 sessions carries session.id"
    // The newest is selected first.
    #expect(lines(state).contains { $0.contains(low.prefix(60)) })
    #expect(lines(state).contains { $0.hasPrefix(device) })
    _ = state.press(.down)
    #expect(!lines(state).contains { $0.contains("25.0%") })
    #expect(lines(state).contains { $0.hasPrefix(device) })
  }

  @Test("the details of a session list its findings and its hangs")
  func details() throws {
    var script = script()
    script.hang(at: 30, 3000, screen: "Home")
    var state = DashboardStory.state(of: script)
    _ = state.press(.enter)
    let facts = try #require(state.details).facts
    #expect(facts.first?.name == "▲ warn")
    #expect(
      facts.first?.value == "a hang of 3.00 s on Home; any hang is a warning (default rule hang)"
    )
    // 1.5 × 2 s before the reported start.
    let hangs = facts.filter { $0.name == "hang" }.map(\.value)
    #expect(hangs == ["non-fatal, 3.00 s on Home at 00:00:27Z"])
  }

  @Test("the details of a session without fault say so")
  func faultless() throws {
    var state = DashboardStory.state(of: script())
    _ = state.press(.enter)
    #expect(try #require(state.details).facts.first?.value == "no rule is broken")
  }

  // MARK: - Visits

  /// Two parts of 20 s with 1,200 frames each, then one of 10 s that the host rejected.
  private var interrupted: TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.session(at: 2, seconds: 20, total: 1200, dropped: 0)
    script.session(at: 25, seconds: 20, total: 1200, dropped: 0)
    reject(at: 48, &script)
    return script
  }

  private func reject(at start: Double, _ script: inout TelemetryScript) {
    script.span(
      "app-rendering",
      .appRendering,
      at: start,
      seconds: 10,
      numbers: TelemetryScript.frames(600, 60, freeze: 900, onScreen: 10_000),
      error: "shouldEmit_rejected"
    )
  }

  @Test(
    "a visit's state is that of its last part that was not rejected; rejected parts are counted",
    arguments: [(80, "✓ clean×2 +1–"), (200, "✓ clean×2 +1 rejected")]
  )
  func partlyRejected(width: Int, text: String) throws {
    let state = DashboardStory.state(of: interrupted, width: width, height: 60)
    let row = try #require(lines(state).first { $0.hasPrefix("✓") })
    #expect(row.hasPrefix(text + " "))
    #expect(row.contains(" 50 s "))
    if width == 200 { #expect(row.contains(" 2,400 ")) }
    #expect(lines(state).contains { $0.contains("clean: ended when the app left the foreground") })
  }

  @Test("a visit whose parts were all rejected is rejected")
  func whollyRejected() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    reject(at: 2, &script)
    reject(at: 15, &script)
    #expect(lines(DashboardStory.state(of: script)).contains { $0.hasPrefix("– rejected×2 ") })
  }

  // MARK: - Room

  @Test("the pane takes what it needs, the list the rest, and rows out of view are counted")
  func room() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    for index in 0..<100 {
      script.session(at: Double(2 + index * 100), seconds: 60, total: 3600, dropped: 0)
    }
    var state = DashboardStory.state(of: script, width: 200, height: 60)
    // Four rows of header, a heading, four of the pane, the footer: 50 rows of 100.
    #expect(lines(state)[55].hasPrefix("─ session of"))
    #expect(lines(state)[55].contains(" ↓ 50 more "))
    for _ in 0..<60 { _ = state.press(.down) }
    // The cursor is on the 61st row, the last that shows.
    #expect(lines(state)[55].contains(" ↑ 11 ↓ 39 more "))
  }
}
