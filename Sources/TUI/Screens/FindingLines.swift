import Model

/// Findings as lines of a pane: a mark, the sentence, and where the limit comes from.
enum FindingLines {
  /// `isJudged` says whether there was enough evidence for any rule, `namesSession` whether sentences say
  /// which session and app they are about.
  static func lines(
    _ findings: [Finding],
    isJudged: Bool = true,
    _ state: AppState,
    width: Int,
    most: Int,
    namesSession: Bool = false
  ) -> [StyledText] {
    guard most > 0 else { return [] }
    guard !findings.isEmpty else {
      return [StyledText(isJudged ? "no rule is broken" : "nothing was judged", .muted)]
    }
    // The rest of a sentence takes about that much.
    let text = FindingText(
      state.model,
      state.overview,
      state.findings,
      longestName: max(12, width - 48)
    )
    var lines = findings.prefix(most).map { line($0, text, state, width: width, namesSession) }
    if findings.count > lines.count {
      let more = QuantityText.count(findings.count - lines.count + 1)
      lines[lines.count - 1] = StyledText("and \(more) more", .muted)
    }
    return lines
  }

  private static func line(
    _ finding: Finding,
    _ text: FindingText,
    _ state: AppState,
    width: Int,
    _ namesSession: Bool
  ) -> StyledText {
    let role: Role =
      finding.verdict == .broken ? VerdictText.role(finding.judgement.verdict) : .muted
    let mark = VerdictText.mark(finding.judgement.verdict).drop { $0 == " " }
    let sentence = text.sentence(finding, namesSession: namesSession)
    var line = StyledText(DisplayText.field(String(mark), columns: 2), role)
    line.append(
      sentence,
      finding.verdict == .broken && finding.severity != .info ? .normal : .muted
    )
    let source = " (\(state.rulebook.sourceText(finding.judgement)))"
    // The source is said where it fits whole.
    if finding.judgement.missing == nil,
      line.columns + TextWidth.columns(of: source) <= width
    {
      line.append(source, .muted)
    }
    return EvidencePane.cut(line, to: width)
  }
}
