import Model
import Testing

@testable import TUI

@Suite("Attached sources in the header")
struct ConnectionTextTests {
  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let second: Int64 = 1_000_000_000

  private static func after(_ seconds: Int64) -> Timestamp {
    start.advanced(byNanoseconds: seconds * second)
  }

  private func state(
    _ connections: [(name: String, SourceConnection.Transport, SourceConnection.State)],
    width: Int = 120,
    at time: Timestamp = start
  ) -> AppState {
    var state = AppState()
    state.resize(width: width, height: 36)
    state.time = time
    for (index, (name, transport, connection)) in connections.enumerated() {
      let id = SourceID(UInt16(index))
      let isLive = if case .live = connection { true } else { false }
      state.observe([
        .source(SourceOpened(id: id, name: name, ledgerName: name, isLive: true)),
        .progress(
          SourceProgress(
            source: id,
            bytesRead: 0,
            bytesTotal: nil,
            state: isLive ? .live : .awaited,
            kind: .unknown
          )
        ),
        .connection(SourceConnection(source: id, transport: transport, state: connection)),
      ])
    }
    return state
  }

  private func receive(_ bytes: UInt64, at time: Timestamp, _ state: inout AppState) {
    state.observe([
      .arrival(time),
      .progress(
        SourceProgress(
          source: SourceID(0),
          bytesRead: bytes,
          bytesTotal: nil,
          state: .live,
          kind: .otlpJSON
        )
      ),
    ])
  }

  private func lines(_ state: AppState) -> [String] {
    GridText.plain(Picture.draw(state)).split(separator: "\n").map(String.init)
  }

  private static let tap = "ws://localhost:12001"

  @Test("one source: what it does ends the first line, why is on the rule", arguments: [80, 120])
  func one(width: Int) {
    let shown = { (connection: SourceConnection.State) in
      self.lines(self.state([(Self.tap, .tap, connection)], width: width))
    }
    let connecting = shown(.connecting)
    #expect(connecting[0].contains(Self.tap))
    #expect(connecting[0].hasSuffix("… connecting"))
    let retrying = shown(.retrying(at: Self.after(4), reason: "connection refused"))
    #expect(retrying[0].hasSuffix("… reconnecting in 4 s"))
    #expect(retrying[3].hasSuffix("─ connection refused"))
    let refused = shown(.refused(reason: "403 Forbidden, clients from here are not let in"))
    #expect(refused[0].hasSuffix("! refused"))
    #expect(refused[3].hasSuffix("─ 403 Forbidden, clients from here are not let in"))
    let live = shown(.live(since: Self.start))
    #expect(live[0].hasSuffix("▶ live"))
    // The tap's limit is told where nobody has asked for it.
    #expect(
      live[3].hasSuffix(
        " tap limit: 1 message/s unless `limit` is raised; the collector drops the rest"
      )
    )
  }

  @Test("a live stream needs no word on the rule")
  func stream() {
    let lines = lines(state([("tcp://a:1", .stream, .live(since: Self.start))]))
    #expect(lines[0].hasSuffix("▶ live"))
    #expect(lines[3].allSatisfy { $0 == "─" })
  }

  @Test(
    "without data for a minute a connection is quiet, and says since when",
    arguments: [
      (59, "▶ live", nil), (60, "▶ quiet since 08:00:10", "last data 1 min ago"),
      (3_599, "▶ quiet since 08:00:10", "last data 59 min ago"),
      (3_600, "▶ quiet since 08:00:10", "last data 1 h ago"),
      (47 * 3_600, "▶ quiet since 08:00:10", "last data 47 h ago"),
      (72 * 3_600, "▶ quiet since 08:00:10", "last data 3 days ago"),
    ] as [(Int64, String, String?)]
  )
  func quiet(seconds: Int64, words: String, details: String?) {
    // 1,800,000,000 is 2027-01-15T08:00:00Z.
    var state = state([("tcp://a:1", .stream, .live(since: Self.start))])
    receive(5, at: Self.after(10), &state)
    state.time = Self.after(10 + seconds)
    let lines = lines(state)
    #expect(lines[0].hasSuffix(words))
    if let details { #expect(lines[3].hasSuffix("─ connected, " + details)) }
  }

  @Test("a connection that never brought anything says so")
  func noData() {
    let state = state([(Self.tap, .tap, .live(since: Self.start))], at: Self.after(61))
    #expect(lines(state)[0].hasSuffix("▶ quiet since 08:00:00"))
    #expect(lines(state)[3].hasSuffix("─ connected, no data yet"))
  }

  @Test(
    "beside a source that is there, one that is away is named, and the others count as connected"
  )
  func besideOthers() {
    let away = SourceConnection.State.retrying(at: Self.after(4), reason: "connection refused")
    var state = state([(Self.tap, .tap, away)])
    let id = SourceID(1)
    state.observe([
      .source(SourceOpened(id: id, name: "http :4318", ledgerName: "", isLive: true)),
      .progress(
        SourceProgress(source: id, bytesRead: 0, bytesTotal: nil, state: .live, kind: .unknown)
      ),
    ])
    let lines = lines(state)
    #expect(lines[0].hasSuffix("▶ 1 of 2 connected"))
    #expect(lines[3].hasSuffix("─ \(Self.tap): connection refused, reconnecting in 4 s"))
  }

  @Test("of several sources the rule tells each that is not live, the first line how many are")
  func several() {
    let state = state([
      ("tcp://a:1", .stream, .live(since: Self.start)),
      ("unix:/b", .stream, .retrying(at: Self.after(9), reason: "no such socket")),
      ("ws://c:2", .tap, .refused(reason: "404 Not Found, there is nothing at this path")),
    ])
    let lines = lines(state)
    #expect(lines[0].contains("tcp://a:1 + unix:/b + ws://c:2"))
    #expect(lines[0].hasSuffix("▶ 1 of 3 connected"))
    #expect(
      lines[3].hasSuffix(
        "─ ws://c:2: refused: 404 Not Found, there is nothing at this path"
          + " · unix:/b: no such socket, reconnecting in 9 s"
      )
    )
  }

  @Test("what came too fast is counted on the rule and among what is bad")
  func dropped() {
    var state = state([(Self.tap, .tap, .live(since: Self.start))])
    state.observe([.counted(.droppedMessages, count: 1_204, source: SourceID(0))])
    state.refresh()
    let lines = lines(state)
    #expect(lines[3].contains("─ 1,204 messages came too fast, dropped; tap limit: "))
    #expect(lines[0].contains("q:1,204 bad"))
  }

  @Test("the picture names the moment at which its words are no longer true, and no other")
  func changes() {
    #expect(AppState().changesAt == nil)
    let next = Self.start.advanced(byNanoseconds: 3_400_000_000)
    var state = state([(Self.tap, .tap, .retrying(at: next, reason: "x"))])
    #expect(lines(state)[0].hasSuffix("reconnecting in 4 s"))
    #expect(state.changesAt == Self.start.advanced(byNanoseconds: 400_000_000))
    state.time = state.changesAt
    #expect(lines(state)[0].hasSuffix("reconnecting in 3 s"))
    #expect(state.changesAt == Self.start.advanced(byNanoseconds: 1_400_000_000))
    state.time = next
    #expect(lines(state)[0].hasSuffix("reconnecting"))
    #expect(state.changesAt == nil)
    state = self.state([(Self.tap, .tap, .live(since: Self.start))], at: Self.after(10))
    #expect(state.changesAt == Self.after(60))
    state.time = Self.after(60)
    #expect(state.changesAt == Self.after(120))
    state.time = Self.after(2 * 3_600 + 5)
    #expect(state.changesAt == Self.after(3 * 3_600))
    for calm in [SourceConnection.State.connecting, .refused(reason: "x"), .closed] {
      #expect(self.state([(Self.tap, .tap, calm)]).changesAt == nil)
    }
  }

  @Test("any size is drawn, with any state")
  func sizes() {
    let states: [SourceConnection.State] = [
      .connecting, .live(since: Self.start), .closed,
      .retrying(at: Self.after(3), reason: String(repeating: "reason ", count: 40)),
      .refused(reason: "a\u{1B}[31m"),
    ]
    for count in 1...states.count {
      for width in stride(from: 20, through: 200, by: 9) {
        let tap = SourceConnection.Transport.tap
        let sources = states.prefix(count).map { ("ws://host:1", tap, $0) }
        let state = state(sources, width: width, at: Self.after(100))
        #expect(lines(state).allSatisfy { !$0.contains("\u{1B}") })
      }
    }
  }
}
