package import Model

/// What is wrong with a budgets file, and where.
package struct BudgetsFault: Error, Equatable {
  /// Both counted from 1; columns count bytes.
  package var line: Int
  package var column: Int
  /// What is wrong, and what would be right.
  package var text: String

  package init(line: Int, column: Int, text: String) {
    self.line = line
    self.column = column
    self.text = text
  }
}

/// Reads a budgets file: JSON with comments, in which an unknown key is an error.
package struct BudgetsFile {
  private var scanner: JSONScanner
  private let text = JSONTextBuffer()
  private var ids: Set<String> = []

  private static let fileKeys = ["budgets"]
  private static let entryKeys = ["id", "match", "statistic", "limit", "warn", "minimumSample"]
  private static let matchKeys = ["signal"] + BudgetMatchKey.allCases.map(\.rawValue)

  /// The entries in the order of the file.
  package static func budgets(_ file: [UInt8]) throws(BudgetsFault) -> [Budget] {
    if let wide = BudgetsText.wideEncoding(file) {
      throw BudgetsFault(line: 1, column: 1, text: "the file is \(wide): save it as UTF-8")
    }
    // Editors show no byte order mark, and count no column for it.
    let bytes = file.starts(with: BudgetsText.mark) ? Array(file.dropFirst(3)) : file
    // Without their comments the bytes keep their places.
    var plain = bytes
    if let open = JSONComments.blank(&plain) {
      throw BudgetsFile.fault(at: open, in: bytes, "a comment has no end: */ is missing")
    }
    if let place = BudgetsText.firstInvalid(plain) {
      let text = "the byte here is no UTF-8: save the file as UTF-8"
      throw BudgetsFile.fault(at: place, in: bytes, text)
    }
    let result = plain.withUnsafeBytes { buffer -> Result<[Budget], Fault> in
      guard let start = buffer.baseAddress else {
        return .failure(Fault(position: 0, text: "the file is empty"))
      }
      let base = start.assumingMemoryBound(to: UInt8.self)
      var reader = BudgetsFile(
        scanner: JSONScanner(base: base, position: 0, end: buffer.count)
      )
      do throws(Fault) { return .success(try reader.file()) } catch { return .failure(error) }
    }
    switch result {
    case .success(let budgets): return budgets
    case .failure(let fault): throw BudgetsFile.fault(at: fault.position, in: bytes, fault.text)
    }
  }

  private struct Fault: Error {
    var position: Int
    var text: String
  }

  private init(scanner: JSONScanner) { self.scanner = scanner }

  private static func fault(at position: Int, in bytes: [UInt8], _ text: String) -> BudgetsFault {
    let before = bytes.prefix(position)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return BudgetsFault(line: line, column: before.count - start + 1, text: text)
  }

  // MARK: - The file

  private mutating func file() throws(Fault) -> [Budget] {
    scanner.skipWhitespace()
    if scanner.position == scanner.end { throw Fault(position: 0, text: "the file is empty") }
    var budgets: [Budget]?
    try object("the file", Self.fileKeys) { reader, _, _ throws(Fault) in
      budgets = try reader.entries()
    }
    scanner.skipWhitespace()
    guard scanner.position == scanner.end else {
      throw here("nothing may follow the file's object")
    }
    guard let budgets else { throw Fault(position: 0, text: "the key \"budgets\" is missing") }
    return budgets
  }

  private mutating func entries() throws(Fault) -> [Budget] {
    guard try peek() == UInt8(ascii: "[") else { throw here("\"budgets\" takes a list of entries") }
    scanner.position += 1
    var budgets: [Budget] = []
    var isFirst = true
    while try nextElement(&isFirst) { budgets.append(try entry()) }
    return budgets
  }

  private mutating func entry() throws(Fault) -> Budget {
    _ = try peek()
    let start = scanner.position
    var parts = EntryParts()
    try object("a budget", Self.entryKeys) { reader, key, _ throws(Fault) in
      switch key {
      case "id": parts.id = try reader.id()
      case "match": try reader.match(&parts)
      case "statistic": parts.statistic = try reader.statistic()
      case "limit": parts.limit = try reader.amount(key)
      case "warn": parts.warn = try reader.amount(key)
      default: parts.minimumSample = Int(try reader.amount(key, isWhole: true).value)
      }
    }
    do throws(MissingPart) { return try parts.budget() } catch {
      throw Fault(position: error.position ?? start, text: error.text)
    }
  }

  private mutating func id() throws(Fault) -> String {
    _ = try peek()
    let start = scanner.position
    let id = try string("id")
    if id.isEmpty { throw Fault(position: start, text: "\"id\" must not be empty") }
    guard ids.insert(id).inserted else {
      throw Fault(position: start, text: "a second budget has the id \"\(id)\"")
    }
    return id
  }

  private mutating func match(_ parts: inout EntryParts) throws(Fault) {
    var found = parts
    var keys: [(key: BudgetMatchKey, position: Int)] = []
    try object("\"match\"", Self.matchKeys) { reader, key, start throws(Fault) in
      if let asked = BudgetMatchKey(rawValue: key) { keys.append((asked, start)) }
      switch key {
      case "signal": found.signal = try reader.signal()
      case "attributes": found.match.attributes = try reader.attributes()
      case "app": found.match.app = Glob(try reader.string(key))
      case "version": found.match.version = Glob(try reader.string(key))
      case "device": found.match.device = Glob(try reader.string(key))
      default:
        // A screen is the name of what screens measure; other signals have names of their own.
        guard found.match.name == nil else {
          throw Fault(
            position: start,
            text: "\"screen\" and \"name\" are the same: give one of them"
          )
        }
        found.match.name = Glob(try reader.string(key))
      }
    }
    if let signal = found.signal {
      let known = signal.matchKeys
      for (key, position) in keys where !known.contains(key) {
        let list = known.map(\.rawValue).joined(separator: ", ")
        let advice = "its \(known.count == 1 ? "only key is" : "keys are") \(list)"
        let text = "\(signal.rawValue) has no \"\(key.rawValue)\": \(advice)"
        throw Fault(position: position, text: text)
      }
    }
    parts = found
  }

  private mutating func attributes() throws(Fault) -> [BudgetMatch.Attribute] {
    var attributes: [BudgetMatch.Attribute] = []
    try object("\"attributes\"", nil) { reader, key, _ throws(Fault) in
      attributes.append(try reader.attribute(key))
    }
    return attributes
  }

  private mutating func signal() throws(Fault) -> BudgetSignal {
    try word("signal", BudgetSignal.allCases.map(\.rawValue), BudgetSignal.init(rawValue:))
  }

  private mutating func statistic() throws(Fault) -> EntryParts.Placed<Statistic> {
    _ = try peek()
    let position = scanner.position
    let value = try word(
      "statistic",
      Statistic.allCases.map(\.rawValue),
      Statistic.init(rawValue:)
    )
    return EntryParts.Placed(value: value, position: position)
  }

  /// A string out of a list of words.
  private mutating func word<Value>(
    _ key: String,
    _ known: [String],
    _ value: (String) -> Value?
  ) throws(Fault) -> Value {
    _ = try peek()
    let start = scanner.position
    let word = try string(key)
    guard let value = value(word) else {
      let hint = NearestName.of(word, among: known).map { ": did you mean \"\($0)\"?" }
      let list = ": there are \(known.joined(separator: ", "))"
      throw Fault(position: start, text: "no \(key) \"\(word)\"" + (hint ?? list))
    }
    return value
  }

  private mutating func amount(
    _ key: String,
    isWhole: Bool = false
  ) throws(Fault) -> EntryParts.Placed<Double> {
    let byte = try peek()
    let start = scanner.position
    let wanted = "\"\(key)\" takes a \(isWhole ? "whole " : "")number from 0 on"
    guard byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
      throw here(wanted)
    }
    let number: JSONNumber
    do throws(JSONFault) { number = try scanner.number() } catch { throw Self.fault(error) }
    let value: Double =
      switch number {
      case .int(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .double(let value): value
      }
    guard value >= 0, value.isFinite, !isWhole || (value == value.rounded() && value < 1e15) else {
      throw Fault(position: start, text: wanted)
    }
    return EntryParts.Placed(value: value, position: start)
  }

  // MARK: - JSON

  /// Reads an object.
  ///
  /// Where `known` is nil, any key will do; `body` reads the value of each.
  private mutating func object(
    _ what: String,
    _ known: [String]?,
    _ body: (inout BudgetsFile, String, Int) throws(Fault) -> Void
  ) throws(Fault) {
    guard try peek() == UInt8(ascii: "{") else { throw here("\(what) must be an object") }
    scanner.position += 1
    var seen: Set<String> = []
    var isFirst = true
    while true {
      let text: JSONText?
      do throws(JSONFault) { text = try scanner.nextKey(&isFirst) } catch {
        throw Self.fault(error)
      }
      guard let text else { return }
      let key = try decoded(text)
      let start = text.start - 1
      if let known, !known.contains(key) {
        let hint = NearestName.of(key, among: known).map { ": did you mean \"\($0)\"?" }
        let list = ": there \(known.count == 1 ? "is" : "are") \(known.joined(separator: ", "))"
        throw Fault(position: start, text: "unknown key \"\(key)\" in \(what)" + (hint ?? list))
      }
      guard seen.insert(key).inserted else {
        throw Fault(position: start, text: "the key \"\(key)\" stands twice in \(what)")
      }
      try body(&self, key, start)
    }
  }

  private mutating func nextElement(_ isFirst: inout Bool) throws(Fault) -> Bool {
    do throws(JSONFault) { return try scanner.nextElement(&isFirst) } catch {
      throw Self.fault(error)
    }
  }

  private mutating func peek() throws(Fault) -> UInt8 {
    do throws(JSONFault) { return try scanner.peek() } catch { throw Self.fault(error) }
  }

  private mutating func string(_ key: String) throws(Fault) -> String {
    guard try peek() == UInt8(ascii: "\"") else { throw here("\"\(key)\" takes a text") }
    let text: JSONText
    do throws(JSONFault) { text = try scanner.string() } catch { throw Self.fault(error) }
    return try decoded(text)
  }

  /// What an attribute must be: a text, a number, or a truth value, which the model keeps as text.
  private mutating func attribute(_ key: String) throws(Fault) -> BudgetMatch.Attribute {
    let start: Int
    let number: JSONNumber
    switch try peek() {
    case UInt8(ascii: "\""): return BudgetMatch.Attribute(key: key, value: Glob(try string(key)))
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      start = scanner.position
      do throws(JSONFault) { try scanner.skipValue() } catch { throw Self.fault(error) }
      let word = scanner.bytes(from: start, to: scanner.position)
      return BudgetMatch.Attribute(key: key, value: Glob(String(decoding: word, as: UTF8.self)))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      start = scanner.position
      do throws(JSONFault) { number = try scanner.number() } catch { throw Self.fault(error) }
    default: throw here("\"\(key)\" takes a text, a number, true or false")
    }
    guard number.double.isFinite else {
      throw Fault(position: start, text: "the number is too large")
    }
    if let whole = number.int64 {
      // Beyond these a double stands for several whole numbers.
      let isExact = whole.magnitude <= 1 << 53
      return BudgetMatch.Attribute(
        key: key,
        value: Glob(String(whole)),
        number: isExact ? Double(whole) : nil
      )
    }
    if case .unsigned(let whole) = number {
      return BudgetMatch.Attribute(key: key, value: Glob(String(whole)))
    }
    let value = number.double
    return BudgetMatch.Attribute(key: key, value: Glob(String(value)), number: value)
  }

  private func decoded(_ text: JSONText) throws(Fault) -> String {
    if text.isEscaped, let place = BudgetsText.loneSurrogate(scanner.bytes(of: text)) {
      let words = "the escape here is half of a pair: no character has it"
      throw Fault(position: text.start + place, text: words)
    }
    return String(decoding: self.text.plain(text, of: scanner), as: UTF8.self)
  }

  private func here(_ text: String) -> Fault { Fault(position: scanner.position, text: text) }

  private static func fault(_ fault: JSONFault) -> Fault {
    Fault(position: fault.position, text: fault.text)
  }
}
