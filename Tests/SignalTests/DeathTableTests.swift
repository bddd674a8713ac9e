import Model
import TestSupport
import Testing

/// Rows of the tables on hangs, terminations, leaks, resources and status; SIGNAL-TABLES.md lists them.
@Suite("Tables: hangs, deaths and states")
struct DeathTableTests {
  private func time(_ seconds: Double) -> Int64 { TelemetryScript.time(seconds).nanoseconds }

  // MARK: - Hangs

  @Test(
    "hangs: type, duration, top screen and startup are told; open and cancelled have no duration"
  )
  func hangs() throws {
    var device = WireDevice()
    let records = [
      device.session(at: 0, seconds: 120, 7000, 300),
      device.hang(at: 10, 3100, ["hang.top_screen": "A, B<C>", "app.session.id": "S"]),
      device.span("app-hang", at: 40, seconds: 0.001, ["hang.during_startup": true]),
      device.span("app-hang", at: 60, seconds: 2, error: "measurement_cancelled"),
      device.span("app-hang", at: 80, seconds: 2, error: "shouldEmit_rejected"),
    ]
    let model = TestTelemetry.model(records)
    let hangs = try model.reported("hangs")
    #expect(hangs.map { $0["type"] as? String } == ["non_fatal", "open", "cancelled"])
    #expect(hangs.map { $0["durationMs"] as? Int } == [3100, nil, nil])
    #expect(hangs.map { $0["screen"] as? String } == ["A, B<C>", nil, nil])
    #expect(hangs.map { $0["duringStartup"] as? Bool } == [false, true, false])
    #expect(hangs.map { $0["reportedNextLaunch"] as? Bool } == [false, false, false])
    let session = try #require(try model.reported("sessions").first)
    #expect(
      hangs.map { $0["session"] as? String == session["id"] as? String } == [true, true, true]
    )
    let counts = try #require(session["hangs"] as? [String: Any])
    #expect(counts["nonFatal"] as? Int == 1)
    #expect(counts["totalMs"] as? Int == 3100)
    #expect(model.overview().quality.rejected == 1)
    // A description of views is no screen.
    #expect(try model.reported("screens").isEmpty)
  }

  @Test("hangs: the window is one and a half thresholds earlier, as far as the user says so")
  func window() {
    var device = WireDevice()
    var options = ModelOptions()
    options.hangThreshold = 500_000_000
    let model = TestTelemetry.model([device.hang(at: 10, 600)], options: options)
    let hang = model.overview().streams[0].hangs[0]
    #expect(hang.trueStart == time(9.25))
    #expect(hang.trueEnd == time(9.85))
  }

  @Test("hangs: a hang lies in the session of its true window, not of the reported one")
  func shifted() {
    var device = WireDevice()
    let records = [
      device.session(at: 0, seconds: 20, 1200, 0), device.session(at: 21.5, seconds: 20, 1200, 0),
      // Reported from 22 s to 24.5 s: from 19 s to 21.5 s.
      device.hang(at: 22, 2500),
    ]
    #expect(TestTelemetry.overview(records).streams[0].hangs[0].session == 0)
  }

  /// What a fatal hang says of the session that died.
  struct Link: Sendable {
    var session: String?
    var host: String?
  }

  @Test(
    "fatal hangs: linked by session.id, then app.session.id, then time, never to a later session",
    arguments: [
      Link(session: "A"), Link(host: "A"), Link(), Link(session: "C", host: "A"),
      Link(session: "unknown"), Link(session: "unknown", host: "A"),
      // Stamped over by the process that reports it.
      Link(session: "B"), Link(session: "B", host: "B"),
    ]
  )
  func links(link: Link) {
    // A dies at 40 s; B is launched at 100 s and C at 200 s. The hang was noticed at 33 s.
    var device = WireDevice()
    device.session = "A"
    var records = [device.startup(at: 0), device.tti("Home", at: 30)]
    for (session, start) in [("B", 100.0), ("C", 200)] {
      device.session = session
      records += [device.startup(at: start), device.session(at: start + 1, seconds: 20, 1200, 0)]
    }
    device.session = nil
    var hang = device.hang(at: 33, 4000, fatal: true)
    hang["session.id"] = link.session.map { .text($0) }
    hang["app.session.id"] = link.host.map { .text($0) }
    let stream = TestTelemetry.overview(records + [hang]).streams[0]
    #expect(stream.hangs.map(\.session) == [0])
    #expect(stream.launches.map(\.previousExit) == [.unknown, .hang, .clean])
    #expect(stream.sessions.map(\.state) == [.lost, .clean, .clean])
    #expect(stream.sessions.map(\.fatalHangs) == [1, 0, 0])
  }

  @Test("fatal hangs: an id beats the time where the session that has it began before")
  func idBeatsTime() {
    var device = WireDevice()
    device.session = "A"
    var records = [device.session(at: 0, seconds: 20, 1200, 0)]
    device.session = "B"
    records.append(device.session(at: 100, seconds: 20, 1200, 0))
    device.session = "A"
    records.append(device.hang(at: 115, 3000, fatal: true))
    #expect(TestTelemetry.overview(records).streams[0].hangs[0].session == 0)
  }

  // MARK: - Terminations

  @Test("watchdog: stamped with the new session, it lies in the one that was terminated")
  func watchdog() {
    var device = WireDevice()
    device.session = "OLD"
    var records = [device.startup(at: 0), device.session(at: 1, seconds: 20, 1200, 0)]
    device.session = "NEW"
    records += [
      device.startup(at: 100), device.watchdog(at: 101, ["memory.warnings_count": 0]),
      device.session(at: 101, seconds: 20, 1200, 0),
    ]
    let stream = TestTelemetry.overview(records).streams[0]
    #expect(stream.terminations.map(\.session) == [0])
    #expect(stream.terminations.map(\.memoryWarnings) == [0])
    #expect(stream.launches.map(\.previousExit) == [.unknown, .watchdog])
  }

  @Test("a death has one cause: a fatal hang goes before a watchdog record")
  func oneCause() {
    var device = WireDevice()
    let records = [
      device.startup(at: 0), device.tti("Home", at: 5), device.startup(at: 100),
      device.watchdog(at: 101), device.hang(at: 20, 4000, fatal: true),
      device.session(at: 101, seconds: 20, 1200, 0),
    ]
    for order in [records, records.reversed()] {
      let stream = TestTelemetry.overview(order).streams[0]
      #expect(stream.launches.map(\.previousExit) == [.unknown, .hang])
      #expect(stream.sessions.map(\.state) == [.lost, .clean])
    }
  }

  // MARK: - Leaks and resources

  @Test("leaks: told by their body, also where the host's active span is on them")
  func leak() throws {
    var device = WireDevice()
    device.prefix = "bk.app."
    let leak = device.leak("RoomVC", "<RoomVC: 0x1>", at: 22)
    let line = leak.line.replacing(
      "\"severityNumber\":13",
      with: "\"severityNumber\":13,\"traceId\":\"0102030405060708090a0b0c0d0e0f10\","
        + "\"spanId\":\"1112131415161718\""
    )
    let telemetry = TestTelemetry()
    telemetry.receive([device.session(at: 0, seconds: 20, 1200, 0)])
    telemetry.receive(line + "\n" + device.leak("RoomVC", "<RoomVC: 0x2>", at: 22).line + "\n")
    let leaks = try telemetry.model.reported("leaks")
    #expect(leaks.map { $0["class"] as? String } == ["RoomVC"])
    #expect(leaks.map { $0["count"] as? Int } == [2])
    // Two seconds after the screen was closed, just behind the session's end.
    #expect(try telemetry.model.reported("sessions").map { $0["leaks"] as? Int } == [2])
  }

  @Test("resources: app, version, device and system are the report's; without a name it is unknown")
  func resources() throws {
    var device = WireDevice()
    let named = device.session(at: 0, seconds: 20, 1200, 0)
    (device.app, device.version, device.id) = (nil, nil, nil)
    (device.model, device.system) = (nil, nil)
    let bare = device.session(at: 100, seconds: 20, 1200, 0)
    let sessions = try TestTelemetry.model([named, bare]).reported("sessions")
    #expect(sessions.map { $0["app"] as? String } == ["Shop", "unknown_service"])
    #expect(sessions.map { $0["version"] as? String } == ["8.42.1 (842103)", nil])
    #expect(sessions.map { $0["device"] as? String } == ["iPhone15,2", nil])
    #expect(sessions.map { $0["deviceId"] as? String } == ["DEVICE-1", nil])
    #expect(sessions.map { $0["os"] as? String } == ["iOS 18.5.0", nil])
  }

  @Test("streams: the device's id, else session.id, else model and system tell devices apart")
  func streams() {
    var device = WireDevice()
    device.session = "S1"
    var records = [device.tti("Home", at: 0)]
    device.session = "S2"
    records.append(device.tti("Home", at: 1))
    #expect(TestTelemetry.overview(records).streams.count == 1)
    device.id = nil
    records.append(device.tti("Home", at: 2))
    device.session = "S3"
    records.append(device.tti("Home", at: 3))
    #expect(TestTelemetry.overview(records).streams.count == 3)
    device.session = nil
    records.append(device.tti("Home", at: 4))
    device.system = "18.6"
    records.append(device.tti("Home", at: 5))
    #expect(TestTelemetry.overview(records).streams.count == 5)
  }

  @Test("session.id groups the sessions that have it and merges neither sessions nor devices")
  func sessionID() throws {
    var device = WireDevice()
    device.session = "S1"
    var records = [
      device.session(at: 0, seconds: 20, 1200, 0), device.session(at: 60, seconds: 20, 1200, 0),
    ]
    device.id = "DEVICE-2"
    records.append(device.session(at: 5, seconds: 20, 1200, 0))
    let model = TestTelemetry.model(records)
    #expect(model.overview().streams.map(\.sessions.count) == [2, 1])
    #expect(
      try model.reported("sessions").map { $0["sessionId"] as? String } == ["S1", "S1", "S1"]
    )
    #expect(Set(try model.reported("sessions").map { $0["visit"] as? String }).count == 3)
  }
}
