import TestSupport
import Testing

@testable import Model

/// Thresholds are reached by equal values: of five equal ones the P90 is that value.
@Suite("Rules about times")
struct TimeRulesTests {
  private let rules = Rulebook()

  private func figures(_ values: [Int64], first: [Int64] = []) -> ScreenFigures {
    var figures = ScreenFigures(app: Symbol(1), name: Symbol(2))
    figures.tti = Distribution(values)
    figures.ttfr = Distribution(first)
    return figures
  }

  private func five(_ value: Int64) -> [Int64] { [Int64](repeating: value, count: 5) }

  @Test(
    "tti-slow: warning from 1,000 ms, critical from 3,000 ms",
    arguments: [
      (999 as Int64, Verdict.holds), (1000, .warning), (2999, .warning), (3000, .critical),
    ]
  )
  func tti(value: Int64, verdict: Verdict) {
    let judgement = rules.ttiSlow(figures(five(value)))
    #expect(judgement.verdict == verdict)
    #expect(judgement.value == Double(value))
    #expect(judgement.sample == 5)
  }

  @Test("tti-slow: four values are too few, whatever they are; five are enough")
  func ttiSample() {
    let few = rules.ttiSlow(figures([9000, 9000, 9000, 9000]))
    #expect(few.verdict == .insufficient)
    #expect(few.tendency == .critical)
    #expect(rules.ttiSlow(figures([9000, 9000, 9000, 9000, 9000])).verdict == .critical)
    #expect(rules.ttiSlow(figures([])).verdict == .insufficient)
    #expect(rules.ttiSlow(figures([])).value == nil)
  }

  @Test("tti-slow judges the 90th percentile: rank 3.6 of five values")
  func ttiPercentile() {
    // 400 + 0.6 × (1400 - 400) = 1000.
    let value = rules.ttiSlow(figures([100, 200, 300, 400, 1400])).value
    #expect(value.map { abs($0 - 1000) < 0.001 } == true)
    #expect(rules.ttiSlow(figures([100, 200, 300, 400, 1400])).verdict == .warning)
    #expect(rules.ttiSlow(figures([100, 200, 300, 400, 1398])).verdict == .holds)
  }

  @Test(
    "ttfr-slow: warning from 250 ms, critical from 1,000 ms, of the first frame alone",
    arguments: [
      (249 as Int64, Verdict.holds), (250, .warning), (999, .warning), (1000, .critical),
    ]
  )
  func ttfr(value: Int64, verdict: Verdict) {
    #expect(rules.ttfrSlow(figures(five(9000), first: five(value))).verdict == verdict)
  }

  @Test("ttfr-slow: four first frames are too few, however many TTIs there are")
  func ttfrSample() {
    let judgement = rules.ttfrSlow(figures(five(9000), first: [9000, 9000, 9000, 9000]))
    #expect(judgement.verdict == .insufficient)
    #expect(judgement.sample == 4)
  }

  @Test(
    "fragment-tti-slow: warning from 500 ms, critical from 2,000 ms",
    arguments: [
      (499 as Int64, Verdict.holds), (500, .warning), (1999, .warning), (2000, .critical),
    ]
  )
  func fragment(value: Int64, verdict: Verdict) {
    #expect(rules.fragmentTTISlow(figures(five(value))).verdict == verdict)
    let four = figures([value, value, value, value])
    #expect(rules.fragmentTTISlow(four).verdict == .insufficient)
  }

  @Test(
    "startup-slow: warning from 2,000 ms, critical from 5,000 ms, at least five launches",
    arguments: [
      (1999 as Int64, Verdict.holds), (2000, .warning), (4999, .warning), (5000, .critical),
    ]
  )
  func startup(value: Int64, verdict: Verdict) {
    var group = StartupGroup(app: Symbol(1), version: Symbol(2))
    group.total = Distribution(five(value))
    #expect(rules.startupSlow(group).verdict == verdict)
    group.total = Distribution([value, value, value, value])
    #expect(rules.startupSlow(group).verdict == .insufficient)
  }

  @Test("startup-slow judges each version apart and leaves prewarmed launches out")
  func startupVersions() throws {
    var script = TelemetryScript()
    for index in 0..<5 { script.startup(at: Double(index) * 1000, total: 6000) }
    script.startup(at: 6000, total: 90_000, prewarmed: true)
    script.device("DEVICE-2", version: "9.0")
    for index in 0..<5 { script.startup(at: Double(index) * 1000, total: 900) }
    let found = script.findings.filter { $0.judgement.rule == .startupSlow }
    #expect(found.count == 1)
    #expect(found.first?.judgement.value == 6000)
    #expect(found.first?.judgement.sample == 5)
    let finding = try #require(found.first)
    #expect(
      script.sentence(finding) == "startup of Shop 8.42.1 (842103) is 6.00 s (P90 of 5), limit 5 s"
    )
  }

  @Test(
    "ledger-over-budget: warning from its budget, critical from three times that, at least three",
    arguments: [
      (249 as Int64, Verdict.holds), (250, .warning), (749, .warning), (750, .critical),
    ]
  )
  func ledger(milliseconds: Int64, verdict: Verdict) throws {
    var script = TelemetryScript()
    script.addSource("perf-events.jsonl")
    for index in 0..<2 { script.ledger("feed.foldPage", at: Double(100 + index), milliseconds) }
    let two = script.overview.ledger[0]
    #expect(rules.ledgerOverBudget(two)?.verdict == .insufficient)
    script.ledger("feed.foldPage", at: 110, milliseconds)
    let judgement = try #require(rules.ledgerOverBudget(script.overview.ledger[0]))
    #expect(judgement.verdict == verdict)
    // What is named is the budget, by however much it is exceeded.
    #expect(judgement.limit == 250)
  }

  @Test("a ledger name without a budget is not judged")
  func ledgerWithoutBudget() {
    var script = TelemetryScript()
    script.addSource("perf-events.jsonl")
    for index in 0..<3 { script.ledger("boot.firstFrame", at: Double(100 + index), 90_000) }
    #expect(rules.ledgerOverBudget(script.overview.ledger[0]) == nil)
    #expect(script.findings.contains { $0.judgement.rule == .ledgerOverBudget } == false)
  }
}
