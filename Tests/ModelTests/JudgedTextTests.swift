import TestSupport
import Testing

@testable import Model

@Suite("Numbers beside their limits")
struct JudgedTextTests {
  @Test(
    "a number is rounded as usual unless it would seem to be on the other side of a limit",
    arguments: [
      (2800, [1000, 3000], "2.80 s"), (1000, [1000, 3000], "1.00 s"), (999.6, [1000], "999.6 ms"),
      (4999, [0, 5000], "4.999 s"), (5000, [0, 5000], "5.00 s"), (5001, [0, 5000], "5.001 s"),
      (2999.6, [1000, 3000], "2.9996 s"), (119_960, [120_000], "119.96 s"),
      (161_000, [120_000], "2m 41s"), (1000.000001, [1000], "1.000000001 s"),
      (250.4, [250, 1000], "250.4 ms"), (249.99, [250, 1000], "249.99 ms"), (0, [0], "0 ms"),
      (100, [], "100 ms"), (2000, [1000, .infinity], "2.00 s"),
    ] as [(Double, [Double], String)]
  )
  func milliseconds(value: Double, limits: [Double], text: String) {
    #expect(JudgedText.value(value, .milliseconds, beside: limits) == text)
  }

  @Test(
    "the same of ratios, rates and counts",
    arguments: [
      (0.4996, .ratio, 0.5, "49.96%"), (0.5, .ratio, 0.5, "50.0%"), (0.4, .ratio, 0.5, "40.0%"),
      (0.00999, .ratio, 0.01, "0.999%"), (0.0100001, .ratio, 0.01, "1.00001%"),
      (0.0003, .ratio, 0.01, "<0.1%"), (0.0003, .ratio, 0.0002, "0.03%"),
      (4.98, .millisecondsPerSecond, 5, "4.98 ms/s"), (5, .millisecondsPerSecond, 5, "5.0 ms/s"),
      (0.03, .perHour, 0.1, "0.03 per hour"), (2, .count, 2, "2"),
      (123.4, .perHour, 123, "123.4 per hour"),
    ] as [(Double, JudgedUnit, Double, String)]
  )
  func others(value: Double, unit: JudgedUnit, limit: Double, text: String) {
    #expect(JudgedText.value(value, unit, beside: [limit]) == text)
  }

  @Test(
    "limits are written with all their digits",
    arguments: [
      (250, .milliseconds, "250 ms"), (1500, .milliseconds, "1.5 s"),
      (1234, .milliseconds, "1.234 s"), (999.5, .milliseconds, "999.5 ms"),
      (3_600_000, .milliseconds, "3,600 s"), (0.07, .ratio, "7%"),
      (0.0123456, .ratio, "1.23456%"), (0.25, .perHour, "0.25 per hour"), (2000, .count, "2,000"),
      (0, .count, "0"), (0.00001, .ratio, "0.001%"), (10, .millisecondsPerSecond, "10 ms/s"),
    ] as [(Double, JudgedUnit, String)]
  )
  func limits(value: Double, unit: JudgedUnit, text: String) {
    #expect(JudgedText.limit(value, unit) == text)
  }

  @Test(
    "what is printed of a value and of its limits compares as they do",
    arguments: [
      JudgedUnit.milliseconds, .millisecondsPerSecond, .ratio, .perHour, .count,
    ]
  )
  func property(unit: JudgedUnit) {
    var random = SeededGenerator(seed: 20_260_101)
    func unitInterval() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }
    for _ in 0..<20_000 {
      var limit = unitInterval()
      for _ in 0..<random.next() % 8 { limit *= 10 }
      if random.next() % 2 == 0 { limit = limit.rounded() }
      var value = limit
      switch random.next() % 5 {
      case 0: break
      case 1: value = value.nextUp
      case 2: value = value == 0 ? 0 : value.nextDown
      case 3:
        var step = unitInterval() - 0.5
        for _ in 0..<random.next() % 9 { step /= 10 }
        value *= 1 + step
      default: value = unitInterval() * limit * 3
      }
      if unit == .count { (value, limit) = (value.rounded(), limit.rounded()) }
      let shown = JudgedText.value(value, unit, beside: [limit])
      let text = "\(value) beside \(limit): \(shown), \(JudgedText.limit(limit, unit))"
      // `<0.1` says where it is of whatever is not less.
      let bound = shown.hasPrefix("<") ? String(shown.dropFirst()) : shown
      guard let left = Self.number(bound), let right = Self.number(JudgedText.limit(limit, unit))
      else {
        Issue.record("\(text) is no number")
        return
      }
      let isSame =
        shown.hasPrefix("<")
        ? left <= right && value < limit : Self.agree(left, right, value, limit)
      guard isSame else {
        Issue.record("\(text)")
        return
      }
    }
  }

  private static func agree(_ left: Exact, _ right: Exact, _ value: Double, _ limit: Double) -> Bool
  {
    (left < right) == (value < limit) && (right < left) == (value > limit)
  }

  /// Digits before and after the point, all in the smallest unit: a reading of its own.
  private struct Exact: Comparable {
    var whole: String
    var fraction: String

    static func < (left: Exact, right: Exact) -> Bool {
      if left.whole.count != right.whole.count { return left.whole.count < right.whole.count }
      if left.whole != right.whole { return left.whole < right.whole }
      return left.fraction < right.fraction
    }

    static func <= (left: Exact, right: Exact) -> Bool { !(right < left) }
  }

  /// `2m 41s`, `1.5 s`, `7%` in ns, hundredths of a hundredth and so on; nil where it is no number.
  private static func number(_ text: String) -> Exact? {
    let words = text.replacing(",", with: "").split(separator: " ").map(String.init)
    if words.count > 1,
      words.allSatisfy({ $0.count > 1 }),
      words.allSatisfy({ "dhms".contains($0.last ?? " ") && $0.dropLast().allSatisfy(\.isNumber) })
    {
      var seconds = 0
      for word in words {
        let factors: [Character: Int] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
        seconds += (factors[word.last ?? "s"] ?? 0) * (Int(word.dropLast()) ?? 0)
      }
      return shifted(String(seconds), 9)
    }
    guard let first = words.first else { return nil }
    switch words.dropFirst().first {
    case "ns": return shifted(first, 0)
    case "µs": return shifted(first, 3)
    case "ms": return shifted(first, 6)
    case "s": return shifted(first, 9)
    default: return shifted(first.hasSuffix("%") ? String(first.dropLast()) : first, 0)
    }
  }

  private static func shifted(_ text: String, _ power: Int) -> Exact? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), text.allSatisfy({ $0.isNumber || $0 == "." }) else {
      return nil
    }
    var fraction = parts.count == 2 ? parts[1] : ""
    while fraction.count < power { fraction += "0" }
    var whole = parts[0] + fraction.prefix(power)
    fraction = String(fraction.dropFirst(power))
    while whole.hasPrefix("0") { whole.removeFirst() }
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return Exact(whole: whole, fraction: fraction)
  }
}
