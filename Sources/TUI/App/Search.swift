// What `/` finds: rows of the shown list, or items of the timeline.
extension AppState {
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
      goToHit(forward: true, includingSelected: true)
    case .ignored: break
    }
  }

  /// Rows or items that the search matches, in their order on the screen.
  package var hits: [Int] {
    guard let search else { return [] }
    if screen == .timeline {
      let items = timeline.items.items
      return items.indices.filter { search.matches(TimelineText(items[$0], self).title) }
    }
    guard let kind = listScreen else { return [] }
    let entries = list(screen).entries
    return entries.indices.filter {
      !entries[$0].isHead && search.matches(kind.searchText(entries[$0], self))
    }
  }

  /// The row or item under the cursor; -1 on a timeline where none is.
  package var selectedHit: Int {
    screen == .timeline ? timeline.selected ?? -1 : list(screen).position.selected
  }

  mutating func goToHit(forward: Bool, includingSelected: Bool = false) {
    let hits = hits
    let selected = selectedHit
    let target: Int? =
      if forward {
        hits.first { includingSelected ? $0 >= selected : $0 > selected } ?? hits.first
      } else {
        hits.last { $0 < selected } ?? hits.last
      }
    guard let target else { return }
    if screen == .timeline { return selectOnTimeline(target) }
    guard let kind = listScreen else { return }
    let height = listHeight(kind)
    changeList(screen) { $0.select(target, height: height) }
    if kind.isNewestFirst { isFollowing = false }
    if screen == .ledger { updateList() }
  }
}
