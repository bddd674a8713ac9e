import TestSupport
import Testing

@testable import Model

@Suite("Memory limit")
struct MemoryLimitTests {
  /// Devices that open the app now and then; every launch has the same records.
  private static func script(devices: Int, launches: Int) -> TelemetryScript {
    var script = TelemetryScript()
    tell(&script, 0..<devices, launches: launches)
    return script
  }

  private static func tell(
    _ script: inout TelemetryScript,
    _ devices: Range<Int>,
    launches: Int,
    from first: Double = 0
  ) {
    for launch in 0..<launches {
      for device in devices {
        let start = first + Double(launch * 1_000 + device)
        script.device("DEVICE-\(device)")
        script.startup(at: start, total: UInt32(900 + device), prewarmed: launch % 5 == 4)
        script.session(
          at: start + 2,
          seconds: 60,
          total: 3_000,
          dropped: UInt32(launch),
          freeze: UInt32(device)
        )
        for screen in 0..<6 {
          let name = "Screen\(screen)"
          script.tti(name, at: start + 3 + Double(screen), UInt32(100 + launch * 7 + screen))
          script.span(
            "screen-rendering." + name,
            .screenRendering,
            at: start + 4 + Double(screen),
            seconds: 5,
            subject: name,
            numbers: TelemetryScript.frames(300, UInt32(screen), onScreen: 5_000)
          )
        }
        script.hang(at: start + 30, UInt32(2_100 + launch), screen: "Screen1")
        script.leak("Controller", at: start + 40, instance: UInt64(launch % 7 + 1))
        script.span("GET /items", .otherSpan, at: start + 41, seconds: 0.25)
      }
    }
  }

  private static func model(
    _ script: TelemetryScript,
    limit: Int?,
    budgets: [Budget] = []
  ) -> (SessionModel, most: Int) {
    var options = ModelOptions()
    options.memoryLimit = limit
    options.budgets = budgets
    var model = SessionModel(options: options)
    model.apply(script.definitions)
    model.apply([.arrival(TelemetryScript.time(10_000_000))])
    var most = 0
    var rest = script.records[...]
    while !rest.isEmpty {
      model.apply(Array(rest.prefix(512)))
      rest = rest.dropFirst(512)
      most = max(most, model.byteCount)
    }
    return (model, most)
  }

  private static let story = script(devices: 20, launches: 150)
  private static let limit = 3_000_000

  @Test("a limit changes no counter, no total and no percentile")
  func counters() throws {
    let all = Self.model(Self.story, limit: nil).0.overview()
    let (model, _) = Self.model(Self.story, limit: Self.limit)
    let kept = model.overview()
    #expect(kept.folded.records > 20_000)
    #expect(kept.signalCounts == all.signalCounts)
    #expect(kept.totals.sessions == all.totals.sessions)
    #expect(kept.totals.frames == all.totals.frames)
    #expect(kept.totals.hangs == all.totals.hangs)
    #expect(kept.totals.fatalHangs == all.totals.fatalHangs)
    #expect(kept.totals.leaks == all.totals.leaks)
    #expect(kept.totals.ttiP90 == all.totals.ttiP90)
    #expect(kept.totals.ttiCount == all.totals.ttiCount)
    #expect(kept.totals.lastLaunch == all.totals.lastLaunch)
    #expect(kept.startup.total.count == all.startup.total.count)
    #expect(kept.startup.total.quantile(0.9) == all.startup.total.quantile(0.9))
    #expect(kept.startup.prewarmed == all.startup.prewarmed)
    #expect(kept.screens.map(\.name) == all.screens.map(\.name))
    #expect(kept.screens.map(\.tti.count) == all.screens.map(\.tti.count))
    #expect(kept.screens.map(\.ttfr.count) == all.screens.map(\.ttfr.count))
    #expect(kept.screens.map { $0.tti.quantile(0.5) } == all.screens.map { $0.tti.quantile(0.5) })
    #expect(kept.screens.map(\.visits) == all.screens.map(\.visits))
    #expect(kept.screens.map(\.frames) == all.screens.map(\.frames))
    #expect(kept.leaks.map(\.count) == all.leaks.map(\.count))
    #expect(kept.leaks.map(\.instances) == all.leaks.map(\.instances))
    #expect(kept.spans.map(\.count) == all.spans.map(\.count))
    #expect(kept.spans.map { $0.duration.maximum } == [250])
    #expect(kept.quality.receivedSpans == all.quality.receivedSpans)
    #expect(kept.quality.duplicates == 0 && kept.quality.afterFolding == 0)
  }

  @Test("a limit changes no verdict: what is no longer kept was judged before it went")
  func verdicts() {
    let (whole, kept) = (
      Self.model(Self.story, limit: nil).0, Self.model(Self.story, limit: Self.limit).0
    )
    let all = whole.findings(whole.overview())
    let overview = kept.overview()
    let findings = kept.findings(overview)
    // Every launch has a hang of more than 2 s.
    #expect(all.count(.critical) + all.count(.warning) > 3_000)
    #expect(findings.folded.broken > 2_000)
    #expect(findings.count(.critical) == all.count(.critical))
    #expect(findings.count(.warning) == all.count(.warning))
    #expect(FindingKind.allCases.allSatisfy { findings.worst($0) == all.worst($0) })
    #expect(findings.startups.map(\.total.count) == all.startups.map(\.total.count))
    #expect(
      findings.startups.map { $0.total.quantile(0.9) }
        == all.startups.map { $0.total.quantile(0.9) }
    )
  }

  @Test(
    "entries of a budgets file judge what is kept, and older sessions are told not to be judged"
  )
  func budgets() {
    let budgets = [Budget(id: "hangs", signal: .hang, statistic: .count, limit: 1)]
    let (model, _) = Self.model(Self.story, limit: Self.limit, budgets: budgets)
    let findings = model.findings(model.overview())
    #expect(model.overview().quality.foldedSessions > 1_000)
    #expect(findings.folded.broken == 0)
  }

  @Test("memory stays flat however much comes, and far below what everything would take")
  func flat() {
    let unlimited = Self.model(Self.story, limit: nil)
    let (_, most) = Self.model(Self.story, limit: Self.limit)
    #expect(unlimited.most > Self.limit * 2)
    #expect(most < Self.limit * 5 / 4, "\(most)")
    let twice = Self.model(Self.script(devices: 20, launches: 300), limit: Self.limit)
    #expect(twice.most < Self.limit * 5 / 4, "\(twice.most)")
  }

  @Test("what is no longer listed is counted: with it every record, session and launch is there")
  func counted() {
    let (model, _) = Self.model(Self.story, limit: Self.limit)
    let overview = model.overview()
    let listed = overview.streams.reduce(0) { $0 + $1.sessions.count }
    let launches = overview.streams.reduce(0) { $0 + $1.launches.count }
    let hangs = overview.streams.reduce(0) { $0 + $1.hangs.count }
    let rows = (0..<model.store.count).count { model.store.isLive($0, upTo: model.store.count) }
    #expect(listed + overview.quality.foldedSessions == 3_000)
    #expect(launches + overview.quality.foldedLaunches == 3_000)
    #expect(hangs + overview.quality.foldedHangs == 3_000)
    #expect(rows + overview.quality.foldedRecords == Self.story.records.count)
    // The newest sessions of every device are what stays.
    #expect(overview.streams.count == 20)
    #expect(overview.streams.allSatisfy { $0.launches.count >= 2 })
  }

  @Test("what stays is as it would be without a limit")
  func kept() throws {
    let all = Self.model(Self.story, limit: nil).0.overview()
    let kept = Self.model(Self.story, limit: Self.limit).0.overview()
    let whole = Dictionary(uniqueKeysWithValues: all.streams.map { ($0.stream, $0) })
    for summary in kept.streams {
      let other = try #require(whole[summary.stream])
      let count = summary.sessions.count
      let sessions = other.sessions.suffix(count)
      #expect(summary.sessions.map(\.start) == sessions.map(\.start))
      #expect(summary.sessions.map(\.state) == sessions.map(\.state))
      #expect(summary.sessions.map(\.items.count) == sessions.map(\.items.count))
      #expect(summary.sessions.map(\.ttiP90) == sessions.map(\.ttiP90))
      let exits = other.launches.suffix(summary.launches.count).map(\.previousExit)
      #expect(summary.launches.map(\.previousExit) == exits)
    }
  }

  @Test("a copy of a record that is no longer kept is counted, and changes nothing else")
  func lateCopies() {
    var (model, _) = Self.model(Self.story, limit: Self.limit)
    let before = model.overview()
    model.apply(Array(Self.story.records.prefix(10)))
    let after = model.overview()
    #expect(after.quality.afterFolding == 10)
    #expect(
      after.quality.receivedSpans + after.quality.receivedLogs
        == before.quality.receivedSpans + before.quality.receivedLogs + 10
    )
    #expect(after.signalCounts == before.signalCounts)
    #expect(after.totals.sessions == before.totals.sessions)
  }

  @Test("a death that is told after its session was folded opens no session of its own")
  func lateDeath() {
    var script = Self.script(devices: 20, launches: 40)
    Self.tell(&script, 20..<40, launches: 120, from: 100_000)
    for device in 0..<20 {
      let start = Double(300_000 + device)
      script.device("DEVICE-\(device)")
      script.startup(at: start)
      script.span("watchdog", .watchdogTermination, at: start + 1, seconds: 0, appState: "active")
      script.session(at: start + 2, seconds: 60, total: 3_000, dropped: 1)
    }
    let all = Self.model(script, limit: nil).0.overview()
    let kept = Self.model(script, limit: Self.limit).0.overview()
    #expect(kept.quality.foldedSessions > 1_000)
    // Of the first devices nothing but the last launch is left.
    #expect(kept.streams.count { $0.launches.count == 1 } == 20)
    #expect(kept.totals.sessions == all.totals.sessions)
    #expect(kept.totals.terminations == all.totals.terminations)
  }

  @Test(
    "what states sessions ended in, and on how many devices, is what it would be without a limit"
  )
  func statesAndDevices() {
    var script = Self.script(devices: 20, launches: 40)
    Self.tell(&script, 20..<40, launches: 120, from: 100_000)
    let all = Self.model(script, limit: nil).0.overview()
    let kept = Self.model(script, limit: Self.limit).0.overview()
    func states(_ overview: Overview) -> [SessionState: Int] {
      overview.streams.flatMap(\.sessions)
        .reduce(into: overview.folded.states) { $0[$1.state, default: 0] += 1 }
    }
    #expect(kept.folded.states.values.reduce(0, +) > 1_000)
    #expect(states(kept) == states(all))
    #expect(kept.folded.devices > 0)
    #expect(kept.streams.count + kept.folded.devices == 40)
  }

  @Test("launches that were given up before the whole device was are counted once")
  func twice() {
    // Two short launches, then one that alone is beyond the limit.
    var script = TelemetryScript()
    script.device("DEVICE-1")
    for launch in 0..<3 {
      let start = Double(launch * 1_000)
      script.startup(at: start)
      script.tti("Home", at: start + 1, 300)
      script.hang(at: start + 5, 2_500, screen: "Home")
      script.leak("Controller", at: start + 6, instance: UInt64(launch + 1))
    }
    for number in 0..<30_000 {
      script.span("work", .otherSpan, at: 3_000 + Double(number), seconds: 0.5)
    }
    let all = Self.model(script, limit: nil).0.overview()
    let (model, _) = Self.model(script, limit: Self.limit)
    let kept = model.overview()
    let launches = kept.streams.reduce(kept.quality.foldedLaunches) { $0 + $1.launches.count }
    #expect(all.totals.hangs == 3 && kept.totals.hangs == 3)
    #expect(kept.totals.leaks == 3)
    #expect(launches == 3)
    #expect(kept.startup.total.count == 3)
    #expect(kept.signalCounts == all.signalCounts)
    let findings = model.findings(kept)
    #expect(findings.worst(.hangs) == .warning)
    #expect(findings.startups.map(\.total.count) == [3])
  }

  @Test("a filter looks at what is kept, and says that there was more")
  func filter() throws {
    let (model, _) = Self.model(Self.story, limit: Self.limit)
    var filter = RecordFilter()
    filter.expression = try FilterExpression(parsing: "screen:Screen1")
    let overview = model.overview(filter: filter)
    let count = overview.screens.first?.tti.count ?? 0
    #expect(count > 0 && count < 3_000)
    #expect(overview.quality.note(on: filter) != nil)
    #expect(SessionModel().overview(filter: filter).quality.note(on: filter) == nil)
  }

  @Test("one endless session is cut when there is nothing else to give up, and still counted")
  func endless() {
    var script = TelemetryScript()
    for number in 0..<40_000 {
      script.span("work", .otherSpan, at: Double(number), seconds: 0.5)
    }
    let (model, most) = Self.model(script, limit: Self.limit)
    let overview = model.overview()
    #expect(most < Self.limit * 5 / 4)
    #expect(overview.spans.map(\.count) == [40_000])
    #expect(overview.signalCounts[Int(Signal.otherSpan.rawValue)] == 40_000)
  }

  @Test("counted values are exact while few, and within one part in two thousand afterwards")
  func values() {
    var generator = SeededGenerator(seed: 3)
    for count in [100, 20_000] {
      var counted = CountedValues()
      let values = (0..<count).map { _ in Int64.random(in: 0...9_000_000_000, using: &generator) }
      for value in values { counted.add(value) }
      let whole = Distribution(values)
      let folded = Distribution([], and: counted)
      #expect(folded.count == count)
      #expect(counted.distinct <= 2 * CountedValues.exactLimit)
      for fraction in [0.0, 0.1, 0.5, 0.9, 0.99, 1] {
        let (exact, near) = (whole.quantile(fraction) ?? -1, folded.quantile(fraction) ?? -1)
        #expect(abs(exact - near) <= (count == 100 ? 0 : exact / 2_000 + 1))
      }
    }
  }
}
