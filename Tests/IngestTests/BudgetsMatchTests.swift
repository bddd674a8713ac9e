import Model
import Testing

@testable import Ingest

@Suite("What a budgets file may ask for")
struct BudgetsMatchTests {
  private func fault(_ bytes: [UInt8]) -> BudgetsFault? {
    do throws(BudgetsFault) {
      _ = try BudgetsFile.budgets(bytes)
      return nil
    } catch { return error }
  }

  private static func file(_ match: String, statistic: String = "p90") -> [UInt8] {
    let entry = #"{"id":"x","match":{\#(match)},"statistic":"\#(statistic)","limit":1}"#
    return Array(#"{"budgets":[\#(entry)]}"#.utf8)
  }

  /// What PerformanceSuite's records carry: the screen of screens' measurements and of hangs, a name of
  /// fragments, classes, spans and ledger lines; a ledger line says nothing of app or device.
  private static let table: [(signals: [BudgetSignal], keys: String)] = [
    (
      [.screenTTI, .screenTTFR, .freezeRate, .droppedRatio, .hang, .fatalHang],
      "screen name app version device attributes"
    ),
    ([.fragmentTTI, .fragmentTTFR, .leak, .span], "name app version device attributes"),
    ([.startup, .watchdog], "app version device attributes"),
    ([.ledger], "name"),
  ]

  @Test("a signal is matched by the keys that it has; any other is an error at its place")
  func keys() throws {
    #expect(Set(Self.table.flatMap(\.signals)) == Set(BudgetSignal.allCases))
    for (signals, list) in Self.table {
      let known = list.split(separator: " ").map(String.init)
      for signal in signals {
        for key in ["screen", "name", "app", "version", "device", "attributes"] {
          let value = key == "attributes" ? "{}" : #""A""#
          let start = #""signal":"\#(signal.rawValue)","#
          let statistic = try #require(signal.statistics.first).rawValue
          let found = fault(Self.file("\(start)\"\(key)\":\(value)", statistic: statistic))
          guard !known.contains(key) else {
            #expect(found == nil, "\(signal) \(key)")
            continue
          }
          let advice =
            "its \(known.count == 1 ? "only key is" : "keys are") " + known.joined(separator: ", ")
          let expected = BudgetsFault(
            line: 1,
            // The match's first key stands in column 32.
            column: 32 + start.count,
            text: "\(signal.rawValue) has no \"\(key)\": \(advice)"
          )
          #expect(found == expected)
        }
      }
    }
  }

  @Test("a key is refused also where it stands before the signal, on its own line")
  func before() {
    let start = #"{"budgets":[{"id":"x","match":{"#
    let text = start + "\n  \"screen\":\"A\",\n  \"signal\":\"startup\"}}]}"
    let words = #"startup has no "screen": its keys are app, version, device, attributes"#
    #expect(fault(Array(text.utf8)) == BudgetsFault(line: 2, column: 3, text: words))
  }

  @Test(
    "a statistic that a signal cannot have is an error, with those that it has",
    arguments: [
      (BudgetSignal.freezeRate, "count", "p50, p75, p90, p95, p99, max, mean"),
      (.freezeRate, "rate", "p50, p75, p90, p95, p99, max, mean"),
      (.droppedRatio, "share", "p50, p75, p90, p95, p99, max, mean"),
      (.leak, "max", "count, rate, share"), (.leak, "mean", "count, rate, share"),
      (.watchdog, "p50", "count, rate, share"), (.watchdog, "p99", "count, rate, share"),
    ]
  )
  func statistics(signal: BudgetSignal, statistic: String, known: String) {
    let match = #""signal":"\#(signal.rawValue)""#
    let expected = BudgetsFault(
      line: 1,
      column: 32 + match.count + 14,
      text: "\(signal.rawValue) has no \(statistic): there are \(known)"
    )
    #expect(fault(Self.file(match, statistic: statistic)) == expected)
  }

  // MARK: - Encodings

  private static let hang = file(#""signal":"hang""#, statistic: "max")

  @Test("a byte order mark of UTF-8 is no part of the text, and moves no column")
  func mark() throws {
    #expect(try BudgetsFile.budgets([0xEF, 0xBB, 0xBF] + Self.hang).count == 1)
    let broken = BudgetsFault(line: 1, column: 1, text: "the file must be an object")
    #expect(fault([0xEF, 0xBB, 0xBF] + Array("[]".utf8)) == broken)
    #expect(fault([0xEF, 0xBB, 0xBF])?.text == "the file is empty")
  }

  @Test("UTF-16 and UTF-32 are named, with or without a mark")
  func wide() {
    let little = Self.hang.flatMap { byte -> [UInt8] in [byte, 0] }
    let big = Self.hang.flatMap { byte -> [UInt8] in [0, byte] }
    for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big] {
      let text = "the file is UTF-16: save it as UTF-8"
      #expect(fault(bytes) == BudgetsFault(line: 1, column: 1, text: text))
    }
    let widest = Self.hang.flatMap { byte -> [UInt8] in [byte, 0, 0, 0] }
    for bytes in [[0xFF, 0xFE, 0, 0] + widest, widest] {
      #expect(fault(bytes)?.text == "the file is UTF-32: save it as UTF-8")
    }
  }

  @Test("bytes that are no UTF-8 are named at their place; in a comment they say nothing")
  func invalid() {
    let words = "the byte here is no UTF-8: save the file as UTF-8"
    let start = Array("{\"budgets\":[\n {\"id\":\"".utf8)
    // Latin-1's e with an accent, a surrogate in three bytes, an overlong slash.
    for bad: [UInt8] in [[0xE9], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] {
      let found = fault(start + Array("caf".utf8) + bad + Array("\"}]}".utf8))
      #expect(found == BudgetsFault(line: 2, column: 12, text: words))
    }
    #expect(fault(Array("// caf".utf8) + [0xE9, 0x0A] + Self.hang) == nil)
    #expect(fault(Array("/*".utf8) + [0xFF] + Array("*/".utf8) + Self.hang) == nil)
  }

  @Test("an escape that is half of a character is named; a whole one is read")
  func surrogates() throws {
    let words = "the escape here is half of a pair: no character has it"
    for half in [#"\ud83d"#, #"\ude00"#, #"\ud83d\ud83d"#, #"\ud83dx\ude00"#] {
      let found = fault(Array(#"{"budgets":[{"id":"a\#(half)"}]}"#.utf8))
      #expect(found == BudgetsFault(line: 1, column: 21, text: words))
    }
    let pair = Self.file(#""signal":"hang","screen":"\ud83d\ude00\n\u00e9""#, statistic: "max")
    #expect(try BudgetsFile.budgets(pair).map(\.match.name) == [Glob("😀\né")])
  }

  @Test("comments inside of strings are text, also after escaped quotes")
  func comments() throws {
    let text = ##" "signal":"hang","screen":"a\"// b /* c */ \\","app":"http://x/*y*/" /* d "*/"##
    let match = try BudgetsFile.budgets(Self.file(text, statistic: "max"))
    #expect(match.map(\.match.name) == [Glob(#"a"// b /* c */ \"#)])
    #expect(match.map(\.match.app) == [Glob("http://x/*y*/")])
  }

  // MARK: - Values of attributes

  @Test(
    "a number or truth value is compared with what the data says, however either is written",
    arguments: [
      ("3", "3", true), ("3", "3.0", true), ("3.0", "3", true), ("3e0", "3", true),
      ("1e3", "1000", true), ("0.5", "0.5", true), ("0.50", "0.5", true), ("-2", "-2", true),
      ("-0", "0", true), ("3", "30", false), ("3", "3.5", false), ("3", "x", false),
      // The next whole number that a double cannot tell from it.
      ("9007199254740993", "9007199254740993", true),
      ("9007199254740993", "9007199254740992", false),
      ("18446744073709551615", "18446744073709551615", true),
      ("true", "true", true), ("false", "true", false), ("true", "1", false),
      (#""3""#, "3", true), (#""3""#, "3.0", false), (#""3*""#, "3.0", true),
    ]
  )
  func values(written: String, data: String, isMatch: Bool) throws {
    let match = #""signal":"hang","attributes":{"k":\#(written)}"#
    let budgets = try BudgetsFile.budgets(Self.file(match, statistic: "max"))
    let attribute = try #require(budgets.first?.match.attributes.first)
    #expect(attribute.matches(data) == isMatch)
  }

  @Test(
    "values that no attribute has are refused at their place",
    arguments: ["null", "[1]", #"{"a":1}"#]
  )
  func nested(value: String) {
    let match = #""signal":"hang","attributes":{"k":\#(value)}"#
    let expected = BudgetsFault(
      line: 1,
      column: 32 + 34,
      text: #""k" takes a text, a number, true or false"#
    )
    #expect(fault(Self.file(match)) == expected)
    let large = fault(Self.file(#""signal":"hang","attributes":{"k":1e999}"#))
    #expect(large == BudgetsFault(line: 1, column: 66, text: "the number is too large"))
  }
}
