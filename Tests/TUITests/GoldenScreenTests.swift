import TUI
import Testing

@Suite("Goldens")
struct GoldenScreenTests {
  @Test("a missing golden fails")
  func missing() {
    withKnownIssue { expectGolden(Grid(width: 4, height: 1), "no-such-golden", isRecording: false) }
  }

  @Test("a golden that differs fails")
  func differing() {
    withKnownIssue { expectGolden(Grid(width: 4, height: 1), "widgets", isRecording: false) }
  }

  @Test("the widgets draw as they were approved")
  func widgets() {
    expectGolden(WidgetSampler.grid(width: 80, height: 16), "widgets")
  }

  @Test("any size is drawn without a trap", arguments: 0...24)
  func sweep(height: Int) {
    for width in 0...90 {
      let grid = WidgetSampler.grid(width: width, height: height)
      #expect(grid.cells.count == width * height)
    }
  }
}
