/// Charts of one row, made of characters; numbers stand beside them as text.
package enum Charts {
  private static let levels: [Unicode.Scalar] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A column for each value: a space where there is no data, `▁` for zero, `█` at `maximum` and above.
  ///
  /// With more values than `width`, each column shows the greatest of its share, so that no peak is lost;
  /// with fewer, the line is shorter. A `maximum` of 0 or less counts as 1.
  package static func sparkline(_ values: [Double?], maximum: Double, width: Int) -> String {
    text(columns(of: values, width: width).map { level(of: $0, maximum: maximum) })
  }

  /// A sparkline whose columns take a role by threshold: a strip of time against intensity.
  package static func heatStrip(
    _ values: [Double?],
    maximum: Double,
    warning: Double,
    critical: Double,
    width: Int
  ) -> StyledText {
    var strip = StyledText()
    for value in columns(of: values, width: width) {
      let text = String(level(of: value, maximum: maximum))
      let role: Role =
        switch value ?? 0 {
        case critical...: .critical
        case warning...: .warning
        default: value == nil ? .normal : .muted
        }
      if strip.segments.last?.role == role {
        strip.segments[strip.segments.count - 1].text += text
      } else {
        strip.append(text, role)
      }
    }
    return strip
  }

  /// A bar from the left, `fraction` of `width` columns long, in eighths; any amount above 0 shows.
  package static func bar(_ fraction: Double, width: Int) -> String {
    guard width > 0, fraction > 0 else { return "" }
    let eighths = max(1, Int((min(fraction, 1) * Double(width * 8)).rounded()))
    return String(repeating: "█", count: eighths / 8) + leftBlock(eighths % 8)
  }

  /// `count` eighths of a column from the left; nothing for 0.
  static func leftBlock(_ count: Int) -> String {
    ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][count]
  }

  private static func level(of value: Double?, maximum: Double) -> Unicode.Scalar {
    guard let value, !value.isNaN else { return " " }
    let share = min(max(0, value / (maximum > 0 ? maximum : 1)), 1)
    return levels[Int((share * 7).rounded())]
  }

  /// Characters of a column each as a text; a string of `Character`s would look for clusters among them.
  static func text(_ columns: [Unicode.Scalar]) -> String {
    String(unsafeUninitializedCapacity: columns.count * 4) { buffer in
      var count = 0
      for column in columns {
        for byte in UTF8.encode(column) ?? UTF8.encodedReplacementCharacter {
          buffer[count] = byte
          count += 1
        }
      }
      return count
    }
  }

  private static func columns(of values: [Double?], width: Int) -> [Double?] {
    guard width > 0, values.count > width else { return width > 0 ? values : [] }
    return (0..<width).map { column in
      let share = values[column * values.count / width..<(column + 1) * values.count / width]
      return share.compactMap { $0 }.max()
    }
  }
}

/// An axis of values that several rows share, so that they compare by eye.
package struct ValueAxis: Hashable, Sendable {
  package let lowest: Double
  package let highest: Double
  package let width: Int
  /// Equal steps are equal factors; values below `lowest` stand at its place.
  package let isLogarithmic: Bool
  /// What the values, or their logarithms, differ by from end to end.
  private let extent: Double

  package init(lowest: Double, highest: Double, width: Int, isLogarithmic: Bool = false) {
    self.lowest = lowest
    self.highest = highest
    self.width = width
    self.isLogarithmic = isLogarithmic
    let base = max(lowest, Self.least)
    extent = isLogarithmic ? Self.logarithm(max(highest, base) / base) : highest - lowest
  }

  /// The least value that a logarithmic axis can begin with.
  private static let least = 1e-9

  /// The column of a value, from 0 to below `width`; nil for what is not a number or no axis.
  package func column(of value: Double) -> Int? {
    guard width > 0, !value.isNaN else { return nil }
    guard extent > 0 else { return 0 }
    let base = max(lowest, Self.least)
    let distance =
      isLogarithmic ? Self.logarithm(max(value, base) / base) : value - lowest
    return Int((min(max(0, distance / extent), 1) * Double(width - 1)).rounded())
  }

  /// The natural logarithm for arguments from 1 on, which the standard library does not offer.
  private static func logarithm(_ value: Double) -> Double {
    guard value.isFinite else { return 710 }
    // Near 1 the series needs few terms.
    let isUpper = value.significand > 1.4
    let significand = isUpper ? value.significand / 2 : value.significand
    let exponent = Double(value.exponent) + (isUpper ? 1 : 0)
    let fraction = (significand - 1) / (significand + 1)
    let square = fraction * fraction
    var sum = 1.0 / 21
    sum = sum * square + 1.0 / 19
    sum = sum * square + 1.0 / 17
    sum = sum * square + 1.0 / 15
    sum = sum * square + 1.0 / 13
    sum = sum * square + 1.0 / 11
    sum = sum * square + 1.0 / 9
    sum = sum * square + 1.0 / 7
    sum = sum * square + 1.0 / 5
    sum = sum * square + 1.0 / 3
    sum = sum * square + 1
    return 2 * fraction * sum + exponent * 0.693_147_180_559_945_3
  }
}

/// Where the values of a group lie.
package struct Whisker: Hashable, Sendable {
  package var low: Double
  package var lowerQuartile: Double
  package var median: Double
  package var upperQuartile: Double
  package var high: Double
  package var maximum: Double?

  package init(
    low: Double,
    lowerQuartile: Double,
    median: Double,
    upperQuartile: Double,
    high: Double,
    maximum: Double? = nil
  ) {
    self.low = low
    self.lowerQuartile = lowerQuartile
    self.median = median
    self.upperQuartile = upperQuartile
    self.high = high
    self.maximum = maximum
  }

  /// `├──▐█▌───┤ ×` on the axis: low, quartiles around the median, high, and the maximum where it is apart.
  package func text(on axis: ValueAxis) -> String {
    guard let low = axis.column(of: low), let high = axis.column(of: high),
      let lower = axis.column(of: lowerQuartile), let upper = axis.column(of: upperQuartile),
      let median = axis.column(of: median)
    else { return "" }
    var columns = [Unicode.Scalar](repeating: " ", count: axis.width)
    for column in min(low, high)...max(low, high) { columns[column] = "─" }
    columns[low] = "├"
    columns[high] = "┤"
    for column in min(lower, upper)...max(lower, upper) { columns[column] = "▒" }
    columns[lower] = "▐"
    columns[upper] = "▌"
    columns[median] = "█"
    if let maximum = maximum.flatMap(axis.column), maximum > high { columns[maximum] = "×" }
    while columns.last == " " { columns.removeLast() }
    return Charts.text(columns)
  }
}
