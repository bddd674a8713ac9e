/// Findings in sentences: the number, what it is of, and the limit.
package struct FindingText {
  let model: SessionModel
  let overview: Overview
  let findings: Findings
  /// Longer names lose their middle.
  private let longestName: Int
  /// Names of several apps may be alike.
  private let namesApps: Bool

  package init(
    _ model: SessionModel,
    _ overview: Overview,
    _ findings: Findings,
    longestName: Int = .max
  ) {
    self.model = model
    self.overview = overview
    self.findings = findings
    self.longestName = longestName
    namesApps = overview.hasSeveralApps(model)
  }

  /// What a finding is about, as one name.
  package func subject(_ finding: Finding) -> String {
    switch finding.subject {
    case .screen(let index): name(overview.screens[index])
    case .fragment(let index): name(overview.fragments[index])
    case .startup(let index):
      version(findings.startups[index].app, findings.startups[index].version)
    case .session(let stream, let index): "session " + sessionID(stream, index)
    case .hang(let stream, let index): hangSubject(overview.streams[stream].hangs[index])
    case .termination(let stream, _): "watchdog termination, " + self.stream(stream)
    case .leak(let index): text(findings.leaks[index].className)
    case .ledger(let index): text(overview.ledger[index].name)
    case .span(let index): text(overview.spans[index].name)
    case .stream(let index): stream(index)
    case .budget(let index): findings.rulebook.budgets[index].matchText ?? "everything"
    }
  }

  /// One sentence with the number and its limit; beside a session its id and app say nothing new.
  package func sentence(_ finding: Finding, namesSession: Bool = true) -> String {
    let judgement = finding.judgement
    switch judgement.rule {
    case .hang:
      guard case .hang(let stream, let index) = finding.subject else { break }
      return hang(
        overview.streams[stream].hangs[index],
        judgement,
        inApp: namesSession ? inApp(finding) : ""
      )
    case .watchdog:
      guard case .termination(let stream, let index) = finding.subject else { break }
      let app = namesSession && namesApps ? app(finding) : nil
      return termination(overview.streams[stream].terminations[index], of: app ?? "the app")
    case .leakRepeated: return leak(finding, namesSession: namesSession)
    case .ledgerOverBudget where judgement.threshold.source == .ledger:
      return ledger(subject(finding), judgement)
    case .dataMissing:
      // Beside a filter's numbers it must be seen that these are of all records.
      guard case .stream = finding.subject, overview.selection != nil else {
        return missing(judgement)
      }
      return "in the whole stream, " + missing(judgement)
    default:
      if case .leak = finding.subject { return leak(finding, namesSession: namesSession) }
    }
    let belonging = belonging(finding, namesSession: namesSession) + beside(finding)
    return measured(noun(finding), belonging, judgement)
  }

  /// Says that a default rule judges only what the budgets file leaves it.
  private func beside(_ finding: Finding) -> String {
    let rule = finding.judgement.rule
    let key: RestKey? =
      switch finding.subject {
      case .screen(let index): RestKey(rule, overview.screens[index])
      case .fragment(let index): RestKey(rule, overview.fragments[index])
      case .startup(let index): RestKey(rule, findings.startups[index])
      case .leak(let index): RestKey(rule, findings.leaks[index])
      default: nil
      }
    guard let key, findings.rulebook.rests[key] != nil else { return "" }
    return ", without what the budgets file judges,"
  }

  // MARK: - Sentences

  private func noun(_ finding: Finding) -> String {
    switch finding.judgement.rule {
    case .ttiSlow: "TTI"
    case .ttfrSlow: "TTFR"
    case .fragmentTTISlow: "TTI"
    case .startupSlow: "startup"
    case .freezeRate: "freeze time"
    case .droppedFrames: "share of dropped frames"
    case .ledgerOverBudget: "duration"
    default: findings.rulebook.budget(finding.judgement.threshold.source)?.noun ?? "value"
    }
  }

  /// What a number is of, after its noun.
  private func belonging(_ finding: Finding, namesSession: Bool) -> String {
    switch finding.subject {
    case .session: return namesSession ? " in " + subject(finding) + inApp(finding) : ""
    case .fragment: return " of the fragment " + subject(finding) + inApp(finding)
    case .screen where finding.judgement.countsFrames:
      return " on " + subject(finding) + inApp(finding)
    case .screen, .span: return " of " + subject(finding) + inApp(finding)
    case .budget(let index):
      return findings.rulebook.budgets[index].matchText.map { " for " + $0 } ?? ""
    default: return " of " + subject(finding)
    }
  }

  /// ` in Shop`, where there are several apps.
  private func inApp(_ finding: Finding) -> String {
    guard namesApps, let app = app(finding) else { return "" }
    return " in " + app
  }

  private func measured(_ noun: String, _ belonging: String, _ judgement: Judgement) -> String {
    var text = ""
    // There are thousands of these in a large capture.
    text.reserveCapacity(128)
    text += noun
    text += belonging
    guard judgement.value != nil else {
      text += " cannot be judged: nothing was measured"
      return text
    }
    text += " is "
    text += JudgedText.value(judgement)
    text += " ("
    text += JudgedText.sample(judgement)
    text += ")"
    text += JudgedText.ending(judgement)
    return text
  }

  private func hang(_ hang: Hang, _ judgement: Judgement, inApp: String) -> String {
    let row = model.store[hang.row]
    let screen =
      hang.origin == .otlp && row.subject.isPresent ? " on \(text(row.subject))" : ""
    let place = screen + inApp
    guard let duration = row.measuredMilliseconds, hang.type != .open else {
      return "a hang\(place) has not ended"
        + (judgement.threshold.source == .defaultRule
          ? "; any hang is a warning" : "; not judged, its length is not known yet")
    }
    let threshold = judgement.threshold
    let length = JudgedText.value(
      duration,
      .milliseconds,
      beside: [threshold.warning, threshold.critical]
    )
    if hang.type == .fatal { return "a hang of \(length)\(place) ended the app" }
    let text = "a hang of \(length)\(place)"
    if judgement.verdict == .warning, judgement.threshold.source == .defaultRule {
      return text + "; any hang is a warning"
    }
    return text + JudgedText.ending(judgement)
  }

  private func termination(_ termination: Termination, of app: String) -> String {
    var text = "the watchdog terminated \(app)"
    let state = model.text(termination.appState)
    switch state {
    case "": break
    case "active": text += " while it was in use"
    case "inactive": text += " while it was inactive"
    case "background": text += " in the background"
    default: text += " in the state \(state)"
    }
    switch termination.memoryWarnings {
    case nil: return text
    case 0: return text + ", without a memory warning"
    case 1: return text + " after 1 memory warning"
    case let count?: return text + " after \(QuantityText.count(count)) memory warnings"
    }
  }

  private func leak(_ finding: Finding, namesSession: Bool) -> String {
    let count = finding.judgement.value.map { Int($0) } ?? 0
    let times = count == 1 ? "once" : "\(QuantityText.count(count)) times"
    let name = subject(finding) + (namesSession ? inApp(finding) : "") + beside(finding)
    return "\(name) leaked \(times) in one launch" + JudgedText.ending(finding.judgement)
  }

  private func ledger(_ name: String, _ judgement: Judgement) -> String {
    guard let value = judgement.value, let budget = judgement.limit else {
      return "\(name) has no duration"
    }
    var text = "\(name) takes \(JudgedText.value(value, judgement.unit)) "
    text += "(\(JudgedText.sample(judgement))), \(JudgedText.times(value / budget)) times "
    text += "its budget of \(JudgedText.limit(budget, judgement.unit))"
    return text + JudgedText.shortage(judgement)
  }

  private func missing(_ judgement: Judgement) -> String {
    let isOne = judgement.sample == 1
    let count = QuantityText.count(judgement.sample)
    let sessions = isOne ? "1 session" : "\(count) sessions"
    let value = judgement.value.map { JudgedText.value($0, judgement.unit) } ?? ""
    return switch judgement.missing {
    case .startup:
      "no launch is known in \(sessions): the tracer provider was registered late, or the data begins "
        + "after the launch"
    case .hangs:
      "no hang was reported in \(sessions) although one frame stood for \(value) or longer: this is a "
        + "debug build, or hang reporting is off"
    case .sessionID:
      "no record of \(sessions) carries session.id: only time tells sessions apart"
    case .coverage:
      isOne
        ? "1 session was measured for only \(coverage(judgement)) of its time: its frames are not judged"
        : "\(sessions) were measured only in part, one for \(coverage(judgement)) of its time: their "
          + "frames are not judged"
    case .refreshRate:
      "\(sessions) ran on a display at \(value): every frame counts as slow, which is no fault of the app"
    case .topScreen:
      "\(isOne ? "the only hang does not name its screen" : "none of \(count) hangs names its screen"): "
        + "the app's logging is not connected"
    case .terminationCause:
      isOne
        ? "1 termination tells neither memory warnings nor app state: its cause is unknown"
        : "\(count) terminations tell neither memory warnings nor app state: their cause is unknown"
    case .status:
      isOne
        ? "1 span came in a format without status: whether it failed or was cancelled is unknown"
        : "\(count) spans came in a format without status: which of them failed or were cancelled is "
          + "unknown"
    case nil: ""
    }
  }

  private func coverage(_ judgement: Judgement) -> String {
    judgement.value.map { JudgedText.coverage($0) } ?? QuantityText.unknown
  }

  // MARK: - Names

  /// The app that a finding is about; nil where it is of several, or of none that is known.
  package func app(_ finding: Finding) -> String? {
    let symbol: Symbol
    switch finding.subject {
    case .screen(let index): symbol = overview.screens[index].app
    case .fragment(let index): symbol = overview.fragments[index].app
    case .startup(let index): symbol = findings.startups[index].app
    case .session(let stream, let index):
      symbol = model.resource(overview.streams[stream].sessions[index].resource).app
    case .hang(let stream, let index):
      symbol = model.resource(model.store[overview.streams[stream].hangs[index].row].resource).app
    case .termination(let stream, let index):
      let row = overview.streams[stream].terminations[index].row
      symbol = model.resource(model.store[row].resource).app
    case .leak(let index): symbol = findings.leaks[index].app
    case .span(let index): symbol = overview.spans[index].app
    case .stream(let index):
      guard let session = overview.streams[index].sessions.first else { return nil }
      symbol = model.resource(session.resource).app
    case .ledger, .budget: return nil
    }
    return symbol.isPresent ? text(symbol) : nil
  }

  private func text(_ symbol: Symbol) -> String {
    let text = model.text(symbol)
    guard longestName < .max, text.count > longestName else { return text }
    let head = longestName / 2
    return text.prefix(head) + "…" + text.suffix(longestName - 1 - head)
  }

  private func name(_ figures: ScreenFigures) -> String {
    let name = figures.isOverflow ? "other" : text(figures.name)
    guard figures.group != nil, let grouping = model.options.groupBy else { return name }
    let label = model.groupLabel(figures)
    return model.groupText(figures) == nil
      ? "\(name) \(label)" : "\(name) (\(grouping.word) \(label))"
  }

  private func version(_ app: Symbol, _ version: Symbol) -> String {
    version.isPresent ? "\(model.text(app)) \(model.text(version))" : model.text(app)
  }

  private func hangSubject(_ hang: Hang) -> String {
    let row = model.store[hang.row]
    let word = hang.type == .fatal ? "fatal hang" : hang.type == .open ? "open hang" : "hang"
    guard hang.origin == .otlp, row.subject.isPresent else { return word }
    return "\(word) on \(model.text(row.subject))"
  }

  /// Of an app-rendering span; what has none is told by its time elsewhere.
  private func sessionID(_ stream: Int, _ index: Int) -> String {
    let row = overview.streams[stream].sessions[index].renderingRows.first
    return row.flatMap { model.store.identifier(of: Int($0)) }?.hexDigits ?? "without an id"
  }

  /// A stream by its app and what tells its device from others.
  private func stream(_ index: Int) -> String {
    if let ledger = model.ledgerName(of: overview.streams[index].stream) { return ledger }
    let first = overview.streams[index].sessions.first
    let shown = first?.resource ?? overview.streams[index].launches.first?.resource
    guard let shown else { return "unknown device" }
    let resource = model.resource(shown)
    let session = first?.sessionID ?? .none
    for symbol in [resource.deviceID, session, resource.deviceModel] where symbol.isPresent {
      return "\(model.text(resource.app)) on \(model.text(symbol))"
    }
    return "\(model.text(resource.app)) on an unknown device"
  }
}

extension UInt64 {
  /// 16 digits.
  package var hexDigits: String {
    String(unsafeUninitializedCapacity: 16) { buffer in
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - index * 4)) & 15
        buffer[index] = digit < 10 ? 48 + digit : 87 + digit
      }
      return 16
    }
  }
}
