import Model
import TestSupport

@testable import TUI

/// Stories that the tests of the timeline look at; seconds count from 12:03:58 on 2026-01-01, UTC.
enum TimelineStory {
  static let base = 43_438.0

  static func instant(_ seconds: Double) -> Int64 {
    TelemetryScript.time(base + seconds).nanoseconds
  }

  /// An open session of 33 s in which one screen hangs, as far as it was told by 12:04:31.
  static func shop() -> TelemetryScript {
    var script = TelemetryScript()
    script.startup(at: base - 1, total: 1210)
    script.tti("Home", at: base + 0.5, 850, ttfr: 200)
    script.visit("Home", at: base + 0.7, seconds: 9.3, total: 548, dropped: 2, freeze: 28)
    script.tti("Search", at: base + 10, 1200, ttfr: 300)
    script.visit("Search", at: base + 10.3, seconds: 8.7, total: 520, dropped: 2, freeze: 44)
    script.tti("Details", at: base + 19, 2870, ttfr: 640)
    script.hang(at: base + 22.5, 2310, screen: "Details")
    script.visit(
      "Details",
      at: base + 19.64,
      seconds: 13.36,
      total: 590,
      dropped: 212,
      freeze: 2290
    )
    script.leak("RoomListVC", at: base + 26, instance: 1)
    script.span(
      "app-rendering",
      .appRendering,
      at: base,
      seconds: 33,
      numbers: TelemetryScript.frames(1658, 216, freeze: 2362, onScreen: 31_360)
    )
    script.addSource("ledger.jsonl")
    script.ledger("frame.hitch", at: base + 5.15, 150, .ledgerHitch)
    script.ledger("socket.reconnect", at: base + 8, nil, .ledgerNote)
    script.ledger("api.get", at: base + 21, 1402, detail: "/v1/rooms")
    return script
  }

  /// A session that a fatal hang ends, as the launch a minute later tells it.
  static func fatal() -> TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: base - 1, total: 900)
    script.tti("Checkout", at: base + 5, 400)
    script.leak("CheckoutVC", at: base + 16, instance: 1)
    script.sessionID = "S2"
    script.startup(at: base + 99, total: 900)
    script.session(at: base + 100, seconds: 30, total: 1780, dropped: 3)
    script.sessionID = "S1"
    // Its true window ends 24 s after the session began.
    script.hang(at: base + 21, 6000, fatal: true, screen: "Checkout")
    return script
  }

  /// The session before the newest one of that story.
  static func died() -> AppState {
    var state = state(fatal())
    press("[", &state)
    return state
  }

  @discardableResult
  static func press(_ name: String, _ state: inout AppState) -> [Effect] {
    guard let key = Key(name: name) else { return [] }
    return state.press(key)
  }

  /// The timeline of a story whose sources have been read.
  static func state(
    _ script: TelemetryScript,
    width: Int = 80,
    height: Int = 24,
    isLive: Bool = false
  ) -> AppState {
    var state = AppState()
    state.model = script.model()
    for number in state.model.sources.indices {
      state.model.apply(
        .progress(
          SourceProgress(
            source: SourceID(UInt16(number)),
            bytesRead: 0,
            bytesTotal: nil,
            state: isLive ? .live : .ended,
            kind: .unknown
          )
        )
      )
    }
    state.resize(width: width, height: height)
    state.refresh()
    state.show(.timeline)
    return state
  }
}

extension TelemetryScript {
  /// A visit to a screen with its frames; it was on screen throughout.
  mutating func visit(
    _ screen: String,
    at start: Double,
    seconds: Double,
    total: UInt32,
    dropped: UInt32,
    freeze: UInt32
  ) {
    span(
      "screen-rendering." + screen,
      .screenRendering,
      at: start,
      seconds: seconds,
      subject: screen,
      numbers: Self.frames(
        total,
        dropped,
        freeze: freeze,
        onScreen: UInt32((seconds * 1000).rounded())
      )
    )
  }
}
