import Model

/// The members `hangs` and `watchdogTerminations` of the report.
struct HangsJSON {
  private let model: SessionModel
  private let overview: Overview
  private let ids: ReportIdentifiers

  init(_ model: SessionModel, _ overview: Overview, _ ids: ReportIdentifiers) {
    self.model = model
    self.overview = overview
    self.ids = ids
  }

  func write(_ json: inout JSONWriter) {
    hangs(&json)
    terminations(&json)
  }

  private func hangs(_ json: inout JSONWriter) {
    var occurrences: [ReportIdentifiers.HangKey: Int] = [:]
    json.array("hangs") { json in
      for summary in overview.streams {
        for hang in summary.hangs { self.hang(&json, summary, hang, &occurrences) }
      }
    }
  }

  private func hang(
    _ json: inout JSONWriter,
    _ summary: borrowing StreamSummary,
    _ hang: Hang,
    _ occurrences: inout [ReportIdentifiers.HangKey: Int]
  ) {
    let row = model.store[hang.row]
    json.object { json in
      ids.hang(&json, "id", row, &occurrences)
      json.member("origin", hang.origin.rawValue)
      json.member("type", hang.type.rawValue)
      if row.isTimed {
        json.member("start", time: hang.start)
        json.member("end", time: hang.end)
        json.member("trueStart", time: hang.trueStart)
        json.member("trueEnd", time: hang.trueEnd)
      }
      if hang.origin == .ledger, let nanoseconds = row.ledgerNanoseconds {
        json.member("durationMs", Double(nanoseconds) / 1_000_000)
      } else {
        json.member("durationMs", hang.duration)
      }
      json.member("screen", hang.origin == .otlp ? ids.present(row.subject) : nil)
      json.member("duringStartup", hang.duringStartup)
      if let session = hang.session { ids.session(&json, "session", summary, session) }
      json.member("reportedNextLaunch", hang.type == .fatal)
      if let time = hang.toldAt { json.member("reportedAt", time: time) }
      ids.identity(&json, row.resource, summary.stream)
    }
  }

  private func terminations(_ json: inout JSONWriter) {
    let all = overview.streams.flatMap { summary in summary.terminations.map { (summary, $0) } }
    json.array("watchdogTerminations", all) { json, entry in
      let (summary, termination) = entry
      json.object { json in
        json.member("time", time: termination.time)
        json.member("memoryWarnings", termination.memoryWarnings)
        json.member("appState", ids.present(termination.appState))
        ids.identity(&json, model.store[termination.row].resource, summary.stream)
        if let session = termination.session { ids.session(&json, "session", summary, session) }
      }
    }
  }
}
