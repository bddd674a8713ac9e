import Model
import TestSupport
import Testing

@Suite("Copies of a span")
struct CopiesTests {
  /// A live copy, a later one, and the end of one app-rendering span, each told twice.
  private var script: TelemetryScript {
    var script = TelemetryScript()
    let id = script.session(at: 0, seconds: 60, total: 3580, dropped: 20, freeze: 700)
    script.repeatLast()
    script.span("app-rendering", .appRendering, at: 0, seconds: 0.001, id: id)
    script.repeatLast()
    script.span(
      "app-rendering",
      .appRendering,
      at: 0,
      seconds: 25,
      numbers: TelemetryScript.frames(1490, 10, freeze: 300, onScreen: 25_000),
      id: id
    )
    script.repeatLast()
    return script
  }

  @Test("the greatest copy wins whole, whatever came first")
  func greatestWins() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let model = script.model(of: script.records.shuffled(using: &generator))
      let overview = model.overview()
      #expect(overview.streams[0].sessions.count == 1)
      #expect(overview.streams[0].sessions[0].frames?.total == 3580)
      #expect(overview.streams[0].sessions[0].state == .clean)
      // One further copy equals the winner; the four others lost and differ.
      #expect(overview.quality.duplicates == 1)
      #expect(overview.quality.replaced == 4)
      #expect(overview.quality.receivedSpans == 6)
      #expect(overview.signalCounts[Int(Signal.appRendering.rawValue)] == 1)
    }
  }

  @Test("a copy under another name is the same span and counted, unless it leaves pending")
  func renamed() {
    var script = TelemetryScript()
    var id = script.span("old", .otherSpan, at: 0, seconds: 1)
    script.span("new", .otherSpan, at: 0, seconds: 2, id: id)
    id = script.span("x.screen-tti.pending", .screenTTI, at: 5, seconds: 0.001, flags: .pending)
    script.span(
      "x.screen-tti.book_1",
      .screenTTI,
      at: 5,
      seconds: 0.8,
      subject: "book_1",
      numbers: [.primary: 812, .secondary: 300],
      id: id
    )
    let model = script.model()
    let overview = model.overview()
    #expect(overview.quality.renamed == 1)
    #expect(overview.spans.map { model.text($0.name) } == ["new"])
    #expect(overview.screens.map { model.text($0.name) } == ["book_1"])
  }

  @Test("an ended copy beats a later one that has not ended")
  func endedFirst() {
    var script = TelemetryScript()
    let id = script.span("a", .otherSpan, at: 0, seconds: 1, ok: true)
    script.span("a", .otherSpan, at: 0, seconds: 9, id: id)
    let overview = script.overview
    #expect(overview.spans[0].duration.maximum == 1000)
    #expect(overview.quality.replaced == 1)
  }

  @Test("records without identity are never merged")
  func withoutIdentity() {
    var script = TelemetryScript()
    script.span("a", .otherSpan, at: 0, seconds: 1, id: 0)
    script.repeatLast()
    #expect(script.overview.spans[0].count == 2)
    #expect(script.overview.quality.duplicates == 0)
  }

  @Test("the same leak again is a duplicate; another instance or time is not")
  func leaks() {
    var script = TelemetryScript()
    script.leak("RoomVC", at: 1, instance: 1)
    script.repeatLast()
    script.leak("RoomVC", at: 1, instance: 2)
    script.leak("RoomVC", at: 2, instance: 1)
    let overview = script.overview
    #expect(overview.leaks.map(\.count) == [3])
    #expect(overview.leaks.map(\.instances) == [2])
    #expect(overview.quality.duplicateLogs == 1)
    #expect(overview.quality.receivedLogs == 4)
  }
}

@Suite("Copies that do not tell how they ended")
struct UnknownEndTests {
  private static let tti: [Measurement: UInt32] = [.primary: 812, .secondary: 300]

  @Test("a copy that says that it goes on loses to any other, and measures nothing")
  func inProgress() {
    var script = TelemetryScript()
    let id = script.span(
      "screen-tti.Cart",
      .screenTTI,
      at: 5,
      seconds: 90,
      subject: "Cart",
      numbers: Self.tti,
      flags: .inProgress
    )
    let open = script.model().overview()
    #expect(open.screens[0].tti.count == 0)
    #expect(open.screens[0].open == 1)
    #expect(open.screens[0].cancelled == 0)
    script.span("screen-tti.Cart", .screenTTI, at: 5, seconds: 1, subject: "Cart", id: id)
    for records in [script.records, script.records.reversed()] {
      let overview = script.model(of: records).overview()
      #expect(overview.screens[0].open == 1)
      #expect(overview.quality.replaced == 1)
      #expect(overview.screens[0].lastSeen == TelemetryScript.time(6).nanoseconds)
    }
  }

  @Test("an app-rendering span that goes on is an open session with its running totals")
  func inProgressSession() {
    var script = TelemetryScript()
    script.span(
      "app-rendering",
      .appRendering,
      at: 0,
      seconds: 600,
      numbers: TelemetryScript.frames(1490, 10, freeze: 300, onScreen: 25_000),
      flags: .inProgress
    )
    let session = script.model().overview().streams[0].sessions[0]
    #expect(session.state == .open)
    #expect(session.frames?.total == 1490)
  }

  @Test("a hang and another span that go on are not measured")
  func othersInProgress() {
    var script = TelemetryScript()
    script.span(
      "app-hang",
      .appHang,
      at: 1,
      seconds: 4,
      numbers: [.primary: 4000],
      flags: [.inProgress, .nonFatal]
    )
    script.span("GET /", .otherSpan, at: 2, seconds: 3, flags: .inProgress)
    let overview = script.model().overview()
    #expect(overview.streams[0].hangs.map(\.type) == [.open])
    #expect(overview.streams[0].hangs[0].duration == nil)
    #expect(overview.spans[0].duration.count == 0)
  }

  @Test("without a status a measurement counts, one without its number is open, never cancelled")
  func statusUnknown() {
    var script = TelemetryScript()
    script.span(
      "screen-tti.Cart",
      .screenTTI,
      at: 5,
      seconds: 1,
      subject: "Cart",
      numbers: Self.tti,
      flags: .statusUnknown
    )
    script.span(
      "screen-tti.Cart",
      .screenTTI,
      at: 9,
      seconds: 1,
      subject: "Cart",
      flags: .statusUnknown
    )
    let overview = script.model().overview()
    #expect(overview.screens[0].tti.count == 1)
    #expect(overview.screens[0].open == 1)
    #expect(overview.screens[0].cancelled == 0)
    #expect(overview.quality.statusUnknown == 2)
  }

  @Test("a copy with a status wins over the same one without")
  func statusKnown() {
    var script = TelemetryScript()
    func add(_ flags: RecordFlags, _ seconds: Double, _ id: UInt64?) -> UInt64 {
      script.span(
        "screen-tti.Cart",
        .screenTTI,
        at: 5,
        seconds: seconds,
        subject: "Cart",
        numbers: Self.tti,
        flags: flags,
        id: id
      )
    }
    let id = add(.statusUnknown, 2, nil)
    _ = add([], 1, id)
    for records in [script.records, script.records.reversed()] {
      let overview = script.model(of: records).overview()
      #expect(overview.quality.statusUnknown == 0)
      #expect(overview.screens[0].lastSeen == TelemetryScript.time(6).nanoseconds)
    }
  }
}
