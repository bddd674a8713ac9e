import Model

/// Findings for people: the verdict in one line, then each finding with the record that proves it.
struct FindingsText {
  /// Findings that are told; further ones are counted.
  private static let most = 20
  /// Columns of a line: names may be of any length.
  private static let width = 200

  private let model: SessionModel
  private let overview: Overview
  private let findings: Findings

  init(_ model: SessionModel, _ overview: Overview, _ findings: Findings) {
    self.model = model
    self.overview = overview
    self.findings = findings
  }

  /// `3 critical, 5 warnings, 2 not judged`; says so where all is well, and where nothing was judged.
  var verdict: String {
    let critical = findings.count(.critical)
    let warnings = findings.count(.warning)
    var parts: [String] = []
    if critical > 0 { parts.append("\(QuantityText.count(critical)) critical") }
    if warnings > 0 {
      parts.append(warnings == 1 ? "1 warning" : "\(QuantityText.count(warnings)) warnings")
    }
    if overview.selection?.count == 0 { parts.append("nothing matches the filter") }
    if parts.isEmpty {
      parts.append(findings.judged > 0 ? "no rule is broken" : "nothing was judged")
    }
    let rest = findings.insufficientCount
    if rest > 0 { parts.append("\(QuantityText.count(rest)) without enough evidence") }
    let gone = overview.quality.foldedSessions
    if gone > 0, !model.options.budgets.isEmpty {
      parts.append("\(QuantityText.count(gone)) older sessions were not kept for the budgets")
    }
    return parts.joined(separator: ", ")
  }

  var lines: [String] {
    guard !findings.list.isEmpty || findings.folded.broken > 0 else { return [] }
    let text = FindingText(model, overview, findings)
    let gathering = EvidenceGathering(model, overview, findings)
    // What several streams lack is said once.
    var streams: [MissingData: Int] = [:]
    let shown = findings.list.filter { finding in
      guard let missing = finding.judgement.missing else { return true }
      streams[missing, default: 0] += 1
      return streams[missing] == 1
    }
    var lines = ["FINDINGS"]
    for finding in shown.prefix(Self.most) {
      var sentence = text.sentence(finding)
      if let missing = finding.judgement.missing {
        let more = (streams[missing] ?? 1) - 1
        sentence = text.subject(finding) + ": " + sentence
        if more > 0 { sentence += " (and so for \(QuantityText.count(more)) more)" }
      }
      lines.append(mark(finding) + DisplayText.cutAtEnd(sentence, to: Self.width))
      let source = findings.rulebook.sourceText(finding.judgement)
      let place = proof(gathering.evidence(of: finding))
      let proof = place.map { "\(source); \($0)" } ?? source
      lines.append("         " + DisplayText.cutAtEnd(proof, to: Self.width))
    }
    let more = shown.count - Self.most
    if more > 0 { lines.append("… and \(QuantityText.count(more)) more; --format json has all") }
    let gone = findings.folded.broken
    if gone > 0 {
      lines.append("… and \(QuantityText.count(gone)) of what is no longer kept: see --max-memory")
    }
    return lines
  }

  private func mark(_ finding: Finding) -> String {
    let word =
      finding.verdict == .insufficient
      ? "unknown"
      : finding.severity == .critical ? "FAIL" : finding.severity == .warning ? "warn" : "info"
    return DisplayText.field(word, columns: 9)
  }

  /// `capture.jsonl:1234 and 8 more`.
  private func proof(_ evidence: EvidenceList) -> String? {
    guard let first = evidence.items.first else { return nil }
    let source = Int(first.place.source.rawValue)
    guard source < model.sources.count else { return nil }
    let proofs = evidence.items.count { $0.share == nil } + evidence.more
    let place = "\(model.sources[source].name):\(first.place.offset)"
    return proofs > 1 ? "\(place) and \(QuantityText.count(proofs - 1)) more" : place
  }
}
