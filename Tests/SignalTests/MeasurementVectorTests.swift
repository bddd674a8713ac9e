import Foundation
import Model
import TestSupport
import Testing

/// Vectors 7 to 12 and 16 to 20: what measurements, names and times mean.
@Suite("Vectors: measurements, names and times")
struct MeasurementVectorTests {
  @Test("7: TTI is the attribute, however long the span is, and absent if cancelled")
  func tti() throws {
    var device = WireDevice()
    let records = [
      // Ready was never told: reported when the user left.
      device.span(
        "screen-tti.Dwell",
        at: 0,
        seconds: 90,
        ["screen.name": "Dwell", "screen.tti.ms": 350, "screen.ttfr.ms": 120]
      ),
      // Measured from before the span.
      device.span(
        "screen-tti.Longer",
        at: 100,
        seconds: 1.1,
        ["screen.name": "Longer", "screen.tti.ms": 2400, "screen.ttfr.ms": 900]
      ),
      device.span(
        "screen-tti.Left",
        at: 110,
        seconds: 5,
        ["screen.name": "Left"],
        error: "measurement_cancelled"
      ),
      device.span("screen-tti.Opening", at: 116, seconds: 0.001, ["screen.name": "Opening"]),
    ]
    let model = TestTelemetry.model(records)
    let screens = model.overview().screens
    #expect(screens.map { model.text($0.name) } == ["Dwell", "Left", "Longer", "Opening"])
    #expect(screens.map(\.tti.maximum) == [350, nil, 2400, nil])
    #expect(screens.map(\.ttfr.maximum) == [120, nil, 900, nil])
    #expect(screens.map(\.tti.count) == [1, 0, 1, 0])
    #expect(screens.map(\.cancelled) == [0, 1, 0, 0])
    #expect(screens.map(\.open) == [0, 0, 0, 1])
  }

  @Test("8: a pending measurement becomes the screen that adopts it", arguments: [true, false])
  func pending(inOrder: Bool) {
    var device = WireDevice()
    device.prefix = "x."
    let pending = device.span("screen-tti.pending", at: 0, seconds: 0.001)
    var adopted = device.tti("book_1", at: 0, 812, ttfr: 300)
    adopted.id = pending.id
    let telemetry = TestTelemetry()
    telemetry.receive([inOrder ? pending : adopted], at: 1)
    telemetry.receive([inOrder ? adopted : pending], at: 2)
    let model = telemetry.model
    #expect(model.overview().screens.map { model.text($0.name) } == ["book_1"])
    #expect(model.overview().screens[0].tti.maximum == 812)
    #expect(model.overview().signalCounts[Int(Signal.screenTTI.rawValue)] == 1)
    #expect(model.quality.renamed == 0)
  }

  @Test(
    "8: a measurement that no screen adopts is no screen and no error",
    arguments: ["screen_creation_cancelled", "superseded", "not_adopted", "abandoned"]
  )
  func notAdopted(ending: String) {
    var device = WireDevice()
    let overview = TestTelemetry.overview([
      device.span("bk.app.screen-tti.pending", at: 0, seconds: 3, error: ending)
    ])
    #expect(overview.screens.isEmpty)
    #expect(overview.spans.isEmpty)
    #expect(overview.signalCounts[Int(Signal.screenTTI.rawValue)] == 1)
  }

  @Test(
    "9: a screen is what screen.name says, whatever prefix and name look like",
    arguments: [
      "Edge.With.Dots", "Edge🚀Emoji", "Edge\nNewline", "نص عربي", "a.screen-tti.b", "pending",
      "screen-rendering.x", String(repeating: "ModifiedContent<AnyView>, ", count: 12),
    ]
  )
  func names(name: String) {
    var device = WireDevice()
    device.prefix = "bk.app.v2."
    // Embrace 6 cuts span names at 128 characters.
    var cut = device.tti(name, at: 0, 500)
    cut.name = String(cut.name.prefix(128))
    let model = TestTelemetry.model([device.tti(name, at: 0, 500), cut])
    #expect(model.overview().screens.map { model.text($0.name) } == [name])
    #expect(model.overview().screens.map(\.tti.count) == [2])
  }

  @Test("10: at 30 Hz every frame is slow and none is dropped: no alert")
  func thirtyHertz() {
    var device = WireDevice()
    let session = TestTelemetry.overview([device.session(at: 0, seconds: 30, 900, 0, slow: 900)])
      .streams[0].sessions[0]
    #expect(session.frames?.slow == 900)
    #expect(session.frames?.droppedRatio == 0)
    #expect(session.frames?.impliedHertz == 30)
    #expect(
      Rulebook().frames(MeasuredFrames(frames: session.frames, coverage: session.coverage))
        == .holds
    )
  }

  @Test("11: a session without frames has no ratios, and unknown is not zero")
  func zeroFrames() throws {
    var device = WireDevice()
    let model = TestTelemetry.model([device.session(at: 0, seconds: 3, 0, 0, shown: 0)])
    let session = try #require(try model.reported("sessions").first)
    #expect(session["state"] as? String == "clean")
    let frames = try #require(session["frames"] as? [String: Any])
    #expect(frames["total"] as? Int == 0)
    #expect(frames["dropped"] as? Int == 0)
    for key in ["droppedRatio", "freezeMsPerSecond", "impliedHz"] { #expect(frames[key] == nil) }
    let known = model.overview().streams[0].sessions[0]
    #expect(Rulebook().frames(MeasuredFrames(frames: known.frames, coverage: 1)) == .insufficient)
  }

  @Test("12: base64 ids, enum names, bare integers and no status are the same span")
  func otherJSON() {
    var device = WireDevice()
    let usual = device.tti("Home", at: 0, 500)
    var line = usual.line
    // SwiftProtobuf's own form of the ids 0x3003 (trace) and 0x1001 (span).
    let trace = Data([UInt8](repeating: 0, count: 14) + [0x30, 0x03]).base64EncodedString()
    let span = Data([0, 0, 0, 0, 0, 0, 0x10, 0x01]).base64EncodedString()
    line.replace("\"00000000000000000000000000003003\"", with: "\"\(trace)\"")
    line.replace("\"0000000000001001\"", with: "\"\(span)\"")
    line.replace("\"kind\":1", with: "\"kind\":\"SPAN_KIND_INTERNAL\"")
    line.replace("{\"intValue\":\"500\"}", with: "{\"intValue\":500}")
    line.replace(",\"status\":{}", with: "")
    #expect(!line.contains("status") && line.contains("500}") && line.contains(trace))
    let telemetry = TestTelemetry()
    telemetry.receive([usual])
    telemetry.receive(line + "\n")
    #expect(telemetry.overview.screens.map(\.tti.count) == [1])
    #expect(telemetry.model.quality.duplicates == 1)
    #expect(telemetry.model.quality.malformed == 0)
  }

  @Test("16: a prewarmed launch of three hours is counted apart, one of 61 s is suspect")
  func prewarmed() throws {
    var device = WireDevice()
    let records = [
      device.startup(at: 0, total: 10_800_000, prewarmed: true),
      device.startup(at: 20_000, total: 900),
      device.startup(at: 21_000, total: 61_000),
      device.startup(
        at: 22_000,
        total: 1200,
        ["app.startup.premain_time.ms": 300, "app.startup.main_time.ms": 900]
      ),
    ]
    let model = TestTelemetry.model(records)
    let startup = try #require(try model.report()["startup"] as? [String: Any])
    #expect(startup["count"] as? Int == 3)
    #expect(startup["prewarmed"] as? Int == 1)
    #expect(startup["suspect"] as? Int == 1)
    #expect(startup["max"] as? Double == 61_000)
    let launches = try model.reported("launches")
    #expect(launches.map { $0["totalMs"] as? Int } == [10_800_000, 900, 61_000, 1200])
    #expect(launches.map { $0["premainMs"] as? Int } == [nil, nil, nil, 300])
    #expect(launches.map { $0["mainMs"] as? Int } == [nil, nil, nil, 900])
    #expect(launches.map { $0["prewarmed"] as? Bool } == [true, false, false, false])
  }

  @Test("17: a watchdog termination says what is known: nothing, or warnings and state")
  func watchdog() throws {
    var device = WireDevice()
    let records = [
      device.startup(at: 0), device.session(at: 1, seconds: 10, 590, 1),
      device.startup(at: 100), device.watchdog(at: 101),
      device.session(at: 102, seconds: 9, 500, 0),
      device.startup(at: 200),
      device.watchdog(at: 201, ["memory.warnings_count": 2, "app.state": "background"]),
    ]
    let model = TestTelemetry.model(records)
    let terminations = try model.reported("watchdogTerminations")
    #expect(terminations.map { $0["memoryWarnings"] as? Int } == [nil, 2])
    #expect(terminations.map { $0["appState"] as? String } == [nil, "background"])
    let sessions = try model.reported("sessions").map { $0["id"] as? String }
    #expect(terminations.map { $0["session"] as? String } == [sessions[0], sessions[1]])
    let exits = try model.reported("launches").map { $0["previousExit"] as? String }
    #expect(exits == ["unknown", "watchdog", "watchdog"])
  }

  @Test("18: forty instances of one class are one group")
  func leaks() throws {
    let device = WireDevice()
    var records = (0..<40).map { device.leak("RoomVC", "<RoomVC: 0x\($0)>", at: Double($0)) }
    records.append(records[0])
    let leaks = try TestTelemetry.model(records).reported("leaks")
    #expect(leaks.count == 1)
    #expect(leaks[0]["count"] as? Int == 40)
    #expect(leaks[0]["instances"] as? Int == 40)
    #expect(leaks[0]["firstSeen"] as? String == "2026-01-01T00:00:00.000000000Z")
    #expect(leaks[0]["lastSeen"] as? String == "2026-01-01T00:00:39.000000000Z")
  }

  @Test("19: a batch that a client sends again changes no count")
  func duplicateBatch() {
    var device = WireDevice()
    let batch = [
      device.startup(at: 0), device.session(at: 1, seconds: 20, 1000, 7, freeze: 200),
      device.tti("Home", at: 2), device.hang(at: 8, 2500), device.leak("A", "1", at: 9),
    ]
    let telemetry = TestTelemetry()
    telemetry.receive(batch, at: 25)
    let once = telemetry.model
    telemetry.receive(batch, at: 31)
    let twice = telemetry.model
    #expect(twice.meaning() == once.meaning())
    #expect(twice.quality.duplicates == 4)
    #expect(twice.quality.duplicateLogs == 1)
    #expect(twice.quality.receivedSpans == 8)
    #expect(twice.overview().totals.frames?.total == 1000)
  }

  @Test("20: an end before the start and the largest times are flagged, and the numbers count")
  func times() {
    var device = WireDevice()
    var records = (0..<5).map { device.tti("Home", at: 100 + Double($0), 640) }
    records[0].end = records[0].start - 5_000_000_000
    records[1].end = .max
    records[2].start = .max
    records[3].start = .max
    records[3].end = .max
    let overview = TestTelemetry.overview(records)
    #expect(overview.screens.map(\.tti.count) == [5])
    #expect(overview.screens.map(\.tti.maximum) == [640])
    // The end before the start; absent times are unknown rather than wrong.
    #expect(overview.quality.clockSuspect == 1)
    #expect(overview.now == TelemetryScript.time(104.64).nanoseconds)
  }
}
