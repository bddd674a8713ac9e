import Foundation
import Model
import TestSupport
import Testing

@testable import TUI

@Suite("Answers about attributes that were not all kept")
struct AttributeNoteTests {
  private static let note = "not all attributes were kept"

  /// One visit with an attribute, one whose attributes were not kept.
  private func script(isWhole: Bool = false) -> TelemetryScript {
    var script = TelemetryScript()
    let key = script.symbol("tags")
    let value = script.symbol(#"["beta"]"#)
    script.define(AttributeSetID(1), [HostAttribute(key: key, value: value)])
    script.attributes = AttributeSetID(1)
    script.tti("Home", at: 0, 100)
    script.attributes = isWhole ? .none : .overflow
    script.tti("Home", at: 10, 100)
    return script
  }

  private func filter(_ text: String) throws -> RecordFilter {
    var filter = RecordFilter()
    filter.text = text
    filter.expression = try FilterExpression(parsing: text)
    return filter
  }

  @Test(
    "a filter that asks for one says so, in the text and in the JSON",
    arguments: [
      ("attr.tags:beta", false, 1, true), ("attr.tags:beta", true, 1, false),
      ("not (screen=Home and attr.tags=x)", false, 2, true),
      // Standard keys have places of their own, which keep them.
      ("attr.os.name=iOS", false, 2, false), ("screen=Home", false, 2, false),
    ]
  )
  func filtered(_ asked: String, isWhole: Bool, count: Int, isNoted: Bool) throws {
    let model = script(isWhole: isWhole).model()
    let filter = try filter(asked)
    let overview = model.overview(filter: filter)
    let text = ReportText(model: model, overview: overview, filter: filter, clock: ClockText()).text
    let records = "\(count) record\(count == 1 ? "" : "s")"
    let line = text.split(separator: "\n").first.map(String.init)
    #expect(line == "filter   \(asked): \(records)" + (isNoted ? ", " + Self.note : ""))
    let bytes = ReportJSON(model: model, overview: overview, filter: filter).bytes
    let report = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let said = try #require(report?["filter"] as? [String: Any])
    #expect(said["text"] as? String == (isNoted ? Self.note : nil))
  }

  @Test("where nothing matches, the JSON says both")
  func nothing() throws {
    let model = script().model()
    let filter = try filter("attr.tags=x")
    let bytes = ReportJSON(
      model: model,
      overview: model.overview(filter: filter),
      filter: filter
    ).bytes
    let report = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let said = try #require(report?["filter"] as? [String: Any])
    #expect(said["text"] as? String == "nothing matches the filter, " + Self.note)
  }

  @Test(
    "figures that are parted by one say so below",
    arguments: [
      (Grouping.attribute("tags"), false, true), (.attribute("tags"), true, false),
      (.attribute("os.name"), false, false), (.version, false, false),
    ]
  )
  func grouped(_ grouping: Grouping, isWhole: Bool, isNoted: Bool) {
    var options = ModelOptions()
    options.groupBy = grouping
    let model = script(isWhole: isWhole).model(options: options)
    let text = ReportText(model: model, overview: model.overview(), clock: ClockText()).text
    let lines = text.split(separator: "\n")
    #expect(lines.contains { $0 == "grouped by attr.tags: \(Self.note)" } == isNoted)
    #expect(text.contains(Self.note) == isNoted)
  }

  @Test(
    "the footer's filter says so, also where it has little room",
    arguments: [(80, "& attr.tags:beta"), (50, "& attr.…")]
  )
  func footer(columns: Int, asked: String) throws {
    var state = DashboardStory.state(of: script(), width: columns, height: 24)
    _ = state.press(.character("&"))
    for scalar in "attr.tags:beta".unicodeScalars { _ = state.press(.character(scalar)) }
    _ = state.press(.enter)
    let lines = GridText.plain(Picture.draw(state)).split(separator: "\n")
    let footer = try #require(lines.last { $0.hasPrefix("&") })
    #expect(footer.hasPrefix("\(asked)  1 record, " + Self.note))
  }

  @Test("grouping on the screen says so")
  func notice() {
    var state = DashboardStory.state(of: script(), width: 100, height: 24)
    state.show(.screens)
    // Version, device, os, then the host's.
    for _ in 0..<4 { _ = state.press(.character("b")) }
    #expect(state.notice == "grouped by attr.tags, " + Self.note)
  }

  @Test("a source's first problem is its own text in the JSON, whatever it is made of")
  func firstProblem() throws {
    let text = "say \"hi\" C:\\x\n\t\u{1}\u{1B}[31m\u{7F}\u{85} größer ✗ 👩‍👩‍👧 …"
    var model = script().model()
    model.apply(
      .problem(Problem(source: SourceID(0), kind: .malformed, offset: 7, line: 2, text: text))
    )
    let bytes = ReportJSON(model: model, overview: model.overview()).bytes
    let expected =
      #""firstProblem":{"line":2,"offset":7,"text":"say \"hi\" C:\\x\n\t\u0001\u001b[31m"#
      + #"\u007f\u0085 größer ✗ 👩‍👩‍👧 …"}"#
    #expect(String(decoding: bytes, as: UTF8.self).contains(expected))
    let report = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let source = try #require((report?["sources"] as? [[String: Any]])?.first)
    let problem = try #require(source["firstProblem"] as? [String: Any])
    let read = try #require(problem["text"] as? String)
    #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
  }
}
