import Model
import TUI
import TestSupport
import Testing

/// What keys and arriving records do to the lists.
@Suite("Changes of the lists")
struct ListChangeTests {
  private func state(
    _ screen: Screen,
    width: Int = 160,
    height: Int = 40
  ) -> AppState {
    var state = DashboardStory.state(width: width, height: height)
    state.show(screen)
    return state
  }

  private func press(_ keys: String, _ state: inout AppState) throws {
    for key in try Key.list(keys) { _ = state.press(key) }
  }

  /// The first column of the rows between the table's header and the rule, heads included.
  private func names(_ state: AppState, heading: String) -> [String] {
    let lines = GridText.plain(Picture.draw(state)).components("\n")
    let from = lines.firstIndex { $0.hasPrefix(heading) } ?? 0
    return lines[(from + 1)...].prefix { !$0.isEmpty && !$0.hasPrefix("─") }
      .map { $0.components("  ").first ?? "" }
  }

  private func selectedLine(_ state: AppState) -> String {
    let grid = Picture.draw(state)
    let row = (0..<grid.height).first { grid[0, $0].attributes.contains(.selected) }
    guard let row else { return "" }
    return GridText.plain(grid).components("\n")[row]
  }

  @Test(
    "screens are ordered by every column",
    arguments: [
      ("SCREEN", 1, "CDRS"), ("N", 2, "DRSC"), ("P50", 3, "DSRC"), ("TTI P90", 4, "DSRC"),
      ("P99", 5, "DSRC"), ("TTFR P90", 6, "DRSC"), ("CANCELLED", 7, "DCRS"),
      ("VISITS", 8, "CRDS"), ("FREEZE ms/s", 9, "CDRS"), ("PER VISIT", 10, "CDRS"),
      ("VERDICT", 11, "DCRS"),
    ]
  )
  func order(column: String, presses: Int, expected: String) throws {
    var state = state(.screens)
    for _ in 0..<presses { try press(">", &state) }
    let lines = GridText.plain(Picture.draw(state)).components("\n")
    let header = lines.first { $0.hasPrefix("SCREEN") }
    let mark = column == "SCREEN" ? "▲" : "▼"
    // The last column has its mark before it.
    #expect(header?.contains(column == "VERDICT" ? mark + column : column + mark) == true)
    // The first letters of Details, Checkout…, RoomList and Search; unknown values are last.
    #expect(String(names(state, heading: "SCREEN").prefix(4).compactMap(\.first)) == expected)
  }

  @Test("the greatest count of a list is never cut", arguments: [100, 160])
  func greatCounts(width: Int) {
    var script = TelemetryScript()
    for number in 0..<12_345 { script.tti("Home", at: Double(number), 500) }
    var state = DashboardStory.state(of: script, width: width, height: 24)
    state.show(.screens)
    let row = GridText.plain(Picture.draw(state)).components("\n").first { $0.hasPrefix("Home") }
    #expect(row?.contains(" 12,345 ") == true)
  }

  @Test("turning the order round keeps unknown values last and parts apart")
  func invert() throws {
    var state = state(.screens)
    try press("> > > S", &state)
    let names = names(state, heading: "SCREEN")
    #expect(names.prefix(3) == ["RoomList", "Search", "Details"])
    #expect(names[3].hasPrefix("CheckoutConf"))
    #expect(names[4...] == ["fragments", "PriceCard", "Reviews"])
  }

  @Test("the row of all names stays on top in any order", arguments: 1...9)
  func total(presses: Int) throws {
    var state = state(.ledger)
    for _ in 0..<presses { try press(">", &state) }
    #expect(names(state, heading: "NAME").first == "all names")
    try press("S", &state)
    #expect(names(state, heading: "NAME").first == "all names")
  }

  @Test("heads are read over by the cursor")
  func heads() throws {
    var state = state(.screens)
    try press("j j j", &state)
    #expect(selectedLine(state).hasPrefix("Search"))
    try press("j", &state)
    #expect(selectedLine(state).hasPrefix("PriceCard"))
    try press("k", &state)
    #expect(selectedLine(state).hasPrefix("Search"))
    try press("G", &state)
    #expect(selectedLine(state).hasPrefix("Reviews"))
    try press("g", &state)
    #expect(selectedLine(state).hasPrefix("Details"))
  }

  @Test("pages move by what shows, less one line that stays in view")
  func pages() throws {
    var script = TelemetryScript()
    for number in 10..<60 { script.tti("Screen\(number)", at: 10, UInt32(10_000 - number)) }
    var state = DashboardStory.state(of: script, width: 80, height: 24)
    state.show(.screens)
    // 19 rows of content, 7 of evidence, 1 of header: 11 rows show.
    try press("PgDn", &state)
    #expect(selectedLine(state).hasPrefix("Screen20"))
    try press("C-d", &state)
    #expect(selectedLine(state).hasPrefix("Screen25"))
    try press("PgUp", &state)
    #expect(selectedLine(state).hasPrefix("Screen15"))
    try press("C-u C-u C-u C-u", &state)
    #expect(selectedLine(state).hasPrefix("Screen10"))
  }

  @Test("a search counts its hits, goes round them, and Escape in the prompt restores the old one")
  func search() throws {
    var state = state(.screens)
    try press("/ r e Enter", &state)
    // Details and Search have none; Checkout…ReceiptViewController, PriceCard, Reviews and RoomList.
    #expect(footer(state).hasSuffix("/re 1/2"))
    #expect(selectedLine(state).hasPrefix("CheckoutConf"))
    try press("n", &state)
    #expect(footer(state).hasSuffix("/re 2/2"))
    #expect(selectedLine(state).hasPrefix("Reviews"))
    try press("n", &state)
    #expect(footer(state).hasSuffix("/re 1/2"))
    try press("/ x y z", &state)
    #expect(footer(state).contains("no hits"))
    try press("Escape", &state)
    #expect(footer(state).hasSuffix("/re 1/2"))
    try press("Escape", &state)
    #expect(!footer(state).contains("/re"))
  }

  private func footer(_ state: AppState) -> String {
    GridText.plain(Picture.draw(state)).components("\n")[state.height - 1]
  }

  @Test("a paused picture stays while records arrive, and says how many", arguments: Screen.lists)
  func pause(screen: Screen) throws {
    var state = state(screen)
    try press("Space", &state)
    let before = body(state)
    var script = DashboardStory.script
    let known = script.records.count
    script.hang(at: 45_000, 900, screen: "New")
    script.tti("New", at: 45_000, 5000)
    state.observe(script.definitions + script.records[known...])
    state.refresh()
    #expect(body(state) == before)
    #expect(GridText.plain(Picture.draw(state)).contains("‖ paused +2 new"))
    try press("Space", &state)
    #expect(!GridText.plain(Picture.draw(state)).contains("paused"))
    if screen == .hangs || screen == .screens { #expect(body(state) != before) }
  }

  /// The picture without its first line, which says that it is paused.
  private func body(_ state: AppState) -> [String] {
    Array(GridText.plain(Picture.draw(state)).components("\n").dropFirst())
  }

  @Test("the cursor stays on its record when rows come in above", arguments: Screen.lists)
  func sticky(screen: Screen) throws {
    var state = state(screen)
    try press("j j", &state)
    let key = try #require(state.list(screen).selected?.key)
    let before = selectedLine(state).components("  ").first
    var script = DashboardStory.script
    let known = script.records.count
    script.session(at: 44_000, seconds: 10, total: 600, dropped: 0)
    script.hang(at: 44_005, 900, screen: "New")
    for _ in 0..<6 { script.tti("New", at: 44_000, 9000) }
    for instance in 0..<20 { script.leak("NewVC", at: 44_001, instance: UInt64(900 + instance)) }
    script.addSource("ledger.jsonl")
    for _ in 0..<5 { script.ledger("image.load", at: 44_001, 90_000) }
    state.observe(script.definitions + script.records[known...])
    state.refresh()
    #expect(state.list(screen).selected?.key == key)
    #expect(selectedLine(state).components("  ").first == before)
  }

  @Test("at the newest hang the cursor follows, elsewhere it stays")
  func follow() throws {
    var state = state(.hangs)
    #expect(selectedLine(state).hasPrefix("12:04:29"))
    var script = DashboardStory.script
    let known = script.records.count
    script.hang(at: DashboardStory.at(12, 5, 3), 900, screen: "New")
    state.observe(script.definitions + script.records[known...])
    state.refresh()
    #expect(selectedLine(state).hasPrefix("12:05:00"))
    try press("j", &state)
    #expect(!state.isFollowing)
    try press("f", &state)
    #expect(selectedLine(state).hasPrefix("12:05:00"))
  }

  @Test("Tab goes to the events of the selected name and back")
  func panes() throws {
    var state = state(.ledger)
    let namesHead = state.list(.ledger).entries.count
    try press("j j Tab", &state)
    // After all names and threads.refresh comes api.get with its five events.
    #expect(selectedLine(state).hasPrefix("12:03:14.000  api.get"))
    #expect(state.list(.ledger).entries.count == 5)
    try press("j", &state)
    #expect(selectedLine(state).hasPrefix("12:03:13.000  api.get"))
    try press("Tab", &state)
    #expect(selectedLine(state).hasPrefix("api.get"))
    #expect(state.list(.ledger).entries.count == namesHead)
  }

  @Test("Escape closes the details, then the search; q closes them too, then quits")
  func layers() throws {
    var state = state(.screens)
    try press("/ e Enter Enter", &state)
    #expect(state.details != nil)
    try press("Escape", &state)
    #expect(state.details == nil)
    #expect(state.search != nil)
    try press("Escape", &state)
    #expect(state.search == nil)
    try press("Enter", &state)
    #expect(state.press(.character("q")) == [])
    #expect(state.details == nil)
    #expect(state.press(.character("q")) == [.quit])
  }

  @Test("help shows the keys of the screen it was asked on and leads back", arguments: Screen.lists)
  func help(screen: Screen) throws {
    var state = state(screen)
    try press("?", &state)
    #expect(GridText.plain(Picture.draw(state)).contains("keys on \(screen.title)"))
    try press("Escape", &state)
    #expect(state.screen == screen)
    try press("?", &state)
    #expect(state.press(.character("q")) == [])
    #expect(state.screen == screen)
  }

  @Test("Enter opens the slowest TTI of a screen")
  func slowest() throws {
    var state = state(.screens)
    let place = try readRequest(state.press(.enter))
    let store = state.model.store
    let slowest = try #require((0..<store.count).first { store[$0].primaryValue == 3400 })
    #expect(place == store[slowest].place)
  }

  @Test(
    "a run of ledgers alone opens on the ledger",
    arguments: [(SourceKind.ledger, Screen.ledger), (.otlpJSON, .sessions)]
  )
  func ledgerAlone(kind: SourceKind, expected: Screen) {
    var script = TelemetryScript()
    script.ledger("api.get", at: 10, 1100)
    var state = AppState()
    let progress = SourceProgress(
      source: SourceID(0),
      bytesRead: 100,
      bytesTotal: 100,
      state: .ended,
      kind: kind
    )
    state.observe(script.definitions + script.records + [.progress(progress)])
    state.refresh()
    #expect(state.screen == expected)
  }
}

extension Screen {
  static let lists: [Screen] = [.sessions, .screens, .hangs, .leaks, .ledger]
}

extension String {
  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
