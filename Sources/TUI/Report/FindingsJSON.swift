import Model

/// The member `findings` of the report.
struct FindingsJSON {
  /// Findings of one rule that are written: thousands of sessions would bury the rest.
  static let mostOfRule = 500

  private let model: SessionModel
  private let overview: Overview
  private let findings: Findings
  private let ids: ReportIdentifiers
  private let text: FindingText

  init(
    _ model: SessionModel,
    _ overview: Overview,
    _ findings: Findings,
    _ ids: ReportIdentifiers
  ) {
    self.model = model
    self.overview = overview
    self.findings = findings
    self.ids = ids
    text = FindingText(model, overview, findings)
  }

  /// The worst of each rule and budget; `findingsOmitted` counts those beyond and those of what is no
  /// longer kept, by its name.
  func write(_ json: inout JSONWriter) {
    let gathering = EvidenceGathering(model, overview, findings)
    var written: [String: Int] = [:]
    json.array("findings") { json in
      for finding in findings.list {
        written[rule(finding), default: 0] += 1
        guard written[rule(finding), default: 0] <= Self.mostOfRule else { continue }
        let evidence = gathering.evidence(of: finding)
        json.object { json in write(&json, finding, evidence) }
      }
    }
    var omitted = written.mapValues { max(0, $0 - Self.mostOfRule) }
    for rule in RuleID.allCases {
      omitted[rule.rawValue, default: 0] += findings.folded.count(of: rule)
    }
    omitted = omitted.filter { $0.value > 0 }
    guard !omitted.isEmpty else { return }
    json.object("findingsOmitted") { json in
      for (rule, count) in omitted.sorted(by: { $0.key < $1.key }) {
        json.member(name: rule, count)
      }
    }
  }

  /// The name of the default rule, or of the entry of the budgets file.
  private func rule(_ finding: Finding) -> String {
    let judgement = finding.judgement
    guard judgement.rule == .budget,
      let budget = findings.rulebook.budget(judgement.threshold.source)
    else { return judgement.rule.rawValue }
    return budget.id
  }

  private func write(_ json: inout JSONWriter, _ finding: Finding, _ evidence: EvidenceList) {
    let judgement = finding.judgement
    json.member("rule", rule(finding))
    json.member("verdict", finding.verdict.rawValue)
    json.member("severity", finding.severity.rawValue)
    json.member("subject", text.subject(finding))
    identity(&json, finding)
    json.member("text", text.sentence(finding))
    json.member("statistic", judgement.missing?.rawValue ?? judgement.statistic.rawValue)
    json.member("value", judgement.value)
    json.member("budget", judgement.limit)
    json.member("budgetSource", findings.rulebook.sourceText(judgement))
    json.member("unit", judgement.unit.rawValue)
    json.member("sample", judgement.sample)
    json.array("evidence", evidence.items) { json, item in
      json.object { json in write(&json, item) }
    }
    if evidence.more > 0 { json.member("moreEvidence", evidence.more) }
  }

  /// Where the subject belongs, as other members of the report name it.
  private func identity(_ json: inout JSONWriter, _ finding: Finding) {
    if let app = text.app(finding) { json.member("app", app) }
    switch finding.subject {
    case .leak(let index): device(&json, findings.leaks[index].rows.first)
    case .session(let stream, let index):
      ids.session(&json, "session", stream: stream, index)
    case .hang(let stream, let index):
      let hang = overview.streams[stream].hangs[index]
      if let session = hang.session {
        ids.session(&json, "session", stream: stream, session)
      }
      device(&json, UInt32(hang.row))
    case .termination(let stream, let index):
      let termination = overview.streams[stream].terminations[index]
      if let session = termination.session {
        ids.session(&json, "session", stream: stream, session)
      }
      device(&json, UInt32(termination.row))
    case .stream(let index):
      guard !overview.streams[index].sessions.isEmpty else { return }
      let resource = model.resource(overview.streams[index].sessions[0].resource)
      json.member("deviceId", ids.present(resource.deviceID))
    case .screen, .fragment, .startup, .ledger, .span, .budget: break
    }
  }

  private func device(_ json: inout JSONWriter, _ row: UInt32?) {
    guard let row else { return }
    let resource = model.resource(model.store[Int(row)].resource)
    json.member("deviceId", ids.present(resource.deviceID))
  }

  private func write(_ json: inout JSONWriter, _ evidence: Evidence) {
    let source = Int(evidence.place.source.rawValue)
    json.member("source", source < model.sources.count ? model.sources[source].name : nil)
    json.member("offset", Int(clamping: evidence.place.offset))
    json.member("length", Int(evidence.place.length))
    json.member("kind", evidence.kind.word)
    if let start = evidence.start { json.member("start", time: start) }
    json.member("durationMs", evidence.milliseconds)
    json.member("share", evidence.share)
  }
}
