/// Numbers as people read them: three significant digits, one unit, `–` for what is unknown.
package enum QuantityText {
  package static let unknown = "–"

  /// A duration that was measured: `850 µs`, `6.40 ms`, `412 ms`, `1.21 s`, `2m 41s`, `3h 05m`, `2d 04h`.
  ///
  /// Rounding carries over to the next unit: 999.5 ms is `1.00 s`.
  package static func duration(milliseconds: Double?) -> String {
    guard let milliseconds, !milliseconds.isNaN else { return unknown }
    guard milliseconds.isFinite else { return milliseconds < 0 ? "-∞" : "∞" }
    if milliseconds < 0 { return "-" + duration(milliseconds: -milliseconds) }
    if milliseconds == 0 { return "0 ms" }
    if milliseconds < 0.001 {
      let nanoseconds = (milliseconds * 1_000_000).rounded()
      return nanoseconds == 0 ? "<1 ns" : nanoseconds < 1000 ? "\(Int(nanoseconds)) ns" : "1.00 µs"
    }
    if let text = threeDigits(milliseconds * 1000) { return text + " µs" }
    if let text = threeDigits(milliseconds) { return text + " ms" }
    if milliseconds < 59_950, let text = threeDigits(milliseconds / 1000) { return text + " s" }
    return clockLike(seconds: (milliseconds / 1000).rounded())
  }

  package static func duration(nanoseconds: Int64?) -> String {
    duration(milliseconds: nanoseconds.map { Double($0) / 1_000_000 })
  }

  /// The length of a session or visit, in whole seconds from one second on: `33 s`, `2m 41s`.
  ///
  /// `isAtLeast` puts `≥` before it: the end was not seen.
  package static func length(milliseconds: Double?, isAtLeast: Bool = false) -> String {
    guard let milliseconds, milliseconds.isFinite else { return unknown }
    let prefix = isAtLeast ? "≥" : ""
    let seconds = (milliseconds / 1000).rounded()
    guard seconds >= 1 else { return prefix + duration(milliseconds: milliseconds) }
    guard seconds >= 60 else { return "\(prefix)\(Int(seconds)) s" }
    return prefix + clockLike(seconds: seconds)
  }

  /// A whole number in groups of three: `9,488`.
  package static func count(_ value: Int?) -> String {
    guard let value else { return unknown }
    guard value.magnitude >= 1000 else { return String(value) }
    let group = Int(value.magnitude % 1000)
    let zeros = group < 10 ? "00" : group < 100 ? "0" : ""
    return "\(count(value / 1000)),\(zeros)\(group)"
  }

  /// A fraction in percent with one decimal: `2.1%`; `<0.1%` for a little, `100%` for all.
  package static func percent(_ fraction: Double?) -> String {
    guard let fraction, fraction.isFinite else { return unknown }
    return oneDecimal(fraction * 100) + "%"
  }

  /// A rate or score with one decimal, such as freeze time in ms/s: `6.4`, `0`, `<0.1`, `123`.
  package static func ratio(_ value: Double?) -> String {
    guard let value, !value.isNaN else { return unknown }
    guard value.isFinite else { return value < 0 ? "-∞" : "∞" }
    return oneDecimal(value)
  }

  /// An amount of memory or input: `812 B`, `64.0 kB`, `1.05 GB`, in powers of 1000.
  package static func bytes(_ value: UInt64?) -> String {
    guard let value else { return unknown }
    guard value >= 1000 else { return "\(value) B" }
    var amount = Double(value)
    for unit in ["kB", "MB", "GB", "TB"] {
      amount /= 1000
      if let text = threeDigits(amount) { return "\(text) \(unit)" }
    }
    return "\(count(Int(amount.rounded()))) TB"
  }

  /// Three significant digits of a number from 1 to below 999.5; nil outside.
  private static func threeDigits(_ value: Double) -> String? {
    if value < 0.99 { return nil }
    if value < 9.995 { return decimals(value, 2) }
    if value < 99.95 { return decimals(value, 1) }
    return value < 999.5 ? decimals(value, 0) : nil
  }

  private static func decimals(_ value: Double, _ places: Int) -> String {
    let scale = places == 2 ? 100 : places == 1 ? 10 : 1
    let scaled = Int((value * Double(scale)).rounded())
    guard places > 0 else { return String(scaled) }
    let fraction = scaled % scale
    return String(scaled / scale) + "." + (places == 2 ? twoDigits(fraction) : String(fraction))
  }

  private static func oneDecimal(_ value: Double) -> String {
    if value < 0 { return "-" + oneDecimal(-value) }
    if value == 0 { return "0" }
    if value < 0.05 { return "<0.1" }
    if value < 99.95 { return decimals(value, 1) }
    return value < 1e15 ? count(Int(value.rounded())) : ">1e15"
  }

  private static func clockLike(seconds: Double) -> String {
    guard seconds < 1e15 else { return ">1e10 d" }
    let whole = Int(seconds)
    if whole < 3600 { return "\(whole / 60)m \(twoDigits(whole % 60))s" }
    if whole < 86_400 { return "\(whole / 3600)h \(twoDigits(whole % 3600 / 60))m" }
    return "\(whole / 86_400)d \(twoDigits(whole % 86_400 / 3600))h"
  }

  package static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0" + String(value) : String(value)
  }
}
