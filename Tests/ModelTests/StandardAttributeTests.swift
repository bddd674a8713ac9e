import TestSupport
import Testing

@testable import Model

@Suite("Attributes by the keys of the data")
struct StandardAttributeTests {
  /// Seven records of one device: 1 launch, 2 the session, 3 a TTI, 4 a hang, 5 a leak, 6 a fragment, 7 a span.
  private static var script: TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "SESSION-A"
    script.startup(at: 0, total: 1200)
    script.session(at: 1, seconds: 30, total: 1800, dropped: 90, freeze: 300)
    script.tti("Cart", at: 2, 812, ttfr: 350)
    script.hang(at: 20, 2310, screen: "Map")
    script.leak("RoomVC", at: 25, instance: 1)
    script.span(
      "fragment-tti.Price",
      .fragmentTTI,
      at: 6,
      seconds: 1,
      subject: "Price",
      numbers: [.primary: 90, .secondary: 40]
    )
    script.span("GET /", .otherSpan, at: 12, seconds: 0.5)
    return script
  }

  private func count(_ text: String, _ script: TelemetryScript) throws -> Int? {
    var filter = RecordFilter()
    filter.expression = try FilterExpression(parsing: text)
    return script.model().overview(filter: filter).selection?.count
  }

  @Test(
    "attr.NAME asks for what a row or its resource keeps under another key",
    arguments: [
      ("attr.service.name=Shop", 7), ("attr.service.version:8.42", 7), ("attr.os.name=iOS", 7),
      ("attr.os.version=18.5.0", 7), ("attr.os.version=17.0", 0), ("attr.device.id=DEVICE-1", 7),
      ("attr.device.model.identifier=iPhone15,2", 7), ("attr.screen.name=Cart", 1),
      ("attr.fragment.name=Price", 1), ("attr.hang.top_screen=Map", 1),
      ("attr.vc.class_name=RoomVC", 1), ("attr.hang.type=non_fatal", 1),
      ("attr.hang.type=fatal", 0), ("attr.hang.during_startup=false", 1),
      // The launch and the leak; the hang has no such key.
      ("attr.app.startup.prewarmed=false", 2), ("attr.screen.tti.ms>800", 1),
      ("attr.screen.tti.ms=812", 1), ("attr.screen.ttfr.ms=350", 1), ("attr.fragment.tti.ms=90", 1),
      ("attr.fragment.ttfr.ms<41", 1), ("attr.hang.duration.ms=2310", 1),
      ("attr.app.startup.total_time.ms=1200", 1), ("attr.rendering.dropped_frames=90", 1),
      ("attr.rendering.freeze_time.ms>299", 1), ("attr.app.session.duration.ms=30000", 1),
      ("attr.app.state=active", 0), ("attr.screen.name!=Cart", 6),
      // Six spans have it; this script's leak has none.
      ("attr.session.id=SESSION-A", 6),
    ]
  )
  func filters(text: String, expected: Int) throws {
    #expect(try count(text, Self.script) == expected)
  }

  @Test("an attribute that the host added counts beside the one of the same key")
  func both() throws {
    var script = TelemetryScript()
    let key = script.symbol("os.name")
    script.define(AttributeSetID(1), [HostAttribute(key: key, value: script.symbol("Linux"))])
    script.attributes = AttributeSetID(1)
    script.startup(at: 0)
    #expect(try count("attr.os.name=Linux", script) == 1)
    #expect(try count("attr.os.name=iOS", script) == 1)
    #expect(try count("attr.os.name!=iOS", script) == 0)
  }

  @Test("a key whose text is not kept is an error that names another one")
  func replaced() {
    let words = "an instance's own text is not kept: ask for class"
    #expect(throws: FilterError(column: 6, text: words)) {
      _ = try FilterExpression(parsing: "cart attr.vc.identifier=x")
    }
    #expect(Grouping.objection(to: "attr.vc.identifier") == words)
    #expect(Grouping.objection(to: "attr.screen.tti.ms")?.contains("--filter") == true)
    #expect(Grouping.objection(to: "attr.hang.during_startup") != nil)
    for word in ["attr.os.version", "attr.experiment", "version", "attr.session.id"] {
      #expect(Grouping.objection(to: word) == nil)
    }
  }

  private func groups(_ word: String, _ script: TelemetryScript) -> [String?] {
    var options = ModelOptions()
    options.groupBy = Grouping(word)
    let model = script.model(options: options)
    return model.overview().screens.map { model.groupText($0) }
  }

  @Test("figures are parted by a standard key as by an attribute of the host's")
  func grouping() {
    var script = TelemetryScript()
    script.tti("Home", at: 0, 100)
    script.device("D-2", system: "17.0")
    script.sessionID = "S"
    script.tti("Home", at: 10, 100)
    #expect(groups("attr.os.version", script) == ["17.0", "18.5.0"])
    #expect(groups("attr.device.id", script) == ["D-2", "DEVICE-1"])
    #expect(groups("attr.service.name", script) == ["Shop"])
    #expect(Set(groups("attr.session.id", script)) == [nil, "S"])
    #expect(groups("attr.screen.name", script) == ["Home"])
  }

  @Test("values that were not kept share the part `other`, and are counted")
  func overflow() {
    var script = TelemetryScript()
    let key = script.symbol("experiment")
    script.define(AttributeSetID(1), [HostAttribute(key: key, value: script.symbol("B"))])
    script.attributes = AttributeSetID(1)
    script.tti("Home", at: 0, 100)
    script.attributes = .overflow
    script.tti("Home", at: 10, 100)
    script.tti("Home", at: 20, 100)
    script.attributes = .none
    script.tti("Home", at: 30, 100)
    #expect(Set(groups("attr.experiment", script)) == ["B", "other", nil])
    #expect(script.model().quality.hostAttributesDropped == 2)
    #expect(groups("attr.os.name", script) == ["iOS"])
  }

  @Test("a budget's attributes may be standard keys")
  func budgets() {
    var script = TelemetryScript()
    script.tti("Home", at: 0, 2000)
    script.device("D-2", system: "17.0")
    script.tti("Home", at: 10, 100)
    var budget = Budget(id: "old", signal: .screenTTI, statistic: .max, limit: 50)
    budget.match.attributes = [BudgetMatch.Attribute(key: "os.version", value: Glob("17.*"))]
    var options = ModelOptions()
    options.budgets = [budget]
    let model = script.model(options: options)
    let own = model.findings(model.overview()).list.first { $0.judgement.rule == .budget }
    #expect(own?.judgement.sample == 1)
    #expect(own?.judgement.value == 100)
  }

  @Test("a session is asked for by its span's id, by session.id, and by its id without a span")
  func sessions() throws {
    var script = TelemetryScript()
    script.sessionID = "SESSION-A"
    // The second span of the script has the id 0x1002.
    script.startup(at: 0)
    script.session(at: 1, seconds: 30, total: 1800, dropped: 0)
    script.sessionID = ""
    script.tti("Cart", at: 2, 100)
    script.device("D-2")
    script.tti("Home", at: 100, 100)
    script.tti("Home", at: 104, 100)
    for text in [
      "session=0000000000001002", "session:1002", "session=SESSION-A", "session:session-a",
    ] {
      #expect(try count(text, script) == 3, "\(text)")
    }
    // FNV-1a of what identifies the stream is not for hands; its form and the start are:
    // 100 s after 2026-01-01T00:00:00Z.
    #expect(try count("session:implicit-", script) == 2)
    #expect(try count("session~^implicit-[0-9a-z]+-1767225700000000000$", script) == 2)
    #expect(try count("not session:implicit-", script) == 3)
  }
}
