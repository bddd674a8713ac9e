package import Model

/// What the state asks the outside to do.
package enum Effect: Equatable, Sendable {
  case readDetails(RecordPlace)
  case redraw
  case suspend
  case stopLoading
  case quit
}

// The only place where the user's side of the state changes.
extension AppState {
  package mutating func resize(width: Int, height: Int) {
    self.width = width
    self.height = height
    updateList()
    updateTimeline()
  }

  /// What was read for the open details; late answers for others are dropped.
  package mutating func take(
    details result: Result<RecordDetails, DetailsUnavailable>,
    of place: RecordPlace
  ) {
    guard details?.place == place else { return }
    switch result {
    case .success(let record): details?.content = .record(record)
    case .failure(let reason): details?.content = .unavailable(reason)
    }
  }

  package mutating func press(_ key: Key) -> [Effect] {
    notice = nil
    hasChosenScreen = true
    defer { updateSearch() }
    if prompt != nil {
      editPrompt(key)
      return []
    }
    guard let action = Keymap.action(for: key, on: screen) else { return [] }
    // The user goes elsewhere.
    hitScan?.jump = nil
    return perform(action)
  }

  mutating func perform(_ action: Action) -> [Effect] {
    switch action {
    case .quitNow: return [.quit]
    case .quit: return closeTopLayer() ? [] : [.quit]
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .back:
      if closeTopLayer() || cancelQuestion() { break }
      if loading?.isReading == true { return [.stopLoading] }
      if search != nil { search = nil } else { _ = clearFilter() }
    case .show(let target):
      details = nil
      choose(target)
    case .pause:
      isPaused.toggle()
      if !isPaused { catchUp() }
    case .follow: toggleFollowing()
    case .search:
      searchBefore = search
      promptPurpose = .search
      prompt = Prompt()
    case .filter: openFilterPrompt()
    case .nextHit: goToHit(.forward(includingSelected: false))
    case .previousHit: goToHit(.backward)
    case .open: return openSelected()
    case .move(let move): self.move(move)
    case .sortPrevious: changeSort(by: -1)
    case .sortNext: changeSort(by: 1)
    case .invertSort: invertSort()
    case .nextPane: goToNextPane()
    case .nextGrouping: goToNextGrouping()
    case .zoomIn, .zoomOut, .cursorLeft, .cursorRight, .previousSession, .nextSession:
      performOnTimeline(action)
    }
    return []
  }

  /// Details first, then help; false when nothing lay on top.
  private mutating func closeTopLayer() -> Bool {
    if details != nil {
      details = nil
      return true
    }
    guard screen == .help else { return false }
    choose(screenBeforeHelp)
    return true
  }

  private mutating func toggleFollowing() {
    isFollowing.toggle()
    if isFollowing, isPaused {
      isPaused = false
      catchUp()
    }
    updateList()
    updateTimeline()
  }

  // MARK: - Lists

  private mutating func move(_ move: Action.Move) {
    if details != nil {
      scrollDetails(move)
    } else if screen == .help {
      helpTop = scrolled(helpTop, move, lines: HelpScreen.lines(self).count)
    } else if screen == .timeline {
      moveOnTimeline(move)
    } else if let kind = listScreen {
      let height = listHeight(kind)
      changeList(screen) { $0.move(move.scroll, height: height) }
      noteMove(in: kind)
    }
  }

  /// Going to the newest row follows, leaving it stops; other lists have no newest row.
  private mutating func noteMove(in kind: any ListScreen.Type) {
    if kind.isNewestFirst { isFollowing = list(screen).position.selected == firstRow }
    // The events shown are those of the selected name.
    if screen == .ledger { updateList() }
  }

  /// The ledger's other list takes the cursor; a search goes on there.
  private mutating func goToNextPane() {
    guard screen == .ledger, details == nil else { return }
    ledgerPane = ledgerPane == .names ? .events : .names
    updateList()
  }

  /// Groups the screens by the next property of the data; after the last one, by none.
  private mutating func goToNextGrouping() {
    guard details == nil else { return }
    let all = model.groupings
    let next = model.options.groupBy.map { current in
      (all.firstIndex(of: current) ?? all.count) + 1
    }
    let place = next ?? 0
    ask(filter, groupBy: place < all.count ? all[place] : nil)
    let note = overview.quality.note(on: model.options.groupBy).map { ", \($0)" } ?? ""
    notice = model.options.groupBy.map { "grouped by \($0.word)\(note)" } ?? "not grouped"
  }

  /// The first row that is not a head.
  private var firstRow: Int { list(screen).entries.firstIndex { !$0.isHead } ?? 0 }

  private mutating func scrollDetails(_ move: Action.Move) {
    guard let open = details else { return }
    let lines = DetailsPane.lines(open, width: width).count
    let top = scrolled(open.top, move, lines: lines)
    details?.top = top
  }

  /// A first line moved so that the last one stays in view.
  private func scrolled(_ top: Int, _ move: Action.Move, lines: Int) -> Int {
    let page = max(1, layout.content.height - 1)
    let moved =
      switch move {
      case .up: top - 1
      case .down: top + 1
      case .pageUp: top - page
      case .pageDown: top + page
      case .halfPageUp: top - page / 2
      case .halfPageDown: top + page / 2
      case .top: 0
      case .bottom: lines
      }
    return max(0, min(moved, lines - page))
  }

  /// Goes over the columns that show.
  private mutating func changeSort(by step: Int) {
    guard let kind = listScreen, details == nil else { return }
    let shown = Table(kind.columns(self)).layout(width: width).map(\.column)
    let columns = shown.filter { !kind.unsortable.contains($0.id) }
    guard !columns.isEmpty else { return }
    let sort = list(screen).sort ?? kind.defaultSort
    let current = columns.firstIndex { $0.id == sort?.column }
    let next = columns[((current ?? (step > 0 ? -1 : 0)) + step + columns.count) % columns.count]
    let isDescending = !kind.ascending.contains(next.id)
    changeList(screen) { $0.sort = TableSort(next.id, isDescending: isDescending) }
    updateList()
  }

  private mutating func invertSort() {
    guard let kind = listScreen, details == nil,
      var sort = list(screen).sort ?? kind.defaultSort
    else { return }
    sort.isDescending.toggle()
    changeList(screen) { $0.sort = sort }
    updateList()
  }

  private mutating func openSelected() -> [Effect] {
    guard details == nil else { return [] }
    if screen == .timeline { return openOnTimeline() }
    guard let kind = listScreen, let entry = list(screen).selected else { return [] }
    return open(
      title: kind.searchText(entry, self),
      facts: kind.facts(entry, self),
      row: kind.record(entry, self)
    )
  }

  /// Opens details: what the model knows at once, the rest when it has been read again.
  mutating func open(title: String, facts: [DetailsState.Fact], row: Int?) -> [Effect] {
    var opened = DetailsState(title: title, facts: facts, place: nil, content: .none)
    defer { details = opened }
    guard let row else { return [] }
    let place = model.store[row].place
    opened.facts += RecordFacts.facts(row, self)
    guard place.length > 0 else { return [] }
    opened.place = place
    opened.content = .reading
    return [.readDetails(place)]
  }
}
