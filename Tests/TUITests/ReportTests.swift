import Foundation
import Model
import TestSupport
import Testing

@testable import TUI

@Suite("The report")
struct ReportTests {
  /// A clean session with two screens, a fatal hang told by the next launch, a leak and ledger lines.
  private var script: TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0, total: 1500)
    script.session(at: 1, seconds: 30, total: 1790, dropped: 10, freeze: 400, id: 0xAB)
    for tti: UInt32 in [200, 400, 600, 800, 1000] { script.tti("Home", at: 2, tti, ttfr: tti / 2) }
    script.span(
      "screen-tti.Home",
      .screenTTI,
      at: 9,
      seconds: 1,
      subject: "Home",
      error: "measurement_cancelled"
    )
    script.hang(at: 70, 6000, fatal: true, screen: "Checkout \"now\"\n")
    script.sessionID = "S2"
    script.startup(at: 300, total: 900)
    script.leak("RoomVC", at: 310, instance: 1)
    script.leak("RoomVC", at: 311, instance: 2)
    script.addSource("perf-events.jsonl")
    for (index, milliseconds) in [300, 500, 1000].enumerated() {
      script.ledger("feed.foldPage", at: 1000 + Double(index), Int64(milliseconds))
    }
    script.ledger("socket.reconnect", at: 1010, nil, .ledgerNote)
    return script
  }

  private func json(_ script: TelemetryScript) throws -> [String: Any] {
    let model = script.model()
    let bytes = ReportJSON(model: model, overview: model.overview()).bytes
    let object = try JSONSerialization.jsonObject(with: Data(bytes))
    return try #require(object as? [String: Any])
  }

  private func objects(_ report: [String: Any], _ key: String) throws -> [[String: Any]] {
    try #require(report[key] as? [[String: Any]])
  }

  @Test("of a launch that only a death or a ledger tells it is unknown whether it was prewarmed")
  func prewarmed() throws {
    var script = TelemetryScript()
    script.startup(at: 0, prewarmed: true)
    script.session(at: 3, seconds: 10, total: 600, dropped: 0)
    script.span("app-watchdog-termination", .watchdogTermination, at: 1000, seconds: 0)
    script.startup(at: 2000)
    script.addSource("perf-events.jsonl")
    script.ledger("boot.firstFrame", at: 5000, 900)
    let launches = try objects(json(script), "launches")
    #expect(launches.map { $0["totalMs"] as? Int } == [1200, nil, 1200, 900])
    #expect(launches.map { $0["prewarmed"] as? Bool } == [true, nil, false, nil])
  }

  @Test("hangs of a ledger and without an id have one of their own, whatever the order of sources")
  func hangIDs() throws {
    var script = TelemetryScript()
    script.hang(at: 10, 3000)
    script.span(
      "app-hang",
      .appHang,
      at: 100,
      seconds: 3,
      numbers: [.primary: 3000],
      flags: .nonFatal,
      id: 0
    )
    script.addSource("one.jsonl")
    script.ledger("main.hang", at: 5000, 700, .ledgerHang)
    script.repeatLast()
    script.ledger("main.hang", at: 5001, 700, .ledgerHang)
    script.addSource("two.jsonl")
    script.ledger("main.hang", at: 9000, 700, .ledgerHang)
    func ids(_ records: [TelemetryEvent]) throws -> [String] {
      let model = script.model(of: records)
      let bytes = ReportJSON(model: model, overview: model.overview()).bytes
      let report = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let hangs = try #require(report?["hangs"] as? [[String: Any]])
      return hangs.compactMap { $0["id"] as? String }
    }
    let expected = try ids(script.records)
    #expect(expected.count == 6)
    #expect(Set(expected).count == 6)
    #expect(expected.count { $0.hasPrefix("hang-") } == 5)
    #expect(expected.count { $0.hasSuffix("-2") } == 1)
    #expect(Set(try ids(script.records.reversed())) == Set(expected))
  }

  @Test("sessions carry their state, times in UTC with nanoseconds, frames and ratios")
  func sessions() throws {
    let session = try #require(try objects(json(script), "sessions").first)
    #expect(session["id"] as? String == "00000000000000ab")
    #expect(session["visit"] as? String == "00000000000000ab")
    #expect(session["state"] as? String == "clean")
    #expect(session["start"] as? String == "2026-01-01T00:00:01.000000000Z")
    #expect(session["end"] as? String == "2026-01-01T00:00:31.000000000Z")
    #expect(session["durationMs"] as? Double == 30_000)
    #expect(session["os"] as? String == "iOS 18.5.0")
    let frames = try #require(session["frames"] as? [String: Any])
    #expect(frames["total"] as? Int == 1790)
    #expect(frames["dropped"] as? Int == 10)
    #expect(frames["droppedRatio"] as? Double == 10.0 / 1800)
    #expect(frames["freezeMsPerSecond"] as? Double == 400.0 / 30)
    #expect(frames["impliedHz"] as? Double == 60)
    #expect(frames["coverage"] as? Double == 1)
  }

  @Test("percentiles are there where there are values, counts always")
  func screens() throws {
    let screen = try #require(try objects(json(script), "screens").first)
    let tti = try #require(screen["tti"] as? [String: Any])
    #expect(tti["count"] as? Int == 5)
    #expect(tti["cancelled"] as? Int == 1)
    // Type 7 of 200 … 1000 in steps of 200: rank 3.6 and 3.96 of 0 … 4.
    #expect(tti["p90"] as? Double == 920)
    #expect(tti["p99"] as? Double == 992)
    #expect(tti["max"] as? Double == 1000)
    let rendering = try #require(screen["rendering"] as? [String: Any])
    #expect(rendering["visits"] as? Int == 0)
    #expect(rendering["total"] == nil)
    let startup = try #require(try json(TelemetryScript())["startup"] as? [String: Any])
    #expect(startup["count"] as? Int == 0)
    #expect(startup["p50"] == nil)
  }

  @Test("a fatal hang has its true window, its session and the text of the data")
  func hangs() throws {
    let report = try json(script)
    let hang = try #require(try objects(report, "hangs").first)
    #expect(hang["type"] as? String == "fatal")
    #expect(hang["durationMs"] as? Int == 6000)
    #expect(hang["start"] as? String == "2026-01-01T00:01:10.000000000Z")
    #expect(hang["trueStart"] as? String == "2026-01-01T00:01:07.000000000Z")
    #expect(hang["reportedNextLaunch"] as? Bool == true)
    #expect(hang["session"] as? String == "00000000000000ab")
    #expect(hang["screen"] as? String == "Checkout \"now\"\n")
    let exits = try objects(report, "launches").compactMap { $0["previousExit"] as? String }
    #expect(exits == ["unknown", "hang"])
  }

  @Test("leaks count instances; ledger names have budgets and say where they are censored")
  func leaksAndLedger() throws {
    let report = try json(script)
    let leak = try #require(try objects(report, "leaks").first)
    #expect(leak["count"] as? Int == 2)
    #expect(leak["instances"] as? Int == 2)
    #expect(leak["lastSeen"] as? String == "2026-01-01T00:05:11.000000000Z")
    let names = try objects(report, "ledger")
    #expect(names.compactMap { $0["name"] as? String } == ["feed.foldPage", "socket.reconnect"])
    #expect(names[0]["p50"] as? Double == 500)
    #expect(names[0]["max"] as? Double == 1000)
    #expect(names[0]["budgetMs"] as? Int == 250)
    #expect(names[0]["censored"] as? Bool == true)
    #expect(names[1]["kind"] as? String == "note")
    #expect(names[1]["p50"] == nil)
  }

  @Test("control characters and quotes of the data are escaped, everything else is as it was")
  func escapes() throws {
    var script = TelemetryScript()
    let name = "a\"b\\c\u{1B}[31m\u{9B}\t日本\u{7F}🚀"
    script.tti(name, at: 1, 10)
    let model = script.model()
    let bytes = ReportJSON(model: model, overview: model.overview()).bytes
    #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
    #expect(try objects(json(script), "screens")[0]["name"] as? String == name)
  }

  @Test(
    "whole numbers, fractions and extremes are written as JSON numbers",
    arguments: [
      (0.0, "0"), (1200, "1200"), (0.5, "0.5"), (-3, "-3"), (1e300, "1e+300"),
      (123_456_789, "123456789"),
    ] as [(Double, String)]
  )
  func numbers(value: Double, text: String) {
    var bytes: [UInt8] = []
    var json = JSONWriter { bytes.append(contentsOf: $0) }
    json.object { $0.member("v", value) }
    json.finish()
    let expected = "{\n\"v\":\(text)}"
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test("the text report answers first, with units, and says what was lost")
  func text() {
    let model = script.model()
    let text = ReportText(model: model, overview: model.overview(), clock: ClockText()).text
    #expect(text.contains("\n3 sessions on 1 device: "))
    #expect(text.contains("leaks    2"))
    #expect(text.contains("hangs    1, 1 fatal"))
    #expect(text.contains("startup  2 launches, P50 1.20 s, P90 1.44 s, max 1.50 s"))
    #expect(text.contains("received 10 spans, 2 logs, 4 ledger events"))
    #expect(text.contains("6.00 s  fatal  2026-01-01 00:01:07Z  Checkout"))
    let empty = ReportText(
      model: SessionModel(),
      overview: SessionModel().overview(),
      clock: ClockText()
    )
    #expect(empty.text.hasPrefix("no telemetry yet\n"))
  }
}
