/// What a default rule judges of a name's figures where entries of the budgets file judge the rest apart.
struct JudgedRest: Sendable {
  /// Of the records that no entry matches.
  var figures: ScreenFigures
  /// Of launches, instead.
  var startups: StartupGroup?
  /// The worst verdict of those entries.
  var apart: Verdict
}

/// A rule and the figures of a name; where figures are parted, of one part.
struct RestKey: Hashable, Sendable {
  var rule: RuleID
  var subject: OverrideKey.Subject
  var group: Symbol?

  init(_ rule: RuleID, _ subject: OverrideKey.Subject, group: Symbol? = nil) {
    self.rule = rule
    self.subject = subject
    self.group = group
  }

  init(_ rule: RuleID, _ figures: ScreenFigures) {
    self.init(rule, .named(app: figures.app, name: figures.name), group: figures.group)
  }
}

extension Rulebook {
  /// What a rule judges of figures: all of them, but for what entries of the budgets file judge apart.
  func judged(_ rule: RuleID, of figures: ScreenFigures) -> ScreenFigures {
    rests.isEmpty ? figures : rests[RestKey(rule, figures)]?.figures ?? figures
  }

  func judged(_ group: StartupGroup) -> StartupGroup {
    guard !rests.isEmpty else { return group }
    let subject = OverrideKey.Subject.named(app: group.app, name: group.version)
    return rests[RestKey(.startupSlow, subject)]?.startups ?? group
  }

  func judged(_ rule: RuleID, of measured: MeasuredFrames) -> MeasuredFrames {
    guard !rests.isEmpty, let subject = measured.subject,
      let rest = rests[RestKey(rule, subject, group: measured.group)]
    else { return measured }
    return MeasuredFrames(rest.figures)
  }

  /// The worst verdict of the entries that judge a part of a screen's or fragment's records by themselves.
  package func verdictApart(_ figures: ScreenFigures) -> Verdict {
    guard !rests.isEmpty else { return .insufficient }
    let rules: [RuleID] = [.ttiSlow, .ttfrSlow, .fragmentTTISlow, .freezeRate, .droppedFrames]
    return rules.compactMap { rests[RestKey($0, figures)]?.apart }.max() ?? .insufficient
  }

  /// Whether entries of the budgets file judge some of a subject's records apart from a rule.
  func isPartlyJudgedApart(_ key: RestKey) -> Bool { rests[key] != nil }
}
