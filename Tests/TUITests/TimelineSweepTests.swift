import Foundation
import Model
import TestSupport
import Testing

@testable import TUI

@Suite("Timeline at any size")
struct TimelineSweepTests {
  private static let keys = [
    "Left", "Right", "+", "-", "[", "]", "j", "k", "g", "G", "f", "Enter", "Escape", "PgDn",
  ]

  private static let isFull = ProcessInfo.processInfo.environment["PERFTOP_SWEEP"] == "full"

  private static let sizes: [(Int, Int)] =
    isFull
    ? (1...200).flatMap { width in (1...60).map { (width, $0) } }
    : [
      (1, 1), (2, 40), (10, 3), (19, 5), (20, 5), (21, 6), (40, 8), (60, 15), (79, 24), (80, 24),
      (81, 25), (119, 36), (120, 30), (150, 40), (200, 60), (300, 100),
    ]

  private static func script(records: Int) -> TelemetryScript {
    var script = TelemetryScript()
    var random = SeededGenerator(seed: 7)
    for number in 0..<records {
      let start = TimelineStory.base + Double.random(in: 0..<600, using: &random)
      switch number % 8 {
      case 0: script.tti("Screen", at: start, UInt32.random(in: 0..<4000, using: &random))
      case 1: script.hang(at: start, 2500, fatal: number % 16 == 1, screen: "Screen")
      case 2: script.leak("Class", at: start, instance: UInt64(number))
      case 3:
        script.visit("Screen", at: start, seconds: 9, total: 500, dropped: 40, freeze: 300)
      case 4: script.span("work", .otherSpan, at: start, seconds: 20)
      case 5: script.session(at: start, seconds: 15, total: 890, dropped: 3)
      case 6: script.startup(at: start, total: 1000)
      default: script.span("app-watchdog-termination", .watchdogTermination, at: start, seconds: 0)
      }
    }
    return script
  }

  @Test(
    "every size draws, after every key, with no, one, two and a thousand records",
    arguments: [0, 1, 2, 1000]
  )
  func sweep(records: Int) {
    let initial = TimelineStory.state(Self.script(records: records))
    for (width, height) in Self.sizes {
      var state = initial
      state.resize(width: width, height: height)
      for key in Self.isFull ? ["+", "j", "Enter"] : Self.keys {
        TimelineStory.press(key, &state)
        let grid = Picture.draw(state)
        #expect(grid.width == width && grid.height == height)
        #expect(state.timeline.length > 0 || records == 0)
      }
    }
  }

  @Test("every single kind of record alone has a window and a picture", arguments: 0..<8)
  func single(kind: Int) {
    var script = TelemetryScript()
    switch kind {
    case 0: script.tti("Screen", at: TimelineStory.base, 0)
    case 1: script.hang(at: TimelineStory.base, 2500, fatal: true)
    case 2: script.leak("Class", at: TimelineStory.base, instance: 1)
    case 3: script.startup(at: TimelineStory.base)
    case 4: script.span("work", .otherSpan, at: TimelineStory.base, seconds: 0)
    case 5: script.session(at: TimelineStory.base, seconds: 15, total: 890, dropped: 3)
    case 6:
      script.span(
        "app-watchdog-termination",
        .watchdogTermination,
        at: TimelineStory.base,
        seconds: 0
      )
    default: script.ledger("api.get", at: TimelineStory.base, 1200)
    }
    let state = TimelineStory.state(script)
    let timeline = state.timeline
    #expect(timeline.start <= TimelineStory.instant(0))
    #expect(
      timeline.end >= TimelineStory.instant(0) || kind == 1,
      "a hang ends before it is reported"
    )
    #expect(timeline.length >= 1_000_000_000)
    #expect(!timeline.items.isEmpty || kind == 5)
    #expect(!GridText.plain(Picture.draw(state)).contains("no records"))
  }

  @Test("many records in one place are drawn once a column, the worst of them")
  func merged() {
    var script = TelemetryScript()
    script.session(at: TimelineStory.base, seconds: 600, total: 35_000, dropped: 3)
    for number in 0..<500 {
      let start = TimelineStory.base + 100 + Double(number) / 1000
      script.tti("Screen", at: start, number == 250 ? 3500 : 200)
    }
    var state = TimelineStory.state(script, width: 120)
    // The selected one would stand before the others.
    for _ in 0..<200 { TimelineStory.press("Left", &state) }
    #expect(state.timeline.selected == nil)
    let screens = GridText.plain(Picture.draw(state)).split(separator: "\n")
      .first { $0.hasPrefix("screens") }
    #expect(screens?.hasSuffix("Screen 3.50 s ×500") == true)
  }
}
