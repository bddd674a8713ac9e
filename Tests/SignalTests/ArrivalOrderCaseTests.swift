import Model
import TestSupport
import Testing

/// What random streams found, as short as it could be told.
@Suite("Orders of arrival that once made a difference")
struct ArrivalOrderCaseTests {
  @Test("ahead of everything that has arrived, a record waits for a later arrival")
  func ahead() {
    var device = WireDevice()
    // A day and a quarter of an hour after the first arrival, less than a day after the second.
    let ahead = device.session(at: 87_300, seconds: 20, 1200, 0)
    let hang = device.hang(at: 87_310, 2500)
    let right = device.tti("Home", at: -10)
    let telemetry = TestTelemetry()
    telemetry.receive([ahead, hang, right], at: 0)
    #expect(telemetry.overview.streams[0].sessions.map(\.isImplicit) == [true])
    #expect(telemetry.overview.quality.clockSuspect == 2)
    #expect(telemetry.overview.now == TelemetryScript.time(-9.5).nanoseconds)
    let waiting = telemetry.overview
    telemetry.receive("", at: 1800)
    let later = TestTelemetry()
    later.receive([ahead, hang, right], at: 1800)
    #expect(telemetry.model.meaning() == later.model.meaning())
    #expect(telemetry.overview.quality.clockSuspect == 0)
    #expect(telemetry.overview.streams[0].sessions.map(\.nonFatalHangs) == [1])
    #expect(telemetry.overview.now == TelemetryScript.time(87_320).nanoseconds)
    // What was derived before is out of date.
    let derived = telemetry.model.overview(previous: waiting)
    #expect(derived.streams[0].sessions.map(\.isImplicit) == [false])
  }

  @Test("copies of a session in two streams show that both are of 1.9 or later", arguments: [0, 1])
  func copiesOfTwoStreams(first: Int) {
    var device = WireDevice()
    device.scopeVersion = nil
    let here = device.session(at: 0, seconds: 5, 300, 0, withDuration: false)
    let parts = [60.0, 120].map {
      device.session(at: $0, seconds: 5, 300, 0, withDuration: false)
    }
    device.id = "DEVICE-2"
    let there = device.session(at: 0, seconds: 6, 310, 0, withDuration: false, copyOf: here)
    let copies = first == 0 ? [here, there] : [there, here]
    let sessions = TestTelemetry.overview(copies + parts).streams.map(\.sessions.count)
    #expect(sessions.sorted() == [1, 2])
  }

  @Test("of a leak told twice with other attributes the same one counts in any order")
  func leaks() {
    var device = WireDevice()
    device.version = "1"
    let old = device.leak("RoomVC", "0x1", at: 5)
    device.version = "2"
    let new = device.leak("RoomVC", "0x1", at: 5)
    let models = [[old, new], [new, old], [old, new, old]].map { TestTelemetry.model($0) }
    #expect(models[0].meaning() == models[1].meaning())
    #expect(models[0].meaning() == models[2].meaning())
    #expect(models.map { $0.overview().leaks.map(\.count) } == [[1], [1], [1]])
    #expect(models.map(\.quality.duplicateLogs) == [1, 1, 2])
  }

  @Test("a ledger name of several kinds has the same kind in any order", arguments: [true, false])
  func ledgerKinds(durationFirst: Bool) throws {
    let lines = [
      #"{"ts":1767225610,"name":"cache.purge","ms":900}"#,
      #"{"ts":1767225611,"name":"cache.purge"}"#,
    ]
    let telemetry = TestTelemetry()
    telemetry.receive((durationFirst ? lines : lines.reversed()).joined(separator: "\n") + "\n")
    #expect(try telemetry.model.reported("ledger").map { $0["kind"] as? String } == ["span"])
  }

  @Test("which of more than 10,000 names share a row does not depend on what came first")
  func manyNames() {
    var script = TelemetryScript()
    for index in 0..<10_020 { script.tti("Screen \(index)", at: Double(index), 100) }
    for index in 10_010..<10_020 { script.tti("Screen \(index)", at: Double(index) + 0.5, 100) }
    script.span(
      "screen-rendering.Late",
      .screenRendering,
      at: 5,
      seconds: 9,
      subject: "Late",
      numbers: TelemetryScript.frames(540, 0, onScreen: 9000)
    )
    let forwards = script.model(of: script.records).overview()
    let backwards = script.model(of: script.records.reversed())
    #expect(forwards.screens.count == 10_001)
    #expect(forwards.screens.filter(\.isOverflow).map { $0.tti.count + $0.visits } == [21])
    let names = { (overview: Overview, model: SessionModel) in
      Set(overview.screens.map { model.text($0.name) })
    }
    let shown = names(forwards, script.model())
    #expect(names(backwards.overview(), backwards) == shown)
    // The frequent ones are shown.
    #expect((10_010..<10_020).allSatisfy { shown.contains("Screen \($0)") })
  }

  @Test("a device with a wrong clock has its sessions; one odd time among right ones has no place")
  func wrongClock() {
    for shift in [4_000_000.0, -900_000_000] {
      var device = WireDevice()
      let records = [
        device.startup(at: shift), device.session(at: shift + 1, seconds: 20, 1190, 10),
        device.hang(at: shift + 9, 2500),
      ]
      let overview = TestTelemetry.overview(records)
      #expect(overview.quality.clockSuspect == 3)
      // Now is not what such a clock shows.
      #expect(overview.now == .min)
      #expect(overview.streams[0].sessions.map(\.state) == [.clean])
      #expect(overview.streams[0].sessions.map(\.nonFatalHangs) == [1])
      #expect(overview.totals.frames?.total == 1190)
      let mixed = TestTelemetry.overview(records + [device.tti("Home", at: 5)])
      #expect(mixed.streams[0].sessions.map(\.isImplicit) == [true])
      #expect(mixed.quality.clockSuspect == 3)
    }
  }
}
