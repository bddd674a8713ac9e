import Model
import TestSupport
import Testing

/// Rows of the tables on how sessions end; SIGNAL-TABLES.md lists them.
@Suite("Tables: how sessions end")
struct StateTableTests {
  private func time(_ seconds: Double) -> Int64 { TelemetryScript.time(seconds).nanoseconds }

  /// How a session span looks, and what it is said to be.
  struct Ending: Sendable, CustomTestStringConvertible {
    var state: SessionState
    /// Part of the reason in words.
    var reason: String
    var error: String?
    var isOK = false
    var withDuration = false
    var withCounters = true
    var seconds = 20.0

    var testDescription: String { "\(state) \(error ?? "")" }
  }

  @Test(
    "a session's state comes with its reason in words",
    arguments: [
      Ending(state: .clean, reason: "left the foreground", withDuration: true),
      Ending(state: .clean, reason: "left the foreground", isOK: true, withDuration: true),
      Ending(state: .clean, reason: "attribute limit", seconds: 130),
      Ending(state: .clean, reason: "attribute limit", isOK: true, seconds: 130),
      Ending(state: .abandoned, reason: "user_abandon", error: "user_abandon"),
      Ending(
        state: .abandoned,
        reason: "user_abandon",
        error: "user_abandon",
        withCounters: false
      ),
      // The host chose another value for the auto-termination key.
      Ending(state: .abandoned, reason: "host_went_away", error: "host_went_away"),
      Ending(state: .detached, reason: "torn down", error: "accumulator_deinit"),
      Ending(state: .rejected, reason: "asked to drop", error: "shouldEmit_rejected"),
      Ending(state: .open, reason: "not ended"),
      Ending(state: .open, reason: "not ended", withCounters: false),
    ]
  )
  func states(ending: Ending) throws {
    var device = WireDevice()
    var record = device.session(
      at: 0,
      seconds: ending.seconds,
      1100,
      50,
      freeze: 900,
      withDuration: ending.withDuration,
      error: ending.error
    )
    // On every span of a host that has the key, also of those that end well.
    record["emb.auto_termination.code"] = "user_abandon"
    if ending.isOK { record.status = .ok }
    if !ending.withCounters { record.attributes.removeAll { $0.key.hasPrefix("rendering") } }
    let model = TestTelemetry.model([record])
    let session = try #require(try model.reported("sessions").first)
    #expect(session["state"] as? String == ending.state.rawValue)
    #expect((session["reason"] as? String)?.contains(ending.reason) == true)
    let isCounted = ending.withCounters && ending.state != .rejected
    #expect((session["frames"] as? [String: Any])?["total"] as? Int == (isCounted ? 1100 : nil))
    #expect(model.overview().totals.frames?.total == (isCounted ? 1100 : nil))
    #expect(model.overview().quality.rejected == (ending.state == .rejected ? 1 : 0))
  }

  @Test("OK and ERROR are certain ends: a later copy without status does not undo them")
  func certainEnds() {
    var device = WireDevice()
    var end = device.session(at: 0, seconds: 20, 1100, 50, withDuration: false)
    end.status = .ok
    let later = device.session(at: 0, seconds: 90, 9000, 0, copyOf: end)
    for records in [[end, later], [later, end]] {
      let session = TestTelemetry.overview(records).streams[0].sessions[0]
      #expect(session.frames?.total == 1100)
    }
  }

  @Test("what comes before the session's span is kept open and moves when the span lands")
  func rehomed() throws {
    var device = WireDevice()
    let items = [
      device.startup(at: 0), device.tti("Home", at: 2), device.leak("RoomVC", "1", at: 9),
      device.rendering("Home", at: 3, seconds: 5, 290, 10), device.hang(at: 8, 2000),
    ]
    let telemetry = TestTelemetry()
    // Without any session's span there is nothing to be lost.
    telemetry.receive(items, at: 10)
    var sessions = telemetry.overview.streams[0].sessions
    #expect(sessions.map(\.state) == [.unmeasured])
    #expect(sessions[0].isImplicit)
    #expect(sessions[0].items.count == 5)
    // One of an earlier run shows that the app has such spans.
    telemetry.receive([device.session(at: -500, seconds: 20, 1200, 0)], at: 11)
    sessions = telemetry.overview.streams[0].sessions
    #expect(sessions.map(\.state) == [.clean, .open])
    #expect(sessions.last?.reason == "no app-rendering span yet")
    telemetry.receive([device.session(at: 1, seconds: 20, 1190, 10)], at: 22)
    sessions = telemetry.overview.streams[0].sessions
    #expect(sessions.map(\.state) == [.clean, .clean])
    #expect(sessions.map(\.items.count) == [0, 5])
    #expect(sessions.map(\.leaks) == [0, 1])
    #expect(sessions.map(\.nonFatalHangs) == [0, 1])
    #expect(sessions.map(\.screens) == [0, 1])
  }

  @Test("an open session is lost once the app is launched again, and stale once nothing comes")
  func unended() throws {
    var device = WireDevice()
    let records = [
      device.startup(at: 0), device.session(at: 1, seconds: 10, 590, 0),
      device.startup(at: 100), device.tti("Home", at: 102),
    ]
    let telemetry = TestTelemetry()
    telemetry.receive(records, at: 103)
    #expect(telemetry.overview.streams[0].sessions.map(\.state) == [.clean, .open])
    var other = WireDevice(firstID: 0x9000)
    other.id = "DEVICE-2"
    // The other device shows that time went on: five minutes and half a second.
    telemetry.receive([other.tti("Home", at: 402.5)], at: 403)
    let stale = try telemetry.model.reported("sessions")[1]
    #expect(stale["state"] as? String == "stale")
    #expect((stale["reason"] as? String)?.isEmpty == false)
    telemetry.receive([device.startup(at: 500)], at: 502)
    let stream = telemetry.overview.streams[0]
    #expect(stream.sessions.map(\.state) == [.clean, .lost, .open])
    #expect(stream.launches.map(\.previousExit) == [.unknown, .clean, .lost])
  }

  @Test("an item goes to the session that it overlaps most, contained or not")
  func overlap() {
    var device = WireDevice()
    let records = [
      device.session(at: 10, seconds: 20, 1200, 0), device.session(at: 32, seconds: 20, 1200, 0),
      // Of the first 5 s, of the second 18 s.
      device.rendering("Long", at: 25, seconds: 25, 1400, 0),
      // Begins before the first.
      device.tti("Early", at: 8, 4000),
    ]
    let sessions = TestTelemetry.overview(records).streams[0].sessions
    #expect(sessions.map(\.items.count) == [1, 1])
    #expect(sessions.map(\.ttiCount) == [1, 0])
  }

  @Test("a startup belongs to the launch's first session, however long the process was prewarmed")
  func prewarmedStartup() {
    var device = WireDevice()
    let records = [
      device.session(at: 100, seconds: 20, 1200, 0),
      device.startup(at: 110, total: 3_000_000, prewarmed: true),
      device.session(at: 3111, seconds: 20, 1200, 0),
    ]
    let stream = TestTelemetry.overview(records).streams[0]
    #expect(stream.sessions.map(\.items.count) == [0, 1])
    #expect(stream.sessions.map(\.launch) == [nil, 0])
  }

  @Test("1.9 or later is recognised by duration, live copy or scope version; then nothing adds up")
  func modern() {
    var device = WireDevice()
    device.scopeVersion = nil
    let parts = (0..<2).map {
      device.session(at: Double($0) * 60, seconds: 5, 300, 0, withDuration: false)
    }
    #expect(TestTelemetry.overview(parts).streams[0].sessions.count == 1)
    let whole = device.session(at: 500, seconds: 5, 300, 0)
    #expect(TestTelemetry.overview(parts + [whole]).streams[0].sessions.count == 3)
    let live = device.span("app-rendering", at: 0, seconds: 0.001, copyOf: parts[0])
    #expect(TestTelemetry.overview(parts + [live]).streams[0].sessions.count == 2)
    device.scopeVersion = "1.10.1"
    #expect(TestTelemetry.overview(parts + [device.tti("A", at: 1)]).streams[0].sessions.count == 2)
    device.scopeVersion = "1.8.1"
    #expect(TestTelemetry.overview(parts + [device.tti("A", at: 1)]).streams[0].sessions.count == 1)
  }
}
