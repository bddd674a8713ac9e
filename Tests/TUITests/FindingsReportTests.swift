import Foundation
import Model
import TestSupport
import Testing

@testable import TUI

@Suite("Findings in the report")
struct FindingsReportTests {
  /// Five slow TTIs with a hang within the slowest, and a session without anything wrong.
  private var script: TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.session(at: 2, seconds: 100, total: 6000, dropped: 0, id: 0xAB)
    for index in 0..<4 { script.tti("Search", at: Double(10 + index), 1000) }
    script.tti("Search", at: 20, 4000)
    // 21 s to 23 s.
    script.hang(at: 24, 2000, screen: "Search")
    return script
  }

  private func report(_ script: TelemetryScript, _ budgets: [Budget] = []) throws -> [[String: Any]]
  {
    var options = ModelOptions()
    options.budgets = budgets
    let model = script.model(options: options)
    let bytes = ReportJSON(model: model, overview: model.overview()).bytes
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    return try #require(object?["findings"] as? [[String: Any]])
  }

  @Test("a finding says the rule, the number, the limit and the records that prove it")
  func json() throws {
    let findings = try report(script)
    #expect(findings.map { $0["rule"] as? String } == ["tti-slow", "hang"])
    let slow = findings[0]
    #expect(slow["verdict"] as? String == "broken")
    #expect(slow["severity"] as? String == "warning")
    #expect(slow["subject"] as? String == "Search")
    #expect(slow["app"] as? String == "Shop")
    // Rank 3.6 of 1000 1000 1000 1000 4000: 1000 + 0.6 × 3000.
    #expect(slow["text"] as? String == "TTI of Search is 2.80 s (P90 of 5), limit 1 s")
    #expect(slow["statistic"] as? String == "p90")
    #expect(slow["value"] as? Double == 2800)
    #expect(slow["budget"] as? Double == 1000)
    #expect(slow["budgetSource"] as? String == "default rule tti-slow")
    #expect(slow["unit"] as? String == "ms")
    #expect(slow["sample"] as? Int == 5)
    let evidence = try #require(slow["evidence"] as? [[String: Any]])
    #expect(evidence.count == 6)
    // Records have places 1,000 bytes apart in the order in which they are told.
    #expect(evidence[0]["source"] as? String == "capture.jsonl")
    #expect(evidence[0]["offset"] as? Int == 7000)
    #expect(evidence[0]["length"] as? Int == 900)
    #expect(evidence[0]["kind"] as? String == "screen-tti")
    #expect(evidence[0]["start"] as? String == "2026-01-01T00:00:20.000000000Z")
    #expect(evidence[0]["durationMs"] as? Double == 4000)
    #expect(evidence[0]["share"] == nil)
    #expect(evidence[1]["kind"] as? String == "app-hang")
    #expect(evidence[1]["start"] as? String == "2026-01-01T00:00:21.000000000Z")
    #expect(evidence[1]["share"] as? Double == 0.5)
    let hang = findings[1]
    #expect(hang["session"] as? String == "00000000000000ab")
    #expect(hang["deviceId"] as? String == "DEVICE-1")
  }

  @Test("what cannot be judged is information, however bad it looks")
  func insufficient() throws {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.tti("Home", at: 1, 3000)
    let findings = try report(script)
    #expect(findings.map { $0["verdict"] as? String } == ["insufficient"])
    #expect(findings.map { $0["severity"] as? String } == ["info"])
    #expect(
      findings.map { $0["text"] as? String } == [
        "TTI of Home is 3.00 s (P90 of 1), limit 3 s; not judged, 5 needed"
      ]
    )
  }

  @Test(
    "an entry of the budgets file has its own name; in the place of a default rule it is the source"
  )
  func budgets() throws {
    let replacing = Budget(id: "quick", signal: .screenTTI, statistic: .p90, limit: 500)
    let own = Budget(id: "longest", signal: .screenTTI, statistic: .max, limit: 3500)
    let findings = try report(script, [replacing, own])
    #expect(findings.map { $0["rule"] as? String } == ["tti-slow", "longest", "hang"])
    #expect(findings[0]["budgetSource"] as? String == "budgets file, entry quick")
    #expect(findings[0]["budget"] as? Double == 500)
    #expect(findings[1]["statistic"] as? String == "max")
    #expect(
      findings[1]["text"] as? String == "TTI of Search is 4.00 s (max of 5), limit 3.5 s"
    )
  }

  @Test("of each rule and each entry the worst 500 are listed, the rest are counted by its name")
  func omitted() throws {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    for index in 0..<502 { script.tti("Screen\(index)", at: Double(2 + index), 200) }
    var options = ModelOptions()
    options.budgets = ["longest", "\"mean\""].map {
      Budget(id: $0, signal: .screenTTI, statistic: $0 == "longest" ? .max : .mean, limit: 1)
    }
    let model = script.model(options: options)
    let bytes = ReportJSON(model: model, overview: model.overview()).bytes
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    )
    let findings = try #require(report["findings"] as? [[String: Any]])
    for entry in ["longest", "\"mean\""] {
      #expect(findings.count { $0["rule"] as? String == entry } == 500)
    }
    #expect(report["findingsOmitted"] as? [String: Int] == ["longest": 2, "\"mean\"": 2])
  }

  @Test("the text report begins with the verdict and tells where each finding is proved")
  func text() {
    let model = script.model()
    let text = ReportText(model: model, overview: model.overview(), clock: ClockText()).text
    #expect(text.hasPrefix("2 warnings\n"))
    #expect(
      text.contains(
        """
        FINDINGS
        warn     TTI of Search is 2.80 s (P90 of 5), limit 1 s
                 default rule tti-slow; capture.jsonl:7000 and 4 more
        warn     a hang of 2.00 s on Search; any hang is a warning
                 default rule hang; capture.jsonl:8000
        """
      )
    )
  }

  @Test("where nothing is wrong the report says that")
  func fine() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    for index in 0..<5 { script.startup(at: Double(1000 * index)) }
    let model = script.model()
    let text = ReportText(model: model, overview: model.overview(), clock: ClockText()).text
    #expect(text.hasPrefix("no rule is broken\n"))
    #expect(!text.contains("FINDINGS"))
  }

  @Test("where there is too little to judge anything the report does not say that all is well")
  func nothingJudged() {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    let model = script.model()
    let text = ReportText(model: model, overview: model.overview(), clock: ClockText()).text
    #expect(text.hasPrefix("nothing was judged\n"))
  }

  @Test("a filter that nothing matches says so, in the text and in the JSON, and judges nothing")
  func nothingMatches() throws {
    let model = script.model()
    var filter = RecordFilter()
    filter.text = "screen=Nowhere"
    filter.expression = try FilterExpression(parsing: filter.text)
    let overview = model.overview(filter: filter)
    let text = ReportText(model: model, overview: overview, filter: filter, clock: ClockText()).text
    #expect(text.hasPrefix("filter   screen=Nowhere: 0 records\n\nnothing matches the filter\n\n"))
    #expect(!text.contains("no rule is broken") && !text.contains("0 sessions"))
    let bytes = ReportJSON(model: model, overview: overview, filter: filter).bytes
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    )
    let said = try #require(report["filter"] as? [String: Any])
    #expect(said["records"] as? Int == 0)
    #expect(said["text"] as? String == "nothing matches the filter")
    #expect((report["findings"] as? [Any])?.isEmpty == true)
  }
}
