/// Parts of sentences about judgements that need no names.
package enum JudgedText {
  /// The judged value, with digits enough to show on which side of its limits it is.
  package static func value(_ judgement: Judgement) -> String {
    guard let value = judgement.value else { return QuantityText.unknown }
    let threshold = judgement.threshold
    return self.value(value, judgement.unit, beside: [threshold.warning, threshold.critical])
  }

  /// A value with digits enough to show how it compares with limits that are shown beside it.
  package static func value(
    _ value: Double,
    _ unit: JudgedUnit,
    beside limits: [Double] = []
  ) -> String {
    let usual = usual(value, unit)
    if limits.isEmpty { return usual }
    let form = ExactForm(value, unit)
    return NumberBesideLimits(
      usual: usual,
      value: value,
      limits: limits,
      power: form.power,
      leastPlaces: form.places,
      unit: form.suffix,
      tolerance: form.tolerance,
      reading: { reading($0, unit) }
    ).text
  }

  /// The share of the time that was measured, beside the least that can be judged.
  package static func coverage(_ fraction: Double) -> String {
    value(fraction, .ratio, beside: [DefaultRules.minimumCoverage])
  }

  /// How many times its budget something takes: `1.4`.
  package static func times(_ ratio: Double) -> String {
    let limits = [DefaultRules.ledger.warning, DefaultRules.ledger.critical]
    let text = value(ratio, .hertz, beside: limits)
    return String(text.dropLast(3))
  }

  private static func usual(_ value: Double, _ unit: JudgedUnit) -> String {
    switch unit {
    case .milliseconds: QuantityText.duration(milliseconds: value)
    case .millisecondsPerSecond: QuantityText.ratio(value) + " ms/s"
    case .ratio: QuantityText.percent(value)
    case .count: QuantityText.count(Int(value))
    case .perHour: QuantityText.ratio(value) + " per hour"
    case .hertz: QuantityText.ratio(value) + " Hz"
    }
  }

  /// How a value is written where its usual text says too little.
  private struct ExactForm {
    var power = 0
    var places = 1
    var suffix: String
    var tolerance = 0.1

    private static let lengths: [(least: Double, power: Int, unit: String)] = [
      (1000, -3, " s"), (1, 0, " ms"), (0.001, 3, " µs"), (0, 6, " ns"),
    ]

    init(_ value: Double, _ unit: JudgedUnit) {
      switch unit {
      case .milliseconds:
        let form = Self.lengths.first { value >= $0.least } ?? Self.lengths[3]
        (power, suffix, tolerance) = (form.power, form.unit, 0.000_001)
      case .ratio: (power, suffix, tolerance) = (2, "%", 0.001)
      case .count: (places, suffix, tolerance) = (0, "", 0)
      case .millisecondsPerSecond: suffix = " ms/s"
      case .perHour: suffix = " per hour"
      case .hertz: suffix = " Hz"
      }
    }
  }

  /// What a usual text says, in the unit of the value: the other way round.
  static func reading(_ text: String, _ unit: JudgedUnit) -> DecimalNumber? {
    let words = text.split(separator: " ")
    guard let first = words.first else { return nil }
    switch unit {
    case .milliseconds:
      if words.count == 2, let power = ["ns": -6, "µs": -3, "ms": 0, "s": 3][words[1]] {
        return DecimalNumber(text: first)?.scaled(byTenTo: power)
      }
      var seconds = 0
      for word in words {
        guard let factor = ["d": 86_400, "h": 3600, "m": 60, "s": 1][word.suffix(1)],
          let count = Int(word.dropLast())
        else { return nil }
        seconds += factor * count
      }
      return DecimalNumber(Double(seconds) * 1000)
    case .ratio:
      return text.hasSuffix("%") ? DecimalNumber(text: text.dropLast())?.scaled(byTenTo: -2) : nil
    case .count, .millisecondsPerSecond, .perHour, .hertz: return DecimalNumber(text: first)
    }
  }

  /// Limits are written as they were given: `250 ms`, `1.5 s`, `5%`.
  package static func limit(_ value: Double, _ unit: JudgedUnit) -> String {
    switch unit {
    case .milliseconds:
      value >= 1000 ? number(value, power: -3) + " s" : number(value) + " ms"
    case .millisecondsPerSecond: number(value) + " ms/s"
    case .ratio: number(value, power: 2) + "%"
    case .count: number(value)
    case .perHour: number(value) + " per hour"
    case .hertz: number(value) + " Hz"
    }
  }

  /// All its digits: `1.5`, `1,000`.
  package static func number(_ value: Double, power: Int = 0) -> String {
    let factor = power == 2 ? 100.0 : 1
    let whole = (value * factor).rounded()
    // No two numbers of up to 15 digits are one `Double`: what a whole one comes back to has its digits.
    if power == 0 || power == 2, value >= 0, whole < 1e15, whole / factor == value {
      return QuantityText.count(Int(whole))
    }
    guard value < 1e15, let exact = DecimalNumber(value) else { return QuantityText.ratio(value) }
    return exact.scaled(byTenTo: power).text()
  }

  package static func sample(_ judgement: Judgement) -> String {
    let count = QuantityText.count(judgement.sample)
    if judgement.countsFrames {
      return judgement.sample == 1 ? "1 frame" : count + " frames"
    }
    if judgement.statistic.isCounting {
      return judgement.sample == 1 ? "in 1 session" : "in " + count + " sessions"
    }
    return statistic(judgement.statistic) + " of " + count
  }

  package static func statistic(_ statistic: Statistic) -> String {
    statistic.fraction == nil ? statistic.rawValue : "P" + statistic.rawValue.dropFirst()
  }

  /// The limit that is broken, and why nothing is judged where it is not.
  static func ending(_ judgement: Judgement) -> String {
    guard let limit = judgement.limit else { return shortage(judgement) }
    return ", limit " + self.limit(limit, judgement.unit) + shortage(judgement)
  }

  static func shortage(_ judgement: Judgement) -> String {
    guard judgement.verdict == .insufficient else { return "" }
    return "; not judged, " + reason(judgement)
  }

  /// What is missing when there is too little to judge.
  package static func reason(_ judgement: Judgement) -> String {
    if let coverage = judgement.lowCoverage {
      return "only \(self.coverage(coverage)) of the time was measured"
    }
    let needed = judgement.threshold.minimumSample
    guard judgement.sample < needed else { return "nothing was measured" }
    if judgement.countsFrames {
      return "\(QuantityText.count(needed)) frames needed"
    }
    if judgement.statistic.isCounting {
      return needed == 1 ? "1 session needed" : "\(QuantityText.count(needed)) sessions needed"
    }
    return "\(QuantityText.count(needed)) needed"
  }
}
