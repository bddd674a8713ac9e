import Model

/// The lines that every screen shares: what is shown, how it does, where one is.
enum Header {
  static func draw(_ state: AppState, into grid: inout Grid, in area: Rect) {
    drawIdentity(state, into: &grid, in: area.row(0))
    grid.put(figures(state, width: area.width), x: area.x, y: area.y + 1, clip: area.row(1))
    guard area.height >= 4 else { return }
    drawScreens(state, into: &grid, in: area.row(2))
    grid.rule(area.row(3))
    if let loading = state.loading {
      ProgressBar.draw(loading, into: &grid, in: area.row(3))
    } else if state.isAttached {
      ConnectionText.drawDetails(ConnectionText.all(state), into: &grid, in: area.row(3))
    }
  }

  // MARK: - First line

  private static func drawIdentity(_ state: AppState, into grid: inout Grid, in area: Rect) {
    guard !area.isEmpty else { return }
    var left = area
    let start = grid.putRight(StateWords(state, width: area.width).text, in: left)
    left.width = max(0, start - left.x - 1)
    var x = grid.put("perftop", x: left.x, y: left.y, role: .title, clip: left)
    let identity = state.digest.identity
    if !identity.isEmpty, left.right - x > 6 {
      let room = left.right - x - 2
      let text = DisplayText.cutAtEnd(identity, to: room)
      x = grid.put(text, x: x + 2, y: left.y, clip: left)
    }
    guard left.right - x > 12 else { return }
    let room = min(60, left.right - x - 3)
    grid.put(IdentityText.sources(state, room: room), x: x + 3, y: left.y, role: .muted, clip: left)
  }

  // MARK: - Figures

  /// Launch, TTI, freeze, hangs, leaks: colour and a mark only where a rule is broken.
  ///
  /// The roomiest wording that says everything; figures at the end leave when even the tightest is too long.
  static func figures(_ state: AppState, width: Int) -> StyledText {
    let figures = HeaderFigure.all(state)
    for wording in HeaderFigure.Wording.allCases {
      let line = line(figures.map { $0.text(wording) }, gap: wording == .roomy ? 3 : 2)
      if line.columns <= width { return line }
    }
    var parts = figures.map { $0.text(.tight) }
    let closest = line(parts, gap: 1)
    if closest.columns <= width { return closest }
    while parts.count > 1, line(parts, gap: 2).columns > width { parts.removeLast() }
    return line(parts, gap: 2)
  }

  private static func line(_ parts: [StyledText], gap: Int) -> StyledText {
    var line = StyledText()
    for part in parts {
      if !line.segments.isEmpty { line.append(String(repeating: " ", count: gap)) }
      line.segments += part.segments
    }
    return line
  }

  // MARK: - Screens

  private static func drawScreens(_ state: AppState, into grid: inout Grid, in area: Rect) {
    var x = area.x
    for screen in Screen.allCases {
      let isShown = screen == state.screen
      let number = StyledText(screen.key.label + " ", isShown ? .title : .key)
      x = grid.put(number, x: x, y: area.y, clip: area)
      let attributes: CellAttributes = isShown ? [.bold, .underline] : []
      x = grid.put(
        screen.title,
        x: x,
        y: area.y,
        role: isShown ? .title : .muted,
        attributes: attributes,
        clip: area
      )
      x += 2
    }
  }
}

/// What the tool itself is doing, at the right end of the first line.
struct StateWords {
  let text: StyledText

  /// Where there is little room, what the tool does comes first, then the time.
  init(_ state: AppState, width: Int) {
    var line = StyledText()
    let (words, role) = Self.activity(state)
    guard width >= 40 else {
      text = StyledText(words, role)
      return
    }
    let quality = state.overview.quality
    let bad = quality.lost + quality.unreadable
    line.append(
      bad == 0 ? "q:ok" : "q:\(QuantityText.count(bad)) bad",
      bad == 0 ? .muted : .warning
    )
    if quality.beyondLimits > 0 {
      line.append(width >= 100 ? "  too many names, the rest is other" : "  +other", .warning)
    }
    if quality.foldedSessions > 0 {
      // The memory limit was reached: the lists do not show everything that is counted.
      let count = QuantityText.count(quality.foldedSessions)
      line.append(width >= 100 ? "  \(count) older sessions not listed" : "  −\(count)", .warning)
    }
    if state.overview.now != .min {
      let now = Timestamp(nanoseconds: state.overview.now)
      line.append("  " + state.clock.time(now), .normal)
      line.append(state.clock.zoneSuffix(at: now), .muted)
    }
    line.append("  ")
    line.append(words, role)
    text = line
  }

  private static func activity(_ state: AppState) -> (String, Role) {
    if state.isPaused {
      return ("‖ paused +\(QuantityText.count(state.newRecords)) new", .accent)
    }
    let sources = state.model.sources
    if let reading = sources.first(where: { $0.state == .reading }) {
      let read = sources.reduce(0) { $0 + $1.bytesRead }
      guard sources.count == 1, let total = reading.bytesTotal, total > 0 else {
        return ("reading \(QuantityText.bytes(read))", .accent)
      }
      return ("reading \(min(100, read * 100 / total))%", .accent)
    }
    if sources.contains(where: { $0.state == .stopped }) {
      return ("■ stopped at \(LoadProgress.amount(of: sources))", .warning)
    }
    if let (words, role) = ConnectionText.activity(ConnectionText.all(state)) {
      return (words, role)
    }
    if sources.contains(where: { $0.state == .live }) {
      guard state.model.spools.allSatisfy({ $0.problem == nil }) else {
        return ("▶ live, not kept", .warning)
      }
      let isOpen = sources.contains { $0.opened.endpoint?.isLocal == false }
      return isOpen ? ("▶ live, open to all", .warning) : ("▶ live", .accent)
    }
    if sources.contains(where: { $0.state == .awaited }) { return ("… waiting", .accent) }
    if sources.contains(where: { $0.state == .ended }) {
      // Until the figures hold everything that was read, they are not final.
      return state.newRecords > 0 ? ("reading 100%", .accent) : ("■ read", .muted)
    }
    return sources.isEmpty ? ("starting", .muted) : ("! not readable", .warning)
  }
}

/// Whose data it is and where it comes from.
enum IdentityText {
  /// `Shop 8.42.1 · iPhone15,2 · iOS 18.5.0`, or how many there are of what differs.
  static func shown(_ overview: Overview, _ model: SessionModel) -> String {
    var apps: Set<Symbol> = []
    var versions: Set<Symbol> = []
    var models: Set<Symbol> = []
    var devices: Set<StreamID> = []
    var systems: Set<Symbol> = []
    var systemName = Symbol.none
    for summary in overview.streams {
      if model.streams[Int(summary.stream.rawValue)].ledgerName != nil { continue }
      devices.insert(summary.stream)
      for session in summary.sessions {
        let resource = model.resource(session.resource)
        if resource.app.isPresent { apps.insert(resource.app) }
        if resource.version.isPresent { versions.insert(resource.version) }
        if resource.deviceModel.isPresent { models.insert(resource.deviceModel) }
        if resource.osVersion.isPresent { systems.insert(resource.osVersion) }
        if resource.osName.isPresent { systemName = resource.osName }
      }
    }
    func one(_ symbols: Set<Symbol>) -> String? {
      symbols.count == 1 ? symbols.first.map(model.text) : nil
    }
    var parts: [String] = []
    if let app = one(apps) {
      // `8.42.1 (842103)`: the build in brackets is for the details.
      let version = one(versions).map {
        " " + ($0.split(separator: " ").first.map(String.init) ?? $0)
      }
      parts.append(app + (version ?? (versions.isEmpty ? "" : " (\(versions.count) builds)")))
    } else if !apps.isEmpty {
      parts.append("\(apps.count) apps")
    }
    let count = devices.count + (overview.selection == nil ? overview.folded.devices : 0)
    if count == 1 {
      if let model = one(models) { parts.append(model) }
      if let system = one(systems) {
        parts.append([model.text(systemName), system].joined(separator: " "))
      }
    } else if count > 1 {
      parts.append("\(QuantityText.count(count)) devices")
    }
    return parts.joined(separator: " · ")
  }

  /// The names of the sources, or how many there are where their names do not fit.
  static func sources(_ state: AppState, room: Int) -> String {
    let names = state.model.namedSources.map { source in
      // Of an address every part counts.
      source.connection == nil
        ? source.name.split(separator: "/").last.map(String.init) ?? source.name : source.name
    }
    guard names.count > 1 else { return DisplayText.cutInMiddle(names.first ?? "", to: room) }
    let joined = names.count > 3 ? "" : names.joined(separator: " + ")
    return !joined.isEmpty && TextWidth.columns(of: joined) <= room
      ? joined : "\(QuantityText.count(names.count)) sources"
  }
}

/// Verdicts as marks and roles; the mark says it where there is no colour.
enum VerdictText {
  static func role(_ verdict: Verdict) -> Role {
    switch verdict {
    case .insufficient, .holds: .normal
    case .warning: .warning
    case .critical: .critical
    }
  }

  static func mark(_ verdict: Verdict) -> String {
    switch verdict {
    case .insufficient, .holds: ""
    case .warning: " ▲"
    case .critical: " ■"
    }
  }

  /// The badge of a row.
  static func badge(_ verdict: Verdict) -> StyledText {
    switch verdict {
    case .insufficient: StyledText("–", .muted)
    case .holds: StyledText("ok", .muted)
    case .warning: StyledText("warn", .warning)
    case .critical: StyledText("FAIL", .critical, attributes: .bold)
    }
  }
}
