import TestSupport
import Testing

@testable import Model

@Suite("Rules about hangs, terminations and leaks")
struct EventRulesTests {
  private let rules = Rulebook()

  private func hang(_ type: HangType, _ duration: Int?) -> Hang {
    Hang(
      row: 0,
      origin: .otlp,
      type: type,
      start: 0,
      end: 0,
      trueStart: 0,
      trueEnd: 0,
      duration: duration,
      duringStartup: false
    )
  }

  @Test(
    "hang: any is a warning, critical from 5,000 ms or fatal; cancelled ones are not judged",
    arguments: [
      (HangType.nonFatal, 250 as Int?, Verdict.warning), (.nonFatal, 4999, .warning),
      (.nonFatal, 5000, .critical), (.fatal, 250, .critical), (.open, nil, .warning),
      (.cancelled, nil, .insufficient),
    ]
  )
  func hangs(type: HangType, duration: Int?, verdict: Verdict) {
    #expect(rules.hang(hang(type, duration)).verdict == verdict)
  }

  @Test("of hangs the fatal ones come first, cancelled ones not at all")
  func hangOrder() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 1, seconds: 200, total: 12_000, dropped: 0)
    script.hang(at: 10, 2000, screen: "Home")
    script.hang(at: 30, 7000, screen: "Home")
    script.span("app-hang", .appHang, at: 60, seconds: 9, error: "cancelled")
    script.hang(at: 80, 3000, fatal: true, screen: "Cart")
    script.startup(at: 300)
    let found = script.findings.filter { $0.judgement.rule == .hang }
    #expect(found.map(\.judgement.value) == [3000, 7000, 2000])
    #expect(
      found.map { script.sentence($0) } == [
        "a hang of 3.00 s on Cart ended the app", "a hang of 7.00 s on Home, limit 5 s",
        "a hang of 2.00 s on Home; any hang is a warning",
      ]
    )
  }

  @Test(
    "watchdog: memory warnings are a warning, an app in use is critical, neither is neither",
    arguments: [
      (nil as Int?, "", Verdict.holds), (0, "background", .holds), (1, "", .warning),
      (3, "background", .warning), (nil, "active", .critical), (2, "active", .critical),
    ]
  )
  func watchdog(warnings: Int?, appState: String, verdict: Verdict) {
    let termination = Termination(row: 0, time: 0, memoryWarnings: warnings, appState: .none)
    #expect(rules.watchdog(termination, appState: appState).verdict == verdict)
  }

  @Test(
    "leak-repeated: from two of a class in one launch on a warning, from five on critical",
    arguments: [(1, Verdict.holds), (2, .warning), (4, .warning), (5, .critical)]
  )
  func leaks(count: Int, verdict: Verdict) {
    var group = LeakGroup(app: Symbol(1), className: Symbol(2), stream: StreamID(0), launch: 0)
    group.rows = (0..<UInt32(count)).map { $0 }
    #expect(rules.leakRepeated(group).verdict == verdict)
  }

  @Test("the same class in several launches is no repetition")
  func leaksPerLaunch() {
    var script = TelemetryScript()
    for launch in 0..<3 {
      script.startup(at: Double(1000 * launch))
      script.leak("RoomVC", at: Double(1000 * launch + 5), instance: UInt64(launch))
    }
    script.leak("RoomVC", at: 2010, instance: 9)
    let found = script.findings.filter { $0.judgement.rule == .leakRepeated }
    #expect(found.map(\.judgement.value) == [2])
    #expect(found.map { script.sentence($0) } == ["RoomVC leaked 2 times in one launch, limit 2"])
  }
}

extension TelemetryScript {
  var findings: [Finding] {
    let model = model()
    return model.findings(model.overview()).list
  }

  func sentence(_ finding: Finding) -> String {
    let model = model()
    let overview = model.overview()
    return FindingText(model, overview, model.findings(overview)).sentence(finding)
  }
}
