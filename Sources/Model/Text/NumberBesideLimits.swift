/// A number that is shown beside limits: rounded as usual, unless that would say something else of it.
///
/// Rounding must not turn a number that is less than a limit into one that equals it: then it gets as many
/// digits more as it takes. What is shown compares with what is shown of the limits as they themselves do.
struct NumberBesideLimits {
  /// The text as it is without limits.
  var usual: String
  var value: Double
  /// Those that are not finite are never shown.
  var limits: [Double]
  /// By which power of ten the unit of the exact text is smaller than that of the value.
  var power: Int
  /// Digits after the point of the exact text, at least.
  var leastPlaces: Int
  /// What follows the exact text.
  var unit: String
  /// How far beyond a twentieth the usual text may be off.
  var tolerance: Double
  /// The number that the usual text says, in the unit of the value; nil for what it does not say.
  var reading: (String) -> DecimalNumber?

  var text: String {
    let near = limits.filter { limit in
      limit.isFinite && abs(value - limit) <= max(abs(value), abs(limit)) / 20 + tolerance
    }
    guard !near.isEmpty, let exact = DecimalNumber(value) else { return usual }
    // Nor may it turn a little into nothing.
    let bounds = (near + [0]).compactMap { DecimalNumber($0) }
    if let shown = reading(usual), agrees(shown, exact, bounds) { return usual }
    let scaled = exact.scaled(byTenTo: power)
    for places in leastPlaces..<max(leastPlaces + 1, scaled.places + 1) {
      let rounded = scaled.rounded(to: places)
      guard agrees(rounded.scaled(byTenTo: -power), exact, bounds) else { continue }
      return rounded.text(least: places) + unit
    }
    return scaled.text(least: leastPlaces) + unit
  }

  private func agrees(
    _ shown: DecimalNumber,
    _ exact: DecimalNumber,
    _ limits: [DecimalNumber]
  ) -> Bool {
    limits.allSatisfy { (shown < $0) == (exact < $0) && (shown > $0) == (exact > $0) }
  }
}
