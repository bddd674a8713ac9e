import Model
import TestSupport
import Testing

/// Vectors 1 to 6: what sessions and hangs are, whatever arrives when.
@Suite("Vectors: sessions and hangs")
struct SessionVectorTests {
  private func time(_ seconds: Double) -> Int64 { TelemetryScript.time(seconds).nanoseconds }

  @Test("1: a live copy, a later one and the end of one span are one session, the end's counters")
  func copies() {
    var device = WireDevice()
    let end = device.session(at: 0, seconds: 60, 3580, 20, freeze: 700)
    let start = device.span("app-rendering", at: 0, seconds: 0.001, copyOf: end)
    let middle = device.session(
      at: 0,
      seconds: 25,
      1490,
      10,
      freeze: 300,
      withDuration: false,
      copyOf: end
    )
    let telemetry = TestTelemetry()
    telemetry.receive([start], at: 1)
    #expect(telemetry.overview.streams[0].sessions.map(\.state) == [.open])
    #expect(telemetry.overview.streams[0].sessions[0].frames == nil)
    telemetry.receive([middle], at: 26)
    #expect(telemetry.overview.streams[0].sessions.map(\.frames?.total) == [1490])
    telemetry.receive([end], at: 61)
    telemetry.receive([start], at: 400)
    let sessions = telemetry.overview.streams[0].sessions
    #expect(sessions.map(\.state) == [.clean])
    #expect(sessions[0].frames?.total == 3580)
    #expect(sessions[0].frames?.dropped == 20)
    #expect(sessions[0].frames?.freezeMilliseconds == 700)
    #expect(telemetry.overview.totals.frames?.total == 3580)
    #expect(telemetry.model.quality.replaced == 3)
  }

  @Test("2: a session that lost its duration to the attribute limit takes it from its times")
  func attributeLimit() throws {
    var device = WireDevice()
    let session = device.session(
      at: 10,
      seconds: 640.25,
      38_000,
      415,
      slow: 100,
      freeze: 9000,
      shown: 630_000,
      withDuration: false
    )
    // The SDK counts 5 per chunk beyond its limit; the number means nothing.
    let line = session.line.replacing(
      "\"kind\":1",
      with: "\"kind\":1,\"droppedAttributesCount\":502"
    )
    let telemetry = TestTelemetry()
    telemetry.receive(line + "\n")
    let reported = try #require(try telemetry.model.reported("sessions").first)
    #expect(reported["state"] as? String == "clean")
    #expect(reported["durationMs"] as? Double == 640_250)
    #expect((reported["reason"] as? String)?.contains("attribute limit") == true)
    #expect(try telemetry.model.reported("sessions").count == 1)
  }

  @Test("3: the deltas of 1.7.0 to 1.8.1 add up, within each launch")
  func deltas() {
    var device = WireDevice()
    device.scopeVersion = nil
    var records = [device.startup(at: 0)]
    for part in 0..<3 {
      records.append(
        device.session(
          at: 5 + Double(part) * 20,
          seconds: 5,
          300,
          10,
          slow: 4,
          freeze: 200,
          withDuration: false
        )
      )
    }
    records.append(device.startup(at: 500))
    records.append(device.session(at: 510, seconds: 5, 280, 1, withDuration: false))
    let sessions = TestTelemetry.overview(records.reversed()).streams[0].sessions
    #expect(sessions.map(\.frames?.total) == [900, 280])
    #expect(sessions.map(\.frames?.dropped) == [30, 1])
    #expect(sessions.map(\.frames?.slow) == [12, 0])
    #expect(sessions.map(\.frames?.freezeMilliseconds) == [600, 0])
    #expect(sessions.map(\.frames?.onScreenMilliseconds) == [15_000, 5000])
    #expect(sessions.map(\.renderingRows.count) == [3, 1])
    #expect(sessions.map(\.start) == [time(5), time(510)])
    #expect(sessions.map(\.end) == [time(50), time(515)])
  }

  @Test("4: a session split by Control Center is one visit of two parts", arguments: [true, false])
  func split(inOrder: Bool) throws {
    var device = WireDevice()
    let first = device.session(at: 0, seconds: 20, 1200, 0)
    let second = device.session(at: 22, seconds: 30, 1780, 20)
    let telemetry = TestTelemetry()
    telemetry.receive([inOrder ? first : second], at: 20.5)
    telemetry.receive([inOrder ? second : first], at: 52.5)
    let stream = telemetry.overview.streams[0]
    #expect(stream.sessions.map(\.state) == [.clean, .clean])
    #expect(stream.visits.map(\.sessions) == [0..<2])
    let sessions = try telemetry.model.reported("sessions")
    let ids = sessions.map { $0["id"] as? String }
    #expect(Set(ids).count == 2)
    #expect(sessions.map { $0["visit"] as? String } == [ids[0], ids[0]])
    // Durations and counters add up over the parts.
    #expect(sessions.compactMap { $0["durationMs"] as? Double }.reduce(0, +) == 50_000)
    #expect(telemetry.overview.totals.frames?.total == 2980)
  }

  @Test("5: a fatal hang of a session arrives after the next launch and lies in the one that died")
  func fatalHang() throws {
    var device = WireDevice()
    device.session = "N"
    let telemetry = TestTelemetry()
    telemetry.receive([device.startup(at: 0), device.tti("Checkout", at: 5, 400)], at: 6)
    device.session = "N+1"
    telemetry.receive([device.startup(at: 300)], at: 302)
    let hang = device.hang(
      at: 60,
      6000,
      fatal: true,
      ["hang.top_screen": "Checkout", "session.id": "N", "session.previous_id": "N"]
    )
    telemetry.receive([hang], at: 303)
    telemetry.receive([device.session(at: 302, seconds: 30, 1700, 3)], at: 333)
    let stream = telemetry.overview.streams[0]
    #expect(stream.sessions.map(\.state) == [.lost, .clean])
    #expect(stream.sessions.map(\.fatalHangs) == [1, 0])
    #expect(stream.hangs.map(\.type) == [.fatal])
    #expect(stream.hangs[0].session == 0)
    #expect(stream.launches.map(\.previousExit) == [.unknown, .hang])
    // Told by the launch at 300 s, 237 s after its true end at 63 s.
    #expect(stream.hangs[0].toldAt == time(300))
    #expect(stream.hangs[0].delay == 237_000_000_000)
    let reported = try #require(try telemetry.model.reported("hangs").first)
    #expect(reported["reportedNextLaunch"] as? Bool == true)
    #expect(reported["reportedAt"] as? String == "2026-01-01T00:05:00.000000000Z")
    let sessions = try telemetry.model.reported("sessions")
    #expect(reported["session"] as? String == sessions[0]["id"] as? String)
  }

  @Test("6: a hang whose end is 3 s ahead of its arrival is neither suspect nor ahead of now")
  func hangAhead() {
    var device = WireDevice()
    let telemetry = TestTelemetry()
    // Blocked from 100 s to 104.5 s; noticed at 103 s, sent at 104.6 s.
    telemetry.receive([device.tti("Home", at: 90), device.hang(at: 103, 4500)], at: 104.6)
    let overview = telemetry.overview
    let hang = overview.streams[0].hangs[0]
    #expect(hang.type == .nonFatal)
    #expect(hang.end == time(107.5))
    #expect(hang.trueStart == time(100))
    #expect(hang.trueEnd == time(104.5))
    #expect(overview.now == time(104.5))
    #expect(overview.quality.clockSuspect == 0)
    #expect(overview.quality.late == 0)
  }
}
