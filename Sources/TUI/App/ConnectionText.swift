package import Model

/// How a source that perftop attached itself to stands, in words.
struct ConnectionText {
  private enum Standing: Equatable {
    case refused(String)
    case retrying(at: Timestamp, String)
    case connecting
    /// Connected; the newest data, or the connection where none has come, is of that time.
    case quiet(since: Timestamp)
    case live(last: Timestamp)
  }

  /// Nanoseconds without data after which a connection is quiet.
  private static let patience: Int64 = 60_000_000_000
  private static let second: Int64 = 1_000_000_000
  private static let hour = 3_600 * second
  /// Why most of what a collector receives is missing.
  private static let tapNote =
    "tap limit: 1 message/s unless `limit` is raised; the collector drops the rest"

  private let source: SourceState
  private let transport: SourceConnection.Transport
  private let standing: Standing
  private let state: AppState

  /// Nil for any other source, and once the run has ended.
  private init?(_ source: SourceState, _ state: AppState) {
    guard let connection = source.connection else { return nil }
    self.source = source
    self.state = state
    transport = connection.transport
    switch connection.state {
    case .closed: return nil
    case .connecting: standing = .connecting
    case .refused(let reason): standing = .refused(reason)
    case .retrying(let next, let reason): standing = .retrying(at: next, reason)
    case .live(let start):
      let last = max(source.lastArrival ?? start, start)
      let age = state.time?.nanoseconds(since: last) ?? 0
      standing = age >= Self.patience ? .quiet(since: last) : .live(last: last)
    }
  }

  /// In the order of the sources.
  static func all(_ state: AppState) -> [ConnectionText] {
    state.model.sources.compactMap { ConnectionText($0, state) }
  }

  var isLive: Bool { if case .live = standing { true } else { false } }

  private var isConnected: Bool {
    if case .quiet = standing { true } else { isLive }
  }

  // MARK: - What the tool is doing

  /// For the end of the header's first line; nil where it is what every live source is.
  static func activity(_ all: [ConnectionText]) -> (text: String, role: Role)? {
    guard let first = all.first else { return nil }
    // Other sources that are live, such as a receiver, are connected in their way.
    let others = first.state.model.sources.count { $0.connection == nil && $0.state == .live }
    let count = all.count + others
    let connected = all.count { $0.isConnected } + others
    if connected < count {
      return connected == 0
        ? (all.min { $0.urgency < $1.urgency } ?? first).activity
        : ("▶ \(connected) of \(count) connected", .warning)
    }
    return others > 0 || all.contains { $0.isLive } ? nil : first.activity
  }

  private var activity: (text: String, role: Role) { (words, role) }

  private var words: String {
    switch standing {
    case .refused: "! refused"
    case .retrying(let next, _): "… " + reconnecting(at: next)
    case .connecting: "… connecting"
    case .quiet(let last): "▶ quiet since " + state.clock.time(last)
    case .live: "▶ live"
    }
  }

  private var role: Role {
    switch standing {
    case .refused, .retrying: .warning
    case .connecting, .quiet, .live: .accent
    }
  }

  private var urgency: Int {
    switch standing {
    case .refused: 0
    case .retrying: 1
    case .connecting: 2
    case .quiet: 3
    case .live: 4
    }
  }

  private func reconnecting(at next: Timestamp) -> String {
    guard let now = state.time, next > now else { return "reconnecting" }
    let left = (next.nanoseconds(since: now) + Self.second - 1) / Self.second
    return "reconnecting in \(left) s"
  }

  // MARK: - Why, and since when

  /// On the header's rule: what the first line has no room for, the most urgent first.
  static func drawDetails(
    _ all: [ConnectionText],
    into grid: inout Grid,
    in area: Rect
  ) {
    let urgent = all.sorted { $0.urgency < $1.urgency }
    var parts: [StyledText] = []
    var line = StyledText()
    for wording in Wording.allCases {
      parts = urgent.compactMap { $0.details(wording) }
      line = joined(parts)
      if line.columns <= area.width { break }
    }
    while line.columns > area.width, parts.count > 1 {
      parts.removeLast()
      line = joined(parts) + StyledText("… ", .muted)
    }
    guard !parts.isEmpty else { return }
    if line.columns <= area.width {
      grid.putRight(line, in: area)
    } else {
      grid.put(line, x: area.x, y: area.y, clip: area)
    }
  }

  private enum Wording: CaseIterable {
    case full
    /// Without what a source in order has to say.
    case withoutNotes
    /// And of each reason the beginning only.
    case short
  }

  private static func joined(_ parts: [StyledText]) -> StyledText {
    guard !parts.isEmpty else { return StyledText() }
    var line = StyledText(" ", .muted)
    for (index, part) in parts.enumerated() {
      if index > 0 { line.append(" · ", .muted) }
      line.segments += part.segments
    }
    line.append(" ", .muted)
    return line
  }

  /// There is no other source that its words could be taken for.
  private var isAlone: Bool { state.model.sources.count == 1 }

  private func details(_ wording: Wording) -> StyledText? {
    var text = StyledText()
    if source.dropped > 0 {
      text.append("\(QuantityText.count(source.dropped)) messages came too fast, dropped", .warning)
    }
    if let reason = reason(wording) {
      if !text.segments.isEmpty { text.append("; ", .muted) }
      text.append(DisplayText.shown(reason), isConnected ? .muted : role)
    }
    guard !text.segments.isEmpty else { return nil }
    return isAlone ? text : StyledText(DisplayText.shown(source.name) + ": ", .muted) + text
  }

  private func reason(_ wording: Wording) -> String? {
    let short = { (reason: String) in
      wording == .short ? String(reason.prefix { $0 != "," && $0 != ":" }) : reason
    }
    return switch standing {
    case .refused(let reason): isAlone ? short(reason) : "refused: " + short(reason)
    case .retrying(let next, let reason):
      isAlone ? short(reason) : "\(short(reason)), \(reconnecting(at: next))"
    case .connecting: isAlone ? nil : "connecting"
    case .quiet(let last): quietness(since: last)
    case .live: transport == .tap && (wording == .full || isAlone) ? Self.tapNote : nil
    }
  }

  private func quietness(since last: Timestamp) -> String {
    guard source.lastArrival != nil else { return "connected, no data yet" }
    let age = state.time?.nanoseconds(since: last) ?? 0
    return switch age {
    case ..<Self.hour: "connected, last data \(age / (60 * Self.second)) min ago"
    case ..<(48 * Self.hour): "connected, last data \(age / Self.hour) h ago"
    default: "connected, last data \(age / (24 * Self.hour)) days ago"
    }
  }

  /// When the words are no longer true although nothing happens; nil while they stay.
  fileprivate var changesAt: Timestamp? {
    guard let now = state.time else { return nil }
    switch standing {
    case .refused, .connecting: return nil
    case .retrying(let next, _):
      guard next > now else { return nil }
      let left = next.nanoseconds(since: now)
      return now.advanced(byNanoseconds: (left - 1) % Self.second + 1)
    case .quiet(let last):
      let age = now.nanoseconds(since: last)
      let step = age < Self.hour ? 60 * Self.second : Self.hour
      return now.advanced(byNanoseconds: step - age % step)
    case .live(let last):
      return now.advanced(byNanoseconds: Self.patience - max(0, now.nanoseconds(since: last)))
    }
  }
}

extension AppState {
  /// Sources that perftop attached itself to are told of together with the time.
  package var isAttached: Bool { model.sources.contains { $0.connection != nil } }

  /// When the picture that was drawn last is no longer true although nothing happens.
  package var changesAt: Timestamp? {
    time == nil ? nil : ConnectionText.all(self).compactMap(\.changesAt).min()
  }
}
