import Model
import TestSupport
import Testing

@Suite("The slow-event ledger")
struct LedgerTests {
  private func ledgerAlone() -> TelemetryScript {
    var script = TelemetryScript()
    script.addSource("perf-events.jsonl")
    script.ledger("boot.firstFrame", at: 1.4, 1400)
    script.ledger("api.get", at: 10, 2000, detail: "/v1/rooms")
    script.ledger("main.hang", at: 20, 600, .ledgerHang)
    script.ledger("frame.hitch", at: 21, 150, .ledgerHitch)
    script.ledger("boot.firstFrame", at: 100, 900)
    script.ledger("api.get", at: 110, 4000)
    script.ledger("api.get", at: 120, 3000)
    return script
  }

  @Test("a ledger alone has launches, each with one session of what came until the next")
  func launches() {
    let stream = ledgerAlone().overview.streams[0]
    #expect(stream.launches.map(\.totalMilliseconds) == [1400, 900])
    #expect(stream.launches.map(\.start) == [0, 99.1].map { TelemetryScript.time($0).nanoseconds })
    #expect(stream.sessions.map(\.launch) == [0, 1])
    #expect(stream.sessions.map(\.items.count) == [4, 3])
    #expect(stream.sessions.map(\.hitches) == [1, 0])
    #expect(stream.sessions.map(\.state) == [.unmeasured, .unmeasured])
  }

  @Test("main.hang is a hang that was told at its end, without PerformanceSuite's shift")
  func hangs() {
    let hangs = ledgerAlone().overview.streams[0].hangs
    #expect(hangs.map(\.origin) == [.ledger])
    #expect(hangs[0].type == .nonFatal)
    #expect(hangs[0].duration == 600)
    #expect(hangs[0].trueStart == TelemetryScript.time(19.4).nanoseconds)
    #expect(hangs[0].trueEnd == TelemetryScript.time(20).nanoseconds)
    #expect(hangs[0].session == 0)
  }

  @Test("names have figures, the budget of their seam, and say whether they are censored")
  func figures() throws {
    let model = ledgerAlone().model()
    let figures = model.overview().ledger
    #expect(
      figures.map { model.text($0.name) } == [
        "api.get", "boot.firstFrame", "frame.hitch", "main.hang",
      ]
    )
    #expect(figures.map(\.count) == [3, 2, 1, 1])
    #expect(figures.map(\.budget) == [1000, nil, nil, nil])
    #expect(figures.map(\.isCensored) == [true, false, true, true])
    // 2, 3 and 4 s: type 7 at 0.9 is rank 1.8.
    #expect(figures[0].duration.quantile(0.5) == 3000)
    let p90 = try #require(figures[0].duration.quantile(0.9))
    #expect(abs(p90 - 3800) < 1e-9)
  }

  @Test("a ledger joins the one device stream that it overlaps in time, and none of several")
  func joins() {
    var script = ledgerAlone()
    script.startup(at: 0, total: 1500)
    script.tti("Home", at: 2, 500)
    script.session(at: 1, seconds: 30, total: 1800, dropped: 0)
    var streams = script.overview.streams
    #expect(streams.count == 1)
    #expect(streams[0].joinedLedgers.count == 1)
    // boot.firstFrame is the same launch as the startup; the second one is a launch of its own.
    #expect(streams[0].launches.map(\.totalMilliseconds) == [1500, 900])
    #expect(streams[0].hangs.map(\.session) == [0])
    script.device("DEVICE-2")
    script.tti("Home", at: 50, 500)
    streams = script.overview.streams
    #expect(streams.count == 3)
    #expect(streams.allSatisfy { $0.joinedLedgers.isEmpty })
  }

  @Test("a ledger joins the device that it is told to join, whatever their times")
  func forcedJoin() throws {
    var script = TelemetryScript()
    script.tti("Home", at: 50, 500)
    script.device("DEVICE-2")
    script.tti("Home", at: 5_000, 500)
    script.addSource("logs/ledger.jsonl")
    script.ledger("boot.firstFrame", at: 50, 900)
    // By itself it joins the one that it overlaps.
    #expect(script.overview.streams.map(\.joinedLedgers.count).sorted() == [0, 1])
    var options = ModelOptions()
    options.joins = [LedgerJoin(ledger: "ledger.jsonl", device: "DEVICE-2")]
    let model = script.model(options: options)
    #expect(model.failedJoins.isEmpty)
    let joined = try #require(model.overview().streams.first { !$0.joinedLedgers.isEmpty })
    #expect(model.overview().streams.count == 2)
    #expect(model.identity(of: joined.stream).contains("DEVICE-2"))
  }

  @Test(
    "a join that cannot be is told",
    arguments: [
      ("other.jsonl", "DEVICE-1", "no ledger"), ("ledger.jsonl", "DEVICE-9", "no device"),
      ("ledger.jsonl", "DEVICE-1", "2 streams of that device"),
    ]
  )
  func failedJoin(ledger: String, device: String, words: String) {
    var script = TelemetryScript()
    script.tti("Home", at: 50, 500)
    script.device("DEVICE-1", app: "Clip")
    script.tti("Home", at: 60, 500)
    script.addSource("ledger.jsonl")
    script.ledger("boot.firstFrame", at: 55, 900)
    var options = ModelOptions()
    options.joins = [LedgerJoin(ledger: ledger, device: device)]
    let failed = script.model(options: options).failedJoins
    #expect(failed.count == 1)
    #expect(failed.first?.contains(words) == true)
  }

  @Test("beyond 10,000 names of a dimension there is one row for the rest")
  func overflow() {
    var script = TelemetryScript()
    for index in 0..<10_003 { script.tti("Screen \(index)", at: Double(index), 100) }
    let screens = script.overview.screens
    #expect(screens.count == 10_001)
    #expect(screens.filter(\.isOverflow).map(\.tti.count) == [3])
  }
}
