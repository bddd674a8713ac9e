import Model

/// TTIs on one logarithmic axis that every row shares, from 100 ms on in whole decades.
enum TTIChart {
  private static let lowest = 100.0

  /// Ends at 10 s, or at the decade that holds the slowest 99th percentile.
  static func axis(_ state: AppState, width: Int) -> ValueAxis {
    var highest = 10_000.0
    while highest < state.digest.slowestTTI, highest < 1e9 { highest *= 10 }
    return ValueAxis(lowest: lowest, highest: highest, width: width, isLogarithmic: true)
  }

  /// The axis in words over its columns: `100ms   1s  log  10s`.
  static func title(_ axis: ValueAxis) -> String {
    guard axis.width >= 14 else { return String("log".prefix(axis.width)) }
    var columns = [Character](repeating: " ", count: axis.width)
    func put(_ text: String, at start: Int) {
      for (offset, character) in text.enumerated() { columns[start + offset] = character }
    }
    var value = axis.lowest
    var lastEnd = -1
    while value <= axis.highest, let column = axis.column(of: value) {
      let label = value < 1000 ? "\(Int(value))ms" : "\(Int(value / 1000))s"
      let start = min(max(0, column), axis.width - label.count)
      if start > lastEnd {
        put(label, at: start)
        lastEnd = start + label.count
      }
      value *= 10
    }
    // Unequal steps are said where there is room for it.
    if let gap = (0...axis.width - 5).last(where: { columns[$0..<$0 + 5].allSatisfy { $0 == " " } })
    {
      put("log", at: gap + 1)
    }
    return String(columns)
  }

  /// From the fastest to P90 with the quartiles around P50; `×` is P99.
  ///
  /// Without colour: the number beside it says whether a threshold is passed.
  static func whisker(_ tti: Distribution, _ axis: ValueAxis) -> StyledText {
    guard let low = tti.minimum, let lower = tti.quantile(0.25), let median = tti.quantile(0.5),
      let upper = tti.quantile(0.75), let high = tti.quantile(0.9)
    else { return StyledText() }
    let whisker = Whisker(
      low: low,
      lowerQuartile: lower,
      median: median,
      upperQuartile: upper,
      high: high,
      maximum: tti.quantile(0.99)
    )
    return StyledText(whisker.text(on: axis), .muted)
  }

  /// How many TTIs lie where on the axis, with P50, P90 and P99 marked below.
  static func distribution(_ tti: Distribution, _ state: AppState, width: Int) -> [StyledText] {
    let label = EvidencePane.labelWidth
    guard !tti.isEmpty, width >= label + 24 else { return [] }
    let axis = axis(state, width: min(width - label - 18, 100))
    let counts = tti.counts(columns: axis.width) { axis.column(of: Double($0)) }
    let strip = Charts.sparkline(
      counts.map { $0 == 0 ? nil : Double($0) },
      maximum: Double(counts.max() ?? 1),
      width: axis.width
    )
    var row = EvidencePane.line("", "\(Int(lowest)) ms ", .muted)
    row.append(DisplayText.field(strip, columns: axis.width), .normal)
    row.append(" \(RuleText.short(axis.highest)), log", .muted)
    var marks = [Character](repeating: " ", count: axis.width)
    for (fraction, name) in [(0.9, "90"), (0.5, "50"), (0.99, "99")] {
      guard let column = tti.quantile(fraction).flatMap(axis.column(of:)) else { continue }
      let start = min(column, axis.width - name.count)
      let place = max(0, start - 1)..<min(axis.width, start + name.count + 1)
      guard marks[place].allSatisfy({ $0 == " " }) else { continue }
      for (offset, character) in name.enumerated() { marks[start + offset] = character }
    }
    let below = EvidencePane.line("", "      P " + String(marks), .muted)
    return [row, below]
  }
}
