import Foundation
import Model
import Testing

@testable import Ingest

/// The counts are those of the story as it is written down in `SimulatorPhoneStory` and
/// `SimulatorOtherStories`, counted by hand; a Foundation reader counts them in the bytes.
@Suite("Demo")
struct SimulatorTests {
  static let newYear = Timestamp(seconds: 1_767_225_600)
  static let tenMinutes = Simulator.deliveries(seed: 1, start: newYear, seconds: 600)
  let deliveries = Self.tenMinutes
  let capture: NaiveCapture

  init() throws {
    capture = try NaiveCapture(
      lines: deliveries.filter { $0.stream == .otlp }.map(\.bytes)
    )
  }

  private func count(_ suffix: String, _ device: String? = nil) -> Int {
    capture.lastCopies.count { $0.name.hasSuffix(suffix) && (device ?? $0.device) == $0.device }
  }

  @Test("the same seed and start give the same bytes, another seed others")
  func deterministic() {
    #expect(Simulator.deliveries(seed: 1, start: Self.newYear, seconds: 600) == deliveries)
    #expect(Simulator.deliveries(seed: 2, start: Self.newYear, seconds: 600) != deliveries)
  }

  @Test("delivery times never fall, also from one telling to the next")
  func rising() {
    let hour = Simulator.deliveries(seed: 1, start: Self.newYear, seconds: 3600)
    #expect(zip(hour, hour.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(hour.starts(with: deliveries))
    #expect(hour.count > 5 * deliveries.count)
  }

  @Test("ten minutes hold 297 spans received, 268 of them distinct, and 22 log records")
  func totals() {
    #expect(capture.spans.count == 297)
    #expect(capture.copies.count == 268)
    #expect(capture.logs.count == 22)
  }

  @Test(
    "spans per screen and signal are as the story tells",
    arguments: [
      // Launches: three of the phone, two of the tablet, one of the older phone, two of the clip.
      ("app-startup", nil, 8), ("app-watchdog-termination", nil, 2),
      // The phone freezes for 4.6 s and for ever, the tablet for 4.1 s; two unmeasured on the older.
      ("app-hang", nil, 5),
      // The phone's last session ends too late, and two never end: six of eight. The tablet's last is
      // still running, the older phone's last was lost while it ran.
      ("app-rendering", "iPhone15,2", 6), ("app-rendering", "iPad14,3", 6),
      ("app-rendering", "iPhone14,5", 2), ("app-rendering", "iPhone12,1", 0),
      ("screen-tti.Home", "iPhone15,2", 3), ("screen-tti.Search", "iPhone15,2", 6),
      ("screen-tti.ProductDetail", "iPhone15,2", 11), ("screen-tti.Checkout", "iPhone15,2", 6),
      ("screen-tti.Checkout", "iPhone14,5", 5), ("screen-tti.pending", nil, 1),
      ("screen-rendering.Checkout", "iPhone15,2", 6), ("screen-rendering.Home", "iPhone15,2", 10),
      ("screen-rendering.Reviews", nil, 0),
      ("fragment-tti.ReviewsSummary", nil, 2), ("fragment-tti.RecommendationCarousel", nil, 1),
      ("checkout.placeOrder", nil, 2), ("HTTP POST", nil, 2),
    ]
  )
  func spansPerName(suffix: String, device: String?, expected: Int) {
    #expect(count(suffix, device) == expected)
  }

  @Test(
    "every way that a session can end is there",
    arguments: [
      ("shouldEmit_rejected", "iPhone15,2", 1), ("accumulator_deinit", "iPad14,3", 1),
      ("user_abandon", "iPad14,3", 1),
    ]
  )
  func sessionErrors(message: String, device: String, expected: Int) {
    let sessions = capture.lastCopies.filter { $0.name == "app-rendering" && $0.device == device }
    #expect(sessions.count { $0.message == message } == expected)
  }

  @Test("clean sessions have a duration, but for the one that was too long for it")
  func cleanSessions() {
    let clean = capture.lastCopies.filter { $0.attributes["app.session.duration.ms"] != nil }
    #expect(clean.count == 5 + 3)
    for session in clean {
      let milliseconds = (session.end - session.start) / 1_000_000
      #expect(abs(milliseconds - Int64(session.number("app.session.duration.ms") ?? -1)) <= 1)
    }
    let long = capture.lastCopies.filter {
      $0.name.hasSuffix("app-rendering") && $0.end - $0.start > 120_000_000_000
        && $0.attributes["app.session.duration.ms"] == nil
    }
    #expect(long.map(\.device) == ["iPhone14,5"])
  }

  @Test("live snapshots keep their ids while their counters grow")
  func snapshots() throws {
    let live = capture.copies.values.filter {
      $0.last?.attributes["perftop.in_progress"] != nil && $0[0].name.hasSuffix("app-rendering")
    }
    // One is still open, one is stale.
    #expect(live.count == 2)
    let longest = try #require(live.max { $0.count < $1.count })
    #expect(longest.count == 6)
    let totals = longest.compactMap { $0.number("rendering.total_frames") }
    #expect(totals.count == 6)
    #expect(zip(totals, totals.dropFirst()).allSatisfy { $0 < $1 })
    let stale = try #require(live.first { $0[0].device == "iPhone14,5" }?.last)
    #expect(stale.end < Self.newYear.advanced(byMilliseconds: 300_000).nanoseconds)
  }

  @Test("one batch of three spans arrives twice")
  func duplicates() {
    let repeated = capture.copies.values.filter { copies in
      copies.count > 1
        && copies.dropFirst().contains {
          NSDictionary(dictionary: $0.fields) == copies[0].fields as NSDictionary
        }
    }
    #expect(repeated.count == 3)
  }

  @Test("pending measurements are renamed three times and once belong to no screen")
  func renames() {
    let renamed = capture.copies.values.filter { Set($0.map(\.name)).count > 1 }
    #expect(renamed.count == 3)
    #expect(renamed.allSatisfy { $0[0].name == "screen-tti.pending" })
    #expect(capture.lastCopies.count { $0.message == "not_adopted" } == 1)
  }

  @Test("the fatal hang is reported by the next launch, under the dead session")
  func fatalHang() throws {
    let hangs = capture.lastCopies.filter { $0.attributes["hang.type"] == "fatal" }
    let hang = try #require(hangs.first)
    #expect(hangs.count == 1)
    #expect(hang.attributes["session.id"] == hang.attributes["app.session.id"])
    let launch = Self.newYear.advanced(byMilliseconds: 246_000).nanoseconds
    #expect(hang.start < launch)
    let arrival = deliveries.first { delivery in
      String(decoding: delivery.bytes, as: UTF8.self).contains(
        #""hang.type","value":{"stringValue":"fatal""#
      )
    }
    #expect(try #require(arrival).time.nanoseconds > launch)
  }

  @Test("a hang's end is 3 s after the true end, and its duration half a threshold short at most")
  func hangWindow() throws {
    let hang = try #require(
      capture.lastCopies.first {
        $0.attributes["hang.type"] == "non_fatal" && $0.device == "iPhone15,2"
      }
    )
    let trueEnd = Self.newYear.advanced(byMilliseconds: 121_600).nanoseconds
    #expect(abs(hang.end - trueEnd - 3_000_000_000) < 1_000)
    let duration = try #require(hang.number("hang.duration.ms"))
    #expect((3600...4600).contains(duration))
    #expect(abs((hang.end - hang.start) / 1_000_000 - Int64(duration)) <= 1)
  }

  @Test("nothing is sent before it has happened, but for the shifted ends of hangs")
  func causality() throws {
    for delivery in deliveries where delivery.stream == .otlp {
      let batch = try NaiveCapture(lines: [delivery.bytes])
      for span in batch.spans where !span.name.hasSuffix("app-hang") {
        #expect(span.end <= delivery.time.nanoseconds, "\(span.name)")
        #expect(span.start <= span.end, "\(span.name)")
      }
    }
  }

  @Test("at 30 Hz every frame is slow and none is dropped for it")
  func lowRefreshRate() throws {
    let session = try #require(
      capture.lastCopies.first {
        $0.name == "app-rendering" && $0.number("app.session.duration.ms") == 62_000
      }
    )
    let total = try #require(session.number("rendering.total_frames"))
    let dropped = try #require(session.number("rendering.dropped_frames"))
    #expect(session.number("rendering.slow_frames") == total)
    #expect(total + dropped == 62 * 30)
  }

  @Test("one launch was prewarmed, one was cancelled, two screens were left early")
  func launches() {
    let startups = capture.lastCopies.filter { $0.name.hasSuffix("app-startup") }
    #expect(startups.count { $0.attributes["app.startup.prewarmed"] == "1" } == 1)
    #expect(startups.count { $0.message == "measurement_cancelled" } == 1)
    #expect(
      capture.lastCopies.count {
        $0.name == "screen-tti.Search" && $0.message == "measurement_cancelled"
      } == 2
    )
  }

  @Test("one class leaks six times in one launch, each time another instance")
  func leaks() {
    let leaks = capture.logs.filter { $0.body == "view_controller_leak" }
    let gallery = leaks.filter {
      $0.attributes["vc.class_name"] == "ProductGalleryViewController"
        && $0.attributes["session.previous_id"] != nil
    }
    #expect(leaks.count == 10)
    #expect(gallery.count == 6)
    #expect(Set(gallery.compactMap { $0.attributes["vc.identifier"] }).count == 6)
  }

  @Test("what is not PerformanceSuite's is there: requests, an error, a child span, other logs")
  func foreignRecords() {
    let foreign = capture.lastCopies.filter { $0.scope != "perfsuite-ios" }
    #expect(foreign.count { $0.statusCode == 2 } == 1)
    #expect(foreign.count { $0.parent != nil } == 2)
    #expect(capture.logs.count { $0.eventName == "session.start" } == 8)
    #expect(capture.logs.count { $0.body == "Memory warning" } == 2)
  }
}
