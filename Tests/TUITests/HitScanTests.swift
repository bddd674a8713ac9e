import Model
import TestSupport
import Testing

@testable import TUI

@Suite("Searching many rows")
struct HitScanTests {
  private func basis(_ count: Int) throws -> HitScan.Basis {
    let pattern = try #require(SearchPattern("x"))
    return HitScan.Basis(
      pattern: pattern,
      screen: .sessions,
      pane: .names,
      picture: 1,
      sort: nil,
      subject: nil,
      count: count
    )
  }

  @Test("in steps of any size it finds what one look finds, and never jumps to a wrong hit")
  func steps() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let count = Int.random(in: 0...40, using: &random)
      let hits = (0..<count).filter { _ in Int.random(in: 0...4, using: &random) == 0 }
      let cursor = Int.random(in: -1...max(0, count - 1), using: &random)
      var scan = HitScan(try basis(count), from: cursor)
      let next = hits.first { $0 > cursor } ?? hits.first
      let nextOrSame = hits.first { $0 >= cursor } ?? hits.first
      let previous = hits.last { $0 < cursor } ?? hits.last
      while !scan.isDone {
        for (jump, expected) in [
          (HitScan.Jump.forward(includingSelected: false), next),
          (.forward(includingSelected: true), nextOrSame), (.backward, previous),
        ] {
          let target = scan.target(of: jump, selected: cursor)
          #expect(target == nil || target == expected)
        }
        scan.examine(rows: Int.random(in: 1...7, using: &random)) { hits.contains($0) }
      }
      #expect(scan.hits == hits)
      #expect(scan.share == 1)
      #expect(scan.target(of: .forward(includingSelected: false), selected: cursor) == next)
      #expect(scan.target(of: .forward(includingSelected: true), selected: cursor) == nextOrSame)
      #expect(scan.target(of: .backward, selected: cursor) == previous)
      for row in 0..<count {
        #expect(scan.number(of: row) == hits.firstIndex(of: row).map { $0 + 1 })
      }
    }
  }

  @Test("a hit right below the cursor is known after its row, long before all rows are")
  func firstHit() throws {
    var scan = HitScan(try basis(1_000_000), from: 10)
    scan.examine(rows: 3) { $0 == 12 }
    #expect(scan.target(of: .forward(includingSelected: true), selected: 10) == 12)
    #expect(!scan.isDone)
  }

  /// 1,500 screens of which the last row alone matches, and the search for it typed.
  private func searching() throws -> AppState {
    var script = TelemetryScript()
    for number in 0..<1_499 { script.tti("S\(10_000 + number)", at: Double(number), 100) }
    script.tti("Zoo", at: 1_500, 100)
    var state = AppState()
    state.resize(width: 100, height: 20)
    state.model = script.model()
    state.refresh()
    state.derivesElsewhere = true
    state.show(.screens)
    for key in try Key.list("/ Z o o Enter") { _ = state.press(key) }
    return state
  }

  @Test("a search of many rows tells how far it has come, then goes to its hit")
  func dashboard() throws {
    var state = try searching()
    #expect(state.list(.screens).entries.count == 1_500)
    #expect(state.isSearching)
    // A thousand of them are looked at at once.
    #expect(GridText.plain(Picture.draw(state)).contains("/Zoo looking, 66%"))
    #expect(state.selectedHit == 0)
    state.continueSearch(rows: 500)
    #expect(!state.isSearching)
    #expect(GridText.plain(Picture.draw(state)).contains("/Zoo 1/1"))
    #expect(state.selectedHit == 1_499)
  }

  @Test("a key that moves the cursor meanwhile keeps it where the user put it")
  func moved() throws {
    var state = try searching()
    _ = state.press(.down)
    state.continueSearch(rows: 500)
    #expect(state.selectedHit == 1)
    #expect(GridText.plain(Picture.draw(state)).contains("/Zoo –/1"))
  }

  @Test("Escape ends a search that is under way")
  func ended() throws {
    var state = try searching()
    _ = state.press(.escape)
    #expect(!state.isSearching)
    #expect(!GridText.plain(Picture.draw(state)).contains("Zoo"))
  }
}
