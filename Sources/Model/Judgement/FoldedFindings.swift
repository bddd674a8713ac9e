/// What the default rules said of sessions, hangs, terminations and leaks that are no longer kept.
///
/// They are judged before they go, so that a verdict does not depend on the memory limit. Entries of a
/// budgets file look at records, which are gone: with such a file nothing is judged here.
package struct FoldedFindings: Sendable {
  /// How many are broken, by `RuleID.order`.
  private var critical = [Int](repeating: 0, count: RuleID.allCases.count)
  private var warnings = [Int](repeating: 0, count: RuleID.allCases.count)
  /// Judgements that had enough evidence.
  private(set) var judged = 0

  mutating func add(_ judgement: Judgement) {
    guard judgement.verdict != .insufficient else { return }
    judged += 1
    if judgement.verdict == .critical { critical[judgement.rule.order] += 1 }
    if judgement.verdict == .warning { warnings[judgement.rule.order] += 1 }
  }

  /// How many are broken.
  package var broken: Int { count(.critical) + count(.warning) }

  func count(_ severity: Finding.Severity) -> Int {
    switch severity {
    case .critical: critical.reduce(0, +)
    case .warning: warnings.reduce(0, +)
    case .info: 0
    }
  }

  /// How many broke a rule, whatever their severity.
  package func count(of rule: RuleID) -> Int { critical[rule.order] + warnings[rule.order] }

  /// The worst verdict of a kind; insufficient where none of it was broken.
  func worst(_ kind: FindingKind) -> Verdict {
    let rules = RuleID.allCases.filter { FindingKind($0) == kind }
    if rules.contains(where: { critical[$0.order] > 0 }) { return .critical }
    return rules.contains { warnings[$0.order] > 0 } ? .warning : .insufficient
  }
}
