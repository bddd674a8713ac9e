import Model

/// What makes an entry incomplete or contradictory.
struct MissingPart: Error {
  /// Nil: the entry as a whole.
  var position: Int?
  var text: String
}

/// An entry of a budgets file while it is read.
struct EntryParts {
  struct Placed<Value> {
    var value: Value
    var position: Int
  }

  var id: String?
  var signal: BudgetSignal?
  var match = BudgetMatch()
  var statistic: Placed<Statistic>?
  var limit: Placed<Double>?
  var warn: Placed<Double>?
  var minimumSample: Int?

  func budget() throws(MissingPart) -> Budget {
    guard let id else { throw MissingPart(text: "the key \"id\" is missing") }
    guard let signal else {
      throw MissingPart(text: "budget \"\(id)\": the key \"match\" with a \"signal\" is missing")
    }
    guard let statistic else {
      throw MissingPart(text: "budget \"\(id)\": the key \"statistic\" is missing")
    }
    guard let limit else {
      throw MissingPart(text: "budget \"\(id)\": the key \"limit\" is missing")
    }
    guard signal.statistics.contains(statistic.value) else {
      let known = signal.statistics.map(\.rawValue).joined(separator: ", ")
      throw MissingPart(
        position: statistic.position,
        text: "\(signal.rawValue) has no \(statistic.value.rawValue): there are \(known)"
      )
    }
    if let warn, warn.value > limit.value {
      throw MissingPart(position: warn.position, text: "\"warn\" is above \"limit\"")
    }
    var budget = Budget(id: id, signal: signal, statistic: statistic.value, limit: limit.value)
    budget.match = match
    budget.warn = warn?.value
    budget.minimumSample = minimumSample
    return budget
  }
}

/// Comments in JSON, as configuration files have them: `//` to the end of the line, `/* */`.
enum JSONComments {
  /// Puts spaces in the place of comments, so that every other byte keeps its place.
  ///
  /// Returns where a comment begins that has no end; nil when all have one.
  static func blank(_ bytes: inout [UInt8]) -> Int? {
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): index = afterString(bytes, index)
      case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/"):
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
          bytes[index] = UInt8(ascii: " ")
          index += 1
        }
      case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "*"):
        let start = index
        index += 2
        while index + 1 < bytes.count,
          bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
        {
          index += 1
        }
        guard index + 1 < bytes.count else { return start }
        index += 2
        for place in start..<index where bytes[place] != UInt8(ascii: "\n") {
          bytes[place] = UInt8(ascii: " ")
        }
      default: index += 1
      }
    }
    return nil
  }

  private static func afterString(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\""),
      bytes[index] != UInt8(ascii: "\n")
    {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }
}
