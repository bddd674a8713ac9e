/// Applies the entries of a budgets file: which default rule each replaces for whom, and what else it says.
///
/// An entry covers a subject when it matches every record behind it. Where it matches only some, it judges
/// these by themselves, and the default rule what no entry matches; of several entries the first counts.
/// With a statistic that no default rule has it is a finding of its own over the records that it matches.
struct BudgetGathering {
  let model: SessionModel
  let overview: Overview
  let startups: [StartupGroup]
  let leaks: [LeakGroup]
  /// Entry and resource: whether app, version and device match.
  private var resourceMatches: [[Bool?]] = []
  /// Rows that an entry judges apart from what a default rule judges, and the worst verdict.
  var apart: [RestKey: (rows: Set<UInt32>, verdict: Verdict)] = [:]

  init(
    _ model: SessionModel,
    _ overview: Overview,
    _ startups: [StartupGroup],
    _ leaks: [LeakGroup]
  ) {
    self.model = model
    self.overview = overview
    self.startups = startups
    self.leaks = leaks
    resourceMatches = model.options.budgets.map { _ in [] }
  }

  /// Records replacements in the rulebook; returns the findings of the entries' own.
  mutating func apply(to rulebook: inout Rulebook) -> [Finding] {
    var findings: [Finding] = []
    for (index, budget) in model.options.budgets.enumerated() {
      let known = findings.count
      let replaced = judge(budget, index, &rulebook, &findings)
      guard findings.count == known, !replaced else { continue }
      // Nothing that it matches was there: it cannot be judged.
      findings.append(Finding(.budget(index), judgement(index, nil, sample: 0)))
    }
    rulebook.rests = rests()
    return findings
  }

  /// Judges the rows behind a subject that the entry matches: in the place of the default rule where it
  /// matches all of them, else apart from it.
  ///
  /// Of several entries that match a row the first judges it. True when the default rule is replaced for the
  /// whole subject; without a key there is none.
  mutating func judge(
    _ rows: [UInt32],
    _ index: Int,
    of key: RestKey?,
    _ rulebook: inout Rulebook,
    _ findings: inout [Finding],
    _ finding: (BudgetGathering, [UInt32]) -> Finding
  ) -> Bool {
    if let key, rulebook.isOverridden(key.override) { return true }
    let known = key.flatMap { apart[$0] } ?? ([], .insufficient)
    let isWhole = model.options.budgets[index].match.isWhole && known.rows.isEmpty
    var matched: [UInt32] = []
    for number in rows where !known.rows.contains(number) {
      if isWhole || matches(index, model.store[Int(number)]) { matched.append(number) }
    }
    if let key, isWhole || !rows.isEmpty && matched.count == rows.count {
      rulebook.override(key.override, by: index)
      return true
    }
    guard !matched.isEmpty else { return false }
    let own = finding(self, matched)
    findings.append(own)
    guard let key else { return false }
    apart[key] = (known.rows.union(matched), max(known.verdict, own.judgement.verdict))
    return false
  }

  /// True when the entry replaced a default rule for somebody.
  private mutating func judge(
    _ budget: Budget,
    _ index: Int,
    _ rulebook: inout Rulebook,
    _ findings: inout [Finding]
  ) -> Bool {
    if budget.statistic.isCounting, budget.signal != .leak || budget.statistic != .count {
      if budget.match == BudgetMatch(), budget.signal == .fatalHang {
        rulebook.override(OverrideKey(rule: .hang, subject: .fatalHangs), by: index)
      } else if budget.match == BudgetMatch(), budget.signal == .watchdog {
        rulebook.override(OverrideKey(rule: .watchdog, subject: .terminations), by: index)
      }
      findings.append(Finding(.budget(index), counted(budget, index)))
      return false
    }
    switch budget.signal {
    case .screenTTI, .screenTTFR:
      return judge(overview.screens, index, { .screen($0) }, &rulebook, &findings)
    case .fragmentTTI, .fragmentTTFR:
      return judge(overview.fragments, index, { .fragment($0) }, &rulebook, &findings)
    case .startup: return judgeStartups(index, &rulebook, &findings)
    case .freezeRate, .droppedRatio: return judgeFrames(index, &rulebook, &findings)
    case .hang, .fatalHang: return judgeHangs(budget, index, &rulebook, &findings)
    case .leak: return judgeLeaks(index, &rulebook, &findings)
    case .ledger: return judgeLedger(index, &rulebook, &findings)
    case .span: return judgeSpans(index, &findings)
    case .watchdog: return false
    }
  }

  // MARK: - Values by name

  private mutating func judge(
    _ figures: [ScreenFigures],
    _ index: Int,
    _ subject: (Int) -> FindingSubject,
    _ rulebook: inout Rulebook,
    _ findings: inout [Finding]
  ) -> Bool {
    let budget = model.options.budgets[index]
    let isFirstFrame = budget.signal == .screenTTFR || budget.signal == .fragmentTTFR
    var replaced = false
    for (place, figure) in figures.enumerated() where !figure.isOverflow {
      guard matches(index, name: figure.name, app: figure.app) else { continue }
      let rows = figure.rows.filter { number in
        let row = model.store[Int(number)]
        return row.signal != .screenRendering && row.isMeasured(isFirstFrame: isFirstFrame)
      }
      let key = budget.defaultRule.map { RestKey($0, figure) }
      let isReplaced = judge(rows, index, of: key, &rulebook, &findings) { gathering, rows in
        let values = rows.map { number in
          let row = gathering.model.store[Int(number)]
          return Int64(isFirstFrame ? row.secondary : row.primary)
        }
        return Finding(subject(place), gathering.judgement(index, Distribution(values)))
      }
      if isReplaced { replaced = true }
    }
    return replaced
  }

  private mutating func judgeStartups(
    _ index: Int,
    _ rulebook: inout Rulebook,
    _ findings: inout [Finding]
  ) -> Bool {
    let rule = model.options.budgets[index].defaultRule
    var replaced = false
    for (place, group) in startups.enumerated() where matches(index, name: nil, app: group.app) {
      let key = rule.map { RestKey($0, group) }
      let isReplaced = judge(group.rows, index, of: key, &rulebook, &findings) { gathering, rows in
        let values = rows.map { Int64(gathering.model.store[Int($0)].primary) }
        return Finding(.startup(place), gathering.judgement(index, Distribution(values)))
      }
      if isReplaced { replaced = true }
    }
    return replaced
  }

  private mutating func judgeLedger(
    _ index: Int,
    _ rulebook: inout Rulebook,
    _ findings: inout [Finding]
  ) -> Bool {
    let budget = model.options.budgets[index]
    // Ledger lines have no app of their own.
    guard budget.match.app == nil, budget.match.isWhole else { return false }
    var replaced = false
    for (place, figure) in overview.ledger.enumerated() where !figure.duration.isEmpty {
      guard matches(index, name: figure.name, app: nil) else { continue }
      if let rule = budget.defaultRule {
        let subject = OverrideKey.Subject.named(app: .none, name: figure.name)
        rulebook.override(OverrideKey(rule: rule, subject: subject), by: index)
        replaced = true
      } else {
        findings.append(Finding(.ledger(place), judgement(index, figure.duration)))
      }
    }
    return replaced
  }

  private mutating func judgeSpans(_ index: Int, _ findings: inout [Finding]) -> Bool {
    for (place, figure) in overview.spans.enumerated() where !figure.isOverflow {
      guard matches(index, name: figure.name, app: figure.app) else { continue }
      var duration = figure.duration
      if !model.options.budgets[index].match.isWhole {
        let rows = model.otherSpanRows(app: figure.app, name: figure.name, in: overview)
        let lengths = rows.compactMap { number -> Int64? in
          let row = model.store[Int(number)]
          return matches(index, row) ? row.end - row.start : nil
        }
        duration = Distribution(lengths, divisor: 1_000_000)
      }
      guard !duration.isEmpty else { continue }
      findings.append(Finding(.span(place), judgement(index, duration)))
    }
    return false
  }

  private mutating func judgeLeaks(
    _ index: Int,
    _ rulebook: inout Rulebook,
    _ findings: inout [Finding]
  ) -> Bool {
    var replaced = false
    for (place, group) in leaks.enumerated()
    where matches(index, name: group.className, app: group.app) {
      let key = RestKey(.leakRepeated, group)
      let isReplaced = judge(group.rows, index, of: key, &rulebook, &findings) { gathering, rows in
        let count = gathering.judgement(index, Double(rows.count), sample: rows.count)
        return Finding(.leak(place), count)
      }
      if isReplaced { replaced = true }
    }
    return replaced
  }

  // MARK: - Hangs

  private mutating func judgeHangs(
    _ budget: Budget,
    _ index: Int,
    _ rulebook: inout Rulebook,
    _ findings: inout [Finding]
  ) -> Bool {
    var lengths: [Int64] = []
    var replaced = false
    for summary in overview.streams {
      for hang in summary.hangs where hang.type != .cancelled {
        if budget.signal == .fatalHang, hang.type != .fatal { continue }
        let row = model.store[hang.row]
        guard matches(index, name: row.subject, app: nil), matches(index, row) else { continue }
        if budget.defaultRule != nil {
          rulebook.override(OverrideKey(rule: .hang, subject: .row(hang.row)), by: index)
          replaced = true
        } else if let duration = hang.duration {
          lengths.append(Int64(duration))
        }
      }
    }
    if !lengths.isEmpty {
      findings.append(Finding(.budget(index), judgement(index, Distribution(lengths))))
    }
    return replaced
  }

  // MARK: - Judging

  private func judgement(_ index: Int, _ values: Distribution) -> Judgement {
    let statistic = model.options.budgets[index].statistic
    let value: Double? =
      switch statistic {
      case .max: values.maximum
      case .mean: values.mean
      default: statistic.fraction.flatMap(values.quantile)
      }
    return judgement(index, value, sample: values.count)
  }

  func judgement(_ index: Int, _ value: Double?, sample: Int) -> Judgement {
    let budget = model.options.budgets[index]
    return Judgement(
      .budget,
      budget.statistic,
      value,
      budget.signal.unit(budget.statistic),
      sample: sample,
      budget.threshold(index, model.options.hitchScale)
    )
  }

  // MARK: - Matching

  /// Whether name and app match; what is nil is not asked for.
  func matches(_ index: Int, name: Symbol?, app: Symbol?) -> Bool {
    let match = model.options.budgets[index].match
    if let glob = match.name, let name, !glob.matches(model.text(name)) { return false }
    if let glob = match.app, let app, !glob.matches(model.text(app)) { return false }
    return true
  }

  /// Whether app, version, device and attributes of a record match.
  mutating func matches(_ index: Int, _ row: RecordRow) -> Bool {
    guard matches(index, row.resource) else { return false }
    let wanted = model.options.budgets[index].match.attributes
    guard !wanted.isEmpty else { return true }
    return wanted.allSatisfy { attribute in
      model.attributeValues(attribute.key, of: row).contains(where: attribute.matches)
    }
  }

  mutating func matches(_ index: Int, _ id: ResourceID) -> Bool {
    let number = Int(id.rawValue)
    while resourceMatches[index].count <= number { resourceMatches[index].append(nil) }
    if let known = resourceMatches[index][number] { return known }
    let match = model.options.budgets[index].match
    let resource = model.resource(id)
    var isMatch = true
    if let glob = match.app { isMatch = glob.matches(model.text(resource.app)) }
    if let glob = match.version, isMatch { isMatch = glob.matches(model.text(resource.version)) }
    if let glob = match.device, isMatch {
      isMatch =
        glob.matches(model.text(resource.deviceModel))
        || glob.matches(model.text(resource.deviceID))
    }
    resourceMatches[index][number] = isMatch
    return isMatch
  }
}

extension SessionModel {
  /// Live rows of the spans of one name that are none of PerformanceSuite's.
  func otherSpanRows(app: Symbol, name: Symbol, in overview: Overview) -> [UInt32] {
    let view = RowView(bound: overview.bound, selection: overview.selection)
    let key = GroupKey(signal: .otherSpan, app: app, name: name)
    guard let index = groups.keys.firstIndex(of: key) else { return [] }
    return groups.rows[index].filter { store.isLive(Int($0), in: view) }
  }
}
