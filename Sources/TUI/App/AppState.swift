package import Model

/// Everything the picture depends on: the model and what the user is looking at.
///
/// Changed only by `update`; drawing reads it and nothing else, not even the time.
package struct AppState: Sendable {
  package var model: SessionModel
  /// The picture's data; kept as it is while paused.
  package var overview = Overview()
  package var screen = Screen.sessions
  /// Where Escape leads from the help screen.
  var screenBeforeHelp = Screen.sessions
  package var width = 80
  package var height = 24
  package var clock = ClockText()
  package var isPaused = false
  /// The cursor goes with the newest data.
  package var isFollowing = true
  package var details: DetailsState?
  package var prompt: Prompt?
  package var search: SearchPattern?
  /// The search before the prompt was opened, for Escape.
  var searchBefore: SearchPattern?
  package var timeline = TimelineState()
  /// Rows of the help screen that are scrolled out of view.
  package var helpTop = 0
  /// Said once in the footer's place, until the next key.
  package var notice: String?
  private var lists: [Screen: ListState] = [:]
  private var observedSinceOverview = 0
  private var hasChosenScreen = false

  package init(options: ModelOptions = ModelOptions()) {
    model = SessionModel(options: options)
  }

  package func list(_ screen: Screen) -> ListState { lists[screen] ?? ListState() }

  mutating func changeList(_ screen: Screen, _ change: (inout ListState) -> Void) {
    var list = lists[screen] ?? ListState()
    change(&list)
    lists[screen] = list
  }

  /// Records that arrived since the picture was paused.
  package var newRecords: Int { model.store.count - overview.bound }

  package var layout: AppLayout {
    AppLayout(width: width, height: height, hasPrompt: prompt != nil)
  }

  /// The screen whose list is shown, if the current screen is a list.
  var listScreen: (any ListScreen.Type)? {
    switch screen {
    case .sessions: SessionsScreen.self
    case .screens: ScreensScreen.self
    case .hangs: HangsScreen.self
    case .leaks: LeaksScreen.self
    case .ledger: LedgerScreen.self
    case .timeline, .help: nil
    }
  }

  /// Takes events into the model; the picture changes with the next `refresh`.
  package mutating func observe(_ events: [TelemetryEvent]) {
    for event in events { model.apply(event) }
    observedSinceOverview += events.count
  }

  package var needsRefresh: Bool { observedSinceOverview > 0 }

  /// Derives the picture from what was observed; while paused the picture stays.
  package mutating func refresh() {
    observedSinceOverview = 0
    guard !isPaused else { return }
    overview = model.overview(previous: overview)
    if !hasChosenScreen, overview.hasOnlyLedgers { screen = .ledger }
    updateList()
    updateTimeline()
  }

  /// Shows a screen as if its key had been pressed.
  package mutating func show(_ screen: Screen) {
    choose(screen)
  }

  /// The screen was chosen by the user: data no longer decides where the dashboard opens.
  mutating func choose(_ screen: Screen) {
    hasChosenScreen = true
    if screen == .help, self.screen != .help { screenBeforeHelp = self.screen }
    self.screen = screen
    updateList()
    updateTimeline()
  }

  /// Brings the shown list up to date with the overview and its order.
  mutating func updateList() {
    guard let kind = listScreen else { return }
    let sort = list(screen).sort ?? kind.defaultSort
    let entries = kind.entries(self, sort: sort)
    let height = listHeight(kind)
    let toNewest = isFollowing && list(screen).sort == nil && screen == .sessions
    changeList(screen) { $0.take(entries, height: height, toNewest: toNewest) }
  }

  /// How many rows of the list show.
  func listHeight(_ kind: any ListScreen.Type) -> Int {
    let content = layout.content
    let evidence = kind.evidenceHeight(self, available: content.height)
    return Table<Int>.visibleRows(height: content.height - evidence)
  }
}

extension Overview {
  /// The run shows ledgers alone: the ledger screen answers first.
  fileprivate var hasOnlyLedgers: Bool {
    !ledger.isEmpty && quality.receivedSpans == 0 && quality.receivedLogs == 0
  }
}

/// The record that is open in full.
package struct DetailsState: Sendable {
  package struct Fact: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package enum Content: Equatable, Sendable {
    /// There is no single record behind the row.
    case none
    case reading
    case record(RecordDetails)
    case unavailable(DetailsUnavailable)
  }

  package var title: String
  package var facts: [Fact]
  package var place: RecordPlace?
  package var content: Content
  /// Lines scrolled out of view.
  package var top = 0
}

/// The parts of the picture, from its size alone.
package struct AppLayout: Sendable {
  package var header: Rect
  package var content: Rect
  package var footer: Rect
  package var sizeClass: ScreenClass

  package init(width: Int, height: Int, hasPrompt: Bool) {
    sizeClass = ScreenClass(width: width, height: height)
    var rest = Rect(x: 0, y: 0, width: width, height: height)
    switch sizeClass {
    case .tooSmall: header = rest.takeTop(0)
    // State and one line of figures; the screens are known by their digits.
    case .compact: header = rest.takeTop(height >= 10 ? 2 : 1)
    case .standard, .wide: header = rest.takeTop(4)
    }
    footer = rest.takeBottom(hasPrompt || height >= 8 ? 1 : 0)
    content = rest
  }
}
