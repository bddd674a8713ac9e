import Model
import TUI
import TestSupport
import Testing

@Suite("Filtering with &")
struct FilterPromptTests {
  private func type(_ text: String, _ state: inout AppState) throws {
    _ = state.press(.character("&"))
    for scalar in text.unicodeScalars { _ = state.press(.character(scalar)) }
  }

  private func lines(_ state: AppState) -> [String] {
    GridText.plain(Picture.draw(state)).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  @Test("an accepted filter shows its records alone, is named in the footer, and Escape clears it")
  func apply() throws {
    var state = DashboardStory.state(width: 120, height: 36)
    state.show(.screens)
    try type("screen=Search", &state)
    #expect(lines(state)[35].hasPrefix("&screen=Search"))
    _ = state.press(.enter)
    let shown = lines(state)
    #expect(shown.contains { $0.hasPrefix("Search") })
    #expect(!shown.contains { $0.hasPrefix("RoomList") })
    // Two TTIs and the open hang.
    #expect(shown[35].hasPrefix("& screen=Search  3 records"))
    _ = state.press(.escape)
    #expect(lines(state).contains { $0.hasPrefix("RoomList") })
    #expect(!lines(state)[35].contains("&  "))
    #expect(state.overview.selection == nil)
  }

  @Test(
    "a long filter is cut in the footer, and the number of its records stays",
    arguments: [(80, 24), (40, 24), (40, 10)]
  )
  func longFilter(columns: Int, rows: Int) throws {
    var state = DashboardStory.state(width: columns, height: rows)
    state.show(.screens)
    try type("screen~(Search|" + String(repeating: "Basket|", count: 20) + "Profile)", &state)
    _ = state.press(.enter)
    let footer = try #require(lines(state).last { !$0.isEmpty })
    // As in the filter for Search alone.
    #expect(footer.contains("3 records"), "\(footer)")
    #expect(footer.hasPrefix("& screen~(Se"))
    #expect(footer.contains("…"))
    #expect(TextWidth.columns(of: footer) <= columns)
  }

  @Test("a filter that cannot be read says where, stays in the prompt, and changes nothing")
  func mistake() throws {
    var state = DashboardStory.state(width: 120, height: 36)
    state.show(.screens)
    let before = lines(state)
    try type("screeen:x", &state)
    _ = state.press(.enter)
    let shown = lines(state)
    #expect(shown[35].contains("column 1: unknown key 'screeen'; did you mean screen?"))
    #expect(shown.prefix(35) == before.prefix(35))
    _ = state.press(.escape)
    #expect(lines(state) == before)
  }

  @Test("a mistake that has no room beside the filter is told whole on the line above")
  func narrowMistake() throws {
    var state = DashboardStory.state()
    state.show(.screens)
    let before = lines(state)
    try type("scren:x", &state)
    #expect(lines(state)[22] == "column 1: unknown key 'scren'; did you mean screen?")
    #expect(lines(state)[23] == "&scren:x")
    #expect(lines(state).prefix(22) == before.prefix(22))
    _ = state.press(.escape)
    #expect(lines(state) == before)
  }

  @Test("an empty list says that the filter leaves nothing")
  func nothing() throws {
    var state = DashboardStory.state()
    state.show(.leaks)
    try type("class=Nobody", &state)
    _ = state.press(.enter)
    #expect(lines(state).contains { $0.contains("nothing here matches the filter") })
  }

  @Test("over a paused picture a filter shows nothing that came since")
  func paused() throws {
    var state = DashboardStory.state(width: 120, height: 36)
    state.show(.screens)
    _ = state.press(Key(name: "Space") ?? .character(" "))
    var later = DashboardStory.script
    let known = later.records.count
    later.tti("Search", at: DashboardStory.at(12, 5, 0), 5000)
    state.observe(Array(later.records[known...]))
    let now = state.overview.now
    try type("signal=screen-tti screen=Search", &state)
    _ = state.press(.enter)
    #expect(state.overview.selection?.count == 2)
    #expect(state.overview.now == now)
    _ = state.press(Key(name: "Space") ?? .character(" "))
    #expect(state.overview.selection?.count == 3)
  }

  @Test("the filter holds for records that arrive later")
  func live() throws {
    var state = DashboardStory.state(width: 120, height: 36)
    try type("signal=screen-tti screen=Search", &state)
    _ = state.press(.enter)
    var later = DashboardStory.script
    let known = later.records.count
    later.tti("Search", at: DashboardStory.at(12, 5, 0), 900)
    later.tti("RoomList", at: DashboardStory.at(12, 5, 1), 900)
    state.observe(Array(later.records[known...]))
    state.refresh()
    #expect(state.overview.selection?.count == 3)
  }

  @Test("screens are grouped by what the data has, one property after the other, then not at all")
  func grouping() throws {
    var state = DashboardStory.state(width: 200, height: 60)
    state.show(.screens)
    let before = lines(state)
    _ = state.press(.character("b"))
    // RoomList was opened on the phone's build and on the tablet's.
    let builds = lines(state).filter { $0.hasPrefix("RoomList") }
    #expect(builds.count == 2)
    #expect(builds.contains { $0.contains("8.42.1 (842103)") })
    #expect(builds.contains { $0.contains("8.43.0 (843001)") })
    #expect(lines(state)[59] == "grouped by version")
    _ = state.press(.character("b"))
    #expect(lines(state).filter { $0.hasPrefix("RoomList") }.allSatisfy { $0.contains("iP") })
    // By system, then by nothing: the story's host adds no attributes.
    _ = state.press(.character("b"))
    _ = state.press(.character("b"))
    #expect(lines(state)[59] == "not grouped")
    #expect(lines(state).prefix(59) == before.prefix(59))
  }
}
