extension FilterExpression {
  /// Reads the text of a filter; nil where it holds nothing but spaces.
  package init?(parsing text: String) throws(FilterError) {
    var parser = FilterParser(text)
    guard let expression = try parser.parse() else { return nil }
    self = expression
  }
}

/// Recursive descent over the characters of one line.
private struct FilterParser {
  /// Deeper nesting is a mistake or an attack on the stack.
  private static let maximumDepth = 100
  /// Longer ones first, so that `>=` is not read as `>`.
  private static let operators = ["!=", ">=", "<=", ":", "=", "~", ">", "<"]
  private static let durations: [(suffix: String, milliseconds: Double)] = [
    ("ns", 1e-6), ("us", 1e-3), ("µs", 1e-3), ("ms", 1), ("s", 1e3), ("min", 60e3), ("m", 60e3),
    ("h", 3600e3),
  ]

  private let text: [Character]
  private var at = 0
  private var depth = 0

  init(_ text: String) {
    self.text = Array(text)
  }

  mutating func parse() throws(FilterError) -> FilterExpression? {
    skipSpaces()
    guard at < text.count else { return nil }
    let expression = try alternatives()
    guard at == text.count else {
      throw error(at, "')' without a '(' before it")
    }
    return expression
  }

  private mutating func alternatives() throws(FilterError) -> FilterExpression {
    var parts = [try conjunction()]
    while take(word: "or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(FilterError) -> FilterExpression {
    var parts = [try negation()]
    while true {
      if take(word: "and") {
        parts.append(try negation())
      } else if at < text.count, text[at] != ")", peek(word: "or") == nil {
        parts.append(try negation())
      } else {
        return parts.count == 1 ? parts[0] : .all(parts)
      }
    }
  }

  private mutating func negation() throws(FilterError) -> FilterExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw error(at, "nested too deeply") }
    if take(word: "not") { return .not(try negation()) }
    guard at < text.count, text[at] != ")" else {
      throw error(at, "a word or key:value is missing here")
    }
    for word in ["and", "or"] where peek(word: word) != nil {
      throw error(at, "something is missing before '\(word)'; quote it to search for the word")
    }
    guard text[at] == "(" else { return try term() }
    let opening = at
    at += 1
    skipSpaces()
    let inner = try alternatives()
    guard at < text.count, text[at] == ")" else { throw error(opening, "'(' is never closed") }
    at += 1
    skipSpaces()
    return inner
  }

  private mutating func term() throws(FilterError) -> FilterExpression {
    let start = at
    if text[at] == "\"" { return .word(try value(after: start).lowercased()) }
    var name = ""
    while at < text.count, !isEnd(text[at]), operatorHere == nil {
      if text[at] == "\"" {
        guard name == FilterKey.attribute.rawValue else { break }
        name += try quoted()
      } else {
        name.append(text[at])
        at += 1
      }
    }
    guard let sign = operatorHere else {
      skipSpaces()
      return .word(name.lowercased())
    }
    let (key, attribute) = try self.key(name, at: start)
    let signAt = at
    at += sign.count
    let valueAt = at
    let value = try sign == "~" ? pattern(after: valueAt) : value(after: valueAt)
    let test = try test(key, sign, value, signAt: signAt, valueAt: valueAt)
    return .term(FilterTerm(key: key, attribute: attribute, test: test))
  }

  private func key(_ name: String, at start: Int) throws(FilterError) -> (FilterKey, String) {
    let prefix = FilterKey.attribute.rawValue
    if name.hasPrefix(prefix), name.count > prefix.count {
      let attribute = String(name.dropFirst(prefix.count))
      if let other = StandardAttribute.replacement(for: attribute) { throw error(start, other) }
      return (.attribute, attribute)
    }
    if name != prefix, let key = FilterKey(rawValue: name.lowercased()) { return (key, "") }
    let known = FilterKey.allCases.map { $0 == .attribute ? "attr.NAME" : $0.rawValue }
    let nearest = NearestName.of(name, among: known).map { "; did you mean \($0)?" }
    var error = error(start, "unknown key '\(name)'\(nearest ?? "")")
    error.advice = "keys are \(known.joined(separator: ", ")); quote a text to search for it"
    throw error
  }

  private func test(
    _ key: FilterKey,
    _ sign: String,
    _ value: String,
    signAt: Int,
    valueAt: Int
  ) throws(FilterError) -> FilterTest {
    if sign == "~" || sign == ":", key.isNumber {
      throw error(signAt, "\(key.rawValue) is a number: compare it with > < >= <= = or !=")
    }
    switch sign {
    case ":": return .contains(value.lowercased())
    case "~":
      do throws(PatternError) { return .matches(try TextPattern(value)) } catch {
        let blamed = error.offset.map { place(of: $0, inValueAt: valueAt) }
        var unusable = self.error(blamed ?? valueAt, error.text)
        unusable.advice = "~ takes a regular expression of RE2: github.com/google/re2/wiki/Syntax"
        throw unusable
      }
    case "=" where !key.isNumber: return .equals(key.isWord ? value.lowercased() : value)
    case "!=" where !key.isNumber: return .differs(key.isWord ? value.lowercased() : value)
    default:
      guard key.isNumber || key == .attribute,
        let comparison = FilterTest.Comparison(rawValue: sign)
      else {
        throw error(signAt, "\(key.rawValue) is no number: ask with : = != or ~")
      }
      guard let number = key == .freeze ? Double(value) : Self.number(value), number.isFinite else {
        let form = key == .duration ? "a duration such as 500ms or 2s" : "a number"
        throw error(valueAt, "'\(value)' is not \(form)")
      }
      return .compares(comparison, number)
    }
  }

  /// A number as it stands, or a duration in milliseconds.
  private static func number(_ text: String) -> Double? {
    if let plain = Double(text) { return plain }
    for unit in durations where text.hasSuffix(unit.suffix) {
      if let amount = Double(text.dropLast(unit.suffix.count)) {
        return amount * unit.milliseconds
      }
    }
    return nil
  }

  // MARK: - Characters

  private mutating func value(after start: Int) throws(FilterError) -> String {
    var value = ""
    if at < text.count, text[at] == "\"" {
      value = try quoted()
    } else {
      while at < text.count, !isEnd(text[at]) {
        value.append(text[at])
        at += 1
      }
      guard !value.isEmpty else { throw missingValue(start) }
    }
    skipSpaces()
    return value
  }

  private func missingValue(_ place: Int) -> FilterError {
    guard place < text.count, text[place] == "(" else {
      return error(place, "a value is missing here; an empty one is \"\"")
    }
    return error(place, "a value with parentheses is written in quotes: \"(…)\"")
  }

  /// Without quotes, parentheses that are closed belong to the expression, and spaces within them.
  private mutating func pattern(after start: Int) throws(FilterError) -> String {
    guard at < text.count, text[at] != "\"" else { return try value(after: start) }
    var openings: [Int] = []
    while at < text.count {
      if openings.isEmpty, text[at].isWhitespace || text[at] == ")" { break }
      switch text[at] {
      case "\\": at += 1
      case "[": skipClass()
      case "(": openings.append(at)
      case ")": openings.removeLast()
      default: break
      }
      at += 1
    }
    at = min(at, text.count)
    if let opening = openings.first { throw error(opening, "'(' is never closed") }
    guard at > start else { throw missingValue(start) }
    let value = String(text[start..<at])
    skipSpaces()
    return value
  }

  /// From the `[` of an expression to the `]` that closes it, or to the end.
  private mutating func skipClass() {
    at += 1
    if at < text.count, text[at] == "^" { at += 1 }
    // A `]` that comes first is a member.
    let first = at
    while at < text.count, text[at] != "]" || at == first {
      let isNamed = text[at...].starts(with: "[:")
      at += text[at] == "\\" || isNamed ? 2 : 1
      if isNamed { while at < text.count, text[at] != "]" { at += 1 } }
      if isNamed { at += 1 }
    }
  }

  /// Where a value's character stands; quotes and the backslashes within them move it.
  private func place(of offset: Int, inValueAt start: Int) -> Int {
    guard text[start] == "\"" else { return start + offset }
    var place = start + 1
    for _ in 0..<offset { place += isEscape(place) ? 2 : 1 }
    return place
  }

  private mutating func quoted() throws(FilterError) -> String {
    let opening = at
    at += 1
    var value = ""
    while at < text.count {
      if isEscape(at) { at += 1 } else if text[at] == "\"" { break }
      value.append(text[at])
      at += 1
    }
    if at < text.count {
      at += 1
      return value
    }
    throw error(opening, "the quote is never closed")
  }

  /// A backslash within quotes that stands before a quote or another one.
  private func isEscape(_ place: Int) -> Bool {
    guard place + 1 < text.count, text[place] == "\\" else { return false }
    return text[place + 1] == "\"" || text[place + 1] == "\\"
  }

  private var operatorHere: String? {
    Self.operators.first { text[at...].starts(with: $0) }
  }

  private func isEnd(_ character: Character) -> Bool {
    character.isWhitespace || character == "(" || character == ")"
  }

  /// Where a keyword that stands here ends; nil where there is another word.
  private func peek(word: String) -> Int? {
    let end = at + word.count
    guard end <= text.count, String(text[at..<end]).lowercased() == word else { return nil }
    guard end == text.count || isEnd(text[end]) else { return nil }
    return end
  }

  private mutating func take(word: String) -> Bool {
    guard let end = peek(word: word) else { return false }
    at = end
    skipSpaces()
    return true
  }

  private mutating func skipSpaces() {
    while at < text.count, text[at].isWhitespace { at += 1 }
  }

  private func error(_ place: Int, _ text: String) -> FilterError {
    FilterError(column: place + 1, text: text)
  }
}
