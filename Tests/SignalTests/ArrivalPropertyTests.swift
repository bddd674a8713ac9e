import Foundation
import Model
import TestSupport
import Testing

/// What a run may see in another order, again or elsewhere without meaning anything else.
@Suite("Random streams")
struct ArrivalPropertyTests {
  private static let streams = 1000

  /// Of `PERFTOP_SEED`, else new: a failure prints the seed that shows it again.
  private static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["PERFTOP_SEED"].flatMap { UInt64($0) }
    return given ?? UInt64.random(in: 0..<1_000_000) * UInt64(streams)
  }()

  private func forEachStory(
    every step: Int = 1,
    _ name: String,
    _ check: ([WireRecord], inout SeededGenerator) -> String?
  ) {
    print("random streams: PERFTOP_SEED=\(Self.seed)")
    for number in stride(from: 0, to: Self.streams, by: step) {
      let seed = Self.seed + UInt64(number)
      var random = SeededGenerator(seed: ~seed)
      let story = RandomStory(seed: seed).records
      guard check(story, &random) != nil else { continue }
      let shrunk = shrink(story) { records in
        (0..<20).contains { attempt in
          var random = SeededGenerator(seed: ~seed &+ UInt64(attempt))
          return check(records, &random) != nil
        }
      }
      var again = SeededGenerator(seed: ~seed)
      let differences = (0..<20).map { _ in check(shrunk, &again) }
      Issue.record(
        """
        \(name): PERFTOP_SEED=\(seed)
        \(shrunk.map(\.line).joined(separator: "\n"))
        \(differences.first { $0 != nil } ?? nil ?? "")
        """
      )
      return
    }
  }

  /// Leaves out what is not needed to fail.
  private func shrink(_ story: [WireRecord], _ fails: ([WireRecord]) -> Bool) -> [WireRecord] {
    guard fails(story) else { return story }
    var story = story
    var size = max(1, story.count / 2)
    while size > 0 {
      var at = 0
      while at < story.count {
        var less = story
        less.removeSubrange(at..<min(at + size, less.count))
        if fails(less) { story = less } else { at += size }
      }
      size /= 2
    }
    return story
  }

  /// The first lines that differ; nil where nothing does.
  private func difference(
    _ expected: SessionModel,
    _ actual: SessionModel,
    withText: Bool = true
  ) -> String? {
    difference(expected.meaning(withText: withText), actual.meaning(withText: withText))
  }

  private func difference(_ left: String, _ right: String) -> String? {
    guard left != right else { return nil }
    func lines(of text: String) -> [Substring] {
      text.replacing("},", with: "},\n").split(separator: "\n")
    }
    let lines = zip(lines(of: left), lines(of: right))
    return lines.filter { $0 != $1 }.prefix(4).map { "- \($0)\n+ \($1)" }.joined(separator: "\n")
  }

  @Test("hold every state, cause of death, kind of hang and doubt")
  func variety() {
    var states: Set<SessionState> = []
    var exits: Set<ExitCause> = []
    var types: Set<HangType> = []
    var quality = Quality()
    var isFound: [String: Bool] = [:]
    for seed in 0..<400 {
      let overview = StoryEvents(RandomStory(seed: UInt64(seed)).records).model().overview()
      for stream in overview.streams {
        states.formUnion(stream.sessions.map(\.state))
        exits.formUnion(stream.launches.map(\.previousExit))
        types.formUnion(stream.hangs.map(\.type))
        if stream.visits.contains(where: { $0.sessions.count > 1 }) { isFound["split"] = true }
        let deltas = stream.sessions.contains { $0.renderingRows.count > 1 }
        if deltas { isFound["deltas"] = true }
        if stream.hangs.contains(where: { $0.toldAt != nil }) { isFound["told"] = true }
        if !stream.joinedLedgers.isEmpty { isFound["joined"] = true }
      }
      quality.replaced += overview.quality.replaced
      quality.renamed += overview.quality.renamed
      quality.rejected += overview.quality.rejected
      quality.clockSuspect += overview.quality.clockSuspect
      quality.duplicateLogs += overview.quality.duplicateLogs
    }
    #expect(states == Set(SessionState.allCases))
    #expect(exits == Set(ExitCause.allCases))
    #expect(types == Set(HangType.allCases))
    #expect(isFound == ["split": true, "deltas": true, "told": true, "joined": true])
    let counts = [
      quality.replaced, quality.renamed, quality.rejected, quality.clockSuspect,
      quality.duplicateLogs,
    ]
    #expect(counts.allSatisfy { $0 > 40 }, "\(counts)")
  }

  @Test("in another order, with repetitions and over several sources say the same")
  func anyOrder() {
    forEachStory("order, repetition, sources") { story, random in
      let events = StoryEvents(story)
      let model = events.model(shuffledWith: &random)
      return difference(events.model(), model, withText: random.next() % 8 == 0)
    }
  }

  @Test(
    "say the same of what a filter lets through",
    arguments: ["screen:Home or type=fatal", "not signal=leak", "state=lost or duration>1s"]
  )
  func filtered(filter: String) {
    forEachStory(every: 30, filter) { story, random in
      let events = StoryEvents(story)
      let model = events.model(shuffledWith: &random)
      do {
        return try difference(events.model().meaning(filter: filter), model.meaning(filter: filter))
      } catch {
        return "\(error)"
      }
    }
  }

  @Test("say the same through other requests, pieces and times of arrival")
  func throughBytes() {
    forEachStory(every: 10, "bytes") { story, random in
      let plain = TestTelemetry()
      plain.source()
      plain.source("perf.jsonl")
      plain.receive(story.filter { $0.kind != .ledger }, at: RandomStory.arrivals.last)
      plain.receive(story.filter { $0.kind == .ledger }, at: RandomStory.arrivals.last, on: 1)
      return difference(plain.model, shuffledBytes(story, &random))
    }
  }

  /// Requests of one to three records, in any order, in pieces of any size, over four sources.
  private func shuffledBytes(
    _ story: [WireRecord],
    _ random: inout SeededGenerator
  ) -> SessionModel {
    let telemetry = TestTelemetry()
    for name in ["a.jsonl", "b.jsonl"] { telemetry.source(name) }
    for name in ["perf.jsonl.prev", "perf.jsonl"] { telemetry.source(name, ledger: "perf.jsonl") }
    var texts = ["", "", "", ""]
    let again = story.filter { $0.hasIdentity && random.next() % 3 == 0 }
    for kind in [WireRecord.Kind.span, .log, .ledger] {
      var rest = (story + again).filter { $0.kind == kind }.shuffled(using: &random)
      while !rest.isEmpty {
        let count = min(rest.count, Int(random.next() % 3) + 1)
        let source = (kind == .ledger ? 2 : 0) + Int(random.next() % 2)
        texts[source] += WireRecord.line(Array(rest.prefix(count))) + "\n"
        rest.removeFirst(count)
      }
    }
    var lines = texts.enumerated().flatMap { source, text in
      text.split(separator: "\n").map { (source, String($0) + "\n") }
    }
    lines.shuffle(using: &random)
    let arrivals = RandomStory.arrivals
    for (source, line) in lines {
      let cut = line.index(line.startIndex, offsetBy: Int(random.next() % UInt64(line.count)))
      telemetry.receive(String(line[..<cut]), at: arrivals.first, on: source)
      telemetry.receive(String(line[cut...]), at: arrivals.first, on: source)
    }
    telemetry.receive("", at: arrivals.last)
    return telemetry.model
  }

  @Test("looked at in between say the same at the end")
  func incremental() {
    forEachStory(every: 10, "looked at in between") { story, random in
      let events = StoryEvents(story)
      return difference(events.model(), lookedAt: events.orderedRecords(&random), events)
    }
  }

  private func difference(
    _ expected: SessionModel,
    lookedAt records: [TelemetryEvent],
    _ events: StoryEvents
  ) -> String? {
    var model = events.model(of: [])
    var overview = model.overview()
    var early = EarlySummaries()
    for (number, event) in records.enumerated() {
      model.apply(event)
      if number % 4 == 0 { overview = model.overview(previous: overview) }
      if number % 3 == 0 { _ = model.deriveAhead(&early) }
    }
    let fresh = model.meaning(of: model.overview(), withText: false)
    let latest = model.overview(previous: overview, early: early)
    let derived = model.meaning(of: latest, withText: false)
    guard fresh == derived else { return difference(fresh, derived) }
    return difference(expected, model, withText: false)
  }
}
