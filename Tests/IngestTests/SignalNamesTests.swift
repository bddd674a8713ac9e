import Model
import TestSupport
import Testing

@testable import Ingest

struct NameCase: Sendable, CustomTestStringConvertible {
  var name: String
  var screen: String?
  var fragment: String?
  var signal: Signal
  var subject: String?
  var isPending = false

  init(
    _ name: String,
    screen: String? = nil,
    fragment: String? = nil,
    _ signal: Signal,
    _ subject: String? = nil,
    isPending: Bool = false
  ) {
    self.name = name
    self.screen = screen
    self.fragment = fragment
    self.signal = signal
    self.subject = subject
    self.isPending = isPending
  }

  var testDescription: String { name }
}

@Suite("Names of PerformanceSuite's spans")
struct SignalNamesTests {
  @Test(
    "the name and the key attribute give signal and subject",
    arguments: [
      NameCase("app-startup", .appStartup),
      NameCase("bk.app.app-startup", .appStartup),
      NameCase("app-rendering", .appRendering),
      NameCase("x.app-hang", .appHang),
      NameCase("app-watchdog-termination", .watchdogTermination),
      NameCase("app-startup.more", .otherSpan),
      NameCase("my-app-startup", .otherSpan),
      NameCase("app-hangs", .otherSpan),
      NameCase("screen-tti.Home", .screenTTI, "Home"),
      NameCase("bk.app.screen-tti.Home", screen: "Home", .screenTTI, "Home"),
      NameCase("screen-rendering.Home", .screenRendering, "Home"),
      NameCase("bk.screen-rendering.a.b", .screenRendering, "a.b"),
      NameCase("fragment-tti.map", fragment: "map", .fragmentTTI, "map"),
      NameCase("fragment-tti.map", screen: "Host", fragment: "map", .fragmentTTI, "map"),
      NameCase("fragment-tti.map", screen: "Host", .fragmentTTI, "map"),
      // A screen whose own name holds a stem.
      NameCase("screen-tti.a.screen-tti.b", screen: "a.screen-tti.b", .screenTTI, "a.screen-tti.b"),
      NameCase("screen-tti.a.screen-tti.b", .screenTTI, "a.screen-tti.b"),
      NameCase("screen-tti.app-hang", .screenTTI, "app-hang"),
      NameCase(
        "screen-tti.screen-rendering.x",
        screen: "x",
        .screenRendering,
        "x"
      ),
      // `pending` is a screen only where the attribute says so.
      NameCase("x.screen-tti.pending", .screenTTI, isPending: true),
      NameCase("screen-tti.pending", .screenTTI, isPending: true),
      NameCase("x.screen-tti.pending", screen: "pending", .screenTTI, "pending"),
      NameCase("screen-rendering.pending", .screenRendering, "pending"),
      // Names cut at 128 characters keep the attribute's text.
      NameCase(
        "screen-tti.details(id: 4",
        screen: "details(id: 42)",
        .screenTTI,
        "details(id: 42)"
      ),
      NameCase("bk.screen-tti.", screen: "Home", .screenTTI, "Home"),
      NameCase("bk.screen-tti", screen: "Home", .screenTTI, "Home"),
      NameCase("bk.screen-tti.", .otherSpan),
      NameCase("bk.screen-tti", .otherSpan),
      NameCase("screen-ttix.Home", .otherSpan),
      NameCase("my-screen-tti.Home", .otherSpan),
      NameCase("screen-tti.Café ☕️\nline", .screenTTI, "Café ☕️\nline"),
      NameCase("screen-tti.details(id: 42)", .screenTTI, "details(id: 42)"),
      NameCase("screen-tti.A<B, C>", .screenTTI, "A<B, C>"),
      // Attributes that a host adds to other spans change nothing.
      NameCase("app-rendering", screen: "Home", .appRendering),
      NameCase("GET /hotels", screen: "Home", .otherSpan),
      NameCase("", .otherSpan),
      NameCase(".", .otherSpan),
      NameCase("..app-hang", .appHang),
    ]
  )
  func match(example: NameCase) {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    assembler.beginSpan(place: RecordPlace(source: SourceID(0), offset: 0, length: 1))
    withBytes(example.name) { assembler.spanName($0) }
    if let screen = example.screen { assembler.add("screen.name", screen) }
    if let fragment = example.fragment { assembler.add("fragment.name", fragment) }
    assembler.endSpan()
    let span = sink.spans.first
    #expect(span?.signal == example.signal)
    #expect(span.flatMap { sink.text($0.subject) } == example.subject)
    #expect(span?.flags.contains(.pending) == example.isPending)
  }
}
