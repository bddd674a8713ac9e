import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Content, resources and logs")
struct RecordContentTests {
  private static let attributes = [
    Attribute("screen.name", .text("A")), Attribute("screen.tti.ms", .int(350)),
    Attribute("ratio", .double(0.5)), Attribute("ok", .bool(true)), Attribute("none", .empty),
    Attribute("long", .text(String(repeating: "long ", count: 100))),
  ]

  @Test("the order of attributes does not change a span's content")
  func order() {
    let content = assembleSpan("screen-tti.A", Self.attributes).span.content
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let shuffled = Self.attributes.shuffled(using: &generator)
      #expect(assembleSpan("screen-tti.A", shuffled).span.content == content)
    }
  }

  @Test("any difference in what a span says changes its content")
  func differences() {
    var contents: [UInt64] = [assembleSpan("screen-tti.A", Self.attributes).span.content]
    contents.append(assembleSpan("screen-tti.B", Self.attributes).span.content)
    contents.append(assembleSpan("screen-tti.A", Array(Self.attributes.dropLast())).span.content)
    contents.append(assembleSpan("screen-tti.A", Self.attributes, start: 5).span.content)
    contents.append(assembleSpan("screen-tti.A", Self.attributes, end: 5).span.content)
    let values: [Attribute.Value] = [
      .text("1"), .int(1), .double(1), .bool(true), .empty, .text(""), .int(0), .double(0),
      .double(-0.0), .bool(false), .int(-1), .text("2"),
    ]
    for value in values {
      contents.append(assembleSpan("x", [Attribute("k", value)]).span.content)
    }
    contents.append(assembleSpan("x", [Attribute("l", .int(1))]).span.content)
    contents.append(assembleSpan("x").span.content)
    #expect(Set(contents).count == contents.count)
  }

  @Test("which of two equal keys comes first is part of the content")
  func repeatedKeys() {
    let one = Attribute("screen.tti.ms", .int(1))
    let two = Attribute("screen.tti.ms", .int(2))
    let contents = [[one, two], [two, one], [one], [two], [one, one]]
      .map { assembleSpan("screen-tti.A", $0).span.content }
    #expect(Set(contents).count == 5)
  }

  @Test("a time in milliseconds says the same as its nanoseconds")
  func rescaled() {
    let nanoseconds = assembleSpan("x", start: 1_780_000_000_123_000_000).span
    let milliseconds = assembleSpan("x", start: 1_780_000_000_123).span
    #expect(nanoseconds.content == milliseconds.content)
  }

  @Test("resource and scope are part of the content; the order of resource attributes is not")
  func context() {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    func span(_ assembler: inout RecordAssembler) {
      assembler.beginSpan(place: RecordPlace(source: SourceID(0), offset: 0, length: 1))
      withBytes("x") { assembler.spanName($0) }
      assembler.endSpan()
    }
    let app = Attribute("service.name", .text("Shop"))
    let version = Attribute("service.version", .text("1"))
    let region = Attribute("region", .text("eu"))
    span(&assembler)
    assembler.addResource([app, version], encoded: "1")
    span(&assembler)
    withBytes("perfsuite-ios") { assembler.setScope(name: $0, version: nil) }
    span(&assembler)
    withBytes("perfsuite-ios") { name in
      withBytes("2") { assembler.setScope(name: name, version: $0) }
    }
    span(&assembler)
    assembler.addResource([version, app], encoded: "2")
    span(&assembler)
    assembler.addResource([version, app, region], encoded: "3")
    span(&assembler)
    #expect(withBytes("1") { assembler.reuseResource(encoded: $0) })
    span(&assembler)
    assembler.resetResource()
    span(&assembler)
    let spans = sink.spans
    #expect(spans.map(\.resource.rawValue) == [0, 1, 1, 1, 1, 2, 1, 0])
    #expect(spans[1].content == spans[4].content)
    #expect(spans[1].content == spans[6].content)
    #expect(spans[0].content == spans[7].content)
    #expect(Set(spans.map(\.content)).count == 5)
    #expect(spans.map { sink.text($0.scopeVersion) } == [nil, nil, nil, "2", nil, nil, nil, nil])
    #expect(sink.resources.count == 3)
    #expect(sink.text(sink.resources[.empty]?.app ?? .none) == "unknown_service")
  }

  @Test("definitions come before the first event that uses them")
  func definitions() {
    let (_, sink) = assembleSpan("screen-tti.A", [Attribute("session.id", .text("S"))])
    var known: Set<Symbol> = []
    var resources: Set<ResourceID> = []
    for event in sink.events {
      switch event {
      case .symbol(let symbol, _): #expect(known.insert(symbol).inserted)
      case .resource(let id, let resource):
        #expect(known.contains(resource.app))
        resources.insert(id)
      case .span(let span):
        #expect(resources.contains(span.resource))
        #expect(known.isSuperset(of: [span.name, span.subject, span.sessionID]))
      default: break
      }
    }
    #expect(known.count == 4)
  }

  @Test(
    "the app is the service's name as text, or unknown",
    arguments: [
      ([Attribute("service.name", .text("Shop"))], "Shop"),
      ([Attribute("service.name", .int(7))], "7"),
      ([Attribute("service.name", .text(""))], "unknown_service"),
      ([Attribute("service.name", .empty)], "unknown_service"),
      ([Attribute("os.name", .text("iOS"))], "unknown_service"),
      (
        [Attribute("service.name", .text("A")), Attribute("service.name", .text("B"))], "A"
      ),
    ]
  )
  func app(attributes: [Attribute], app: String) throws {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    assembler.addResource(attributes, encoded: "x")
    let resource = try #require(sink.resources[ResourceID(1)])
    #expect(sink.text(resource.app) == app)
  }

  @Test("resources beyond the cache's limit are still the same resources")
  func manyResources() {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    let app = Attribute("service.name", .text("Shop"))
    for number in 0..<40_000 { assembler.addResource([app], encoded: "\(number)") }
    #expect(sink.resources.count == 1)
    #expect(withBytes("39999") { assembler.reuseResource(encoded: $0) })
    #expect(!withBytes("0") { assembler.reuseResource(encoded: $0) })
    #expect(!withBytes("40000") { assembler.reuseResource(encoded: $0) })
  }

  @Test("a leak is told by its body and keeps class, instance and prewarming")
  func leak() {
    let attributes = [
      Attribute("vc.class_name", .text("ProfileViewController")),
      Attribute("vc.identifier", .text("<ProfileViewController: 0x1>")),
      Attribute("app.startup.prewarmed", .bool(true)), Attribute("session.id", .text("S")),
    ]
    let (log, sink) = assembleLog(body: .text("view_controller_leak"), attributes)
    #expect(log.signal == .leak)
    #expect(sink.text(log.subject) == "ProfileViewController")
    #expect(sink.text(log.sessionID) == "S")
    #expect(log.flags == [.prewarmed])
    #expect(log.instance != 0)
    #expect(log.place.offset == 77)
    let other = assembleLog(
      body: .text("view_controller_leak"),
      [attributes[0], Attribute("vc.identifier", .text("<ProfileViewController: 0x2>"))]
    ).log
    #expect(other.instance != log.instance)
    #expect(other.content != log.content)
    #expect(assembleLog(body: .text("view_controller_leak")).log.instance == 0)
  }

  @Test(
    "another log is named by its event, else by its body's beginning",
    arguments: [
      (Attribute.Value.text("disk full"), "", "disk full"),
      (.text("disk full"), "disk", "disk"),
      (.text("view_controller_leaks"), "", "view_controller_leaks"),
      (.int(5), "", "5"),
      (.empty, "", nil),
      (.text(String(repeating: "é", count: 300)), "", String(repeating: "é", count: 256)),
    ] as [(Attribute.Value, String, String?)]
  )
  func logSubject(body: Attribute.Value, event: String, subject: String?) {
    let (log, sink) = assembleLog(body: body, event: event)
    #expect(log.signal == .otherLog)
    #expect(sink.text(log.subject) == subject)
    #expect(!log.flags.contains(.truncated))
  }

  @Test("a log without a time takes the observed one")
  func logTimes() {
    let observed = assembleLog(body: .empty, time: 0, observed: 1_780_000_000_000_000_001).log
    #expect(observed.time.nanoseconds == 1_780_000_000_000_000_001)
    #expect(observed.flags.isEmpty)
    #expect(assembleLog(body: .empty, time: 0).log.flags == [.noStart])
    #expect(assembleLog(body: .empty, time: 1_780_000_000).log.flags == [.rescaledTime])
  }

  @Test("a name that was cut is flagged and counted")
  func truncated() {
    let long = String(repeating: "n", count: 1025)
    for _ in 0..<2 {
      let (span, sink) = assembleSpan(long, [Attribute("session.id", .text(long + "s"))])
      #expect(span.flags == [.truncated])
      #expect(sink.count(of: .truncatedValues) == 2)
    }
  }

  @Test("a span without a name has one that says so")
  func noName() {
    let (span, sink) = assembleSpan("")
    #expect(sink.text(span.name) == "(no name)")
    #expect(span.signal == .otherSpan)
  }
}
