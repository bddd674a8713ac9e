import Model
import TestSupport
import Testing

@Suite("Order of arrival")
struct ArrivalOrderTests {
  /// Two devices with every signal, split sessions, copies, a fatal hang and a lost session.
  private var script: TelemetryScript {
    var script = TelemetryScript()
    script.sessionID = "S1"
    script.startup(at: 0)
    script.session(at: 1, seconds: 30, total: 1700, dropped: 40, freeze: 900)
    script.tti("Home", at: 1.5, 800)
    script.span(
      "screen-rendering.Home",
      .screenRendering,
      at: 2,
      seconds: 20,
      subject: "Home",
      numbers: TelemetryScript.frames(1200, 30, freeze: 700, onScreen: 20_000)
    )
    script.hang(at: 15, 2300, screen: "Home")
    script.leak("RoomVC", at: 31.5, instance: 7)
    script.repeatLast()
    script.session(at: 33, seconds: 10, total: 600, dropped: 0)
    script.tti("Search", at: 60, 1400)
    script.hang(at: 70, 5000, fatal: true)
    script.sessionID = "S2"
    script.startup(at: 100, total: 1900)
    let id = script.session(at: 101, seconds: 20, total: 1180, dropped: 5)
    script.span("app-rendering", .appRendering, at: 101, seconds: 0.001, id: id)
    script.device("DEVICE-2", version: "8.42.0 (842001)")
    script.sessionID = ""
    script.tti("Home", at: 3, 500)
    script.span("api.get", .otherSpan, at: 3.1, seconds: 0.2, error: "timeout")
    script.span("app-watchdog-termination", .watchdogTermination, at: 90, seconds: 0)
    return script
  }

  /// Everything that the report says but of arrival itself.
  private func meaning(_ model: SessionModel) -> String {
    let overview = model.overview()
    var lines: [String] = []
    for summary in overview.streams {
      for session in summary.sessions {
        let items = session.items.map { model.text(model.store[Int($0)].name) }
        lines.append(
          "\(model.identity(of: summary.stream)) \(session.state) \(session.start) \(session.end) "
            + "\(session.launch ?? -1) \(String(describing: session.frames)) \(items) "
            + "\(session.fatalHangs) \(session.nonFatalHangs) \(session.leaks)"
        )
      }
      lines += summary.launches.map {
        "\($0.start) \($0.totalMilliseconds ?? -1) \($0.previousExit)"
      }
      lines += summary.visits.map { "\($0.sessions)" }
      lines += summary.hangs.map { "\($0.type) \($0.trueStart) \($0.session ?? -1)" }
      lines += summary.terminations.map { "\($0.time) \($0.session ?? -1)" }
    }
    lines += overview.screens.map {
      "\(model.text($0.name)) \($0.tti) \(String(describing: $0.frames))"
    }
    lines += overview.leaks.map { "\(model.text($0.className)) \($0.count) \($0.mostInLaunch)" }
    lines.append("\(overview.signalCounts)")
    return lines.joined(separator: "\n")
  }

  @Test("any order of the same records gives the same sessions and figures")
  func shuffles() {
    let script = script
    let expected = meaning(script.model())
    #expect(expected.contains("lost"))
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let model = script.model(of: script.records.shuffled(using: &generator))
      #expect(meaning(model) == expected)
    }
  }

  @Test("records received again change nothing but what is said of arrival")
  func repetition() {
    let script = script
    let spans = script.records.filter { if case .log = $0 { false } else { true } }
    let model = script.model(of: script.records + spans + script.records)
    #expect(meaning(model) == meaning(script.model()))
  }

  @Test("a stream's summary is the same from an earlier overview as from the beginning")
  func incremental() {
    let script = script
    var model = script.model(of: [])
    var overview = model.overview()
    for event in script.records {
      model.apply(event)
      overview = model.overview(previous: overview)
      let fresh = model.overview()
      let states = { (overview: Overview) in overview.streams.map { $0.sessions.map(\.state) } }
      #expect(states(overview) == states(fresh))
      #expect(overview.streams.map { $0.hangs.count } == fresh.streams.map { $0.hangs.count })
    }
  }
}
