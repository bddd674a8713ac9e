import TestSupport
import Testing

@testable import Model

@Suite("What is missing")
struct MissingDataTests {
  private func missing(_ script: TelemetryScript) -> Set<MissingData> {
    Set(script.findings.compactMap(\.judgement.missing))
  }

  /// A launch with a session, with everything that there should be.
  private var complete: TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.session(at: 1, seconds: 30, total: 1800, dropped: 0)
    return script
  }

  @Test("nothing is missing in a launch with a whole session")
  func nothing() {
    #expect(complete.findings.isEmpty)
  }

  @Test("no startup: PerformanceSuite reports, but no launch is told")
  func startup() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.session(at: 1, seconds: 30, total: 1800, dropped: 0)
    #expect(missing(script) == [.startup])
    script.startup(at: 0)
    #expect(missing(script).isEmpty)
  }

  @Test("no startup is expected of spans that are none of PerformanceSuite's")
  func otherSpans() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.span("GET /rooms", .otherSpan, at: 1, seconds: 1)
    #expect(missing(script).isEmpty)
  }

  @Test("no hangs: one frame stood for twice the threshold, which every detector sees")
  func hangs() {
    var script = complete
    func add(freeze: UInt32, _ script: inout TelemetryScript) {
      var numbers = TelemetryScript.frames(3500, 100, slow: 2, freeze: freeze, onScreen: 60_000)
      numbers[.sessionDuration] = 60_000
      script.span("app-rendering", .appRendering, at: 100, seconds: 60, numbers: numbers)
    }
    // Two slow frames: at least one of them stood for 3,999.5 ms, or for 4,000 ms.
    add(freeze: 7999, &script)
    #expect(missing(script).isEmpty)
    script = complete
    add(freeze: 8000, &script)
    #expect(missing(script) == [.hangs])
    script.hang(at: 120, 4000, screen: "Home")
    #expect(missing(script).isEmpty)
  }

  @Test("a hang that the host rejected shows that hangs are reported")
  func rejectedHang() {
    var script = complete
    var numbers = TelemetryScript.frames(3500, 100, slow: 1, freeze: 9000, onScreen: 60_000)
    numbers[.sessionDuration] = 60_000
    script.span("app-rendering", .appRendering, at: 100, seconds: 60, numbers: numbers)
    #expect(missing(script) == [.hangs])
    script.span("app-hang", .appHang, at: 120, seconds: 9, error: "shouldEmit_rejected")
    #expect(missing(script).isEmpty)
  }

  @Test("no session.id on any record; one with it is enough")
  func sessionID() {
    var script = TelemetryScript()
    script.startup(at: 0)
    #expect(missing(script) == [.sessionID])
    script.sessionID = "S1"
    script.session(at: 1, seconds: 30, total: 1800, dropped: 0)
    #expect(missing(script).isEmpty)
  }

  @Test("low coverage: frames enough, but less than half of the time measured")
  func coverage() {
    func script(onScreen: UInt32, total: UInt32) -> TelemetryScript {
      var script = complete
      var numbers = TelemetryScript.frames(total, 0, onScreen: onScreen)
      numbers[.sessionDuration] = 60_000
      script.span("app-rendering", .appRendering, at: 100, seconds: 60, numbers: numbers)
      return script
    }
    #expect(missing(script(onScreen: 29_999, total: 1800)) == [.coverage])
    #expect(missing(script(onScreen: 30_000, total: 1800)).isEmpty)
    // A short look at the app says nothing.
    #expect(missing(script(onScreen: 4000, total: 299)).isEmpty)
  }

  @Test("a display at 30 or 48 Hz", arguments: [(30, true), (48, true), (60, false), (120, false)])
  func refreshRate(hertz: UInt32, isSlow: Bool) {
    var script = complete
    var numbers = TelemetryScript.frames(hertz * 60, 0, slow: hertz * 60, onScreen: 60_000)
    numbers[.sessionDuration] = 60_000
    script.span("app-rendering", .appRendering, at: 100, seconds: 60, numbers: numbers)
    #expect(missing(script) == (isSlow ? [.refreshRate] : []))
  }

  @Test("no top screen: none of the hangs names one")
  func topScreen() {
    var script = complete
    script.hang(at: 10, 3000)
    #expect(missing(script) == [.topScreen])
    script.hang(at: 20, 3000, screen: "Home")
    #expect(missing(script).isEmpty)
  }

  @Test("a termination with neither memory warnings nor app state has no known cause")
  func terminationCause() {
    var script = complete
    script.startup(at: 100)
    script.span("app-watchdog-termination", .watchdogTermination, at: 101, seconds: 0)
    #expect(missing(script) == [.terminationCause])
    var known = complete
    known.startup(at: 100)
    known.span(
      "app-watchdog-termination",
      .watchdogTermination,
      at: 101,
      seconds: 0,
      numbers: [.primary: 0]
    )
    #expect(missing(known).isEmpty)
  }

  @Test("spans of a format without status: which failed is unknown")
  func status() {
    var script = complete
    script.span(
      "screen-tti.Home",
      .screenTTI,
      at: 5,
      seconds: 0.1,
      subject: "Home",
      numbers: [.primary: 100],
      flags: .statusUnknown
    )
    #expect(missing(script) == [.status])
    #expect(script.findings.map(\.judgement.sample) == [1])
  }

  @Test("a ledger alone lacks nothing")
  func ledger() {
    var script = TelemetryScript()
    script.addSource("perf-events.jsonl")
    script.ledger("api.get", at: 10, 900)
    #expect(script.findings.isEmpty)
  }

  @Test("what is missing is information, each stream's own")
  func severity() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.device("DEVICE-2")
    script.startup(at: 5)
    let found = script.findings
    #expect(found.map(\.severity) == [.info, .info])
    #expect(found.map(\.subject) == [.stream(0), .stream(1)])
    #expect(found.map(\.verdict) == [.broken, .broken])
  }
}
