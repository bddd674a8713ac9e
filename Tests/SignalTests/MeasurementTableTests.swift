import Model
import TestSupport
import Testing

/// Rows of the tables on startup, screens, fragments and frames; SIGNAL-TABLES.md lists them.
@Suite("Tables: measurements and frames")
struct MeasurementTableTests {
  private func screens(_ records: [WireRecord]) throws -> [[String: Any]] {
    try TestTelemetry.model(records).reported("screens")
  }

  private func part(_ screen: [String: Any]?, _ key: String) throws -> [String: Any] {
    try #require(screen?[key] as? [String: Any])
  }

  // MARK: - Startup

  @Test(
    "startups: accepted ones are measured, rejected and cancelled ones counted, open ones neither"
  )
  func startups() throws {
    var device = WireDevice()
    device.prefix = "bk.app."
    let records = [
      device.startup(at: 0, total: 800),
      device.span("app-startup", at: 100, seconds: 1, error: "shouldEmit_rejected"),
      device.span("app-startup", at: 200, seconds: 1, error: "measurement_cancelled"),
      device.span("app-startup", at: 300, seconds: 1, error: "user_abandon"),
      device.span("app-startup", at: 400, seconds: 0.001),
    ]
    let model = TestTelemetry.model(records)
    let startup = try #require(try model.report()["startup"] as? [String: Any])
    #expect(startup["count"] as? Int == 1)
    #expect(startup["max"] as? Double == 800)
    #expect(startup["rejected"] as? Int == 1)
    #expect(startup["cancelled"] as? Int == 2)
    #expect(startup["prewarmed"] as? Int == 0)
    // Each of them is a launch; whether one was prewarmed is known of the measured one alone.
    let launches = try model.reported("launches")
    #expect(launches.map { $0["totalMs"] as? Int } == [800, nil, nil, nil, nil])
    #expect(launches.map { $0["prewarmed"] as? Bool } == [false, nil, nil, nil, nil])
  }

  // MARK: - Screens

  @Test("TTI: ready_fallback and custom_start are kept and counted per screen")
  func fallbacks() throws {
    var device = WireDevice()
    let fallback: WireRecord.Attributes = ["screen.tti.ready_fallback": true]
    let custom: WireRecord.Attributes = ["screen.tti.custom_start": true]
    let records = [
      device.tti("Home", at: 0).with(fallback), device.tti("Home", at: 5).with(fallback),
      device.tti("Home", at: 10).with(custom),
      device.tti("Home", at: 15).with(["screen.tti.custom_start": false]),
      device.tti("Search", at: 20),
    ]
    let screens = try screens(records)
    let tti = try screens.map { try part($0, "tti") }
    #expect(tti.map { $0["readyFallback"] as? Int } == [2, 0])
    #expect(tti.map { $0["customStart"] as? Int } == [1, 0])
    #expect(tti.map { $0["count"] as? Int } == [4, 1])
  }

  @Test("TTI: what the host asked to drop makes no screen and no figure, and is counted")
  func rejected() throws {
    var device = WireDevice()
    let name: WireRecord.Attributes = ["screen.name": "Login"]
    let rejected = device.span(
      "screen-tti.Login",
      at: 0,
      seconds: 1,
      name,
      error: "shouldEmit_rejected"
    )
    let model = TestTelemetry.model([rejected])
    #expect(try model.reported("screens").isEmpty)
    #expect(model.overview().quality.rejected == 1)
  }

  @Test("TTI: cancelled measurements are counted and are in no percentile")
  func cancelled() throws {
    var device = WireDevice()
    var records = [device.tti("Home", at: 0, 700)]
    for error in ["measurement_cancelled", "user_abandon"] {
      records.append(
        device.span("screen-tti.Home", at: 9, seconds: 60, ["screen.name": "Home"], error: error)
      )
    }
    let tti = try part(try screens(records).first, "tti")
    #expect(tti["count"] as? Int == 1)
    #expect(tti["cancelled"] as? Int == 2)
    #expect(tti["max"] as? Double == 700)
  }

  @Test("fragments: TTI and TTFR come from the attributes, apart from screens")
  func fragments() throws {
    var device = WireDevice()
    let records = [
      device.span(
        "fragment-tti.map",
        at: 0,
        seconds: 9,
        ["fragment.name": "map", "fragment.tti.ms": 420, "fragment.ttfr.ms": 420]
      ),
      device.span(
        "fragment-tti.map",
        at: 20,
        seconds: 2,
        ["fragment.name": "map"],
        error: "measurement_cancelled"
      ),
    ]
    let model = TestTelemetry.model(records)
    #expect(try model.reported("screens").isEmpty)
    let fragment = try #require(try model.reported("fragments").first)
    #expect(fragment["name"] as? String == "map")
    #expect(try part(fragment, "tti")["max"] as? Double == 420)
    #expect(try part(fragment, "tti")["cancelled"] as? Int == 1)
    #expect(try part(fragment, "ttfr")["max"] as? Double == 420)
    #expect(fragment["rendering"] == nil)
  }

  // MARK: - Rendering

  @Test("screen-rendering: ratios come from sums, and only spans with counters are visits")
  func renderings() throws {
    var device = WireDevice()
    let records = [
      device.rendering("Home", at: 0, seconds: 10, 590, 10, freeze: 300),
      device.rendering("Home", at: 20, seconds: 30, 1800, 0),
      device.rendering("Home", at: 60, seconds: 0, 0, 0),
      device.span(
        "screen-rendering.Home",
        at: 70,
        seconds: 5,
        ["screen.name": "Home"],
        error: "measurement_cancelled"
      ),
    ]
    let rendering = try part(try screens(records).first, "rendering")
    #expect(rendering["visits"] as? Int == 3)
    #expect(rendering["total"] as? Int == 2390)
    #expect(rendering["dropped"] as? Int == 10)
    #expect(rendering["onScreenMs"] as? Int == 40_000)
    // 300 ms in 40 s, not the mean of 30 and 0 ms/s.
    #expect(rendering["freezeMsPerSecond"] as? Double == 7.5)
  }

  @Test("screen-rendering: overlapping screens count the same frames and are never added up")
  func overlapping() throws {
    var device = WireDevice()
    let model = TestTelemetry.model([
      device.rendering("Tabs", at: 0, seconds: 20, 1200, 0),
      device.rendering("Home", at: 1, seconds: 18, 1080, 0),
    ])
    // Sessions have frames of their own; without one there is no total.
    #expect(model.overview().totals.frames == nil)
    #expect(try model.reported("sessions").allSatisfy { $0["frames"] == nil })
    var records = [device.session(at: 0, seconds: 20, 1195, 5)]
    records.append(device.rendering("Tabs", at: 0, seconds: 20, 1200, 0))
    records.append(device.rendering("Home", at: 1, seconds: 18, 1080, 0))
    #expect(TestTelemetry.overview(records).totals.frames?.total == 1195)
  }

  @Test("frames: an absent freeze time is unknown and thins out no rate")
  func unknownFreeze() {
    var device = WireDevice()
    var unknown = device.rendering("Home", at: 0, seconds: 50, 3000, 0)
    unknown["rendering.freeze_time.ms"] = nil
    let alone = TestTelemetry.overview([unknown]).screens[0].frames
    #expect(alone?.total == 3000)
    #expect(alone?.freezeMilliseconds == nil)
    #expect(alone?.freezeMillisecondsPerSecond == nil)
    let both = [unknown, device.rendering("Home", at: 60, seconds: 10, 590, 10, freeze: 400)]
    let frames = TestTelemetry.overview(both).screens[0].frames
    // 400 ms in the 10 s whose freeze time is known.
    #expect(frames?.freezeMillisecondsPerSecond == 40)
    #expect(frames?.onScreenMilliseconds == 60_000)
    #expect(frames?.impliedHertz == 60)
  }

  @Test("frames: ratios, frames per second, refresh rate and coverage follow from the counters")
  func ratios() throws {
    var device = WireDevice()
    // 120 Hz: 1,200 expected in 10 s on screen of 16 s.
    let session = device.session(
      at: 0,
      seconds: 16,
      1140,
      60,
      slow: 9,
      freeze: 500,
      shown: 10_000
    )
    let reported = try #require(try TestTelemetry.model([session]).reported("sessions").first)
    let frames = try part(reported, "frames")
    #expect(frames["slow"] as? Int == 9)
    #expect(frames["freezeMs"] as? Int == 500)
    #expect(frames["onScreenMs"] as? Int == 10_000)
    #expect(frames["droppedRatio"] as? Double == 0.05)
    #expect(frames["freezeMsPerSecond"] as? Double == 50)
    #expect(frames["impliedHz"] as? Double == 120)
    #expect(frames["effectiveFps"] as? Double == 114)
    #expect(frames["coverage"] as? Double == 0.625)
  }

  @Test("frames: a first session that was measured from its sixth second on is not judged")
  func warmUp() {
    var device = WireDevice()
    let session = device.session(at: 0, seconds: 20, 400, 200, freeze: 4000, shown: 9_000)
    let known = TestTelemetry.overview([session]).streams[0].sessions[0]
    #expect(known.coverage == 0.45)
    #expect(
      Rulebook().frames(MeasuredFrames(frames: known.frames, coverage: known.coverage))
        == .insufficient
    )
  }

  @Test("app-rendering: an accepted session without a dropped frame counts")
  func perfect() {
    var device = WireDevice()
    let overview = TestTelemetry.overview([device.session(at: 0, seconds: 20, 1200, 0)])
    #expect(overview.streams[0].sessions[0].frames?.droppedRatio == 0)
    #expect(overview.totals.frames?.total == 1200)
  }
}
