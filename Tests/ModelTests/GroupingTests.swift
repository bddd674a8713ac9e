import Model
import TestSupport
import Testing

@Suite("Figures parted by a property")
struct GroupingTests {
  private static var script: TelemetryScript {
    var script = TelemetryScript()
    let (key, a, b) = (script.symbol("experiment"), script.symbol("A"), script.symbol("B"))
    script.define(AttributeSetID(1), [HostAttribute(key: key, value: a)])
    script.define(AttributeSetID(2), [HostAttribute(key: key, value: b)])
    script.attributes = AttributeSetID(1)
    script.tti("Search", at: 0, 400)
    script.tti("Search", at: 10, 600)
    script.attributes = AttributeSetID(2)
    script.tti("Search", at: 20, 2000)
    script.attributes = .none
    script.device("DEVICE-2", version: "9.0.0", model: "iPad14,1")
    script.tti("Search", at: 30, 100)
    script.span(
      "screen-rendering.Search",
      .screenRendering,
      at: 40,
      seconds: 10,
      subject: "Search",
      numbers: TelemetryScript.frames(500, 100, freeze: 200, onScreen: 10_000)
    )
    return script
  }

  private func screens(_ word: String) -> [String] {
    var options = ModelOptions()
    options.groupBy = Grouping(word)
    let model = Self.script.model(options: options)
    return model.overview().screens.map { figures in
      let group = figures.group.map { $0.isPresent ? model.text($0) : "-" } ?? "all"
      return "\(group) \(figures.tti.count) \(figures.tti.maximum ?? -1) \(figures.visits)"
    }
  }

  @Test("without a grouping a screen is one row")
  func none() {
    #expect(screens("nothing") == ["all 4 2000.0 1"])
  }

  @Test("a version has its measurements and its renderings, and nothing of the others")
  func version() {
    #expect(screens("version") == ["8.42.1 (842103) 3 2000.0 0", "9.0.0 1 100.0 1"])
  }

  @Test("an attribute of the host parts records; those without it are a part of their own")
  func attribute() {
    #expect(screens("attr.experiment") == ["- 1 100.0 1", "A 2 600.0 0", "B 1 2000.0 0"])
  }

  @Test("the device's model and system part records", arguments: [("device", 2), ("os", 1)])
  func device(word: String, parts: Int) {
    #expect(screens(word).count == parts)
  }

  @Test("what can be grouped by is what the data has, and every word names its grouping")
  func all() {
    let words = Self.script.model().groupings.map(\.word)
    #expect(words == ["version", "device", "os", "attr.experiment"])
    #expect(words.map { Grouping($0)?.word } == words)
    #expect(Grouping("attr.") == nil && Grouping("screen") == nil)
  }

  @Test("a part is judged by itself, and its finding names it")
  func finding() throws {
    var script = TelemetryScript()
    for index in 0..<5 { script.tti("Search", at: Double(index * 10), 300) }
    script.device("DEVICE-2", version: "9.0.0")
    for index in 0..<5 { script.tti("Search", at: Double(index * 10), 1500) }
    var options = ModelOptions()
    options.groupBy = .version
    let model = script.model(options: options)
    let overview = model.overview()
    let findings = model.findings(overview)
    let slow = findings.list.filter { $0.judgement.rule == .ttiSlow }
    let subjects = slow.map { FindingText(model, overview, findings).subject($0) }
    #expect(subjects == ["Search (version 9.0.0)"])
  }

  @Test("what lacks the property is not taken for what has a value that reads alike")
  func labels() {
    var script = TelemetryScript()
    let key = script.symbol("experiment")
    for (index, text) in ["", "unknown", "–", "(no experiment)", "\"(no experiment)\""].enumerated()
    {
      let set = AttributeSetID(UInt32(index + 1))
      script.define(set, [HostAttribute(key: key, value: script.symbol(text))])
      script.attributes = set
      script.tti("Search", at: Double(index), 100)
    }
    script.attributes = .none
    for index in 0..<5 { script.tti("Search", at: Double(100 + index), 1500) }
    var options = ModelOptions()
    options.groupBy = .attribute("experiment")
    let model = script.model(options: options)
    let overview = model.overview()
    #expect(
      overview.screens.map(model.groupText) == [
        nil, "", "\"(no experiment)\"", "(no experiment)", "unknown", "–",
      ]
    )
    #expect(
      overview.screens.map(model.groupLabel) == [
        "(no experiment)", "\"\"", "\"\"(no experiment)\"\"", "\"(no experiment)\"", "unknown", "–",
      ]
    )
    let findings = model.findings(overview)
    let slow = findings.list.filter { $0.judgement.rule == .ttiSlow }
    let subjects = slow.map { FindingText(model, overview, findings).subject($0) }
    #expect(subjects == ["Search (no experiment)"])
  }
}
