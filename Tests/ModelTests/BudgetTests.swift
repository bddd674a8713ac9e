import TestSupport
import Testing

@testable import Model

@Suite("Budgets in the place of default rules")
struct BudgetTests {
  private func budget(
    _ signal: BudgetSignal,
    _ statistic: Statistic,
    limit: Double,
    warn: Double? = nil,
    _ change: (inout Budget) -> Void = { _ in }
  ) -> Budget {
    var budget = Budget(id: "mine", signal: signal, statistic: statistic, limit: limit)
    budget.warn = warn
    change(&budget)
    return budget
  }

  private func findings(_ script: TelemetryScript, _ budgets: [Budget]) -> [Finding] {
    var options = ModelOptions()
    options.budgets = budgets
    let model = script.model(options: options)
    return model.findings(model.overview()).list.filter { $0.judgement.missing == nil }
  }

  /// Five TTIs of one length for two screens.
  private func screens(_ home: UInt32, _ cart: UInt32) -> TelemetryScript {
    var script = TelemetryScript()
    script.startup(at: 0)
    for index in 0..<5 {
      script.tti("Home", at: Double(10 * index), home)
      script.tti("Cart", at: Double(10 * index), cart)
    }
    return script
  }

  @Test("a budget replaces the default rule for the screen that it matches, not for others")
  func replaces() {
    let mine = budget(.screenTTI, .p90, limit: 5000) { $0.match.name = Glob("Home") }
    let found = findings(screens(4000, 4000), [mine])
    #expect(found.map(\.judgement.rule) == [.ttiSlow])
    #expect(found.map(\.judgement.threshold.source) == [.defaultRule])
    let strict = budget(.screenTTI, .p90, limit: 300) { $0.match.name = Glob("Home") }
    let broken = findings(screens(400, 400), [strict])
    #expect(broken.map(\.judgement.threshold.source) == [.budget(0)])
    #expect(broken.map(\.judgement.limit) == [300])
    #expect(broken.map(\.severity) == [.critical])
  }

  @Test(
    "a value equal to the limit holds; above it the budget is broken, above `warn` a warning",
    arguments: [
      (1000 as UInt32, Verdict.holds), (1001, .warning), (1500, .warning), (1501, .critical),
    ]
  )
  func limits(value: UInt32, verdict: Verdict) {
    let mine = budget(.screenTTI, .p90, limit: 1500, warn: 1000)
    let found = findings(screens(value, 1), [mine])
    #expect((found.first?.judgement.verdict ?? .holds) == verdict)
  }

  @Test("of two budgets that cover a screen the first counts")
  func first() {
    let lax = budget(.screenTTI, .p90, limit: 9000)
    let strict = budget(.screenTTI, .p90, limit: 10)
    #expect(findings(screens(4000, 4000), [lax, strict]).isEmpty)
    #expect(findings(screens(4000, 4000), [strict, lax]).count == 2)
  }

  @Test("a budget has the default rule's sample unless it says another; too little is always said")
  func sample() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.tti("Home", at: 1, 100)
    let mine = budget(.screenTTI, .p90, limit: 1500)
    let found = findings(script, [mine])
    #expect(found.map(\.verdict) == [.insufficient])
    #expect(
      findings(script, [budget(.screenTTI, .p90, limit: 1500) { $0.minimumSample = 1 }]).isEmpty
    )
  }

  @Test("a budget that nothing matches cannot be judged")
  func nothing() {
    let mine = budget(.screenTTI, .p90, limit: 1500) { $0.match.name = Glob("Serch") }
    let found = findings(screens(100, 100), [mine])
    #expect(found.map(\.subject) == [.budget(0)])
    #expect(found.map(\.verdict) == [.insufficient])
  }

  @Test("another statistic is a finding beside the default rule")
  func otherStatistic() {
    let mine = budget(.screenTTI, .max, limit: 3000) { $0.match.name = Glob("Ho*") }
    let found = findings(screens(4000, 100), [mine])
    #expect(Set(found.map(\.judgement.rule)) == [.ttiSlow, .budget])
    #expect(found.first { $0.judgement.rule == .budget }?.judgement.value == 4000)
  }

  @Test("a budget for one version judges its records alone; the default rule has the rest")
  func version() {
    var script = screens(100, 100)
    script.device("DEVICE-2", version: "9.0")
    script.startup(at: 0)
    for index in 0..<5 { script.tti("Home", at: Double(10 * index), 2000) }
    let mine = budget(.screenTTI, .p90, limit: 500) {
      $0.match.version = Glob("9.*")
      $0.match.name = Glob("Home")
    }
    let found = findings(script, [mine])
    // Of all ten values the P90 is 2,000 ms; the five that are left take 100 ms.
    #expect(Set(found.map(\.judgement.rule)) == [.budget])
    let own = found.first { $0.judgement.rule == .budget }
    #expect(own?.judgement.sample == 5)
    #expect(own?.judgement.value == 2000)
    let old = budget(.screenTTI, .p90, limit: 500) { $0.match.version = Glob("8.*") }
    // Every record of Cart is of 8.42.1: there the budget replaces the rule.
    #expect(findings(script, [old]).map(\.judgement.rule) == [.ttiSlow])
  }

  @Test(
    "hangs: a longer limit for one screen; a fatal hang stays critical unless its number is allowed"
  )
  func hangs() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 1, seconds: 200, total: 12_000, dropped: 0)
    script.hang(at: 10, 2000, screen: "Map")
    script.hang(at: 30, 3000, fatal: true, screen: "Map")
    script.startup(at: 300)
    let longer = budget(.hang, .max, limit: 2500) { $0.match.name = Glob("Map") }
    #expect(findings(script, [longer]).map(\.judgement.value) == [3000])
    let number = budget(.fatalHang, .count, limit: 1)
    #expect(findings(script, [longer, number]).isEmpty)
    #expect(findings(script, [longer, budget(.fatalHang, .count, limit: 0)]).count == 1)
  }

  @Test(
    "a measurement that has not ended counts neither for TTI nor for TTFR",
    arguments: [BudgetSignal.screenTTI, .screenTTFR]
  )
  func countsWhatHasEnded(signal: BudgetSignal) {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.tti("Home", at: 2, 500)
    script.span(
      "screen-tti.Home",
      .screenTTI,
      at: 4,
      seconds: 1,
      subject: "Home",
      numbers: [.secondary: 100]
    )
    #expect(findings(script, [budget(signal, .count, limit: 0)]).map(\.judgement.value) == [1])
  }

  @Test("rates count per hour of session, shares the sessions that have one")
  func counting() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 1, seconds: 1800, total: 100_000, dropped: 0)
    script.session(at: 2000, seconds: 1800, total: 100_000, dropped: 0)
    for index in 0..<3 { script.leak("RoomVC", at: Double(10 + index), instance: UInt64(index)) }
    func value(_ statistic: Statistic) -> Double? {
      let mine = budget(.leak, statistic, limit: 0)
      return findings(script, [mine]).first { $0.judgement.rule == .budget }?.judgement.value
    }
    // Three in one hour; in one of two sessions.
    #expect(value(.rate) == 3)
    #expect(value(.share) == 0.5)
  }

  @Test("frames: the mean replaces freeze-rate, percentiles are over sessions")
  func frames() {
    var script = TelemetryScript()
    script.startup(at: 0)
    for index in 0..<3 {
      script.session(
        at: Double(1 + 100 * index),
        seconds: 10,
        total: 600,
        dropped: 0,
        freeze: UInt32(100 * index)
      )
    }
    // 0, 10 and 20 ms/s.
    #expect(findings(script, [budget(.freezeRate, .mean, limit: 20)]).isEmpty)
    #expect(
      findings(script, [budget(.freezeRate, .mean, limit: 15)]).map(\.judgement.value) == [20]
    )
    let median = findings(script, [budget(.freezeRate, .p50, limit: 9)])
    #expect(median.first { $0.judgement.rule == .budget }?.judgement.value == 10)
  }

  @Test("a ledger budget in milliseconds takes the place of the ledger's own")
  func ledger() {
    var script = TelemetryScript()
    script.addSource("perf-events.jsonl")
    for index in 0..<3 { script.ledger("api.get", at: Double(100 + index), 1200) }
    #expect(findings(script, []).map(\.judgement.limit) == [1000])
    let mine = budget(.ledger, .p90, limit: 1200) { $0.match.name = Glob("api.*") }
    #expect(findings(script, [mine]).isEmpty)
  }

  @Test("spans are judged where a budget asks for it")
  func spans() {
    var script = TelemetryScript()
    for index in 0..<2 { script.span("GET /a", .otherSpan, at: Double(index), seconds: 2) }
    let mine = budget(.span, .mean, limit: 1500) { $0.match.name = Glob("GET *") }
    let found = findings(script, [mine])
    #expect(found.map(\.judgement.value) == [2000])
    #expect(found.map(\.subject) == [.span(0)])
  }

  @Test("an attribute of the host chooses the records that have it")
  func attributes() {
    let script = screens(2000, 100)
    var options = ModelOptions()
    options.budgets = [
      budget(.screenTTI, .max, limit: 1) {
        $0.match.name = Glob("Home")
        $0.match.attributes = [BudgetMatch.Attribute(key: "experiment", value: Glob("B*"))]
      }
    ]
    var model = SessionModel(options: options)
    let attribute = HostAttribute(key: Symbol(901), value: Symbol(902))
    let definitions: [TelemetryEvent] = [
      .symbol(Symbol(901), "experiment"), .symbol(Symbol(902), "B2"),
      .attributes(AttributeSetID(1), [attribute]),
    ]
    for event in script.definitions + definitions { model.apply(event) }
    for (index, event) in script.records.enumerated() {
      guard case .span(var span) = event else { continue }
      // Of every other record, so of some of the five.
      if index % 4 == 1 { span.attributes = AttributeSetID(1) }
      model.apply(.span(span))
    }
    let own = model.findings(model.overview()).list.first { $0.judgement.rule == .budget }
    // Records 1, 3, 5, 7 and 9 are Home's.
    #expect(own?.judgement.sample == 3)
    #expect(own?.judgement.value == 2000)
  }

  @Test(
    "`*` stands for any text, everything else for itself",
    arguments: [
      ("*", "", true), ("8.*", "8.42.1", true), ("8.*", "18.4", false),
      ("*Cart*", "MyCartVC", true),
      ("a*b*c", "a-b-c", true), ("a*b*c", "acb", false), ("ab*ba", "aba", false),
      ("Home", "home", false),
      ("a.c", "abc", false), ("", "", true), ("**", "x", true),
    ]
  )
  func globs(pattern: String, text: String, isMatch: Bool) {
    #expect(Glob(pattern).matches(text) == isMatch)
  }
}
