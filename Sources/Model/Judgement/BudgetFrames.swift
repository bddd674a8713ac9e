// Entries of the budgets file about frames: of sessions, and of visits to screens.
extension BudgetGathering {
  /// A session or a visit with its ratio.
  private struct Rated {
    var row: UInt32
    var value: Double
  }

  /// True when the entry replaced a default rule for somebody.
  mutating func judgeFrames(
    _ index: Int,
    _ rulebook: inout Rulebook,
    _ findings: inout [Finding]
  ) -> Bool {
    let budget = model.options.budgets[index]
    guard let rule = budget.defaultRule else {
      let rated = rated(index)
      if !rated.isEmpty { findings.append(Finding(.budget(index), judgement(index, rated))) }
      return false
    }
    var replaced = false
    for summary in overview.streams where budget.match.name == nil {
      for (place, session) in summary.sessions.enumerated() where judges(index, session) {
        let subject = OverrideKey.Subject.session(summary.stream, place)
        rulebook.override(OverrideKey(rule: rule, subject: subject), by: index)
        replaced = true
      }
    }
    for (place, figure) in overview.screens.enumerated()
    where !figure.isOverflow && figure.frames != nil {
      guard matches(index, name: figure.name, app: figure.app) else { continue }
      let visits = figure.rows.filter(isVisit)
      let key = RestKey(rule, figure)
      let isReplaced = judge(visits, index, of: key, &rulebook, &findings) { gathering, rows in
        Finding(.screen(place), gathering.judgement(index, ofVisits: rows, to: figure))
      }
      if isReplaced { replaced = true }
    }
    return replaced
  }

  /// Of a part of the visits to a screen, all together.
  private func judgement(
    _ index: Int,
    ofVisits rows: [UInt32],
    to figure: ScreenFigures
  ) -> Judgement {
    let budget = model.options.budgets[index]
    var part = figure.empty
    part.addRenderings(ContiguousArray(rows), model.store, in: view)
    return Rulebook.frames(
      .budget,
      budget.signal,
      MeasuredFrames(part),
      budget.threshold(index, model.options.hitchScale)
    )
  }

  /// Whether it is about the frames of a session, by its own span.
  private mutating func judges(_ index: Int, _ session: Session) -> Bool {
    guard session.frames != nil, let number = session.renderingRows.first else { return false }
    return matches(index, model.store[Int(number)])
  }

  private func isVisit(_ number: UInt32) -> Bool {
    let row = model.store[Int(number)]
    return row.signal == .screenRendering
      && FrameFigures(model.store.extra(of: row).measurements) != nil
  }

  // MARK: - Each by itself

  /// What an entry is about and can be judged: visits where it names a screen, else sessions.
  private mutating func rated(_ index: Int) -> [Rated] {
    let budget = model.options.budgets[index]
    var rated: [Rated] = []
    guard budget.match.name != nil else {
      for summary in overview.streams {
        for (place, session) in summary.sessions.enumerated() where judges(index, session) {
          guard let row = session.renderingRows.first,
            let value = Self.ratio(budget, MeasuredFrames(session, place))
          else { continue }
          rated.append(Rated(row: row, value: value))
        }
      }
      return rated
    }
    for figure in overview.screens where !figure.isOverflow {
      guard matches(index, name: figure.name, app: figure.app) else { continue }
      for number in figure.rows where isVisit(number) && matches(index, model.store[Int(number)]) {
        guard let value = Self.ratio(budget, measured(number)) else { continue }
        rated.append(Rated(row: number, value: value))
      }
    }
    return rated
  }

  private func measured(_ number: UInt32) -> MeasuredFrames {
    let row = model.store[Int(number)]
    let frames = FrameFigures(model.store.extra(of: row).measurements)
    let coverage = frames?.coverage(ofNanoseconds: row.end - row.start)
    return MeasuredFrames(frames: frames, coverage: coverage)
  }

  /// Nil where it cannot be judged.
  private static func ratio(_ budget: Budget, _ measured: MeasuredFrames) -> Double? {
    guard let frames = measured.frames,
      frames.total + frames.dropped >= DefaultRules.droppedFrames.minimumSample,
      measured.coverage.map({ $0 >= DefaultRules.minimumCoverage }) ?? true,
      !frames.isPacedByDisplay
    else { return nil }
    return measured.ratio(budget.signal)
  }

  private func judgement(_ index: Int, _ rated: [Rated]) -> Judgement {
    let values = rated.map(\.value).sorted()
    // The mean is that of all frames together, which replaces the default rule.
    let fraction = model.options.budgets[index].statistic.fraction ?? 1
    let value = quantile(fraction, of: values.count) { values[$0] }
    return judgement(index, value, sample: values.count)
  }

  // MARK: - Evidence

  /// The rows behind a finding about frames, the worst first.
  mutating func rows(ofFrames finding: Finding, _ index: Int) -> [UInt32] {
    let signal = model.options.budgets[index].signal
    var rated: [Rated]
    if case .screen(let place) = finding.subject {
      rated = overview.screens[place].rows.compactMap { number in
        guard isVisit(number), matches(index, model.store[Int(number)]) else { return nil }
        return Rated(row: number, value: measured(number).ratio(signal) ?? 0)
      }
    } else {
      rated = self.rated(index)
    }
    let store = model.store
    rated.sort { left, right in
      if left.value != right.value { return left.value > right.value }
      return store[Int(left.row)].precedes(store[Int(right.row)])
    }
    return rated.map(\.row)
  }
}

// What is left for the default rules.
extension BudgetGathering {
  var view: RowView { RowView(bound: overview.bound, selection: overview.selection) }

  /// Figures of the rows that no entry judges apart.
  func rests() -> [RestKey: JudgedRest] {
    guard !apart.isEmpty else { return [:] }
    var rests: [RestKey: JudgedRest] = [:]
    for (place, figure) in (overview.screens + overview.fragments).enumerated() {
      let rules: [RuleID] =
        place < overview.screens.count
        ? [.ttiSlow, .ttfrSlow, .freezeRate, .droppedFrames] : [.fragmentTTISlow]
      for rule in rules {
        guard let (taken, verdict) = apart[RestKey(rule, figure)] else { continue }
        let isOfFrames = rule == .freezeRate || rule == .droppedFrames
        let rows = ContiguousArray(
          figure.rows.filter {
            !taken.contains($0)
              && (model.store[Int($0)].signal == .screenRendering) == isOfFrames
          }
        )
        var rest = figure.empty
        if isOfFrames {
          rest.addRenderings(rows, model.store, in: view)
        } else {
          rest.addMeasurements(rows, model.store, in: view)
        }
        rests[RestKey(rule, figure)] = JudgedRest(records: .figures(rest), apart: verdict)
      }
    }
    for group in startups {
      let key = RestKey(.startupSlow, group)
      guard let (taken, verdict) = apart[key] else { continue }
      var rest = StartupGroup(app: group.app, version: group.version)
      rest.rows = group.rows.filter { !taken.contains($0) }
      rest.total = Distribution(rest.rows.map { Int64(model.store[Int($0)].primary) })
      rests[key] = JudgedRest(records: .startups(rest), apart: verdict)
    }
    for group in leaks {
      let key = RestKey(.leakRepeated, group)
      guard let (taken, verdict) = apart[key] else { continue }
      var rest = group
      rest.rows.removeAll { taken.contains($0) }
      rests[key] = JudgedRest(records: .leaks(rest), apart: verdict)
    }
    return rests
  }
}

extension ScreenFigures {
  /// The same screen or fragment without any record.
  fileprivate var empty: ScreenFigures {
    var figures = ScreenFigures(app: app, name: name)
    figures.group = group
    figures.groupPrefix = groupPrefix
    return figures
  }
}

extension RecordRow {
  /// An accepted measurement with the value that is asked for.
  func isMeasured(isFirstFrame: Bool) -> Bool {
    !outcome.isError && primaryValue != nil && (!isFirstFrame || secondaryValue != nil)
  }
}
