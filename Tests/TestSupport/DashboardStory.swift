package import Model
package import TUI

/// Two devices with two builds and a ledger, from 11:50 to 12:04 on 2026-01-01: one of everything.
///
/// Tests compute what screens must show from the numbers here.
package enum DashboardStory {
  package static let longName = "CheckoutConfirmationAndReceiptViewController"

  /// Seconds of the script at a clock time.
  package static func at(_ hours: Int, _ minutes: Int, _ seconds: Double) -> Double {
    Double(hours * 3600 + minutes * 60) + seconds
  }

  package static var script: TelemetryScript {
    var script = TelemetryScript()
    script.device("PHONE-0001")
    tellPhoneBefore(&script)
    tellPhone(&script)
    script.device("TABLET-0002", version: "8.43.0 (843001)", model: "iPad14,1")
    tellTablet(&script)
    tellLedger(&script)
    return script
  }

  /// The dashboard after the whole story.
  package static func state(width: Int = 80, height: Int = 24) -> AppState {
    state(of: script, width: width, height: height)
  }

  package static func state(
    of script: TelemetryScript,
    options: ModelOptions = ModelOptions(),
    width: Int = 80,
    height: Int = 24
  ) -> AppState {
    var state = AppState(options: options)
    state.resize(width: width, height: height)
    state.observe(script.definitions + [.arrival(TelemetryScript.time(86_400))] + script.records)
    state.observe([progress(0, .otlpJSON, .ended), progress(1, .ledger, .live)])
    state.refresh()
    return state
  }

  private static func progress(
    _ source: UInt16,
    _ kind: SourceKind,
    _ state: SourceProgress.State
  ) -> TelemetryEvent {
    .progress(
      SourceProgress(
        source: SourceID(source),
        bytesRead: 20_000,
        bytesTotal: 20_000,
        state: state,
        kind: kind
      )
    )
  }

  /// A session that went stale, and a launch whose process died in a hang.
  private static func tellPhoneBefore(_ script: inout TelemetryScript) {
    let open = TelemetryScript.frames(1700, 4, freeze: 30, onScreen: 30_000)
    script.startup(at: at(11, 49, 58), total: 1100)
    script.span("app-rendering", .appRendering, at: at(11, 50, 0), seconds: 30, numbers: open)
    ended("accumulator_deinit", at: at(11, 52, 0), seconds: 5, &script)
    ended("shouldEmit_rejected", at: at(11, 53, 0), seconds: 5, &script)

    script.startup(at: at(11, 58, 40), total: 1930)
    script.tti("RoomList", at: at(11, 58, 44), 800)
    script.leak("RoomListVC", at: at(11, 58, 50), instance: 1)
    script.tti("Details", at: at(11, 59, 0), 2400, ttfr: 300)
    // From 11:59:30 on for 6.2 s, as the next launch reports it.
    script.hang(at: at(11, 59, 33), 6200, fatal: true, screen: "Details")
  }

  private static func tellPhone(_ script: inout TelemetryScript) {
    script.startup(at: at(12, 1, 5), total: 1210)
    // True start 12:01:06, while starting up.
    script.span(
      "app-hang",
      .appHang,
      at: at(12, 1, 9),
      seconds: 1.2,
      numbers: [.primary: 1200],
      flags: [.nonFatal, .duringStartup]
    )
    script.session(at: at(12, 1, 10), seconds: 161, total: 9488, dropped: 29, freeze: 128)
    for (index, tti) in [400, 500, 600].enumerated() {
      script.tti("RoomList", at: at(12, 1, 12 + Double(10 * index)), UInt32(tti))
    }
    for (index, tti) in [900, 1200, 2600, 3400].enumerated() {
      script.tti("Details", at: at(12, 1, 40 + Double(8 * index)), UInt32(tti), ttfr: 300)
    }
    cancelled("Details", at: at(12, 2, 14), &script)
    rendering("RoomList", at: at(12, 1, 20), 300, 0, freeze: 0, &script, seconds: 5)
    rendering("RoomList", at: at(12, 1, 30), 300, 0, freeze: 0, &script, seconds: 5)
    rendering("Details", at: at(12, 2, 0), 590, 10, freeze: 60, &script, seconds: 10)
    for (index, tti) in [100, 200, 300, 400, 700].enumerated() {
      fragment("PriceCard", at: at(12, 2, Double(20 + index)), UInt32(tti), &script)
    }
    // True start 12:02:20.
    script.hang(at: at(12, 2, 23), 2310, screen: "RoomList")
    script.span(
      "app-hang",
      .appHang,
      at: at(12, 2, 33),
      seconds: 0.4,
      subject: "RoomList",
      error: "cancelled"
    )
    for instance in 1...7 {
      script.leak(
        "RoomListVC",
        at: at(12, 2, 30 + Double(instance)),
        instance: UInt64(100 + instance)
      )
    }
    script.leak("ProfileVC", at: at(12, 2, 40), instance: 200)
    ended("user_abandon", at: at(12, 4, 10), seconds: 15, &script)
  }

  private static func tellTablet(_ script: inout TelemetryScript) {
    script.startup(at: at(12, 3, 50), total: 1640)
    script.span(
      "app-watchdog-termination",
      .watchdogTermination,
      at: at(12, 3, 52),
      seconds: 0.001,
      numbers: [.primary: 2]
    )
    var open = TelemetryScript.frames(1902, 41, freeze: 211, onScreen: 33_000)
    open[.slowFrames] = 12
    script.span("app-rendering", .appRendering, at: at(12, 3, 58), seconds: 33, numbers: open)
    script.tti("RoomList", at: at(12, 4, 0), 700)
    script.tti("Search", at: at(12, 4, 6), 1100)
    script.tti("Search", at: at(12, 4, 12), 1300)
    rendering(longName, at: at(12, 4, 2), 300, 20, freeze: 180, &script, seconds: 10)
    rendering(longName, at: at(12, 4, 14), 300, 20, freeze: 120, &script, seconds: 10)
    fragment("Reviews", at: at(12, 4, 20), 350, &script)
    script.leak(longName, at: at(12, 4, 21), instance: 300)
    script.leak(longName, at: at(12, 4, 22), instance: 301)
    // True start 12:04:29; its end has not been seen.
    script.span(
      "app-hang",
      .appHang,
      at: at(12, 4, 32),
      seconds: 2,
      subject: "Search"
    )
  }

  /// Both devices overlap it in time, so that it stands alone.
  private static func tellLedger(_ script: inout TelemetryScript) {
    script.addSource("ledger.jsonl", isLive: true)
    script.ledger("boot.firstFrame", at: at(12, 3, 0), 1500)
    for (index, length) in [1100, 1200, 1400, 1900, 3200].enumerated() {
      let detail = "/v1/rooms/\(index + 1)"
      script.ledger("api.get", at: at(12, 3, Double(10 + index)), Int64(length), detail: detail)
    }
    for (index, length) in [8000, 9000, 10_000].enumerated() {
      script.ledger("threads.refresh", at: at(12, 3, Double(20 + 12 * index)), Int64(length))
    }
    script.ledger("frame.hitch", at: at(12, 4, 1), 150, .ledgerHitch)
    script.ledger("frame.hitch", at: at(12, 4, 2), 180, .ledgerHitch)
    script.ledger("main.hang", at: at(12, 4, 10), 700, .ledgerHang, detail: "Inbox")
    script.ledger("socket.reconnect", at: at(12, 4, 15.25), nil, .ledgerNote, detail: "wifi")
  }

  // MARK: - Records

  private static func rendering(
    _ screen: String,
    at start: Double,
    _ total: UInt32,
    _ dropped: UInt32,
    freeze: UInt32,
    _ script: inout TelemetryScript,
    seconds: Double
  ) {
    script.span(
      "screen-rendering." + screen,
      .screenRendering,
      at: start,
      seconds: seconds,
      subject: screen,
      numbers: TelemetryScript.frames(
        total,
        dropped,
        freeze: freeze,
        onScreen: UInt32(seconds * 1000)
      )
    )
  }

  private static func fragment(
    _ name: String,
    at start: Double,
    _ tti: UInt32,
    _ script: inout TelemetryScript
  ) {
    script.span(
      "fragment-tti." + name,
      .fragmentTTI,
      at: start,
      seconds: Double(tti) / 1000,
      subject: name,
      numbers: [.primary: tti, .secondary: 20]
    )
  }

  private static func cancelled(
    _ screen: String,
    at start: Double,
    _ script: inout TelemetryScript
  ) {
    script.span(
      "screen-tti." + screen,
      .screenTTI,
      at: start,
      seconds: 0.5,
      subject: screen,
      error: "user_left"
    )
  }

  private static func ended(
    _ message: String,
    at start: Double,
    seconds: Double,
    _ script: inout TelemetryScript
  ) {
    script.span("app-rendering", .appRendering, at: start, seconds: seconds, error: message)
  }
}
