import TestSupport
import Testing

@testable import Model

@Suite("Budgets that match a part of a name's records")
struct BudgetPartTests {
  private func budget(
    _ signal: BudgetSignal,
    _ statistic: Statistic,
    limit: Double,
    version: String? = nil
  ) -> Budget {
    var budget = Budget(id: "mine", signal: signal, statistic: statistic, limit: limit)
    budget.match.version = version.map { Glob($0) }
    return budget
  }

  private func findings(_ script: TelemetryScript, _ budgets: [Budget]) -> (Findings, SessionModel)
  {
    var options = ModelOptions()
    options.budgets = budgets
    let model = script.model(options: options)
    return (model.findings(model.overview()), model)
  }

  private func values(_ findings: Findings) -> [String: Double?] {
    let known = findings.list.filter { $0.judgement.missing == nil }
    return Dictionary(
      uniqueKeysWithValues: known.map { ($0.judgement.rule.rawValue, $0.judgement.value) }
    )
  }

  /// Five TTIs of 8.1 and five of 9.0 for one screen.
  private func versions(_ old: UInt32, _ new: UInt32) -> TelemetryScript {
    var script = TelemetryScript()
    script.device("D1", version: "8.1")
    script.startup(at: 0)
    for index in 0..<5 { script.tti("Search", at: Double(2 + 10 * index), old) }
    script.device("D2", version: "9.0")
    script.startup(at: 0)
    for index in 0..<5 { script.tti("Search", at: Double(2 + 10 * index), new) }
    return script
  }

  @Test("what an entry matches is judged by it alone, the rest by the default rule")
  func parted() {
    let lenient = budget(.screenTTI, .p90, limit: 5000, version: "8.*")
    // 4 s of 8.1 hold; 100 ms remain for `tti-slow`.
    #expect(values(findings(versions(4000, 100), [lenient]).0).isEmpty)
    let strict = budget(.screenTTI, .p90, limit: 50, version: "8.*")
    #expect(values(findings(versions(100, 200), [strict]).0) == ["budget": 100])
    // 8.1 is above its own limit, 9.0 above that of the default rule.
    #expect(values(findings(versions(100, 1500), [strict]).0) == ["budget": 100, "tti-slow": 1500])
  }

  @Test("the proof of a default rule is of what no entry matches, and its sentence says so")
  func proof() throws {
    let lenient = budget(.screenTTI, .p90, limit: 5000, version: "8.*")
    let (findings, model) = findings(versions(4000, 1500), [lenient])
    let slow = try #require(findings.list.first { $0.judgement.rule == .ttiSlow })
    #expect(slow.judgement.sample == 5)
    let overview = model.overview()
    let evidence = EvidenceGathering(model, overview, findings).evidence(of: slow)
    #expect(
      evidence.items.filter { $0.share == nil }.map(\.milliseconds)
        == Array(repeating: 1500, count: 5)
    )
    #expect(evidence.more == 0)
    let text = FindingText(model, overview, findings).sentence(slow)
    #expect(
      text == "TTI of Search, without what the budgets file judges, is 1.50 s (P90 of 5), limit 1 s"
    )
  }

  @Test("of entries that match one record the first judges it")
  func order() {
    let first = budget(.screenTTI, .p90, limit: 50, version: "8.*")
    var second = budget(.screenTTI, .p90, limit: 60)
    second.id = "second"
    let (found, _) = findings(versions(100, 200), [first, second])
    // The second has the five of 9.0 left.
    let judged = found.list.filter { $0.judgement.missing == nil }
    // 200 is further beyond 60 than 100 beyond 50.
    #expect(judged.map(\.judgement.value) == [200, 100])
    #expect(judged.map(\.judgement.sample) == [5, 5])
  }

  @Test("launches of one version on different devices are judged apart")
  func startups() {
    var script = TelemetryScript()
    for (device, total) in [("D1", 6000 as UInt32), ("D2", 1000)] {
      script.device(device, version: "8.1")
      for index in 0..<5 { script.startup(at: Double(index * 100), total: total) }
    }
    var mine = budget(.startup, .p90, limit: 7000)
    mine.match.device = Glob("D1")
    #expect(values(findings(script, [mine]).0).isEmpty)
    mine.limit = 5500
    #expect(values(findings(script, [mine]).0) == ["budget": 6000])
  }

  @Test("visits of one version are judged apart from a screen's other visits")
  func visits() {
    var script = TelemetryScript()
    // 30 ms/s and 1 ms/s of freeze time on one screen.
    for (device, version, freeze) in [("D1", "8.1", 300 as UInt32), ("D2", "9.0", 10)] {
      script.device(device, version: version)
      script.startup(at: 0)
      script.span(
        "screen-rendering.Feed",
        .screenRendering,
        at: 2,
        seconds: 10,
        subject: "Feed",
        numbers: TelemetryScript.frames(600, 0, freeze: freeze, onScreen: 10_000)
      )
    }
    let lenient = budget(.freezeRate, .mean, limit: 40, version: "8.*")
    #expect(values(findings(script, [lenient]).0).isEmpty)
    let strict = budget(.freezeRate, .mean, limit: 20, version: "8.*")
    let (found, model) = findings(script, [strict])
    #expect(values(found) == ["budget": 30])
    let own = found.list.filter { $0.judgement.rule == .budget }
    let text = FindingText(model, model.overview(), found)
    #expect(
      own.map { text.sentence($0) }
        == ["freeze time on Feed is 30.0 ms/s (600 frames), limit 20 ms/s"]
    )
  }

  @Test("a budget about frames says nothing of screens that were only timed")
  func timedOnly() {
    var script = TelemetryScript()
    script.startup(at: 0)
    for index in 0..<5 { script.tti("Home", at: Double(2 + index), 100) }
    script.session(at: 2, seconds: 100, total: 6000, dropped: 0)
    #expect(
      findings(script, [budget(.freezeRate, .mean, limit: 5)]).0.list.allSatisfy {
        $0.judgement.missing != nil
      }
    )
  }

  @Test("leaks in one launch are judged by the first entry that matches them, the rest by the rule")
  func partOfALaunch() throws {
    var script = TelemetryScript()
    script.startup(at: 0)
    let set = AttributeSetID(1)
    let pair = HostAttribute(key: script.symbol("team"), value: script.symbol("maps"))
    script.define(set, [pair])
    for index in 0..<6 {
      script.attributes = index < 2 ? set : .none
      script.leak("VC", at: Double(2 + index), instance: UInt64(index + 1))
    }
    var mine = budget(.leak, .count, limit: 1)
    mine.match.attributes = [BudgetMatch.Attribute(key: "team", value: Glob("maps"))]
    let (found, model) = findings(script, [mine])
    // Two of six are the team's, above its one; four are left for the rule, which begins at two.
    #expect(values(found) == ["budget": 2, "leak-repeated": 4])
    let text = FindingText(model, model.overview(), found)
    let sentences = found.list.filter { $0.judgement.missing == nil }.map { text.sentence($0) }
    #expect(
      Set(sentences) == [
        "VC leaked 2 times in one launch, limit 1",
        "VC, without what the budgets file judges, leaked 4 times in one launch, limit 2",
      ]
    )
    let leaks = try #require(model.overview().leaks.first)
    #expect(found.leakJudgement(leaks)?.sample == 4)
  }

  @Test("leaks of another version keep the default rule")
  func leaks() {
    var script = TelemetryScript()
    for (device, version) in [("D1", "8.1"), ("D2", "9.0")] {
      script.device(device, version: version)
      script.startup(at: 0)
      for index in 0..<3 { script.leak("VC", at: Double(2 + index), instance: UInt64(index + 1)) }
    }
    let (found, _) = findings(script, [budget(.leak, .count, limit: 10, version: "8.*")])
    #expect(found.list.filter { $0.judgement.rule == .leakRepeated }.map(\.judgement.value) == [3])
  }

  @Test(
    "statistics of ratios are exact, and each has its records",
    arguments: [
      (Statistic.max, 250.0 / 18_000), (.p50, 100.0 / 18_000),
    ]
  )
  func exact(statistic: Statistic, value: Double) throws {
    var script = TelemetryScript()
    script.startup(at: 0)
    for (index, dropped) in [100 as UInt32, 250, 10].enumerated() {
      script.session(
        at: Double(2 + 1000 * index),
        seconds: 300,
        total: 18_000 - dropped,
        dropped: dropped
      )
    }
    let mine = budget(.droppedRatio, statistic, limit: 0.001)
    let (findings, model) = findings(script, [mine])
    let overview = model.overview()
    let found = try #require(findings.list.first { $0.judgement.rule == .budget })
    #expect(found.judgement.value == value)
    let evidence = EvidenceGathering(model, overview, findings).evidence(of: found)
    // The worst first: the second session, the first, the third.
    #expect(
      evidence.items.map(\.start) == [1002, 2, 2002].map { TelemetryScript.time($0).nanoseconds }
    )
  }

  @Test("memory warnings that nobody counted are no 0")
  func unknownWarnings() {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.span(
      "app-watchdog-termination",
      .watchdogTermination,
      at: 100,
      seconds: 0,
      appState: "active"
    )
    let (found, _) = findings(script, [])
    let watchdog = found.list.filter { $0.judgement.rule == .watchdog }
    #expect(watchdog.map(\.judgement.value) == [nil])
    #expect(watchdog.map(\.severity) == [.critical])
  }
}
