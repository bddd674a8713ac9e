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
    var counts = FindingCounts(findings.rulebook)
    json.array("findings") { json in
      for finding in findings.list {
        let (rule, count) = counts.add(finding)
        guard count <= Self.mostOfRule else { continue }
        let evidence = gathering.evidence(of: finding)
        json.object { json in write(&json, finding, rule: rule, evidence) }
      }
    }
    let omitted = counts.omitted(beyond: Self.mostOfRule, and: findings.folded)
    guard !omitted.isEmpty else { return }
    json.object("findingsOmitted") { json in
      for (rule, count) in omitted { json.member(name: rule, count) }
    }
  }

  private func write(
    _ json: inout JSONWriter,
    _ finding: Finding,
    rule: String,
    _ evidence: EvidenceList
  ) {
    let judgement = finding.judgement
    json.member("rule", rule)
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

/// How many findings there are of each rule and each entry of the budgets file, by its name.
private struct FindingCounts {
  private var counts: [(name: String, count: Int)] = RuleID.allCases.map { ($0.rawValue, 0) }
  /// Places in `counts` of the entries, whose names may repeat.
  private var entries: [Int] = []

  init(_ rulebook: Rulebook) {
    for budget in rulebook.budgets {
      let known = counts.firstIndex { $0.name == budget.id }
      entries.append(known ?? counts.count)
      if known == nil { counts.append((budget.id, 0)) }
    }
  }

  /// The name of the finding's default rule or entry, and how many of it there are by now.
  mutating func add(_ finding: Finding) -> (name: String, count: Int) {
    let judgement = finding.judgement
    var place = judgement.rule.order
    if judgement.rule == .budget, case .budget(let index) = judgement.threshold.source {
      place = entries[index]
    }
    counts[place].count += 1
    return counts[place]
  }

  /// The names of which some are not written, in their order, and how many.
  ///
  /// Those are what there are more than `most` of, and what is no longer kept.
  func omitted(beyond most: Int, and folded: FoldedFindings) -> [(name: String, count: Int)] {
    var omitted = counts.map { (name: $0.name, count: max(0, $0.count - most)) }
    for rule in RuleID.allCases { omitted[rule.order].count += folded.count(of: rule) }
    return omitted.filter { $0.count > 0 }.sorted { $0.name < $1.name }
  }
}
