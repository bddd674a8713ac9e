/// Findings in sentences: the number, what it is of, and the limit.
package struct FindingText {
  let model: SessionModel
  let overview: Overview
  let findings: Findings
  /// Longer names lose their middle.
  private let longestName: Int

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
    case .budget(let index): findings.rulebook.budgets[index].subject
    }
  }

  /// One sentence with the number and its limit; beside a session its id says nothing new.
  package func sentence(_ finding: Finding, namesSession: Bool = true) -> String {
    let judgement = finding.judgement
    switch judgement.rule {
    case .hang:
      guard case .hang(let stream, let index) = finding.subject else { break }
      return hang(overview.streams[stream].hangs[index], judgement)
    case .watchdog:
      guard case .termination(let stream, let index) = finding.subject else { break }
      return termination(overview.streams[stream].terminations[index])
    case .leakRepeated: return leak(subject(finding), judgement)
    case .ledgerOverBudget where judgement.threshold.source == .ledger:
      return ledger(subject(finding), judgement)
    case .dataMissing: return missing(judgement)
    default: break
    }
    if !namesSession, case .session = finding.subject {
      return measured(noun(finding), of: nil, judgement)
    }
    return measured(noun(finding), of: subject(finding), judgement)
  }

  // MARK: - Sentences

  private func noun(_ finding: Finding) -> String {
    switch finding.judgement.rule {
    case .ttiSlow: "TTI"
    case .ttfrSlow: "TTFR"
    case .fragmentTTISlow: "TTI of the fragment"
    case .startupSlow: "startup"
    case .freezeRate: "freeze time"
    case .droppedFrames: "share of dropped frames"
    case .ledgerOverBudget: "duration"
    default: findings.rulebook.budget(finding.judgement.threshold.source)?.noun ?? "value"
    }
  }

  private func measured(_ noun: String, of subject: String?, _ judgement: Judgement) -> String {
    var text = ""
    // There are thousands of these in a large capture.
    text.reserveCapacity(128)
    text += noun
    if let subject {
      text += " of "
      text += subject
    }
    guard let value = judgement.value else {
      text += " cannot be judged: nothing of it was measured"
      return text
    }
    text += " is "
    text += JudgedText.value(value, judgement.unit)
    text += " ("
    text += JudgedText.sample(judgement)
    text += ")"
    text += JudgedText.ending(judgement)
    return text
  }

  private func hang(_ hang: Hang, _ judgement: Judgement) -> String {
    let row = model.store[hang.row]
    let place =
      hang.origin == .otlp && row.subject.isPresent ? " on \(text(row.subject))" : ""
    guard let duration = row.measuredMilliseconds, hang.type != .open else {
      return "a hang\(place) has not ended"
        + (judgement.threshold.source == .defaultRule
          ? "; any hang is a warning" : JudgedText.ending(judgement))
    }
    let length = QuantityText.duration(milliseconds: duration)
    if hang.type == .fatal { return "a hang of \(length)\(place) ended the app" }
    let text = "a hang of \(length)\(place)"
    if judgement.verdict == .warning, judgement.threshold.source == .defaultRule {
      return text + "; any hang is a warning"
    }
    return text + JudgedText.ending(judgement)
  }

  private func termination(_ termination: Termination) -> String {
    var text = "the watchdog terminated the app"
    let state = model.text(termination.appState)
    if state == "active" {
      text += " while it was in use"
    } else if !state.isEmpty {
      text += " in the state \(state)"
    }
    guard let warnings = termination.memoryWarnings else { return text }
    return text + (warnings == 1 ? " after 1 memory warning" : " after \(warnings) memory warnings")
  }

  private func leak(_ name: String, _ judgement: Judgement) -> String {
    let count = QuantityText.count(judgement.value.map { Int($0) })
    return "\(name) leaked \(count) times in one launch" + JudgedText.ending(judgement)
  }

  private func ledger(_ name: String, _ judgement: Judgement) -> String {
    guard let value = judgement.value, let budget = judgement.limit else {
      return "\(name) has no duration"
    }
    var text = "\(name) takes \(JudgedText.value(value, judgement.unit)) "
    text += "(\(JudgedText.sample(judgement))), \(QuantityText.ratio(value / budget)) times "
    text += "its budget of \(JudgedText.limit(budget, judgement.unit))"
    return text + JudgedText.shortage(judgement)
  }

  private func missing(_ judgement: Judgement) -> String {
    let sessions = judgement.sample == 1 ? "1 session" : "\(judgement.sample) sessions"
    let value = judgement.value.map { JudgedText.value($0, judgement.unit) } ?? ""
    return switch judgement.missing {
    case .startup:
      "no launch is known in \(sessions): the tracer provider was registered late, or the data begins "
        + "after the launch"
    case .hangs:
      "no hang was reported in \(sessions) although a frame stood for \(value) or longer: a debug build, "
        + "or hang reporting is off"
    case .sessionID:
      "no record carries session.id: its \(sessions) \(judgement.sample == 1 ? "is" : "are") told apart "
        + "by time alone"
    case .coverage:
      "\(sessions) measured only in part (at least one \(value)): frames there are not judged"
    case .refreshRate:
      "\(sessions) on a display at \(value): every frame counts as slow, which is no fault of the app"
    case .topScreen:
      "none of \(judgement.sample == 1 ? "1 hang" : "\(judgement.sample) hangs") names its screen: the "
        + "app's logging is not connected"
    case .terminationCause:
      "\(judgement.sample == 1 ? "1 termination" : "\(judgement.sample) terminations") with neither memory "
        + "warnings nor app state: the cause is unknown"
    case .status:
      "\(judgement.sample == 1 ? "1 span" : "\(judgement.sample) spans") of a format without status: "
        + "which failed or were cancelled is unknown"
    case nil: ""
    }
  }

  // MARK: - Names

  private func text(_ symbol: Symbol) -> String {
    let text = model.text(symbol)
    guard longestName < .max, text.count > longestName else { return text }
    let head = longestName / 2
    return text.prefix(head) + "…" + text.suffix(longestName - 1 - head)
  }

  private func name(_ figures: ScreenFigures) -> String {
    let name = figures.isOverflow ? "other" : text(figures.name)
    guard figures.group != nil, let grouping = model.options.groupBy else { return name }
    return "\(name) (\(grouping.word) \(model.groupText(figures) ?? "unknown"))"
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

/// Parts of sentences about judgements that need no names.
package enum JudgedText {
  package static func value(_ value: Double, _ unit: JudgedUnit) -> String {
    switch unit {
    case .milliseconds: QuantityText.duration(milliseconds: value)
    case .millisecondsPerSecond: QuantityText.ratio(value) + " ms/s"
    case .ratio: QuantityText.percent(value)
    case .count: QuantityText.count(Int(value))
    case .perHour: QuantityText.ratio(value) + " per hour"
    case .hertz: QuantityText.ratio(value) + " Hz"
    }
  }

  /// Limits have few digits: `250 ms`, `1.5 s`, `5%`.
  package static func limit(_ value: Double, _ unit: JudgedUnit) -> String {
    switch unit {
    case .milliseconds:
      value >= 1000 ? number(value / 1000) + " s" : number(value) + " ms"
    case .millisecondsPerSecond: number(value) + " ms/s"
    case .ratio: number((value * 1_000_000).rounded() / 10_000) + "%"
    case .count: number(value)
    case .perHour: number(value) + " per hour"
    case .hertz: number(value) + " Hz"
    }
  }

  package static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15
      ? QuantityText.count(Int(value)) : QuantityText.ratio(value)
  }

  package static func sample(_ judgement: Judgement) -> String {
    let count = QuantityText.count(judgement.sample)
    if judgement.rule == .freezeRate || judgement.rule == .droppedFrames {
      return judgement.sample == 1 ? "1 frame" : count + " frames"
    }
    if judgement.statistic.isCounting {
      return judgement.sample == 1 ? "1 session" : count + " sessions"
    }
    return statistic(judgement.statistic) + " of " + count
  }

  package static func statistic(_ statistic: Statistic) -> String {
    statistic.fraction == nil ? statistic.rawValue : "P" + statistic.rawValue.dropFirst()
  }

  /// The limit that is broken, and why nothing is judged where it is not.
  static func ending(_ judgement: Judgement) -> String {
    guard let limit = judgement.limit else { return shortage(judgement) }
    return ", limit " + self.limit(limit, judgement.unit) + shortage(judgement)
  }

  static func shortage(_ judgement: Judgement) -> String {
    guard judgement.verdict == .insufficient else { return "" }
    return "; not judged, " + reason(judgement)
  }

  /// What is missing when there is too little to judge.
  package static func reason(_ judgement: Judgement) -> String {
    if let coverage = judgement.lowCoverage {
      return "only \(QuantityText.percent(coverage)) of the time was measured"
    }
    let needed = judgement.threshold.minimumSample
    guard judgement.sample < needed else { return "nothing was measured" }
    let isFrames = judgement.rule == .freezeRate || judgement.rule == .droppedFrames
    return "\(QuantityText.count(needed)) \(isFrames ? "frames " : "")needed"
  }
}

extension Budget {
  /// What its values are, in words.
  fileprivate var noun: String {
    switch (signal, statistic) {
    case (_, .count): "number of \(signal.rawValue)"
    case (_, .rate): "rate of \(signal.rawValue)"
    case (_, .share): "share of sessions with \(signal.rawValue)"
    default: signal.rawValue
    }
  }

  /// What it matches, in its own patterns.
  fileprivate var subject: String {
    var parts = [match.name, match.app, match.version, match.device].compactMap { $0?.pattern }
    parts += match.attributes.map { "\($0.key)=\($0.value.pattern)" }
    return parts.isEmpty ? "everything" : parts.joined(separator: " ")
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
