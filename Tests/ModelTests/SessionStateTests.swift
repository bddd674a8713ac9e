import Model
import TestSupport
import Testing

@Suite("Session states")
struct SessionStateTests {
  private func states(_ script: TelemetryScript) -> [SessionState] {
    script.overview.streams.flatMap { $0.sessions.map(\.state) }
  }

  @Test("a session that says its duration is clean and takes that duration")
  func clean() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 1, seconds: 30, total: 1790, dropped: 10, freeze: 400)
    let session = script.overview.streams[0].sessions[0]
    #expect(session.state == .clean)
    #expect(session.durationMilliseconds == 30_000)
    #expect(session.frames?.total == 1790)
    // 10 of 1,800 expected frames; 400 ms in 30 s.
    #expect(session.frames?.droppedRatio == 10.0 / 1800)
    #expect(session.frames?.freezeMillisecondsPerSecond == 400.0 / 30)
    #expect(session.frames?.impliedHertz == 60)
    #expect(session.launch == 0)
  }

  @Test("a long session without its duration is clean: the attribute limit took it")
  func attributeLimit() {
    var script = TelemetryScript()
    script.span(
      "app-rendering",
      .appRendering,
      at: 1,
      seconds: 500,
      numbers: TelemetryScript.frames(29_000, 900, freeze: 21_000, onScreen: 495_000)
    )
    let session = script.overview.streams[0].sessions[0]
    #expect(session.state == .clean)
    #expect(session.durationMilliseconds == 500_000)
  }

  @Test("deltas of PerformanceSuite before 1.9 add up to one session")
  func deltas() {
    var script = TelemetryScript(scopeVersion: "1.8.1")
    for index in 0..<3 {
      script.span(
        "app-rendering",
        .appRendering,
        at: Double(10 * index),
        seconds: 5,
        numbers: TelemetryScript.frames(300, 10, freeze: 200, onScreen: 5000)
      )
    }
    let sessions = script.overview.streams[0].sessions
    #expect(sessions.count == 1)
    #expect(sessions[0].frames?.total == 900)
    #expect(sessions[0].frames?.dropped == 30)
    #expect(sessions[0].frames?.freezeMilliseconds == 600)
  }

  @Test("the same counters from 1.9 on are an open session, not a delta")
  func openCounters() {
    var script = TelemetryScript(scopeVersion: "1.10.1")
    script.span(
      "app-rendering",
      .appRendering,
      at: 0,
      seconds: 5,
      numbers: TelemetryScript.frames(300, 10, onScreen: 5000)
    )
    #expect(states(script) == [.open])
  }

  @Test(
    "an error status ends a session in its own way",
    arguments: [
      ("user_abandon", SessionState.abandoned), ("host_value", .abandoned),
      ("accumulator_deinit", .detached), ("shouldEmit_rejected", .rejected),
    ]
  )
  func errors(message: String, state: SessionState) {
    var script = TelemetryScript()
    script.span(
      "app-rendering",
      .appRendering,
      at: 0,
      seconds: 20,
      numbers: TelemetryScript.frames(600, 40, freeze: 900, onScreen: 20_000),
      error: message
    )
    let session = script.overview.streams[0].sessions[0]
    #expect(session.state == state)
    #expect(session.frames?.total == (state == .rejected ? nil : 600))
  }

  @Test("an abandoned session without counters has no frames")
  func abandonedBare() {
    var script = TelemetryScript()
    script.span("app-rendering", .appRendering, at: 0, seconds: 20, error: "user_abandon")
    #expect(script.overview.streams[0].sessions[0].frames == nil)
  }

  @Test("an open session reaches to its newest record, whatever its live copy said")
  func openReaches() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.span("app-rendering", .appRendering, at: 1, seconds: 0.01)
    for start in [2.0, 15, 27, 60] { script.tti("Home", at: start, 500) }
    let stream = script.overview.streams[0]
    #expect(stream.sessions.map(\.state) == [.open])
    #expect(stream.sessions[0].items.count == 5)
    #expect(stream.sessions[0].end == TelemetryScript.time(60.5).nanoseconds)
    #expect(stream.sessions[0].spanEnd == TelemetryScript.time(1.01).nanoseconds)
  }

  @Test("an open session is stale when more than five minutes behind now, not at five minutes")
  func stale() {
    for (later, state) in [(310.0, SessionState.open), (311.0, .stale)] {
      var script = TelemetryScript()
      script.span("app-rendering", .appRendering, at: 0, seconds: 10)
      script.device("DEVICE-2")
      script.tti("Home", at: later - 1, 1000)
      let first = script.overview.streams[0].sessions[0]
      #expect(first.state == state, "now is \(later) s")
    }
  }

  @Test("a launch without its app-rendering span is lost once the app was launched again")
  func lost() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 1, seconds: 10, total: 590, dropped: 0)
    script.startup(at: 100)
    script.tti("Lost", at: 103, 500)
    script.startup(at: 200)
    script.session(at: 201, seconds: 10, total: 590, dropped: 0)
    #expect(states(script) == [.clean, .lost, .clean])
    #expect(script.overview.streams[0].launches.map(\.previousExit) == [.unknown, .clean, .lost])
  }

  @Test("a stream that never showed app-rendering is unmeasured, not lost")
  func unmeasured() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.tti("Home", at: 2, 500)
    script.startup(at: 1000)
    #expect(states(script) == [.unmeasured, .unmeasured])
  }

  @Test("segments less than ten seconds apart are one visit", arguments: [(22.0, 1), (30.0, 2)])
  func visits(secondStart: Double, visits: Int) {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 0, seconds: 20, total: 1200, dropped: 0)
    script.session(at: secondStart, seconds: 20, total: 1200, dropped: 0)
    #expect(script.overview.streams[0].visits.count == visits)
  }

  @Test(
    "a fatal hang lies in the session whose id it carries, and names the launch's previous exit"
  )
  func fatalHang() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.tti("Checkout", at: 5, 400)
    script.sessionID = "S2"
    script.startup(at: 300)
    script.session(at: 302, seconds: 30, total: 1700, dropped: 3)
    script.sessionID = "S1"
    script.hang(at: 60, 6000, fatal: true, screen: "Checkout")
    let stream = script.overview.streams[0]
    #expect(stream.sessions.map(\.state) == [.lost, .clean])
    #expect(stream.hangs.map(\.type) == [.fatal])
    #expect(stream.hangs[0].session == 0)
    #expect(stream.hangs[0].duration == 6000)
    // Reported 3 s late: one and a half times the detector's threshold of 2 s.
    #expect(stream.hangs[0].trueStart == TelemetryScript.time(57).nanoseconds)
    #expect(stream.hangs[0].trueEnd == TelemetryScript.time(63).nanoseconds)
    #expect(stream.launches.map(\.previousExit) == [.unknown, .hang])
  }

  @Test("a hang with an error status is cancelled, also where it says that it was fatal")
  func cancelledFatal() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.span(
      "app-hang",
      .appHang,
      at: 10,
      seconds: 3,
      numbers: [.primary: 3000],
      flags: .fatal,
      error: "measurement_cancelled"
    )
    let hangs = script.overview.streams[0].hangs
    #expect(hangs.map(\.type) == [.cancelled])
    #expect(hangs[0].duration == nil)
    #expect(hangs[0].session == 0)
  }

  @Test("a watchdog termination is told by the launch after it and lies in the session before")
  func watchdog() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 1, seconds: 10, total: 590, dropped: 1)
    script.startup(at: 100)
    script.span(
      "app-watchdog-termination",
      .watchdogTermination,
      at: 101,
      seconds: 0,
      numbers: [.primary: 2]
    )
    script.session(at: 102, seconds: 10, total: 590, dropped: 1)
    let stream = script.overview.streams[0]
    #expect(stream.launches.map(\.previousExit) == [.unknown, .watchdog])
    #expect(stream.terminations.map(\.memoryWarnings) == [2])
    #expect(stream.terminations.map(\.session) == [0])
  }

  @Test("without a startup a fatal record begins the launch")
  func launchFromFatalRecord() {
    var script = TelemetryScript()
    script.session(at: 0, seconds: 10, total: 590, dropped: 1)
    script.span("app-watchdog-termination", .watchdogTermination, at: 101, seconds: 0)
    script.session(at: 102, seconds: 10, total: 590, dropped: 1)
    let stream = script.overview.streams[0]
    #expect(stream.launches.count == 1)
    #expect(stream.launches[0].previousExit == .watchdog)
    #expect(stream.sessions.map(\.launch) == [nil, 0])
  }

  @Test("an item belongs to the segment that it overlaps most, else to the nearest of its launch")
  func placement() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.tti("Before", at: 0.5, 400)
    script.session(at: 1, seconds: 20, total: 1200, dropped: 0)
    script.leak("CheckoutVC", at: 23, instance: 1)
    script.session(at: 40, seconds: 20, total: 1200, dropped: 0)
    script.tti("Across", at: 19.8, 21_000)
    let sessions = script.overview.streams[0].sessions
    // Startup, "Before" and the leak two seconds after; "Across" overlaps the first by 1.2 s and the
    // second by 0.8 s.
    #expect(sessions.map(\.items.count) == [4, 0])
    #expect(sessions.map(\.leaks) == [1, 0])
    #expect(sessions.map(\.screens) == [2, 0])
  }
}
