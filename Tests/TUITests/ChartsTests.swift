import Foundation
import TUI
import Testing

@Suite("Charts")
struct ChartsTests {
  @Test("a space is no data, a low block is zero, a full block the maximum")
  func sparkline() {
    #expect(Charts.sparkline([0, nil, 7, .nan, 3.5, 1], maximum: 7, width: 10) == "▁ █ ▅▂")
  }

  @Test("values beyond the scale stay on it")
  func beyond() {
    #expect(Charts.sparkline([-5, 99, .infinity], maximum: 7, width: 3) == "▁██")
    #expect(Charts.sparkline([0, 1, 0.5], maximum: 0, width: 3) == "▁█▅")
  }

  @Test("more values than columns keep their peaks")
  func peaks() {
    #expect(Charts.sparkline([0, 7, 0, 0, nil, nil], maximum: 7, width: 3) == "█▁ ")
    #expect(Charts.sparkline([1, 2], maximum: 7, width: 0) == "")
  }

  @Test("a heat strip takes its roles from the thresholds")
  func heat() {
    let strip = Charts.heatStrip([0, nil, 5, 10], maximum: 10, warning: 5, critical: 10, width: 4)
    #expect(strip.segments.map(\.text) == ["▁", " ", "▅", "█"])
    #expect(strip.segments.map(\.role) == [.muted, .normal, .warning, .critical])
  }

  @Test(
    "bars grow by eighths",
    arguments: [
      (0.0, ""), (0.001, "▏"), (0.125, "▌"), (0.25, "█"), (0.5, "██"), (0.9, "███▋"),
      (1.0, "████"), (7.0, "████"), (-1.0, ""), (.nan, ""),
    ]
  )
  func bar(fraction: Double, text: String) {
    #expect(Charts.bar(fraction, width: 4) == text)
  }

  @Test("a whisker lies on the common axis")
  func whisker() {
    let axis = ValueAxis(lowest: 0, highest: 20, width: 21)
    let whisker = Whisker(
      low: 2,
      lowerQuartile: 5,
      median: 7,
      upperQuartile: 9,
      high: 14,
      maximum: 18
    )
    #expect(whisker.text(on: axis) == "  ├──▐▒█▒▌────┤   ×")
  }

  @Test("a whisker of equal values is one mark")
  func point() {
    let axis = ValueAxis(lowest: 0, highest: 10, width: 11)
    let whisker = Whisker(low: 4, lowerQuartile: 4, median: 4, upperQuartile: 4, high: 4)
    #expect(whisker.text(on: axis) == "    █")
  }

  @Test(
    "an axis puts values in proportion, or in proportion of factors",
    arguments: [
      (false, 0.0, 0), (false, 500, 15), (false, 1000, 30), (false, 5000, 30), (false, -1, 0),
      (true, 1.0, 0), (true, 10, 10), (true, 100, 20), (true, 1000, 30), (true, 0, 0),
    ]
  )
  func axis(isLogarithmic: Bool, value: Double, column: Int) {
    let axis = ValueAxis(
      lowest: isLogarithmic ? 1 : 0,
      highest: 1000,
      width: 31,
      isLogarithmic: isLogarithmic
    )
    #expect(axis.column(of: value) == column)
  }

  @Test("the columns of a logarithmic axis are those of the C library's logarithm")
  func logarithm() {
    let axis = ValueAxis(lowest: 3, highest: 7_000, width: 97, isLogarithmic: true)
    for step in 0...5_000 {
      let value = 2 + Double(step) * 1.41
      let share = min(max(0, log(max(value, 3) / 3) / log(7_000.0 / 3)), 1)
      // Half a column either way could be rounded either way.
      let place = share * 96
      guard abs(place - place.rounded(.down) - 0.5) > 1e-9 else { continue }
      #expect(axis.column(of: value) == Int(place.rounded()))
    }
  }

  @Test("an axis without width or extent has no trap")
  func degenerate() {
    #expect(ValueAxis(lowest: 0, highest: 1, width: 0).column(of: 1) == nil)
    #expect(ValueAxis(lowest: 5, highest: 5, width: 4).column(of: 5) == 0)
    #expect(ValueAxis(lowest: 0, highest: 1, width: 4).column(of: .nan) == nil)
    #expect(
      ValueAxis(lowest: 0, highest: .infinity, width: 4, isLogarithmic: true).column(of: 3) != nil
    )
  }
}
