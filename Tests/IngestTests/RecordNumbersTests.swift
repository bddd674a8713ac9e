import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Numbers, flags and times of records")
struct RecordNumbersTests {
  @Test(
    "a key feeds its slot, whatever the kind of value",
    arguments: [
      ("app-startup", "app.startup.total_time.ms", Measurement.primary),
      ("app-startup", "app.startup.premain_time.ms", .secondary),
      ("app-startup", "app.startup.main_time.ms", .tertiary),
      ("screen-tti.A", "screen.tti.ms", .primary),
      ("screen-tti.A", "screen.ttfr.ms", .secondary),
      ("fragment-tti.A", "fragment.tti.ms", .primary),
      ("fragment-tti.A", "fragment.ttfr.ms", .secondary),
      ("screen-rendering.A", "rendering.total_frames", .totalFrames),
      ("screen-rendering.A", "rendering.dropped_frames", .droppedFrames),
      ("app-rendering", "rendering.slow_frames", .slowFrames),
      ("app-rendering", "rendering.freeze_time.ms", .freezeTime),
      ("app-rendering", "rendering.session_duration.ms", .onScreenTime),
      ("app-rendering", "app.session.duration.ms", .sessionDuration),
      ("app-hang", "hang.duration.ms", .primary),
      ("app-watchdog-termination", "memory.warnings_count", .primary),
      ("GET /", "screen.tti.ms", .primary),
    ]
  )
  func slots(name: String, key: String, slot: Measurement) {
    for value: Attribute.Value in [.int(350), .double(350), .text("350"), .text("0350")] {
      let (span, sink) = assembleSpan(name, [Attribute(key, value)])
      #expect(span.measurements[slot] == 350)
      #expect(span.measurements.present.nonzeroBitCount == 1)
      #expect(sink.problems.isEmpty)
    }
  }

  @Test(
    "a number at the ends of the range is taken",
    arguments: [
      (.int(0), 0), (.int(4_294_967_295), UInt32.max), (.text("0"), 0),
    ] as [(Attribute.Value, UInt32)]
  )
  func ends(value: Attribute.Value, expected: UInt32) {
    let (span, _) = assembleSpan("screen-tti.A", [Attribute("screen.tti.ms", value)])
    #expect(span.measurements[.primary] == expected)
  }

  @Test(
    "what is no whole number in range is absent and a problem at the record's place",
    arguments: [
      .int(-1), .int(4_294_967_296), .int(.min), .double(1.5), .double(-1), .double(.nan),
      .double(.infinity), .text(""), .text("12x"), .text("-1"), .text("4294967296"),
      .text("99999999999999999999"), .bool(true),
    ] as [Attribute.Value]
  )
  func outOfRange(value: Attribute.Value) throws {
    let (span, sink) = assembleSpan("screen-tti.A", [Attribute("screen.tti.ms", value)])
    #expect(span.measurements.isEmpty)
    #expect(span.finalAttributeCount == 1)
    let problem = try #require(sink.problems.first)
    #expect(problem.kind == .malformed)
    #expect(problem.source == SourceID(3))
    #expect(problem.offset == 77)
    #expect(problem.text.hasPrefix("screen.tti.ms "))
    #expect(sink.problems.count == 1)
  }

  @Test("an empty value is an absent number, not a problem")
  func empty() {
    let (span, sink) = assembleSpan("screen-tti.A", [Attribute("screen.tti.ms", .empty)])
    #expect(span.measurements.isEmpty)
    #expect(span.finalAttributeCount == 0)
    #expect(span.attributeCount == 1)
    #expect(sink.problems.isEmpty)
  }

  @Test("of several equal keys the first wins")
  func first() {
    let (span, sink) = assembleSpan(
      "x.screen-tti.A",
      [
        Attribute("screen.tti.ms", .int(1)), Attribute("screen.tti.ms", .int(2)),
        Attribute("screen.name", .text("A")), Attribute("screen.name", .text("B")),
        Attribute("screen.tti.ready_fallback", .bool(false)),
        Attribute("screen.tti.ready_fallback", .bool(true)),
      ]
    )
    #expect(span.measurements[.primary] == 1)
    #expect(sink.text(span.subject) == "A")
    #expect(span.flags.isEmpty)
    #expect(span.finalAttributeCount == 2)
    #expect(span.attributeCount == 6)
  }

  @Test("where keys of several signals share a slot, the signal's own wins in any order")
  func shared() {
    let tti = Attribute("screen.tti.ms", .int(1))
    let hang = Attribute("hang.duration.ms", .int(2))
    let memory = Attribute("memory.warnings_count", .int(3))
    for attributes in [[tti, hang, memory], [memory, hang, tti]] {
      #expect(assembleSpan("screen-tti.A", attributes).span.measurements[.primary] == 1)
      #expect(assembleSpan("app-hang", attributes).span.measurements[.primary] == 2)
      let watchdog = assembleSpan("app-watchdog-termination", attributes).span
      #expect(watchdog.measurements[.primary] == 3)
      #expect(watchdog.finalAttributeCount == 0)
    }
  }

  @Test(
    "attributes that a signal gets at its end are counted",
    arguments: [
      (
        "app-startup", 4,
        [
          "app.startup.total_time.ms", "app.startup.premain_time.ms", "app.startup.main_time.ms",
          "app.startup.prewarmed",
        ]
      ),
      (
        "screen-tti.A", 4,
        [
          "screen.tti.ms", "screen.ttfr.ms", "screen.tti.ready_fallback",
          "screen.tti.custom_start", "app.session.duration.ms", "session.id",
        ]
      ),
      ("fragment-tti.A", 2, ["fragment.tti.ms", "fragment.ttfr.ms", "screen.tti.ms"]),
      (
        "screen-rendering.A", 5,
        [
          "rendering.total_frames", "rendering.dropped_frames", "rendering.slow_frames",
          "rendering.freeze_time.ms", "rendering.session_duration.ms", "app.session.duration.ms",
        ]
      ),
      (
        "app-rendering", 6,
        [
          "rendering.total_frames", "rendering.dropped_frames", "rendering.slow_frames",
          "rendering.freeze_time.ms", "rendering.session_duration.ms", "app.session.duration.ms",
        ]
      ),
      ("app-hang", 2, ["hang.type", "hang.duration.ms", "hang.during_startup", "app.session.id"]),
      ("app-watchdog-termination", 0, ["memory.warnings_count", "app.state"]),
      ("GET /", 0, ["screen.tti.ms"]),
    ] as [(String, UInt8, [String])]
  )
  func finalAttributes(name: String, count: UInt8, keys: [String]) {
    let attributes = keys.map { Attribute($0, .int(1)) }
    #expect(assembleSpan(name, attributes).span.finalAttributeCount == count)
  }

  @Test("the number of attributes saturates")
  func saturation() {
    let attributes = (0..<70_000).map { Attribute("k\($0)", .int(1)) }
    #expect(assembleSpan("x", attributes).span.attributeCount == .max)
  }

  @Test(
    "flags follow from true values only",
    arguments: [
      ("app.startup.prewarmed", RecordFlags.prewarmed),
      ("hang.during_startup", .duringStartup),
      ("screen.tti.ready_fallback", .readyFallback),
      ("screen.tti.custom_start", .customStart),
      ("perftop.in_progress", .inProgress),
    ]
  )
  func flags(key: String, flag: RecordFlags) {
    for value: Attribute.Value in [.bool(true), .text("true"), .int(1)] {
      #expect(assembleSpan("x", [Attribute(key, value)]).span.flags == flag)
    }
    for value: Attribute.Value in [.bool(false), .text("false"), .text(""), .int(0), .empty] {
      #expect(assembleSpan("x", [Attribute(key, value)]).span.flags.isEmpty)
    }
  }

  @Test(
    "a hang's type is one of two",
    arguments: [
      ("fatal", RecordFlags.fatal), ("non_fatal", .nonFatal), ("other", RecordFlags()),
    ]
  )
  func hangType(text: String, flags: RecordFlags) {
    let (span, sink) = assembleSpan(
      "app-hang",
      [
        Attribute("hang.type", .text(text)), Attribute("hang.top_screen", .text("A, B<C>")),
        Attribute("app.session.id", .text("S0")), Attribute("screen.name", .text("Other")),
      ]
    )
    #expect(span.flags == flags)
    #expect(sink.text(span.subject) == "A, B<C>")
    #expect(sink.text(span.hostSessionID) == "S0")
    #expect(span.sessionID == .none)
  }

  @Test(
    "times are kept, rescaled or absent",
    arguments: [
      (1_780_000_000_123_456_789, 1_780_000_000_123_456_789, false),
      (1_780_000_000, 1_780_000_000_000_000_000, true),
      (1_780_000_000_123, 1_780_000_000_123_000_000, true),
      (1_780_000_000_123_456, 1_780_000_000_123_456_000, true),
      (0, nil, false),
      (UInt64.max, nil, false),
      (UInt64(Int64.max), Int64.max, false),
      (UInt64(Int64.max) + 1, nil, false),
      (1, 1, false),
      (999_999_999, 999_999_999, false),
      (9_223_372_036, 9_223_372_036_000_000_000, true),
      (9_223_372_037, nil, false),
      (10_000_000_000, 10_000_000_000, false),
    ] as [(UInt64, Int64?, Bool)]
  )
  func times(raw: UInt64, expected: Int64?, isRescaled: Bool) {
    let span = assembleSpan("x", start: raw, end: raw).span
    #expect(span.flags.contains(.noStart) == (expected == nil))
    #expect(span.flags.contains(.noEnd) == (expected == nil))
    #expect(span.flags.contains(.rescaledTime) == isRescaled)
    #expect(span.start.nanoseconds == expected ?? 0)
    #expect(span.end.nanoseconds == expected ?? 0)
  }
}
