import Model
import TestSupport
import Testing

/// Processes of which nothing was received but the record of their death.
@Suite("Processes known by their death alone")
struct DeadProcessTests {
  private func time(_ seconds: Double) -> Int64 { TelemetryScript.time(seconds).nanoseconds }

  @Test("a fatal hang of a process that told nothing else opens the lost session that it ended")
  func hang() throws {
    var device = WireDevice()
    device.session = "NEW"
    let records = [
      device.startup(at: 1000), device.session(at: 1001, seconds: 20, 1200, 0),
      // Reported from 103 to 107 s: from 100 to 104 s.
      device.hang(at: 103, 4000, fatal: true),
    ]
    for order in [records, records.reversed()] {
      let stream = TestTelemetry.overview(order).streams[0]
      #expect(stream.sessions.map(\.state) == [.lost, .clean])
      #expect(stream.sessions.map(\.launch) == [nil, 0])
      #expect(stream.sessions[0].start == time(100) && stream.sessions[0].end == time(104))
      #expect(stream.sessions[0].reason == "the process died, and nothing else of it was received")
      #expect(!stream.sessions[0].sessionID.isPresent)
      #expect(stream.sessions.map(\.fatalHangs) == [1, 0])
      #expect(stream.hangs.map(\.session) == [0])
      #expect(stream.hangs.map(\.toldAt) == [time(1000)])
      #expect(stream.launches.map(\.previousExit) == [.hang])
      #expect(stream.visits.map(\.sessions) == [0..<1, 1..<2])
    }
    let reported = try TestTelemetry.model(records).reported("hangs")
    let sessions = try TestTelemetry.model(records).reported("sessions")
    #expect(reported[0]["session"] as? String == sessions[0]["id"] as? String)
    #expect(sessions[0]["durationMs"] as? Double == 4000)
    #expect(sessions[0]["frames"] == nil)
  }

  @Test("its session.id is that of the process that died, not one stamped over it")
  func sessionID() {
    var device = WireDevice()
    device.session = "NEW"
    let later = [device.startup(at: 1000), device.session(at: 1001, seconds: 20, 1200, 0)]
    for (id, isKept) in [("OLD", true), ("NEW", false)] {
      var hang = device.hang(at: 103, 4000, fatal: true)
      hang["session.id"] = .text(id)
      let model = TestTelemetry.model(later + [hang])
      let session = model.overview().streams[0].sessions[0]
      #expect(session.state == .lost)
      #expect(model.text(session.sessionID) == (isKept ? id : ""))
    }
  }

  @Test("where the stream never showed app-rendering the session is unmeasured, not lost")
  func unmeasured() {
    var device = WireDevice()
    let records = [
      device.startup(at: 1000), device.tti("Home", at: 1002),
      device.hang(at: 103, 4000, fatal: true),
    ]
    let stream = TestTelemetry.overview(records).streams[0]
    #expect(stream.sessions.map(\.state) == [.unmeasured, .unmeasured])
    #expect(stream.hangs.map(\.session) == [0])
    #expect(stream.launches.map(\.previousExit) == [.hang])
  }

  @Test("a hang alone begins the launch after it")
  func alone() {
    var device = WireDevice()
    let stream = TestTelemetry.overview([device.hang(at: 103, 4000, fatal: true)]).streams[0]
    #expect(stream.launches.map(\.start) == [time(104)])
    #expect(stream.launches.map(\.previousExit) == [.hang])
    #expect(stream.sessions.map(\.launch) == [nil])
    #expect(stream.hangs.map(\.session) == [0])
  }

  @Test("a termination of a process that told nothing else ends a session before its launch")
  func termination() throws {
    var device = WireDevice()
    let records = [
      device.startup(at: 1000), device.watchdog(at: 1001),
      device.session(at: 1001, seconds: 20, 1200, 0),
    ]
    for order in [records, records.reversed()] {
      let stream = TestTelemetry.overview(order).streams[0]
      #expect(stream.sessions.map(\.state) == [.lost, .clean])
      #expect(stream.sessions.map(\.launch) == [nil, 0])
      // When it died is unknown: at the latest when it was launched again.
      #expect(stream.sessions[0].start == time(1000) - 1)
      #expect(stream.sessions[0].end == time(1000) - 1)
      #expect(stream.terminations.map(\.session) == [0])
      #expect(stream.launches.map(\.previousExit) == [.watchdog])
    }
    let session = try #require(try TestTelemetry.model(records).reported("sessions").first)
    #expect(session["durationMs"] == nil)
  }

  @Test("a death is never placed in a process that was followed by another")
  func between() {
    // Launched at 0 s; killed, as the launch at 500 s tells by a termination alone; that process hung at
    // 600 s, as the launch at 1,000 s tells.
    var device = WireDevice()
    let records = [
      device.startup(at: 0), device.session(at: 1, seconds: 20, 1200, 0), device.watchdog(at: 500),
      device.hang(at: 603, 4000, fatal: true), device.startup(at: 1000),
      device.session(at: 1001, seconds: 20, 1200, 0),
    ]
    let stream = TestTelemetry.overview(records).streams[0]
    #expect(stream.launches.map(\.start) == [time(0), time(500), time(1000)])
    #expect(stream.launches.map(\.previousExit) == [.unknown, .watchdog, .hang])
    #expect(stream.sessions.map(\.state) == [.clean, .lost, .clean])
    #expect(stream.sessions.map(\.launch) == [0, 1, 2])
    #expect(stream.terminations.map(\.session) == [0])
    #expect(stream.hangs.map(\.session) == [1])
    #expect(stream.hangs.map(\.toldAt) == [time(1000)])
  }

  @Test("two terminations in a row are the ends of two processes")
  func twice() {
    var device = WireDevice()
    let records = [
      device.startup(at: 0), device.session(at: 1, seconds: 20, 1200, 0), device.watchdog(at: 500),
      device.watchdog(at: 900),
    ]
    let stream = TestTelemetry.overview(records).streams[0]
    #expect(stream.launches.map(\.previousExit) == [.unknown, .watchdog, .watchdog])
    #expect(stream.sessions.map(\.state) == [.clean, .lost])
    #expect(stream.terminations.map(\.session) == [0, 1])
  }
}
