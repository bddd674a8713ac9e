import Model

/// Session states as a sign and a word; the sign alone tells them apart without colour.
enum StateText {
  static func sign(_ state: SessionState) -> (String, Role) {
    switch state {
    case .clean: ("✓", .muted)
    case .open: ("●", .accent)
    case .stale: ("◌", .muted)
    case .lost: ("✗", .critical)
    case .abandoned: ("✗", .warning)
    case .detached: ("○", .muted)
    case .rejected: ("–", .muted)
    case .unmeasured: ("·", .muted)
    }
  }

  static func text(_ state: SessionState) -> StyledText {
    let (sign, role) = sign(state)
    var text = StyledText(sign + " ", role)
    let word = state == .unmeasured ? "no frames" : state.rawValue
    text.append(word, role == .muted ? .normal : role)
    return text
  }

  /// The state of a visit; parts beyond one are told, as a short interruption split it, and apart from them
  /// those that the host rejected.
  static func text(
    _ state: SessionState,
    _ sessions: ArraySlice<Session>,
    columns: Int
  ) -> StyledText {
    let rejected = sessions.count { $0.state == .rejected }
    let measured = sessions.count - rejected
    let parts = state == .rejected ? rejected : measured
    var text = text(state)
    if parts > 1 { text.append("×\(parts)", .muted) }
    guard state != .rejected, rejected > 0 else { return text }
    let words = " +\(rejected) rejected"
    let isRoomy = text.columns + words.count <= columns
    text.append(isRoomy ? words : " +\(rejected)" + sign(.rejected).0, .muted)
    return text
  }
}

/// A stream as the head of its rows.
enum StreamText {
  static func head(_ summary: StreamSummary, _ id: StreamID, _ state: AppState) -> StyledText {
    if let ledger = state.model.streams[Int(id.rawValue)].ledgerName {
      return StyledText([Segment("ledger ", .muted), Segment(ledger, .title)])
    }
    var versions: [Symbol] = []
    for index in summary.sessions.indices {
      let version = state.model.resource(summary.sessions[index].resource).version
      if !versions.contains(version) { versions.append(version) }
    }
    // What the device is now: it may have got another system meanwhile.
    guard let last = summary.sessions.last else { return StyledText() }
    let resource = state.model.resource(last.resource)
    var title = state.model.text(resource.app) + " "
    title += versions.map { state.model.text($0) }.filter { !$0.isEmpty }.sorted()
      .joined(separator: ", ")
    var text = StyledText(title, .title)
    let system =
      state.model.text(resource.osName) + " " + state.model.text(resource.osVersion)
    let device = [state.model.text(resource.deviceModel), system]
    text.append("  " + device.filter { $0 != " " && !$0.isEmpty }.joined(separator: " · "), .muted)
    let identifier = state.model.text(resource.deviceID)
    if !identifier.isEmpty {
      text.append("  " + DisplayText.cutInMiddle(identifier, to: 13), .muted)
    }
    return text
  }
}

extension StreamText {
  /// Which device, in few columns: its model, with the end of its id where models repeat.
  static func device(_ id: StreamID, _ resource: ResourceID, _ state: AppState) -> String {
    if let ledger = state.model.streams[Int(id.rawValue)].ledgerName { return ledger }
    let resource = state.model.resource(resource)
    let name = state.model.text(resource.deviceModel)
    let identifier = state.model.text(resource.deviceID).suffix(4)
    return name.isEmpty ? String(identifier) : identifier.isEmpty ? name : name + " " + identifier
  }
}

/// A launch as facts of the detail pane.
enum LaunchText {
  /// One launch is judged by the thresholds of a percentile, for want of others; prewarmed ones hold.
  static func verdict(_ launch: Launch, _ state: AppState) -> Verdict {
    guard !launch.isPrewarmed else { return .holds }
    guard let total = launch.totalMilliseconds else { return .insufficient }
    let resource = state.model.resource(launch.resource)
    return state.rulebook.threshold(.startupSlow, app: resource.app, name: resource.version)
      .verdict(Double(total))
  }

  static func facts(_ launch: Launch, _ state: AppState) -> [DetailsState.Fact] {
    let total = QuantityText.duration(milliseconds: launch.totalMilliseconds.map(Double.init))
    var words = total
    if let premain = launch.premainMilliseconds, let main = launch.mainMilliseconds {
      words +=
        " (\(QuantityText.duration(milliseconds: Double(premain))) before main, "
        + "\(QuantityText.duration(milliseconds: Double(main))) after)"
    }
    if launch.isPrewarmed { words += ", prewarmed: not judged" }
    if launch.isSuspect { words += ", over 60 s: prewarmed without saying so?" }
    let exit = launch.previousExit == .unknown ? "unknown" : launch.previousExit.rawValue
    return [
      DetailsState.Fact("launch", words), DetailsState.Fact("previous exit", exit),
    ]
  }
}

/// Freeze time over the course of sessions, from their screen renderings.
enum FreezeStrip {
  /// One cell per equal part of the time; a space where nothing was measured.
  static func strip(_ sessions: ArraySlice<Session>, _ state: AppState, width: Int) -> String {
    guard let start = sessions.first?.start, let end = sessions.map(\.end).max(), end > start else {
      return ""
    }
    let slots = freezeRates(sessions, state, from: start, to: end, slots: width)
    let highest = slots.lazy.compactMap { $0 }.max()
    guard let highest else { return "" }
    let critical = state.model.options.hitchScale.critical
    return Charts.sparkline(slots, maximum: max(critical, highest), width: width)
  }

  /// Freeze milliseconds per second in each part; nil where no rendering covers it.
  private static func freezeRates(
    _ sessions: ArraySlice<Session>,
    _ state: AppState,
    from start: Int64,
    to end: Int64,
    slots: Int
  ) -> [Double?] {
    var rates = [Double?](repeating: nil, count: max(0, slots))
    guard slots > 0, end > start else { return rates }
    let perSlot = Double(end - start) / Double(slots)
    for index in sessions.indices {
      for number in sessions[index].items {
        let row = state.model.store[Int(number)]
        guard row.signal == .screenRendering,
          let frames = FrameFigures(state.model.store.extra(of: row).measurements),
          let rate = frames.freezeMillisecondsPerSecond
        else { continue }
        let first = Int(max(0, Double(row.start - start) / perSlot))
        let last = Int(min(Double(slots - 1), Double(row.end - start) / perSlot))
        guard first <= last else { continue }
        for slot in first...last { rates[slot] = max(rates[slot] ?? 0, rate) }
      }
    }
    return rates
  }
}
