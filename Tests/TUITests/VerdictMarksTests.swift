import Model
import TestSupport
import Testing

@testable import TUI

/// What one session of a minute with 3,600 frames shows, with what goes wrong in it.
@Suite("Marks of the header and of the sessions' cells are those of the findings")
struct VerdictMarksTests {
  private func state(_ script: TelemetryScript, _ budgets: [Budget] = []) -> AppState {
    var options = ModelOptions()
    options.budgets = budgets
    return DashboardStory.state(of: script, options: options, width: 200, height: 60)
  }

  private func script(freeze: UInt32 = 0, frames: UInt32 = 3600) -> TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.session(at: 2, seconds: 60, total: frames, dropped: 0, freeze: freeze)
    return script
  }

  /// A figure of the header with its mark.
  private func figure(_ name: String, _ state: AppState) throws -> String {
    let line = Header.figures(state, width: 200).segments.map(\.text).joined()
    let figures = line.split(separator: "   ").map(String.init)
    return try #require(figures.first { $0.hasPrefix(name + " ") })
  }

  /// The role of a cell of the newest session.
  private func role(_ column: SessionsScreen.Column, _ state: AppState) throws -> Role? {
    let entry = try #require(state.list(.sessions).entries.first { !$0.isHead })
    return SessionsScreen.cells(entry, SharedState(state))(column.rawValue, 11).segments.first?.role
  }

  private static let lenientHang = Budget(id: "h", signal: .hang, statistic: .max, limit: 20_000)

  @Test("a hang of 6 s is critical, of 3 s a warning", arguments: [(6000, "■"), (3000, "▲")])
  func hang(milliseconds: UInt32, mark: String) throws {
    var script = script()
    script.hang(at: 30, milliseconds)
    let state = state(script)
    #expect(try figure("hangs", state) == "hangs 1 " + mark)
    #expect(try role(.hangs, state) == (mark == "■" ? .critical : .warning))
  }

  @Test("a hang that the budgets file allows is not marked")
  func allowedHang() throws {
    var script = script()
    script.hang(at: 30, 6000)
    let state = state(script, [Self.lenientHang])
    #expect(try figure("hangs", state) == "hangs 1")
    #expect(try role(.hangs, state) == .normal)
  }

  @Test("an entry that judges all hangs together marks their figure, and no session's cell")
  func hangRate() throws {
    var script = script()
    script.hang(at: 30, 6000)
    // One in a minute is 60 per hour.
    let rate = Budget(id: "r", signal: .hang, statistic: .rate, limit: 59)
    let state = state(script, [Self.lenientHang, rate])
    #expect(try figure("hangs", state) == "hangs 1 ■")
    #expect(try role(.hangs, state) == .normal)
  }

  @Test(
    "a termination is critical while in use, a warning after memory warnings, else not marked",
    arguments: [("active", 0, " ■"), ("background", 1, " ▲"), ("background", 0, "")]
  )
  func watchdog(appState: String, warnings: UInt32, mark: String) throws {
    var script = script()
    script.startup(at: 100)
    script.span(
      "fatal-app-event",
      .watchdogTermination,
      at: 101,
      seconds: 0,
      numbers: [.primary: warnings],
      appState: appState
    )
    #expect(try figure("watchdog", state(script)) == "watchdog 1" + mark)
  }

  @Test("slow launches are marked from five on", arguments: [(4, false), (5, true)])
  func launches(count: Int, isJudged: Bool) throws {
    var script = TelemetryScript()
    script.sessionID = "S1"
    for index in 0..<count {
      script.startup(at: Double(index * 100), total: 6000)
      script.session(at: Double(index * 100 + 7), seconds: 60, total: 3600, dropped: 0)
    }
    let judged = state(script)
    #expect(try figure("launch p90", judged) == "launch p90 6.00 s" + (isJudged ? " ■" : ""))
    #expect(try role(.launch, judged) == (isJudged ? .critical : .normal))
    let lenient = Budget(id: "s", signal: .startup, statistic: .p90, limit: 10_000)
    let allowed = state(script, [lenient])
    #expect(try figure("launch p90", allowed) == "launch p90 6.00 s")
    #expect(try role(.launch, allowed) == .normal)
  }

  @Test("freeze time takes 300 frames to be marked", arguments: [(299, false), (300, true)])
  func freeze(frames: UInt32, isJudged: Bool) throws {
    // 1,200 ms in 60 s.
    let state = state(script(freeze: 1200, frames: frames))
    #expect(try figure("freeze", state) == "freeze 20.0 ms/s" + (isJudged ? " ■" : ""))
    #expect(try role(.freeze, state) == (isJudged ? .critical : .normal))
  }

  @Test("a slow screen marks the header's TTI, however fast most screens are")
  func slowScreen() throws {
    var script = script()
    for index in 0..<5 { script.tti("Slow", at: Double(3 + index), 4000) }
    for index in 0..<60 { script.tti("Fast", at: 10 + Double(index) / 2, 10) }
    // Rank 57.6 of 65: among the sixty.
    #expect(try figure("TTI p90", state(script)) == "TTI p90 10.0 ms ■")
  }

  @Test("a slow fragment marks the header's TTI")
  func slowFragment() throws {
    var script = script()
    for index in 0..<5 {
      script.span(
        "fragment-tti.map",
        .fragmentTTI,
        at: Double(3 + index),
        seconds: 0.6,
        subject: "map",
        numbers: [.primary: 600]
      )
    }
    #expect(try figure("TTI p90", state(script)).hasSuffix("▲"))
  }

  @Test("a session's TTI stands out only where its screen breaks the rule", arguments: [4, 5])
  func sessionTTI(count: Int) throws {
    var script = script()
    for index in 0..<count { script.tti("Slow", at: Double(3 + index), 4000) }
    let own = state(script)
    #expect(try role(.tti, own) == (count == 5 ? .critical : .normal))
    // A later session measured another screen once, which judges nothing.
    script.session(at: 200, seconds: 60, total: 3600, dropped: 0)
    script.tti("Other", at: 210, 9000)
    #expect(try role(.tti, state(script)) == .normal)
  }
}
