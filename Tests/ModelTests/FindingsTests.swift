import TestSupport
import Testing

@testable import Model

@Suite("Findings")
struct FindingsTests {
  /// Five TTIs of a screen, the slowest with a hang, a span and a leak at the same time.
  private var slowScreen: TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.session(at: 2, seconds: 100, total: 6000, dropped: 0)
    for index in 0..<4 { script.tti("Search", at: Double(10 + index), 200) }
    // The span goes on for as long as the screen is shown; the TTI is from 20 s to 24 s.
    script.span(
      "screen-tti.Search",
      .screenTTI,
      at: 20,
      seconds: 30,
      subject: "Search",
      numbers: [.primary: 4000, .secondary: 100]
    )
    // 21 s to 23 s, reported 3 s late.
    script.hang(at: 24, 2000, screen: "Search")
    // Half a second of it before the TTI begins, one second within.
    script.span("GET /search", .otherSpan, at: 19.5, seconds: 1.5)
    script.leak("SearchVC", at: 22, instance: 1)
    // Within the span, but after the TTI.
    script.span("GET /later", .otherSpan, at: 30, seconds: 5)
    return script
  }

  private func evidence(_ script: TelemetryScript, _ rule: RuleID) throws -> EvidenceList {
    let model = script.model()
    let overview = model.overview()
    let findings = model.findings(overview)
    let finding = try #require(findings.list.first { $0.judgement.rule == rule })
    let gathering = EvidenceGathering(model, overview, findings)
    return gathering.evidence(of: finding)
  }

  @Test("a slow TTI is proved by its record, with what covers how much of it")
  func slowTTI() throws {
    let evidence = try evidence(slowScreen, .ttiSlow)
    #expect(evidence.items.map(\.kind) == [.screenTTI, .appHang, .otherSpan, .leak])
    // Of 4 s: the hang's true window 2 s, the span 1 s, the leak an instant.
    #expect(evidence.items.map(\.share) == [nil, 0.5, 0.25, 0])
    #expect(evidence.items.map(\.milliseconds) == [4000, 2000, 1500, nil])
    let zero = TelemetryScript.time(0).nanoseconds
    let starts: [Int64?] = evidence.items.map { item in item.start.map { $0 - zero } }
    #expect(starts == [20_000_000_000, 21_000_000_000, 19_500_000_000, 22_000_000_000])
    #expect(evidence.more == 0)
  }

  @Test("a hang is proved by its record, with what covers how much of its true window")
  func hang() throws {
    let evidence = try evidence(slowScreen, .hang)
    #expect(evidence.items.map(\.kind) == [.appHang, .screenTTI, .leak])
    #expect(evidence.items.map(\.share) == [nil, 1, 0])
  }

  @Test("a session's freezes are told with the hangs in it")
  func freeze() throws {
    var script = TelemetryScript()
    script.startup(at: 0)
    script.session(at: 10, seconds: 40, total: 2000, dropped: 0, freeze: 4000)
    // 20 s to 28 s.
    script.hang(at: 23, 8000, screen: "Home")
    let evidence = try evidence(script, .freezeRate)
    #expect(evidence.items.map(\.kind) == [.appRendering, .appHang])
    #expect(evidence.items.map(\.share) == [nil, 0.2])
  }

  @Test("ten records prove it, the slowest first; the others over the limit are counted")
  func more() throws {
    var script = TelemetryScript()
    for index in 0..<15 { script.tti("Search", at: Double(100 * index), UInt32(1000 + 10 * index)) }
    script.tti("Search", at: 5000, 900)
    let evidence = try evidence(script, .ttiSlow)
    let slowest = (5..<15).reversed().map { Double(1000 + 10 * $0) }
    #expect(evidence.items.map(\.milliseconds) == slowest)
    #expect(evidence.more == 5)
  }

  @Test("a name within its limits is not listed, nor is too little evidence for one")
  func unlisted() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    for index in 0..<5 { script.tti("Home", at: Double(10 * index), 999) }
    for index in 0..<4 { script.tti("Cart", at: Double(10 * index), 999) }
    #expect(script.findings.isEmpty)
    // With more evidence this would be broken.
    script.tti("Profile", at: 100, 1000)
    let found = script.findings
    #expect(found.map(\.verdict) == [.insufficient])
    #expect(found.map(\.severity) == [.info])
    #expect(
      found.map { script.sentence($0) }
        == ["TTI of Profile is 1.00 s (P90 of 1), limit 1 s; not judged, 5 needed"]
    )
  }

  @Test(
    "critical before warnings, before information, before too little; the greatest excess first"
  )
  func order() {
    var script = TelemetryScript()
    for (name, value) in [("A", 1500), ("B", 2000), ("C", 3000), ("D", 9000)] {
      for index in 0..<5 { script.tti(name, at: Double(10 * index), UInt32(value)) }
    }
    script.tti("E", at: 100, 60_000)
    script.startup(at: 0)
    let names = script.findings.map { finding -> String in
      switch finding.subject {
      case .screen(let index): ["A", "B", "C", "D", "E"][index]
      default: finding.judgement.missing?.rawValue ?? "?"
      }
    }
    #expect(names == ["D", "C", "B", "A", "session.id", "E"])
  }

  @Test("whatever the order of arrival, the findings are the same")
  func arrival() {
    let script = slowScreen
    var generator = SeededGenerator(seed: 7)
    let expected = script.findings.map { "\($0.subject) \($0.judgement)" }
    #expect(expected.count == 2)
    for _ in 0..<10 {
      let model = script.model(of: script.records.shuffled(using: &generator))
      let found = model.findings(model.overview()).list
      #expect(
        found.map { "\($0.subject) \($0.judgement.rule) \($0.severity)" }
          == script.findings.map { "\($0.subject) \($0.judgement.rule) \($0.severity)" }
      )
    }
  }
}

@Suite("What overlaps in time")
struct TimeIndexTests {
  private let index = TimeIndex(sorted: [
    TimeIndex.Stretch(start: 0, end: 100), TimeIndex.Stretch(start: 10, end: 20),
    TimeIndex.Stretch(start: 20, end: 30), TimeIndex.Stretch(start: 25, end: 25),
    TimeIndex.Stretch(start: 30, end: 90),
  ])

  private func overlaps(_ start: Int64, _ end: Int64, most: Int = 9) -> [Overlap] {
    index.overlaps(TimeIndex.Stretch(start: start, end: end), most: most) { _ in true }
  }

  @Test("the greatest cover comes first, equal ones by start, instants last")
  func order() {
    #expect(overlaps(15, 25).map(\.index) == [0, 1, 2, 3])
    #expect(overlaps(15, 25).map(\.share) == [1, 0.5, 0.5, 0])
  }

  @Test("touching is not overlapping, but an instant lies within")
  func touching() {
    #expect(overlaps(20, 25).map(\.index) == [0, 2, 3])
    #expect(overlaps(90, 95).map(\.index) == [0])
  }

  @Test("a window without length has no shares")
  func instant() {
    #expect(overlaps(25, 25).map(\.index) == [0, 2, 3])
    #expect(overlaps(25, 25).map(\.share) == [nil, nil, nil])
  }

  @Test("no more than asked for, and nothing that is not wanted")
  func limits() {
    #expect(overlaps(15, 25, most: 2).map(\.index) == [0, 1])
    let wanted = index.overlaps(TimeIndex.Stretch(start: 15, end: 25), most: 2) { $0 > 1 }
    #expect(wanted.map(\.index) == [2, 3])
    #expect(overlaps(200, 300).isEmpty)
    #expect(
      TimeIndex().overlaps(TimeIndex.Stretch(start: 0, end: 9), most: 9) { _ in true }.isEmpty
    )
  }
}
