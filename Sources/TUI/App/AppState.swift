package import Model

/// Everything the picture depends on: the model and what the user is looking at.
///
/// Changed only by `update`; drawing reads it and nothing else, not even the clock.
package struct AppState: Sendable {
  package var model: SessionModel
  /// The picture's data; kept as it is while paused.
  package var overview = Overview()
  /// What the rules say of the overview.
  package private(set) var findings = Findings()
  package var screen = Screen.sessions
  /// Where Escape leads from the help screen.
  var screenBeforeHelp = Screen.sessions
  package var width = 80
  package var height = 24
  package var clock = ClockText()
  /// The wall clock at which the picture is drawn; nil where nothing in it depends on that.
  package var time: Timestamp?
  package var isPaused = false
  /// The cursor goes with the newest data.
  package var isFollowing = true
  package var details: DetailsState?
  package var prompt: Prompt?
  /// What the prompt asks for.
  var promptPurpose = PromptPurpose.search
  /// What is shown of the records.
  package var filter = RecordFilter()
  package var search: SearchPattern?
  /// What the search has found; nil without one.
  var hitScan: HitScan?
  /// The search before the prompt was opened, for Escape.
  var searchBefore: SearchPattern?
  package var timeline = TimelineState()
  /// Rows of the help screen that are scrolled out of view.
  package var helpTop = 0
  /// Said once in the footer's place, until the next key.
  package var notice: String?
  /// Which list of the ledger has the cursor.
  package var ledgerPane = LedgerPane.names
  private(set) var digest = Digest()
  /// How the reading of files goes on; nil before the first and while it is too short to speak of.
  package internal(set) var loading: LoadProgress?
  /// Pictures are derived by somebody else meanwhile: see `PictureWork`.
  package var derivesElsewhere = false
  private var lists: [ListPlace: ListState] = [:]
  private var observedSinceOverview = 0
  /// Counts the pictures that were shown.
  private(set) var picture = 0
  /// The newest picture is being derived elsewhere.
  private var isRefreshing = false
  /// What was asked and is not answered yet.
  private(set) var asking: Question?
  /// Answers about so few records come before a key could be missed.
  var rowsAtOnce = 20_000
  /// Counts what was asked of the records: other filters, other parts.
  package private(set) var question = 0
  /// A key was pressed: data no longer decides where the dashboard opens.
  var hasChosenScreen = false

  package init(options: ModelOptions = ModelOptions()) {
    model = SessionModel(options: options)
  }

  /// What judges, with the budgets file's entries in place.
  var rulebook: Rulebook { findings.rulebook }

  /// The list of a screen that has the cursor.
  package func list(_ screen: Screen) -> ListState { list(screen, pane: ledgerPane) }

  /// The list of one pane; only the ledger has two.
  package func list(_ screen: Screen, pane: LedgerPane) -> ListState {
    lists[ListPlace(screen: screen, pane: pane)] ?? ListState()
  }

  mutating func changeList(_ screen: Screen, _ change: (inout ListState) -> Void) {
    changeList(screen, pane: ledgerPane, change)
  }

  private mutating func changeList(
    _ screen: Screen,
    pane: LedgerPane,
    _ change: (inout ListState) -> Void
  ) {
    let place = ListPlace(screen: screen, pane: pane)
    var list = lists[place] ?? ListState()
    change(&list)
    lists[place] = list
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
    case .ledger: ledgerPane == .names ? LedgerScreen.self : LedgerEventsScreen.self
    case .quality: QualityScreen.self
    case .timeline, .help: nil
    }
  }

  /// Takes events into the model; the picture changes with the next `refresh`.
  package mutating func observe(_ events: [TelemetryEvent]) {
    model.apply(events)
    observedSinceOverview += events.count
  }

  package var needsRefresh: Bool { observedSinceOverview > 0 }

  /// A question waits for its answer: see `beginPicture`.
  package var isAsking: Bool { asking != nil }

  /// Derives the picture from what was observed; while paused the picture stays.
  package mutating func refresh() {
    guard let work = beginRefresh(of: model), let picture = work.derive() else { return }
    take(picture)
  }

  /// The picture that is wanted next, for another thread: the answer to a question, else the newest.
  ///
  /// Nil while a paused picture stays as it is.
  package mutating func beginPicture() -> PictureWork? {
    guard asking == nil else { return answering(model.reading) }
    let work = beginRefresh(of: model.reading)
    isRefreshing = work != nil
    return work
  }

  private mutating func beginRefresh(of model: SessionModel) -> PictureWork? {
    observedSinceOverview = 0
    guard !isPaused else { return nil }
    return PictureWork(
      model: model,
      shown: overview,
      filter: filter,
      question: question,
      isOfShownRecords: false
    )
  }

  private func answering(_ model: SessionModel) -> PictureWork {
    PictureWork(
      model: model,
      shown: overview,
      filter: filter,
      question: question,
      isOfShownRecords: true
    )
  }

  /// Resumes: what came meanwhile shows at once, or as soon as it was derived elsewhere.
  mutating func catchUp() {
    if derivesElsewhere { observedSinceOverview += 1 } else { refresh() }
  }

  /// Shows what another filter lets through of the same records, or the same parted otherwise.
  ///
  /// Of many records that takes a while: then `beginPicture` has the work, and the old picture stays.
  mutating func ask(_ filter: RecordFilter, groupBy: Grouping?) {
    beginQuestion()
    if derivesElsewhere, overview.bound > rowsAtOnce {
      let groupBy = model.options.groupBy
      asking = asking ?? Question(shown: current, filter: self.filter, groupBy: groupBy)
      asking?.share = 0
      asking?.hasHits = false
    }
    self.filter = filter
    model.options.groupBy = groupBy
    if asking == nil, let picture = answering(model).derive() { take(picture) }
  }

  /// Pictures that are being derived answer another question now, so that what is new is still to be shown.
  private mutating func beginQuestion() {
    question += 1
    if isRefreshing { observedSinceOverview += 1 }
    isRefreshing = false
  }

  /// Goes back to what was shown before the question; false where none is open.
  mutating func cancelQuestion() -> Bool {
    guard let asked = asking else { return false }
    beginQuestion()
    filter = asked.filter
    model.options.groupBy = asked.groupBy
    asking = nil
    show(asked.shown)
    return true
  }

  /// What is known of the answer to a question: how much was looked at, and the first hits.
  package mutating func take(share: Double, firstHits: DerivedPicture?, of question: Int) {
    guard question == self.question, asking != nil else { return }
    asking?.share = share
    guard let firstHits else { return }
    asking?.hasHits = true
    show(firstHits)
  }

  /// Shows a picture, unless it answers no open question and the shown one is to stay.
  package mutating func take(_ picture: consuming DerivedPicture) {
    guard picture.question == question, !isPaused || picture.isOfShownRecords else {
      observedSinceOverview += 1
      return
    }
    asking = nil
    isRefreshing = false
    show(picture)
  }

  private mutating func show(_ picture: DerivedPicture) {
    self.picture += 1
    overview = picture.overview
    findings = picture.findings
    digest = picture.digest
    if !hasChosenScreen { screen = showsOnlyLedgers ? .ledger : .sessions }
    updateList()
    updateTimeline()
    updateSearch()
  }

  private var current: DerivedPicture {
    DerivedPicture(
      overview: overview,
      findings: findings,
      digest: digest,
      question: question,
      isOfShownRecords: true
    )
  }

  /// The run has ledgers alone: then their screen answers first.
  private var showsOnlyLedgers: Bool {
    !overview.ledger.isEmpty && model.sources.allSatisfy { $0.kind == .ledger }
  }

  /// Shows a screen as if its key had been pressed.
  package mutating func show(_ screen: Screen) {
    choose(screen)
  }

  /// Goes to a screen because the user says so.
  mutating func choose(_ screen: Screen) {
    hasChosenScreen = true
    if screen == .help, self.screen != .help { screenBeforeHelp = self.screen }
    self.screen = screen
    updateList()
    updateTimeline()
  }

  /// Brings the shown lists up to date with the overview and their order.
  mutating func updateList() {
    guard let kind = listScreen else { return }
    if screen == .ledger {
      // The events are those of the selected name, so names come first.
      updateList(LedgerScreen.self, pane: .names)
      updateList(LedgerEventsScreen.self, pane: .events)
    } else {
      updateList(kind, pane: ledgerPane)
    }
  }

  private mutating func updateList(_ kind: any ListScreen.Type, pane: LedgerPane) {
    let known = list(screen, pane: pane)
    let basis = ListBasis(picture: picture, sort: known.sort)
    // The ledger's events depend on the name under the cursor as well.
    let isKnown = known.basis == basis && screen != .ledger
    let entries =
      isKnown ? known.entries : kind.entries(self, sort: known.sort ?? kind.defaultSort)
    let height = listHeight(kind)
    // A list without the cursor shows what is new.
    let wantsNewest = isFollowing || (screen == .ledger && pane != ledgerPane)
    let toNewest = wantsNewest && known.sort == nil && kind.isNewestFirst
    changeList(screen, pane: pane) {
      $0.basis = basis
      $0.take(entries, height: height, toNewest: toNewest)
    }
  }

  /// How many rows of the list show.
  func listHeight(_ kind: any ListScreen.Type) -> Int {
    var content = layout.content
    if kind.banner(self) != nil { _ = content.takeTop(1) }
    let evidence = kind.evidenceHeight(self, available: content.height)
    return Table<Int>.visibleRows(height: content.height - evidence)
  }
}

/// What is typed at the bottom of the screen.
enum PromptPurpose: Hashable, Sendable {
  case search
  case filter

  var sign: String { self == .search ? "/" : "&" }
}

/// The two lists of the ledger.
package enum LedgerPane: Hashable, Sendable {
  case names
  case events
}

/// Which list: every screen has one of each pane, most use one.
private struct ListPlace: Hashable, Sendable {
  var screen: Screen
  var pane: LedgerPane

  init(screen: Screen, pane: LedgerPane) {
    self.screen = screen
    self.pane = screen == .ledger ? pane : .names
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
