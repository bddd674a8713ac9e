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

  @Test(
    "a display at 30 or 48 Hz is named whatever it drops: dropped frames were due as well",
    arguments: [(1800, 0), (1620, 180), (900, 900), (2880, 0), (2500, 380)]
  )
  func droppingDisplay(total: UInt32, dropped: UInt32) throws {
    // 1,800 due in 60 s are 30 Hz, 2,880 are 48 Hz.
    var script = complete
    var numbers = TelemetryScript.frames(total, dropped, slow: total, onScreen: 60_000)
    numbers[.sessionDuration] = 60_000
    script.span("app-rendering", .appRendering, at: 100, seconds: 60, numbers: numbers)
    #expect(missing(script) == [.refreshRate])
    let found = try #require(script.findings.first { $0.judgement.missing == .refreshRate })
    #expect(found.judgement.value == Double(total + dropped) / 60)
    #expect(found.judgement.sample == 1)
    // What is dropped there is judged as everywhere.
    let ratio = script.findings.first { $0.judgement.rule == .droppedFrames }?.judgement.value
    #expect(ratio == (dropped == 0 ? nil : Double(dropped) / Double(total + dropped)))
  }

  @Test(
    "60 Hz that drops half of its frames is no display at 30 Hz, nor are fast frames that mean one",
    arguments: [(1800, 1800, 1800), (1800, 0, 100)]
  )
  func fastDisplay(total: UInt32, dropped: UInt32, slow: UInt32) {
    var script = complete
    var numbers = TelemetryScript.frames(total, dropped, slow: slow, onScreen: 60_000)
    numbers[.sessionDuration] = 60_000
    script.span("app-rendering", .appRendering, at: 100, seconds: 60, numbers: numbers)
    #expect(missing(script).isEmpty)
  }

  @Test("a display's rate takes 300 frames, also of several sessions, and half of their time")
  func refreshRateEvidence() {
    func script(_ sessions: [(total: UInt32, seconds: Double)]) -> TelemetryScript {
      var script = complete
      for (index, session) in sessions.enumerated() {
        var numbers = TelemetryScript.frames(
          session.total,
          0,
          slow: session.total,
          onScreen: session.total * 100 / 3
        )
        numbers[.sessionDuration] = UInt32(session.seconds * 1000)
        let start = Double(100 * (index + 1))
        script.span(
          "app-rendering",
          .appRendering,
          at: start,
          seconds: session.seconds,
          numbers: numbers
        )
      }
      return script
    }
    // 299 and 300 frames at 30 Hz take a bit less than 10 s and 10 s.
    #expect(missing(script([(299, 10)])).isEmpty)
    #expect(missing(script([(300, 10)])) == [.refreshRate])
    #expect(missing(script([(150, 5), (150, 5)])) == [.refreshRate])
    #expect(missing(script([(150, 5), (149, 5)])).isEmpty)
    // 10 s of 21 s.
    #expect(missing(script([(300, 21)])) == [.coverage])
    #expect(missing(script([(300, 20)])) == [.refreshRate])
  }

  @Test("where no session has frames of its own, visits to screens show the display")
  func refreshRateOfVisits() throws {
    func script(_ visits: [(total: UInt32, hertz: UInt32, seconds: Double)]) -> TelemetryScript {
      var script = TelemetryScript()
      script.sessionID = "S1"
      script.startup(at: 0)
      for (index, visit) in visits.enumerated() {
        let total = visit.total
        script.span(
          "screen-rendering.Home",
          .screenRendering,
          at: Double(10 + 20 * index),
          seconds: visit.seconds,
          subject: "Home",
          numbers: TelemetryScript.frames(
            total,
            0,
            slow: total,
            onScreen: total * 1000 / visit.hertz
          )
        )
      }
      return script
    }
    #expect(missing(script([(300, 30, 10)])) == [.refreshRate])
    #expect(missing(script([(150, 30, 5), (150, 30, 5)])) == [.refreshRate])
    #expect(missing(script([(480, 48, 10)])) == [.refreshRate])
    #expect(missing(script([(299, 30, 10)])).isEmpty)
    #expect(missing(script([(600, 60, 10)])).isEmpty)
    // 10 s of 21 s.
    #expect(missing(script([(300, 30, 21)])).isEmpty)
    let mixed = script([(600, 60, 10), (300, 30, 10)])
    let found = try #require(mixed.findings.first { $0.judgement.missing == .refreshRate })
    #expect(found.judgement.value == 30)
    #expect(found.judgement.sample == 1)
    var own = script([(300, 30, 10)])
    own.session(at: 100, seconds: 60, total: 3600, dropped: 0)
    #expect(missing(own).isEmpty)
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

  @Test("under a filter the whole stream of what it lets through is judged, and the text says so")
  func filtered() throws {
    // Two sessions without a launch and a session.id, one with a hang; a second device lacks the same.
    var script = TelemetryScript()
    script.tti("Home", at: 2, 400)
    script.session(at: 1, seconds: 30, total: 1800, dropped: 0)
    script.session(at: 100, seconds: 30, total: 1800, dropped: 0)
    script.hang(at: 110, 3000)
    script.device("DEVICE-2")
    script.session(at: 1, seconds: 30, total: 1800, dropped: 0)
    let model = script.model()
    var filter = RecordFilter()
    filter.expression = try FilterExpression(parsing: "screen=Home")
    let overview = model.overview(filter: filter)
    let findings = model.findings(overview)
    // Of two sessions and one hang the filter leaves one session and no hang.
    #expect(findings.list.map(\.judgement.missing) == [.startup, .sessionID, .topScreen])
    #expect(findings.list.map(\.subject) == [.stream(0), .stream(0), .stream(0)])
    #expect(findings.list.map(\.judgement.sample) == [2, 2, 1])
    let text = FindingText(model, overview, findings)
    #expect(findings.list.allSatisfy { text.sentence($0).hasPrefix("in the whole stream, ") })
    let gathering = EvidenceGathering(model, overview, findings)
    #expect(findings.list.map { gathering.evidence(of: $0).items.count } == [2, 2, 1])
    let all = script.overview
    let unfiltered = FindingText(model, all, model.findings(all))
    let lacking = model.findings(all).list.filter { $0.judgement.missing != nil }
    // The second device lacks a launch and a session.id.
    #expect(lacking.count == 5)
    #expect(lacking.allSatisfy { !unfiltered.sentence($0).contains("whole stream") })
  }

  @Test("a filter that lets nothing of a stream through says nothing of it")
  func filteredOut() throws {
    var script = TelemetryScript()
    script.session(at: 1, seconds: 30, total: 1800, dropped: 0)
    let model = script.model()
    var filter = RecordFilter()
    filter.expression = try FilterExpression(parsing: "screen=Nowhere")
    #expect(model.findings(model.overview(filter: filter)).list.isEmpty)
    filter = RecordFilter()
    filter.since = .instant(TelemetryScript.time(60).nanoseconds)
    #expect(model.findings(model.overview(filter: filter)).list.isEmpty)
    filter.since = .instant(TelemetryScript.time(20).nanoseconds)
    let found = model.findings(model.overview(filter: filter)).list
    #expect(found.map(\.judgement.missing) == [.startup, .sessionID])
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
