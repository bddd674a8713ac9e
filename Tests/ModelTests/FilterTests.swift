import Model
import TestSupport
import Testing

@Suite("Filter language")
struct FilterTests {
  /// Ten records: a session of eight on one device, one on another, one of a ledger.
  private static var script: TelemetryScript {
    var script = TelemetryScript()
    script.startup(at: 0, total: 1200)
    // 90 of 1,890 frames, 10 ms/s.
    script.session(at: 1, seconds: 30, total: 1800, dropped: 90, freeze: 300)
    script.tti("Home", at: 2, 400)
    script.tti("Search", at: 5, 1500)
    script.tti("Search", at: 9, 600)
    script.span("HTTP GET", .otherSpan, at: 12, seconds: 0.7)
    // True start at 17.
    script.hang(at: 20, 2310, screen: "Search")
    script.leak("RoomVC", at: 25, instance: 1)
    script.device("DEVICE-2", version: "9.0.0", model: "iPad14,1")
    script.tti("Home", at: 100, 3200)
    script.addSource("ledger.jsonl")
    // From 38.6 on, over its budget of a second.
    script.ledger("api.get", at: 40, 1400)
    return script
  }

  private func filter(_ text: String) throws(FilterError) -> RecordFilter {
    var filter = RecordFilter()
    filter.expression = try FilterExpression(parsing: text)
    filter.text = text
    return filter
  }

  private func records(_ filter: RecordFilter) -> Int? {
    Self.script.model().overview(filter: filter).selection?.count
  }

  @Test(
    "an expression lets through the records that it describes",
    arguments: [
      ("search", 3), ("SEARCH", 3), ("screen:sea", 3), ("screen=Search", 3), ("screen=search", 0),
      ("signal=screen-tti", 4), ("signal=SCREEN-TTI", 4), ("signal:startup", 1),
      ("duration>1s", 6), ("duration>=1500ms", 4), ("duration<500", 1), ("duration=400", 1),
      ("duration!=400 signal=screen-tti", 3), ("freeze>5", 1), ("freeze>10", 0),
      ("type=non_fatal", 1), ("version:9.0", 1), ("device=iPad14,1", 1), ("device:device-", 9),
      ("os:ios and not version:9", 8), ("os=\"iOS 18.5.0\"", 9), ("app=Shop", 9),
      ("class~^Room", 1), (#"name~^screen-tti\."#, 4), ("source=ledger.jsonl", 1),
      ("screen~(Home|Search)", 5), ("screen~^(Home|Search)$ duration>1s", 3),
      ("(screen~Home)", 2), ("(screen~(Home|Search) or class~^Room) duration>1s", 3),
      ("(screen~Ho or screen~Se)", 5), ("not screen~(Home|Search)", 5),
      ("name~(HTTP GET|none)", 1), ("name~[A-Z ]{8}", 1), ("name~P[^)(]G", 1),
      (#"name~HTTP\ GET"#, 1), ("name~[[:upper:] ]{8}", 1), (#"name~\) or http"#, 1),
      (#"name~"(HTTP) (GET)" http"#, 1), ("screen~\"\"", 5), ("screen~home", 0),
      ("screen~(?i)home", 2),
      ("screen!=Search signal=screen-tti", 2), ("screen!=Search", 7),
      ("state=clean", 8), ("state=clean screen=Home", 1), ("not state=clean", 2),
      ("severity:warn", 4), ("severity=critical", 2),
      ("(screen=Home or class:room) duration>300ms", 2),
      ("screen=Home or class:room and duration>300ms", 2),
      ("\"HTTP GET\"", 1), ("http get", 1), ("http or api", 2), ("not not http", 1),
      ("session:0000000000001002", 8), ("\"and\"", 0),
    ]
  )
  func expression(text: String, expected: Int) throws {
    #expect(records(try filter(text)) == expected)
  }

  @Test("an empty expression lets everything through, as no filter does", arguments: ["", "  "])
  func empty(text: String) throws {
    #expect(try FilterExpression(parsing: text) == nil)
    #expect(records(try filter(text)) == nil)
  }

  @Test(
    "a mistake is named with its column",
    arguments: [
      ("screeen:x", 1, "did you mean screen?"), ("a screeen:x", 3, "unknown key 'screeen'"),
      ("duration>", 10, "value is missing"), ("duration>fast", 10, "'fast' is not a duration"),
      ("duration:5", 9, "is a number"), ("screen>5", 7, "is no number"),
      ("(a", 1, "never closed"), ("a)", 2, "without a '('"), ("a and", 6, "missing here"),
      ("or a", 1, "before 'or'"), ("a (b or) c", 8, "missing here"),
      ("name=\"open", 6, "quote is never closed"), ("name~[", 6, "'[' is never closed"),
      ("name~a[b and c", 7, "'[' is never closed"), ("name~a(b and (c)", 7, "'(' is never closed"),
      ("name~a(b))", 10, "without a '('"), ("a name~x{10000}", 9, "1000 times is the most"),
      (#"name~"a\"\\d(?=b)""#, 13, "not supported: lookahead (?="), ("name~", 6, "is missing"),
      (#"name~(a)\1"#, 9, #"back-reference \1"#), ("name~\"(a\"", 6, "'(' is never closed"),
      ("(name~)", 7, "is missing"), ("screen:(a or b)", 8, "in quotes"),
      ("http://x", 1, "unknown key 'http'"),
    ]
  )
  func mistake(text: String, column: Int, words: String) throws {
    let error = #expect(throws: FilterError.self) { try FilterExpression(parsing: text) }
    #expect(error?.column == column)
    #expect(error?.text.contains(words) == true)
  }

  @Test("nesting that would fill the stack is refused")
  func nesting() throws {
    let deep = String(repeating: "(", count: 100_000) + "a" + String(repeating: ")", count: 100_000)
    #expect(throws: FilterError.self) { try FilterExpression(parsing: deep) }
    #expect(throws: FilterError.self) {
      try FilterExpression(parsing: String(repeating: "not ", count: 100_000) + "a")
    }
  }

  private func time(_ seconds: Double) -> RecordFilter.Bound {
    .instant(TelemetryScript.time(seconds).nanoseconds)
  }

  @Test("a stretch of time takes what overlaps it, hangs by their true window")
  func stretch() {
    var filter = RecordFilter()
    filter.since = time(100)
    #expect(records(filter) == 1)
    // The ledger's line ends there.
    filter.since = time(40)
    #expect(records(filter) == 2)
    filter.since = nil
    filter.until = time(3)
    #expect(records(filter) == 3)
    // All but the leak and what came later; the hang began a second before.
    filter.until = time(18)
    #expect(records(filter) == 7)
  }

  @Test("a time before now counts back from the newest end, 103.2 s")
  func age() {
    var filter = RecordFilter()
    filter.since = .beforeNow(3_300_000_000)
    #expect(records(filter) == 1)
    filter.since = .beforeNow(63_200_000_000)
    #expect(records(filter) == 2)
  }

  @Test("figures are of the records let through; sessions are those that hold one")
  func figures() throws {
    let all = Self.script.model().overview()
    let overview = Self.script.model().overview(filter: try filter("screen=Search"))
    #expect(overview.screens.count == 1)
    // 600 and 1,500: 600 + 0.9 × 900.
    #expect(overview.screens.first?.tti.quantile(0.9) == 1410)
    #expect(overview.startup.total.count == 0)
    #expect(overview.leaks.isEmpty && overview.ledger.isEmpty && overview.spans.isEmpty)
    let stream = try #require(overview.streams.first)
    #expect(overview.streams.count == 1)
    #expect(stream.sessions.count == 1 && stream.visits.count == 1 && stream.launches.count == 1)
    #expect(stream.sessions[0].items.count == 3)
    // Neither its frames nor its leak are of that screen; its state and times stay what they are.
    #expect(stream.sessions[0].frames == nil && stream.sessions[0].leaks == 0)
    #expect(stream.sessions[0].ttiCount == 2 && stream.sessions[0].nonFatalHangs == 1)
    #expect(stream.sessions[0].state == .clean)
    #expect(stream.sessions[0].end == all.streams[0].sessions[0].end)
    #expect(stream.launches.map(\.totalMilliseconds) == [nil])
    #expect(stream.sessions[0].launch == 0)
    #expect(stream.hangs.map(\.session) == [0])
    #expect(overview.quality == all.quality)
  }

  @Test("of several sessions and launches the right ones stay, and what points at them")
  func pointers() throws {
    var script = TelemetryScript()
    for launch in 0..<3 {
      let start = Double(launch * 1000)
      script.startup(at: start, total: UInt32(1000 + launch))
      script.session(at: start + 1, seconds: 30, total: 1800, dropped: 0)
      script.session(at: start + 35, seconds: 30, total: 1800, dropped: 0)
      script.hang(at: start + 43, 2100 + UInt32(launch), screen: "S\(launch)")
    }
    let overview = script.model().overview(filter: try filter("screen=S1"))
    let stream = try #require(overview.streams.first)
    // The hang of the second launch, at its fourth session: the visit's other half is left out.
    #expect(stream.launches.map(\.start) == [TelemetryScript.time(1000).nanoseconds])
    #expect(stream.sessions.map(\.start) == [TelemetryScript.time(1035).nanoseconds])
    #expect(stream.sessions.map(\.launch) == [0])
    #expect(stream.visits.map(\.sessions) == [0..<1])
    #expect(stream.hangs.map(\.session) == [0])
    #expect(stream.hangs.map(\.duration) == [2101])
  }

  @Test(
    "what a filter lets through and what it does not add up to everything",
    arguments: ["duration>1s", "screen=Search", "signal=app-rendering", "version:9"]
  )
  func parts(text: String) throws {
    let model = Self.script.model()
    let all = model.overview().totals
    let some = model.overview(filter: try filter(text)).totals
    let rest = model.overview(filter: try filter("not (\(text))")).totals
    #expect((some.frames?.total ?? 0) + (rest.frames?.total ?? 0) == all.frames?.total)
    #expect(some.hangs + rest.hangs == all.hangs)
    #expect(some.leaks + rest.leaks == all.leaks)
    #expect(some.ttiCount + rest.ttiCount == all.ttiCount)
  }

  @Test("a filtered overview makes a good start for the next one, whatever that asks for")
  func reuse() throws {
    let model = Self.script.model()
    let first = model.overview(filter: try filter("version:9"))
    let second = model.overview(previous: first, filter: try filter("screen=Search"))
    #expect(second.streams.count == 1)
    #expect(second.selection?.count == 3)
    let whole = model.overview(previous: second)
    #expect(whole.streams.count == 3)
    #expect(whole.selection == nil)
  }
}
