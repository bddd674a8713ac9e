import Ingest
import Model
import Testing

@Suite("The budgets file")
struct BudgetsFileTests {
  private func read(_ text: String) throws(BudgetsFault) -> [Budget] {
    try BudgetsFile.budgets(Array(text.utf8))
  }

  private func fault(_ text: String) -> BudgetsFault? {
    do throws(BudgetsFault) {
      _ = try read(text)
      return nil
    } catch { return error }
  }

  @Test("an entry with everything")
  func whole() throws {
    let budgets = try read(
      """
      // Agreed in spring.
      {"budgets":[{"id":"search-tti","match":{"signal":"screen-tti","screen":"Search","app":"Shop",
        "version":"8.*","device":"*","attributes":{"experiment":"B","count":3,"on":true}}, /* the
      slow one */ "statistic":"p90","limit":1500,"warn":1000,"minimumSample":20}]}
      """
    )
    var expected = Budget(id: "search-tti", signal: .screenTTI, statistic: .p90, limit: 1500)
    expected.match.name = Glob("Search")
    expected.match.app = Glob("Shop")
    expected.match.version = Glob("8.*")
    expected.match.device = Glob("*")
    expected.match.attributes = [
      BudgetMatch.Attribute(key: "experiment", value: Glob("B")),
      BudgetMatch.Attribute(key: "count", value: Glob("3"), number: 3),
      BudgetMatch.Attribute(key: "on", value: Glob("true")),
    ]
    expected.warn = 1000
    expected.minimumSample = 20
    #expect(budgets == [expected])
  }

  @Test("what is not said is open: no match, no warning, no sample")
  func bare() throws {
    let budgets = try read(
      #"{"budgets":[{"id":"a//b /* c */ \"d","limit":0.5,"statistic":"share","match":{"signal":"hang"}}]}"#
    )
    let expected = Budget(
      id: "a//b /* c */ \"d",
      signal: .hang,
      statistic: .share,
      limit: 0.5
    )
    #expect(budgets == [expected])
    #expect(try read(#"{"budgets":[]}"#).isEmpty)
  }

  @Test("every signal is known by its name", arguments: BudgetSignal.allCases)
  func signals(signal: BudgetSignal) throws {
    let statistic = try #require(signal.statistics.last)
    let entry =
      #"{"id":"x","match":{"signal":"\#(signal.rawValue)"},"statistic":"\#(statistic.rawValue)","limit":1}"#
    #expect(try read(#"{"budgets":[\#(entry)]}"#).map(\.signal) == [signal])
  }

  private static let entry = #""id":"x","match":{"signal":"hang"},"statistic":"max","limit":1"#

  @Test(
    "an error says where it is and what would be right",
    arguments: [
      ("", 1, 1, "the file is empty"),
      ("[]", 1, 1, "the file must be an object"),
      ("{}", 1, 1, #"the key "budgets" is missing"#),
      (#"{"budget":[]}"#, 1, 2, #"unknown key "budget" in the file: did you mean "budgets"?"#),
      (#"{"budgets":{}}"#, 1, 12, #""budgets" takes a list of entries"#),
      (#"{"budgets":[]} x"#, 1, 16, "nothing may follow the file's object"),
      (
        "{\"budgets\":[\n  {\"id\":\"x\", \"limt\":5}]}", 2, 14,
        #"unknown key "limt" in a budget: did you mean "limit"?"#
      ),
      (
        "{\"budgets\":[{\"id\":\"x\",\"match\":{\n\"scren\":\"A\"}}]}", 2, 1,
        #"unknown key "scren" in "match": did you mean "screen"?"#
      ),
      (
        #"{"budgets":[{"id":"x","match":{"signal":"screen-tti","screen":5}}]}"#, 1, 63,
        #""screen" takes a text"#
      ),
      (
        #"{"budgets":[{"id":"x","match":{"signal":"screen-ti"}}]}"#, 1, 41,
        #"no signal "screen-ti": did you mean "screen-tti"?"#
      ),
      (#"{"budgets":[{"statistic":"p9"}]}"#, 1, 26, #"no statistic "p9": did you mean "p90"?"#),
      (#"{"budgets":[{"limit":"1 s"}]}"#, 1, 22, #""limit" takes a number from 0 on"#),
      (#"{"budgets":[{"limit":-1}]}"#, 1, 22, #""limit" takes a number from 0 on"#),
      (
        #"{"budgets":[{"minimumSample":2.5}]}"#, 1, 30,
        #""minimumSample" takes a whole number from 0 on"#
      ),
      (#"{"budgets":[{"id":"x","id":"y"}]}"#, 1, 23, #"the key "id" stands twice in a budget"#),
      (#"{"budgets":[{\#(entry)},{\#(entry)}]}"#, 1, 84, #"a second budget has the id "x""#),
      (#"{"budgets":[{"id":""}]}"#, 1, 19, #""id" must not be empty"#),
      (#"{"budgets":[{"limit":1}]}"#, 1, 13, #"the key "id" is missing"#),
      (
        #"{"budgets":[{"id":"x"}]}"#, 1, 13,
        #"budget "x": the key "match" with a "signal" is missing"#
      ),
      (
        #"{"budgets":[{"id":"x","match":{"signal":"hang"}}]}"#, 1, 13,
        #"budget "x": the key "statistic" is missing"#
      ),
      (
        #"{"budgets":[{"id":"x","match":{"signal":"hang"},"statistic":"max"}]}"#, 1, 13,
        #"budget "x": the key "limit" is missing"#
      ),
      (
        #"{"budgets":[{"id":"x","match":{"signal":"leak"},"statistic":"p90","limit":1}]}"#, 1, 61,
        "leak has no p90: there are count, rate, share"
      ),
      (#"{"budgets":[{\#(entry),"warn":2}]}"#, 1, 84, #""warn" is above "limit""#),
      (
        #"{"budgets":[{"match":{"screen":"A","name":"B"}}]}"#, 1, 36,
        #""screen" and "name" are the same: give one of them"#
      ),
      (
        #"{"budgets":[{"match":{"attributes":{"a":[]}}}]}"#, 1, 41,
        #""a" takes a text, a number, true or false"#
      ),
      ("{\"budgets\":[\n/* open", 2, 1, "a comment has no end: */ is missing"),
      ("{\"budgets\":[\n{\"id\" 5}]}", 2, 7, "a colon is missing after a key"),
      ("{\"budgets\":[{\"id\":\"x\"", 1, 22, "the value has no end"),
    ]
  )
  func faults(text: String, line: Int, column: Int, words: String) {
    #expect(fault(text) == BudgetsFault(line: line, column: column, text: words))
  }
}
