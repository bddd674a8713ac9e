// What `/` finds: rows of the shown list, or items of the timeline.
extension AppState {
  /// Rows that are looked at while a key waits.
  private static let rowsAtOnce = 1_000

  mutating func editPrompt(_ key: Key) {
    guard var edited = prompt else { return }
    if promptPurpose == .filter { return editFilter(key) }
    let outcome = edited.handle(key)
    switch outcome {
    case .accepted:
      prompt = nil
    case .cancelled:
      prompt = nil
      search = searchBefore
    case .edited:
      prompt = edited
      search = SearchPattern(edited.text)
      goToHit(.forward(includingSelected: true))
    case .ignored: break
    }
  }

  /// The row or item under the cursor; -1 on a timeline where none is.
  package var selectedHit: Int {
    screen == .timeline ? timeline.selected ?? -1 : list(screen).position.selected
  }

  /// Rows or items that the search matches, in their order on the screen, as far as it has come.
  package var hits: [Int] { hitScan?.hits ?? [] }

  /// A search has rows left to look at: `continueSearch` goes on.
  package var isSearching: Bool { hitScan.map { !$0.isDone } ?? false }

  mutating func goToHit(_ jump: HitScan.Jump) {
    updateSearch()
    hitScan?.jump = jump
    followJump()
  }

  /// Begins anew where the search, the rows or their order changed; looks at the first rows at once.
  mutating func updateSearch() {
    let wanted = hitBasis
    guard hitScan?.basis != wanted else { return }
    let jump = hitScan?.basis.pattern == wanted?.pattern ? hitScan?.jump : nil
    hitScan = wanted.map { HitScan($0, from: selectedHit) }
    hitScan?.jump = jump
    continueSearch(rows: derivesElsewhere ? Self.rowsAtOnce : .max)
  }

  /// Looks at so many more rows, and goes to the hit that was asked for once it is known.
  package mutating func continueSearch(rows: Int) {
    guard var scan = hitScan, !scan.isDone else { return }
    let pattern = scan.basis.pattern
    if screen == .timeline {
      let items = timeline.items.items
      scan.examine(rows: rows) { pattern.matches(TimelineText(items[$0], self).title) }
    } else if let kind = listScreen {
      let entries = list(screen).entries
      scan.examine(rows: rows) {
        !entries[$0].isHead && pattern.matches(kind.searchText(entries[$0], self))
      }
    }
    hitScan = scan
    followJump()
  }

  private var hitBasis: HitScan.Basis? {
    guard let search, screen == .timeline || listScreen != nil else { return nil }
    let isTimeline = screen == .timeline
    let list = list(screen)
    let names = screen == .ledger ? self.list(.ledger, pane: .names).selected?.key : nil
    return HitScan.Basis(
      pattern: search,
      screen: screen,
      pane: ledgerPane,
      picture: picture,
      sort: isTimeline ? nil : list.sort,
      subject: isTimeline ? timeline.stream.map { .head($0) } : names,
      count: isTimeline ? timeline.items.items.count : list.entries.count
    )
  }

  private mutating func followJump() {
    guard let scan = hitScan, let jump = scan.jump else { return }
    let target = scan.target(of: jump, selected: selectedHit)
    if target != nil || scan.isDone { hitScan?.jump = nil }
    guard let target else { return }
    if screen == .timeline { return selectOnTimeline(target) }
    guard let kind = listScreen else { return }
    let height = listHeight(kind)
    changeList(screen) { $0.select(target, height: height) }
    if kind.isNewestFirst { isFollowing = false }
    if screen == .ledger { updateList() }
  }
}
