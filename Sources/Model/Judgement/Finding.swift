/// One answer of a rule that somebody should see: what, by how much, against which limit.
///
/// Its sentence and its evidence are made on demand: see `FindingText` and `EvidenceGathering`.
package struct Finding: Sendable {
  package enum Verdict: String, Sendable {
    case holds
    case broken
    case insufficient
  }

  package enum Severity: String, CaseIterable, Sendable {
    case critical
    case warning
    case info
  }

  package var judgement: Judgement
  /// A large capture has a hundred thousand findings: the subject as one number.
  private let place: UInt64

  package var subject: FindingSubject { FindingSubject(order: place) }

  package init(_ subject: FindingSubject, _ judgement: Judgement) {
    place = subject.order
    self.judgement = judgement
  }

  package var verdict: Verdict {
    if judgement.missing != nil { return .broken }
    return switch judgement.verdict {
    case .insufficient: .insufficient
    case .holds: .holds
    case .warning, .critical: .broken
    }
  }

  /// How much it matters; what cannot be judged is information, whatever it may turn out to be.
  package var severity: Severity {
    if judgement.missing != nil { return .info }
    return switch judgement.verdict {
    case .critical: .critical
    case .warning: .warning
    case .holds, .insufficient: .info
    }
  }

  /// Whether it is worth a line: what is broken, what would be with more evidence, and every entry of a
  /// budgets file that cannot be judged.
  fileprivate var isListed: Bool {
    if judgement.missing != nil { return true }
    switch judgement.verdict {
    case .warning, .critical: return true
    case .holds: return false
    case .insufficient:
      if case .budget = judgement.threshold.source { return true }
      return judgement.tendency > .holds
    }
  }
}

/// All findings of an overview, the worst first.
package struct Findings: Sendable {
  package let rulebook: Rulebook
  /// By app and version.
  package private(set) var startups: [StartupGroup] = []
  /// By app, class, stream and launch.
  package private(set) var leaks: [LeakGroup] = []
  /// Places in `leaks` by stream and launch.
  private var leaksByLaunch: [UInt64: [Int]] = [:]
  /// Of the launch for which it is worst, by app and class.
  private var leakJudgements: [UInt64: Judgement] = [:]
  /// Critical ones, warnings, information, then those without enough evidence; within, the greatest
  /// excess first, then as the overview lists the subjects.
  package private(set) var list: [Finding] = []
  /// How many judgements had enough evidence, those that hold included; what is missing is none.
  package private(set) var judged = 0
  /// The broken ones that are about several sessions, such as screens and startups, the worst first.
  package private(set) var elsewhere: [Finding] = []
  /// Where in `list` those about a stream or a leak stand.
  private(set) var places = FindingPlaces()
  /// By `FindingKind`.
  private var worst = [Verdict](repeating: .insufficient, count: FindingKind.allCases.count)
  /// Of what is no longer kept; counted, and not in `list`.
  package private(set) var folded = FoldedFindings()

  package init() { rulebook = Rulebook() }

  init(rulebook: Rulebook, startups: [StartupGroup], leaks: [LeakGroup]) {
    self.rulebook = rulebook
    self.startups = startups
    self.leaks = leaks
    for (index, group) in leaks.enumerated() {
      leaksByLaunch[Self.key(group.stream, group.launch), default: []].append(index)
      let key = Self.key(group.app, group.className)
      let judgement = rulebook.leakRepeated(group)
      if leakJudgements[key].map({ $0.isExceeded(by: judgement) }) != false {
        leakJudgements[key] = judgement
      }
    }
  }

  /// Places in `leaks` of the classes that leaked in a launch of a stream.
  func leakPlaces(_ stream: StreamID, launch: Int) -> [Int] {
    leaksByLaunch[Self.key(stream, launch)] ?? []
  }

  /// What the rule says of a class in the launch for which it is worst; nil for the rest of all classes.
  package func leakJudgement(_ figures: LeakFigures) -> Judgement? {
    leakJudgements[Self.key(figures.app, figures.className)]
  }

  private static func key(_ app: Symbol, _ className: Symbol) -> UInt64 {
    UInt64(app.rawValue) << 32 | UInt64(className.rawValue)
  }

  private static func key(_ stream: StreamID, _ launch: Int) -> UInt64 {
    UInt64(stream.rawValue) << 32 | UInt64(launch + 1)
  }

  /// How many are broken, by severity, those of what is no longer kept included.
  package func count(_ severity: Finding.Severity) -> Int {
    list.count { $0.verdict == .broken && $0.severity == severity } + folded.count(severity)
  }

  /// The worst verdict of a kind of findings; insufficient where nothing of the kind was judged.
  package func worst(_ kind: FindingKind) -> Verdict {
    max(worst[kind.rawValue], folded.worst(kind))
  }

  package var insufficientCount: Int { list.count { $0.verdict == .insufficient } }

  mutating func add(_ more: FoldedFindings) {
    folded = more
    judged += more.judged
  }

  mutating func add(_ finding: Finding) {
    if finding.judgement.missing == nil, finding.verdict != .insufficient {
      judged += 1
      let kind = kind(finding).rawValue
      worst[kind] = max(worst[kind], finding.judgement.verdict)
    }
    guard finding.isListed else { return }
    // Doubling would leave megabytes unused.
    if list.count == list.capacity { list.reserveCapacity(list.count + list.count / 4 + 16) }
    list.append(finding)
  }

  mutating func sort() {
    let keys = list.enumerated().map { SortKey($1, place: $0) }.sorted()
    // In place, as a second list would take as much as everything else that is derived.
    var isDone = [Bool](repeating: false, count: list.count)
    for start in list.indices where !isDone[start] {
      let first = list[start]
      var index = start
      while true {
        isDone[index] = true
        let next = Int(keys[index].place)
        if next == start { break }
        list[index] = list[next]
        index = next
      }
      list[index] = first
    }
    elsewhere = list.filter { finding in
      finding.severity != .info && !finding.subject.isOfSession
    }
    places = FindingPlaces(list, leaks: leaks.count)
  }

  private struct SortKey: Comparable {
    private let rank: UInt8
    private let rule: UInt16
    let place: UInt32
    private let excess: Double
    private let subject: UInt64

    init(_ finding: Finding, place: Int) {
      self.place = UInt32(place)
      let severity: UInt8 =
        switch finding.severity {
        case .critical: 0
        case .warning: 1
        case .info: 2
        }
      rank = finding.verdict == .insufficient ? 3 : severity
      let missing = finding.judgement.missing
      excess = missing == nil ? finding.judgement.excess : 0
      // Of what is missing, the same kind stays together.
      rule = UInt16(finding.judgement.rule.order << 8 | (missing?.order ?? 0))
      subject = finding.subject.order
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
      if left.rank != right.rank { return left.rank < right.rank }
      if left.excess != right.excess { return left.excess > right.excess }
      if left.rule != right.rule { return left.rule < right.rule }
      return left.subject < right.subject
    }
  }
}

extension Judgement {
  fileprivate func isExceeded(by other: Judgement) -> Bool {
    (verdict, sample) < (other.verdict, other.sample)
  }
}

extension RuleID {
  /// Its place in the list of rules.
  package var order: Int {
    switch self {
    case .hang: 0
    case .watchdog: 1
    case .ttiSlow: 2
    case .ttfrSlow: 3
    case .fragmentTTISlow: 4
    case .startupSlow: 5
    case .freezeRate: 6
    case .droppedFrames: 7
    case .leakRepeated: 8
    case .ledgerOverBudget: 9
    case .dataMissing: 10
    case .budget: 11
    }
  }
}

extension MissingData {
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension SessionModel {
  /// Every rule applied to every subject of an overview; a fraction of what deriving the overview costs.
  package func findings(_ overview: Overview) -> Findings {
    let startups = startupGroups(overview)
    let leaks = leakGroups(overview)
    var rulebook = Rulebook(scale: options.hitchScale, budgets: options.budgets)
    var budgeted: [Finding] = []
    if !options.budgets.isEmpty {
      var gathering = BudgetGathering(self, overview, startups, leaks)
      budgeted = gathering.apply(to: &rulebook)
    }
    var findings = Findings(rulebook: rulebook, startups: startups, leaks: leaks)
    for rule in Rule.all { apply(rule, overview, &findings) }
    for finding in budgeted { findings.add(finding) }
    // A filter looks at none of what is gone.
    if overview.selection == nil { findings.add(overview.folded.findings) }
    findings.sort()
    return findings
  }

  private func apply(_ rule: Rule, _ overview: Overview, _ findings: inout Findings) {
    let rulebook = findings.rulebook
    switch rule.scope {
    case .startups(let judge):
      for (index, group) in findings.startups.enumerated() {
        findings.add(Finding(.startup(index), judge(rulebook, group)))
      }
    case .screens(let judge):
      for index in overview.screens.indices {
        findings.add(Finding(.screen(index), judge(rulebook, overview.screens[index])))
      }
    case .fragments(let judge):
      for index in overview.fragments.indices {
        findings.add(Finding(.fragment(index), judge(rulebook, overview.fragments[index])))
      }
    case .frames(let judge):
      for stream in overview.streams.indices {
        for index in overview.streams[stream].sessions.indices {
          let measured = MeasuredFrames(overview.streams[stream].sessions[index], index)
          guard measured.frames != nil else { continue }
          findings.add(Finding(.session(stream, index), judge(rulebook, measured)))
        }
      }
      for index in overview.screens.indices {
        let measured = MeasuredFrames(overview.screens[index])
        guard measured.frames != nil else { continue }
        findings.add(Finding(.screen(index), judge(rulebook, measured)))
      }
    case .hangs(let judge):
      for stream in overview.streams.indices {
        for index in overview.streams[stream].hangs.indices {
          let hang = overview.streams[stream].hangs[index]
          guard hang.type != .cancelled else { continue }
          findings.add(Finding(.hang(stream, index), judge(rulebook, hang)))
        }
      }
    case .terminations(let judge):
      for stream in overview.streams.indices {
        for (index, termination) in overview.streams[stream].terminations.enumerated() {
          let judgement = judge(rulebook, termination, text(termination.appState))
          findings.add(Finding(.termination(stream, index), judgement))
        }
      }
    case .leaks(let judge):
      for (index, group) in findings.leaks.enumerated() {
        findings.add(Finding(.leak(index), judge(rulebook, group)))
      }
    case .ledger(let judge):
      for (index, figures) in overview.ledger.enumerated() {
        guard let judgement = judge(rulebook, figures) else { continue }
        findings.add(Finding(.ledger(index), judgement))
      }
    case .streams(let checks):
      // What a filter leaves out is not missing: of what it lets through the whole stream is judged.
      let whole = WholeStreams(overview, ofStreams: streams.count)
      for index in overview.streams.indices {
        let summary = whole[index]
        for check in checks {
          guard let judgement = check(self, summary, overview.quality) else { continue }
          findings.add(Finding(.stream(index), judgement))
        }
      }
    }
  }

  /// Milliseconds of an accepted launch that was not prewarmed; nil for any other.
  func judgedStartup(_ launch: Launch) -> Int? {
    guard let number = launch.row, !launch.isPrewarmed, !launch.outcome.isError,
      store[number].signal == .appStartup
    else { return nil }
    return launch.totalMilliseconds
  }

  /// Accepted launches that were not prewarmed, by app and version.
  private func startupGroups(_ overview: Overview) -> [StartupGroup] {
    var groups: [StartupGroup] = []
    var totals: [[Int64]] = []
    var places: [UInt64: Int] = [:]
    func place(_ version: AppVersion) -> Int {
      if let known = places[version.order] { return known }
      places[version.order] = groups.count
      groups.append(StartupGroup(app: version.app, version: version.version))
      totals.append([])
      return groups.count - 1
    }
    for stream in overview.streams.indices {
      for launch in overview.streams[stream].launches {
        guard let number = launch.row, let total = judgedStartup(launch) else { continue }
        let resource = resource(launch.resource)
        let place = place(AppVersion(app: resource.app, version: resource.version))
        totals[place].append(Int64(total))
        groups[place].rows.append(UInt32(number))
      }
    }
    let folded = overview.selection == nil ? overview.folded.startups : [:]
    for version in folded.keys { _ = place(version) }
    for place in groups.indices {
      let version = AppVersion(app: groups[place].app, version: groups[place].version)
      groups[place].total = Distribution(totals[place], and: folded[version])
    }
    return groups.sorted { (text($0.app), text($0.version)) < (text($1.app), text($1.version)) }
  }

  /// Leaks by class, stream and launch.
  private func leakGroups(_ overview: Overview) -> [LeakGroup] {
    guard !overview.leaks.isEmpty else { return [] }
    let places = overview.positions(ofStreams: streams.count)
    var all: [LeakGroup] = []
    for figures in overview.leaks where !figures.isOverflow {
      // By stream and launch; those of a launch stay in their order.
      var leaks: [(key: UInt64, number: UInt32)] = []
      leaks.reserveCapacity(figures.rows.count)
      for number in figures.rows {
        let row = store[Int(number)]
        let place = max(0, places[Int(row.stream.rawValue)])
        let launch = overview.streams[place].launchIndex(at: row.start)
        leaks.append((UInt64(place) << 32 | UInt64(launch + 1), number))
      }
      leaks.sort { ($0.key, $0.number) < ($1.key, $1.number) }
      var last: UInt64?
      for (key, number) in leaks {
        if key != last {
          last = key
          all.append(
            LeakGroup(
              app: figures.app,
              className: figures.className,
              stream: store[Int(number)].stream,
              launch: Int(key & 0xFFFF_FFFF) - 1
            )
          )
        }
        all[all.count - 1].rows.append(number)
      }
    }
    return all
  }
}
