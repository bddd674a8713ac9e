import TestSupport
import Testing

@testable import Model

@Suite("Findings in sentences")
struct SentenceTests {
  private func sentences(_ script: TelemetryScript, _ budgets: [Budget] = []) -> [String] {
    var options = ModelOptions()
    options.budgets = budgets
    let model = script.model(options: options)
    let overview = model.overview()
    let findings = model.findings(overview)
    let text = FindingText(model, overview, findings)
    return findings.list.filter { $0.judgement.missing == nil }.map { text.sentence($0) }
  }

  /// What an entry of the budgets file says of data without anything that it matches.
  private func noun(_ signal: BudgetSignal, _ statistic: Statistic) -> [String] {
    let budget = Budget(id: "mine", signal: signal, statistic: statistic, limit: 1)
    return sentences(TelemetryScript(), [budget])
  }

  private static let measures: [(BudgetSignal, String)] = [
    (.startup, "startup"), (.screenTTI, "TTI"), (.screenTTFR, "TTFR"), (.fragmentTTI, "TTI"),
    (.fragmentTTFR, "TTFR"), (.freezeRate, "freeze time"),
    (.droppedRatio, "share of dropped frames"), (.hang, "length of hangs"),
    (.fatalHang, "length of fatal hangs"), (.ledger, "duration"), (.span, "duration"),
  ]

  @Test("an entry about values names them", arguments: measures)
  func measure(signal: BudgetSignal, noun: String) {
    for statistic in signal.statistics where !statistic.isCounting {
      let expected = noun + " cannot be judged: nothing was measured"
      #expect(self.noun(signal, statistic) == [expected], "\(statistic)")
    }
  }

  private static let counts: [(BudgetSignal, String, String)] = [
    (.startup, "launches", "a launch"), (.screenTTI, "screen TTIs", "a screen TTI"),
    (.screenTTFR, "screen TTFRs", "a screen TTFR"),
    (.fragmentTTI, "fragment TTIs", "a fragment TTI"),
    (.fragmentTTFR, "fragment TTFRs", "a fragment TTFR"), (.hang, "hangs", "a hang"),
    (.fatalHang, "fatal hangs", "a fatal hang"),
    (.watchdog, "watchdog terminations", "a watchdog termination"), (.leak, "leaks", "a leak"),
    (.ledger, "ledger events", "a ledger event"), (.span, "spans", "a span"),
  ]

  @Test("an entry that counts says what, in the plural or as what sessions have", arguments: counts)
  func count(signal: BudgetSignal, plural: String, singular: String) {
    let end = " cannot be judged: nothing was measured"
    // What leaks is counted by class and launch.
    if signal != .leak { #expect(noun(signal, .count) == ["number of \(plural)" + end]) }
    #expect(noun(signal, .rate) == ["rate of \(plural)" + end])
    #expect(noun(signal, .share) == ["share of sessions with \(singular)" + end])
  }

  @Test("every signal and every statistic of it has been read")
  func complete() {
    let measured = Set(Self.measures.map(\.0))
    let counted = Set(Self.counts.map(\.0))
    for signal in BudgetSignal.allCases {
      #expect(measured.contains(signal) == signal.statistics.contains { !$0.isCounting })
      #expect(counted.contains(signal) == signal.statistics.contains { $0.isCounting })
    }
  }

  @Test("what an entry matches is named part by part, everything not at all")
  func matches() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.session(at: 1, seconds: 3600, total: 200_000, dropped: 0)
    script.hang(at: 100, 3000, screen: "Home")
    var budget = Budget(id: "mine", signal: .hang, statistic: .rate, limit: 0.5)
    let end = " is 1.0 per hour (in 1 session), limit 0.5 per hour"
    let hang = "a hang of 3.00 s on Home; any hang is a warning"
    #expect(sentences(script, [budget]) == ["rate of hangs" + end, hang])
    budget.match.name = Glob("Home")
    budget.match.app = Glob("Shop")
    budget.match.version = Glob("8.*")
    budget.match.device = Glob("iPhone*")
    #expect(
      sentences(script, [budget])
        == ["rate of hangs for Home, app Shop, version 8.*, device iPhone*" + end, hang]
    )
  }

  @Test("fragments, frames of screens and of sessions, startups")
  func subjects() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0, total: 6000)
    script.session(at: 10, seconds: 20, total: 1100, dropped: 100, freeze: 400, id: 0xAB)
    for index in 0..<5 {
      script.span(
        "fragment-tti.map",
        .fragmentTTI,
        at: Double(11 + index),
        seconds: 0.6,
        subject: "map",
        numbers: [.primary: 600]
      )
    }
    script.span(
      "screen-rendering.Home",
      .screenRendering,
      at: 12,
      seconds: 10,
      subject: "Home",
      numbers: TelemetryScript.frames(597, 3, freeze: 60, onScreen: 10_000)
    )
    #expect(
      Set(sentences(script)) == [
        "startup of Shop 8.42.1 (842103) is 6.00 s (P90 of 1), limit 5 s; not judged, 5 needed",
        // 100 of 1,200 frames; 400 ms in 20 s.
        "share of dropped frames in session 00000000000000ab is 8.3% (1,200 frames), limit 5%",
        "freeze time in session 00000000000000ab is 20.0 ms/s (1,200 frames), limit 10 ms/s",
        "freeze time on Home is 6.0 ms/s (600 frames), limit 5 ms/s",
        "TTI of the fragment map is 600 ms (P90 of 5), limit 500 ms",
      ]
    )
  }

  @Test("a hang just below critical is not printed as critical")
  func hang() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.session(at: 1, seconds: 60, total: 3600, dropped: 0)
    script.hang(at: 10, 4999, screen: "Home")
    script.hang(at: 30, 5000, screen: "Home")
    #expect(
      sentences(script)
        == [
          "a hang of 5.00 s on Home, limit 5 s",
          "a hang of 4.999 s on Home; any hang is a warning",
        ]
    )
  }

  @Test(
    "a termination says in which state, and after how many memory warnings",
    arguments: [
      ("active", 0, " while it was in use, without a memory warning"),
      ("inactive", 1, " while it was inactive after 1 memory warning"),
      ("background", 2, " in the background after 2 memory warnings"),
      ("unknown", 3, " in the state unknown after 3 memory warnings"),
    ]
  )
  func termination(state: String, warnings: UInt32, end: String) throws {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.span(
      "app-watchdog-termination",
      .watchdogTermination,
      at: 1,
      seconds: 0,
      numbers: [.primary: warnings],
      appState: state
    )
    #expect(sentences(script) == ["the watchdog terminated the app" + end])
  }

  @Test("half of the time measured but for a little is not printed as half")
  func coverage() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    var numbers = TelemetryScript.frames(1300, 500, onScreen: 29_976)
    numbers[.sessionDuration] = 60_000
    script.span("app-rendering", .appRendering, at: 10, seconds: 60, numbers: numbers, id: 0xAB)
    // 29.976 of 60 s; 500 of 1,800 frames.
    #expect(
      sentences(script) == [
        "share of dropped frames in session 00000000000000ab is 27.8% (1,800 frames), limit 5%; "
          + "not judged, only 49.96% of the time was measured"
      ]
    )
    let missing = script.findings.filter { $0.judgement.missing != nil }
    #expect(
      missing.map { script.sentence($0) } == [
        "1 session was measured for only 49.96% of its time: its frames are not judged"
      ]
    )
  }

  @Test("what is missing reads as one sentence, of one and of several")
  func missing() {
    func text(_ missing: MissingData, _ value: Double?, _ unit: JudgedUnit, _ sample: Int) -> String
    {
      var script = TelemetryScript()
      script.startup(at: 0)
      let model = script.model()
      let none = DefaultRules.threshold(.dataMissing, .wwdc20)
      var judgement = Judgement(.dataMissing, .count, value, unit, sample: sample, none)
      judgement.missing = missing
      let overview = model.overview()
      return FindingText(model, overview, Findings()).sentence(Finding(.stream(0), judgement))
    }
    #expect(
      text(.startup, nil, .count, 1)
        == "no launch is known in 1 session: the tracer provider was registered late, or the data "
        + "begins after the launch"
    )
    #expect(
      text(.hangs, 4000, .milliseconds, 1200)
        == "no hang was reported in 1,200 sessions although one frame stood for 4.00 s or longer: this "
        + "is a debug build, or hang reporting is off"
    )
    #expect(
      text(.sessionID, nil, .count, 2)
        == "no record of 2 sessions carries session.id: only time tells sessions apart"
    )
    #expect(
      text(.coverage, 0.4, .ratio, 2)
        == "2 sessions were measured only in part, one for 40.0% of its time: their frames are not judged"
    )
    #expect(
      text(.refreshRate, 30, .hertz, 1)
        == "1 session ran on a display at 30.0 Hz: every frame counts as slow, which is no fault of the "
        + "app"
    )
    let logging = ": the app's logging is not connected"
    #expect(text(.topScreen, nil, .count, 1) == "the only hang does not name its screen" + logging)
    #expect(text(.topScreen, nil, .count, 3) == "none of 3 hangs names its screen" + logging)
    #expect(
      text(.terminationCause, nil, .count, 1)
        == "1 termination tells neither memory warnings nor app state: its cause is unknown"
    )
    #expect(
      text(.terminationCause, nil, .count, 2)
        == "2 terminations tell neither memory warnings nor app state: their cause is unknown"
    )
    #expect(
      text(.status, nil, .count, 1)
        == "1 span came in a format without status: whether it failed or was cancelled is unknown"
    )
    #expect(
      text(.status, nil, .count, 2)
        == "2 spans came in a format without status: which of them failed or were cancelled is unknown"
    )
  }
}
