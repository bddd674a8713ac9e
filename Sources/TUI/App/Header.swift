import Model

/// The lines that every screen shares: what is shown, how it does, where one is.
enum Header {
  static func draw(_ state: AppState, into grid: inout Grid, in area: Rect) {
    drawIdentity(state, into: &grid, in: area.row(0))
    grid.put(figures(state, width: area.width), x: area.x, y: area.y + 1, clip: area.row(1))
    guard area.height >= 4 else { return }
    drawScreens(state, into: &grid, in: area.row(2))
    grid.rule(area.row(3))
  }

  // MARK: - First line

  private static func drawIdentity(_ state: AppState, into grid: inout Grid, in area: Rect) {
    guard !area.isEmpty else { return }
    var left = area
    let state_ = StateWords(state)
    let right = state_.text
    let start = grid.putRight(right, in: left)
    left.width = max(0, start - left.x - 1)
    var x = grid.put("perftop", x: left.x, y: left.y, role: .title, clip: left)
    let identity = IdentityText.shown(state)
    if !identity.isEmpty, left.right - x > 6 {
      let room = left.right - x - 2
      let text = DisplayText.cutAtEnd(identity, to: room)
      x = grid.put(text, x: x + 2, y: left.y, clip: left)
    }
    let sources = IdentityText.sources(state)
    guard !sources.isEmpty, left.right - x > 12 else { return }
    let text = DisplayText.cutInMiddle(sources, to: min(40, left.right - x - 3))
    grid.put(text, x: x + 3, y: left.y, role: .muted, clip: left)
  }

  // MARK: - Figures

  /// Launch, TTI, freeze, hangs, leaks: colour and a mark only where a threshold is passed.
  static func figures(_ state: AppState, width: Int) -> StyledText {
    let totals = state.overview.totals
    var line = StyledText()
    let gap = width >= 100 ? "   " : "  "
    func add(_ name: String, _ value: String, _ verdict: Verdict, always: Bool = true) {
      guard always else { return }
      var part = StyledText(name + " ", .muted)
      part.append(value, VerdictText.role(verdict))
      part.append(VerdictText.mark(verdict), VerdictText.role(verdict))
      let separated = line.segments.isEmpty ? part : StyledText(gap) + part
      if line.columns + separated.columns <= width { line = line + separated }
    }
    let launch = totals.lastLaunch.map(Double.init)
    add("launch", QuantityText.duration(milliseconds: launch), launchVerdict(launch))
    add(
      "TTI p90",
      QuantityText.duration(milliseconds: totals.ttiP90),
      DefaultRules.tti.verdict(totals.ttiP90, sample: totals.ttiCount)
    )
    let rate = totals.frames?.freezeMillisecondsPerSecond
    let frames = totals.frames.map { $0.total + $0.dropped } ?? 0
    let freeze = DefaultRules.freezeRate(state.model.options.hitchScale)
    add(
      "freeze",
      rate == nil ? QuantityText.unknown : QuantityText.ratio(rate) + " ms/s",
      freeze.verdict(rate, sample: frames)
    )
    let fatal = totals.fatalHangs > 0 ? " (\(totals.fatalHangs) fatal)" : ""
    let hangs: Verdict =
      totals.fatalHangs > 0 ? .critical : totals.hangs > 0 ? .warning : .holds
    add("hangs", QuantityText.count(totals.hangs) + fatal, hangs)
    let worstLeak = state.overview.leaks.map(\.mostInLaunch).max() ?? 0
    add(
      "leaks",
      QuantityText.count(totals.leaks),
      DefaultRules.leak.verdict(Double(worstLeak), sample: 1)
    )
    add(
      "watchdog",
      QuantityText.count(totals.terminations),
      totals.terminations > 0 ? .warning : .holds,
      always: width >= 80 || totals.terminations > 0
    )
    return line
  }

  /// One launch is judged by the thresholds of startup, for want of a percentile.
  private static func launchVerdict(_ launch: Double?) -> Verdict {
    DefaultRules.startup.verdict(launch, sample: DefaultRules.startup.minimumSample)
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

  init(_ state: AppState) {
    var line = StyledText()
    let quality = state.overview.quality
    let bad = quality.lost + quality.unreadable
    line.append(
      bad == 0 ? "q:ok" : "q:\(QuantityText.count(bad)) bad",
      bad == 0 ? .muted : .warning
    )
    if state.overview.now != .min {
      let now = Timestamp(nanoseconds: state.overview.now)
      line.append("  " + state.clock.time(now), .normal)
      line.append(state.clock.zoneSuffix(at: now), .muted)
    }
    line.append("  ")
    let (words, role) = Self.activity(state)
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
    if sources.contains(where: { $0.state == .live }) { return ("▶ live", .accent) }
    if sources.contains(where: { $0.state == .awaited }) { return ("… waiting", .accent) }
    if sources.contains(where: { $0.state == .ended }) { return ("■ read", .muted) }
    return sources.isEmpty ? ("starting", .muted) : ("! not readable", .warning)
  }
}

/// Whose data it is and where it comes from.
enum IdentityText {
  /// `Shop 8.42.1 · iPhone15,2 · iOS 18.5.0`, or how many there are of what differs.
  static func shown(_ state: AppState) -> String {
    var apps: Set<Symbol> = []
    var versions: Set<Symbol> = []
    var models: Set<Symbol> = []
    var devices: Set<StreamID> = []
    var systems: Set<Symbol> = []
    var systemName = Symbol.none
    for summary in state.overview.streams {
      devices.insert(summary.stream)
      for session in summary.sessions {
        let resource = state.model.resource(session.resource)
        if resource.app.isPresent { apps.insert(resource.app) }
        if resource.version.isPresent { versions.insert(resource.version) }
        if resource.deviceModel.isPresent { models.insert(resource.deviceModel) }
        if resource.osVersion.isPresent { systems.insert(resource.osVersion) }
        if resource.osName.isPresent { systemName = resource.osName }
      }
    }
    func one(_ symbols: Set<Symbol>) -> String? {
      symbols.count == 1 ? symbols.first.map(state.model.text) : nil
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
    if devices.count == 1 {
      if let model = one(models) { parts.append(model) }
      if let system = one(systems) {
        parts.append([state.model.text(systemName), system].joined(separator: " "))
      }
    } else if devices.count > 1 {
      parts.append("\(QuantityText.count(devices.count)) devices")
    }
    return parts.joined(separator: " · ")
  }

  static func sources(_ state: AppState) -> String {
    let names = state.model.sources.map { source in
      source.name.split(separator: "/").last.map(String.init) ?? source.name
    }
    guard names.count > 3 else { return names.joined(separator: " + ") }
    return "\(QuantityText.count(names.count)) sources"
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
