import Model
import TestSupport
import Testing

@testable import TUI

@Suite("Questions about many records")
struct QuestionTests {
  /// A state in which everything counts as many records, derived elsewhere.
  private func manyRecords() -> AppState {
    var state = DashboardStory.state(width: 120, height: 36)
    state.derivesElsewhere = true
    state.rowsAtOnce = 0
    state.show(.screens)
    return state
  }

  private func ask(_ filter: String, _ state: inout AppState) {
    _ = state.press(.character("&"))
    for scalar in filter.unicodeScalars { _ = state.press(.character(scalar)) }
    _ = state.press(.enter)
  }

  private func picture(_ state: AppState) -> String { GridText.plain(Picture.draw(state)) }

  private func footer(_ state: AppState) -> String {
    picture(state).split(separator: "\n").last.map(String.init) ?? ""
  }

  @Test("the old picture stays, then the first hits show and say so, then all of them")
  func answered() throws {
    var state = manyRecords()
    let before = picture(state).split(separator: "\n").dropLast()
    ask("screen=Search", &state)
    #expect(state.isAsking)
    #expect(picture(state).split(separator: "\n").dropLast() == before)
    #expect(footer(state).hasPrefix("& screen=Search  looking, 0% · Esc cancels"))

    let begun = state.beginPicture()
    var work = try #require(begun)
    work.step = 1
    nonisolated(unsafe) var news: [(share: Double, hits: DerivedPicture?)] = []
    let derived = work.derive(PictureWatch(onProgress: { news.append(($0, $1)) }))
    let answer = try #require(derived)

    // A step for every row, each told once, in order.
    let rows = state.overview.bound
    #expect(news.map(\.share) == (1...rows).map { Double($0) / Double(rows) })
    // Three records match; the newest of them is told as soon as it is found.
    let first = try #require(news.first { $0.hits != nil })
    #expect(news.count { $0.hits != nil } == 1)
    state.take(share: first.share, firstHits: first.hits, of: work.question)
    #expect(state.overview.examined != nil)
    #expect(footer(state).contains("1 record so far, "))
    #expect(state.isAsking)

    state.take(answer)
    #expect(!state.isAsking)
    #expect(state.overview.examined == nil)
    #expect(footer(state).hasPrefix("& screen=Search  3 records"))

    var here = DashboardStory.state(width: 120, height: 36)
    here.show(.screens)
    ask("screen=Search", &here)
    #expect(picture(state) == picture(here))
  }

  @Test("Escape goes back to what showed before, even from first hits; late answers are dropped")
  func cancelled() throws {
    var state = manyRecords()
    let before = picture(state)
    ask("screen=Search", &state)
    let begun = state.beginPicture()
    let work = try #require(begun)
    let derived = work.derive()
    let answer = try #require(derived)
    state.take(share: 0.5, firstHits: answer, of: work.question)
    #expect(picture(state) != before)
    // The cursor has gone with its record meanwhile.
    for key in try Key.list("Escape Home") { _ = state.press(key) }
    #expect(!state.isAsking)
    #expect(picture(state) == before)
    state.take(share: 0.7, firstHits: answer, of: work.question)
    state.take(answer)
    #expect(picture(state) == before)
  }

  @Test("of two questions the last one is answered, and Escape leads to what showed before both")
  func twice() throws {
    var state = manyRecords()
    let before = picture(state)
    ask("screen=Search", &state)
    let begun = state.beginPicture()
    let first = try #require(begun)
    ask(" fragment=x", &state)
    #expect(first.question != state.question)
    let derived = first.derive()
    state.take(try #require(derived))
    #expect(state.isAsking)
    _ = state.press(.escape)
    #expect(picture(state) == before)
  }

  @Test("what a question cut short is shown after its answer")
  func newest() throws {
    var state = manyRecords()
    state.observe([.arrival(TelemetryScript.time(90_000))])
    let refresh = state.beginPicture()
    #expect(try #require(refresh).isOfShownRecords == false)
    #expect(!state.needsRefresh)
    ask("screen=Search", &state)
    let begun = state.beginPicture()
    let derived = try #require(begun).derive()
    state.take(try #require(derived))
    #expect(state.needsRefresh)
  }

  @Test("a grouping is a question as well")
  func grouped() throws {
    var state = manyRecords()
    _ = state.press(.character("b"))
    #expect(state.isAsking)
    let begun = state.beginPicture()
    let work = try #require(begun)
    let derived = work.derive()
    state.take(try #require(derived))
    var here = DashboardStory.state(width: 120, height: 36)
    here.show(.screens)
    _ = here.press(.character("b"))
    #expect(picture(state) == picture(here))
  }

  @Test("an answer that nobody wants any more is not derived to its end")
  func unwanted() throws {
    var state = manyRecords()
    ask("screen=Search", &state)
    let begun = state.beginPicture()
    var work = try #require(begun)
    work.step = 1
    nonisolated(unsafe) var looks = 0
    let watch = PictureWatch(isCancelled: {
      looks += 1
      return looks > 2
    })
    let derived = work.derive(watch)
    #expect(derived == nil)
    #expect(looks == 3)
  }

  @Test("a filter leaves its records alone on the timeline too")
  func timeline() {
    var state = DashboardStory.state(width: 120, height: 36)
    state.show(.timeline)
    let all = state.timeline.items.items.count
    ask("signal:fragment", &state)
    #expect(state.timeline.items.items.count < all)
    let rows = state.timeline.items.items.compactMap(\.row)
    let signals = Set(rows.map { state.model.store[$0].signal })
    #expect(signals.contains(.fragmentTTI))
    // Sessions that hold them stay.
    #expect(signals.isSubset(of: [.fragmentTTI, .appRendering, .appStartup]))
  }
}
