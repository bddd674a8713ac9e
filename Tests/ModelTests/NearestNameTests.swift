import Model
import Testing

@Suite("The name that a mistyped one most likely means")
struct NearestNameTests {
  private static let known = ["screen", "type", "id", "os", "app", "p50", "duration"]

  @Test(
    "a near name is suggested: a third of the letters may differ, and neighbours may change places",
    arguments: [
      ("scren", "screen"), ("screeen", "screen"), ("scrn", "screen"), ("tpye", "type"),
      ("ap", "app"),
      ("p5", "p50"), ("durration", "duration"),
    ]
  )
  func near(typed: String, meant: String) {
    #expect(NearestName.of(typed, among: Self.known) == meant)
  }

  @Test(
    "what is far from every name suggests none, however short both are",
    arguments: ["", "x", "bad", "p42", "o", "xy", "colour"]
  )
  func far(typed: String) {
    #expect(NearestName.of(typed, among: Self.known) == nil)
  }
}
