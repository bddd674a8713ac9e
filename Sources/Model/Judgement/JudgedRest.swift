/// What a default rule judges of a subject where entries of the budgets file judge the rest apart.
struct JudgedRest: Sendable {
  /// Those that no entry matches.
  enum Records: Sendable {
    case figures(ScreenFigures)
    case startups(StartupGroup)
    case leaks(LeakGroup)
  }

  var records: Records
  /// The worst verdict of those entries.
  var apart: Verdict
}

/// A rule and a subject of it; where figures are parted, one part.
struct RestKey: Hashable, Sendable {
  private var rule: RuleID
  private var subject: OverrideKey.Subject
  private var group: Symbol?

  private init(_ rule: RuleID, _ subject: OverrideKey.Subject, group: Symbol? = nil) {
    self.rule = rule
    self.subject = subject
    self.group = group
  }

  init(_ rule: RuleID, _ figures: ScreenFigures) {
    self.init(rule, .named(app: figures.app, name: figures.name), group: figures.group)
  }

  init(_ rule: RuleID, _ group: StartupGroup) {
    self.init(rule, .named(app: group.app, name: group.version))
  }

  init(_ rule: RuleID, _ group: LeakGroup) {
    self.init(rule, group.subject)
  }

  init?(_ rule: RuleID, _ measured: MeasuredFrames) {
    guard let subject = measured.subject else { return nil }
    self.init(rule, subject, group: measured.group)
  }

  /// What an entry replaces that covers the whole subject.
  var override: OverrideKey { OverrideKey(rule: rule, subject: subject) }
}

extension LeakGroup {
  var subject: OverrideKey.Subject { .leak(app: app, className: className, stream, launch: launch) }
}

extension Rulebook {
  /// What a rule judges of figures: all of them, but for what entries of the budgets file judge apart.
  func judged(_ rule: RuleID, of figures: ScreenFigures) -> ScreenFigures {
    guard case .figures(let rest) = rest(RestKey(rule, figures)) else { return figures }
    return rest
  }

  func judged(_ group: StartupGroup) -> StartupGroup {
    guard case .startups(let rest) = rest(RestKey(.startupSlow, group)) else { return group }
    return rest
  }

  func judged(_ group: LeakGroup) -> LeakGroup {
    guard case .leaks(let rest) = rest(RestKey(.leakRepeated, group)) else { return group }
    return rest
  }

  func judged(_ rule: RuleID, of measured: MeasuredFrames) -> MeasuredFrames {
    guard case .figures(let rest) = rest(RestKey(rule, measured)) else { return measured }
    return MeasuredFrames(rest)
  }

  private func rest(_ key: @autoclosure () -> RestKey?) -> JudgedRest.Records? {
    rests.isEmpty ? nil : key().flatMap { rests[$0]?.records }
  }

  /// The worst verdict of the entries that judge a part of a screen's or fragment's records by themselves.
  package func verdictApart(_ figures: ScreenFigures) -> Verdict {
    guard !rests.isEmpty else { return .insufficient }
    let rules: [RuleID] = [.ttiSlow, .ttfrSlow, .fragmentTTISlow, .freezeRate, .droppedFrames]
    return rules.compactMap { rests[RestKey($0, figures)]?.apart }.max() ?? .insufficient
  }
}
