/// A number digit by digit, so that moving its point and comparing it lose nothing.
struct DecimalNumber: Comparable, Sendable {
  /// Of the whole part, then of the fraction, without leading zeros.
  private var digits: [UInt8]
  /// How many of them are of the fraction.
  private(set) var places: Int

  /// The fewest digits that stand for the value; nil for what is negative or not finite.
  init?(_ value: Double) {
    guard value.isFinite, value >= 0 else { return nil }
    let parts = value.description.split(separator: "e")
    let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    guard let mantissa = parts.first.flatMap({ DecimalNumber(text: $0) }) else { return nil }
    self = mantissa.scaled(byTenTo: power)
  }

  /// Reads digits with at most one point; commas part groups.
  init?(text: some StringProtocol) {
    digits = []
    places = 0
    var isFraction = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte - 48)
        if isFraction { places += 1 }
      case UInt8(ascii: "."):
        guard !isFraction else { return nil }
        isFraction = true
      case UInt8(ascii: ","): continue
      default: return nil
      }
    }
    guard !digits.isEmpty else { return nil }
    trim()
  }

  /// Without leading zeros, and without trailing ones of the fraction.
  private mutating func trim() {
    while places > 0, digits.last == 0 {
      digits.removeLast()
      places -= 1
    }
    while digits.count > places, digits.first == 0 { digits.removeFirst() }
    if places == 0, digits.isEmpty { digits = [0] }
  }

  func scaled(byTenTo power: Int) -> DecimalNumber {
    var number = self
    number.places -= power
    while number.places < 0 {
      number.digits.append(0)
      number.places += 1
    }
    while number.digits.count < number.places { number.digits.insert(0, at: 0) }
    number.trim()
    while number.digits.count < number.places { number.digits.insert(0, at: 0) }
    return number
  }

  /// The nearest number with so many digits after the point; halves go up.
  func rounded(to most: Int) -> DecimalNumber {
    guard places > most else { return self }
    var number = self
    let rest = Array(number.digits.suffix(places - most))
    number.digits.removeLast(rest.count)
    number.places = most
    if (rest.first ?? 0) >= 5 {
      var index = number.digits.count - 1
      while index >= 0, number.digits[index] == 9 {
        number.digits[index] = 0
        index -= 1
      }
      if index >= 0 { number.digits[index] += 1 } else { number.digits.insert(1, at: 0) }
    }
    number.trim()
    return number
  }

  static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    let (a, b) = aligned(left, right)
    return a.lexicographicallyPrecedes(b)
  }

  static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
    let (a, b) = aligned(left, right)
    return a == b
  }

  private static func aligned(_ left: DecimalNumber, _ right: DecimalNumber) -> ([UInt8], [UInt8]) {
    let whole = max(left.digits.count - left.places, right.digits.count - right.places)
    let places = max(left.places, right.places)
    return (left.padded(whole, places), right.padded(whole, places))
  }

  private func padded(_ whole: Int, _ places: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(0, whole - (digits.count - self.places))) + digits
      + [UInt8](repeating: 0, count: places - self.places)
  }

  /// `1,234.5`; zeros fill up to `least` digits after the point.
  func text(least: Int = 0) -> String {
    let whole = digits.dropLast(places)
    var text = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { text += "," }
      text += String(digit)
    }
    if text.isEmpty { text = "0" }
    let fraction = digits.suffix(places) + [UInt8](repeating: 0, count: max(0, least - places))
    return fraction.isEmpty ? text : text + "." + fraction.map(String.init).joined()
  }
}
