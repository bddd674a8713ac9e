import Foundation
import Model
import TestSupport
import Testing

@testable import TUI

/// Two apps that do the same: one hang of 3 s, two leaks of a class, five slow TTIs.
@Suite("Where there are several apps, each is named")
struct SeveralAppsTests {
  private func script(_ apps: [String]) -> TelemetryScript {
    var script = TelemetryScript()
    for app in apps {
      script.device("PHONE-" + app, app: app)
      script.sessionID = "S-" + app
      script.startup(at: 0)
      script.session(at: 2, seconds: 60, total: 3600, dropped: 0)
      for index in 0..<5 { script.tti("Home", at: Double(3 + index * 2), 1500) }
      script.hang(at: 30, 3000, screen: "Home")
      for instance in 1...2 { script.leak("VC", at: 40, instance: UInt64(instance)) }
      script.span(
        "fatal-app-event",
        .watchdogTermination,
        at: 100,
        seconds: 0,
        numbers: [.primary: 1]
      )
    }
    return script
  }

  @Test(
    "rows and the pane's title name the app on the smallest standard screen",
    arguments: [Screen.screens, .hangs, .leaks]
  )
  func screens(screen: Screen) throws {
    var state = DashboardStory.state(of: script(["Mail", "Shop"]))
    state.show(screen)
    let lines = GridText.plain(Picture.draw(state)).split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.contains("  APP  ") })
    let pane = try #require(lines.lastIndex { $0.hasPrefix("─ ") })
    let rows = lines[4..<pane]
    #expect(rows.count { $0.contains("  Mail  ") } == 1)
    #expect(rows.count { $0.contains("  Shop  ") } == 1)
    #expect(lines[pane].contains("Mail") != lines[pane].contains("Shop"))
  }

  @Test("one app needs no naming", arguments: [Screen.screens, .hangs, .leaks])
  func oneApp(screen: Screen) {
    var state = DashboardStory.state(of: script(["Shop"]))
    state.show(screen)
    #expect(!GridText.plain(Picture.draw(state)).contains("  APP  "))
  }

  private func sentences(_ apps: [String]) -> Set<String> {
    let model = script(apps).model()
    let overview = model.overview()
    let findings = model.findings(overview)
    let text = FindingText(model, overview, findings)
    let told = findings.list.filter { $0.verdict == .broken && $0.judgement.missing == nil }
    return Set(told.map { text.sentence($0) })
  }

  @Test("sentences of like names differ by their app")
  func sentences() {
    let parts: [(one: String, of: (String) -> String)] = [
      ("a hang of 3.00 s on Home; any hang", { "a hang of 3.00 s on Home in \($0); any hang" }),
      ("TTI of Home is 1.50 s", { "TTI of Home in \($0) is 1.50 s" }),
      ("VC leaked 2 times", { "VC in \($0) leaked 2 times" }),
      ("the watchdog terminated the app after", { "the watchdog terminated \($0) after" }),
    ]
    let one = sentences(["Shop"])
    let two = sentences(["Mail", "Shop"])
    #expect(one.count == 4)
    #expect(two.count == 8)
    for part in parts {
      #expect(one.contains { $0.hasPrefix(part.one) }, "\(part.one)")
      for app in ["Mail", "Shop"] {
        #expect(two.contains { $0.hasPrefix(part.of(app)) }, "\(part.of(app))")
      }
    }
  }

  @Test("every finding of the JSON that is about one app names it")
  func json() throws {
    let model = script(["Mail", "Shop"]).model()
    let bytes = ReportJSON(model: model, overview: model.overview()).bytes
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let findings = try #require(object?["findings"] as? [[String: Any]])
    for rule in ["hang", "watchdog", "tti-slow", "leak-repeated"] {
      let apps = findings.filter { $0["rule"] as? String == rule }.map { $0["app"] as? String }
      #expect(Set(apps) == ["Mail", "Shop"], "\(rule)")
    }
  }
}
