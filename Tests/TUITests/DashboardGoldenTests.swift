import Model
import TUI
import TestSupport
import Testing

@Suite("Pictures of the list screens")
struct DashboardGoldenTests {
  @Test(
    "each screen draws the story as it was approved",
    arguments: [Screen.sessions, .screens, .hangs, .leaks, .ledger, .quality, .help],
    [(80, 24), (120, 36)]
  )
  func screens(screen: Screen, size: (width: Int, height: Int)) {
    var state = DashboardStory.state(width: size.width, height: size.height)
    state.show(screen)
    expectGolden(Picture.draw(state), "\(screen.name)-\(size.width)x\(size.height)")
  }

  @Test("a record in full is drawn as it was approved", arguments: [(80, 24), (120, 36)])
  func details(size: (width: Int, height: Int)) throws {
    var state = DashboardStory.state(width: size.width, height: size.height)
    state.show(.screens)
    let place = try readRequest(state.press(.enter))
    state.take(details: .success(Self.record), of: place)
    expectGolden(Picture.draw(state), "details-\(size.width)x\(size.height)")
  }

  @Test("small screens show the list alone", arguments: [(60, 15), (20, 5), (19, 4)])
  func small(size: (width: Int, height: Int)) {
    var state = DashboardStory.state(width: size.width, height: size.height)
    state.show(.screens)
    expectGolden(Picture.draw(state), "screens-\(size.width)x\(size.height)")
  }

  static let record = RecordDetails(
    fields: [
      .init(depth: 0, key: "traceId", value: "0af7651916cd43dd8448eb211c80319c"),
      .init(depth: 0, key: "name", value: "screen-tti.Details"),
      .init(depth: 0, key: "attributes", value: ""),
      .init(depth: 1, key: "screen.tti.ms", value: "3400"),
      .init(
        depth: 1,
        key: "note",
        value: "a\u{1B}[31mred\u{202E}" + String(repeating: "long ", count: 30)
      ),
    ],
    omitted: 3
  )
}

/// The place that the effects ask to read; fails when they ask for nothing.
func readRequest(_ effects: [Effect]) throws -> RecordPlace {
  let places = effects.compactMap { effect -> RecordPlace? in
    if case .readDetails(let place) = effect { place } else { nil }
  }
  return try #require(places.first)
}
