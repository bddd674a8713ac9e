import Model
import TUI
import TestSupport
import Testing

@Suite("The quality screen")
struct QualityScreenTests {
  private static let source = SourceID(0)

  private func lines(_ events: [TelemetryEvent], width: Int = 120) -> [String] {
    var state = AppState()
    state.resize(width: width, height: 36)
    state.observe(events)
    state.refresh()
    state.show(.quality)
    return GridText.plain(Picture.draw(state)).split(separator: "\n").map(String.init)
  }

  private func opened(_ endpoint: Endpoint?) -> TelemetryEvent {
    .source(
      SourceOpened(
        id: Self.source,
        name: "http 127.0.0.1:4318",
        ledgerName: "",
        isLive: true,
        endpoint: endpoint
      )
    )
  }

  private func progress(_ state: SourceProgress.State) -> TelemetryEvent {
    .progress(
      SourceProgress(
        source: Self.source,
        bytesRead: 2_048,
        bytesTotal: nil,
        state: state,
        kind: .otlpJSON
      )
    )
  }

  @Test("a source has its kind, its state, what came of it, and what was lost with the first place")
  func row() throws {
    let problem = { (line: UInt64) in
      TelemetryEvent.problem(
        Problem(source: Self.source, kind: .malformed, offset: 9, line: line, text: "no value")
      )
    }
    let lines = lines([opened(nil), problem(3), problem(7), progress(.live)])
    let row = try #require(lines.first { $0.contains("otlp-json") })
    let words = row.split(separator: "  ").map { $0.drop { $0 == " " } }.map(String.init)
    #expect(words == ["http 127.0.0.1:4318", "otlp-json", "live", "–", "2", "2.05 kB"])
    #expect(lines.contains { $0.hasPrefix("lost      first at line 3: no value") })
    #expect(lines.contains { $0.hasPrefix("doubts    2 malformed") })
    #expect(lines.contains { $0.contains("received 0 spans, 0 logs, 0 ledger events") })
  }

  @Test(
    "who is attached to says why it is not there",
    arguments: [
      (
        SourceConnection.State.retrying(at: .distantPast, reason: "connection refused"),
        "reconnecting"
      ), (.refused(reason: "connection refused"), "refused"),
    ] as [(SourceConnection.State, String)]
  )
  func attached(state: SourceConnection.State, word: String) throws {
    let connection = SourceConnection(source: Self.source, transport: .tap, state: state)
    let lines = lines([opened(nil), .connection(connection), progress(.awaited)])
    #expect(lines.contains { $0.hasPrefix("http 127.0.0.1:4318") && $0.contains(word) })
    #expect(lines.contains { $0.hasPrefix("not there connection refused") })
  }

  @Test("who listens says what apps are told, with a token and without, and who else can send")
  func endpoint() {
    let local = Endpoint(
      url: "http://127.0.0.1:4318",
      protocolName: "http/protobuf",
      needsToken: false,
      isLocal: true
    )
    let shown = lines([opened(local), progress(.live)])
    #expect(shown.contains { $0.contains("listening") })
    #expect(shown.contains { $0.contains("OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318") })
    #expect(shown.contains { $0.contains("OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf") })
    #expect(!shown.contains { $0.contains("HEADERS") || $0.contains("everybody") })
    #expect(shown[0].contains("▶ live"))
    #expect(!shown[0].contains("open to all"))

    var open = local
    open.isLocal = false
    let warned = lines([opened(open), progress(.live)])
    #expect(warned[0].contains("▶ live, open to all"))
    #expect(warned.contains { $0.contains("--token keeps strangers out") })

    open.needsToken = true
    let guarded = lines([opened(open), progress(.live)])
    #expect(guarded.contains { $0.contains("HEADERS=authorization=Bearer%20TOKEN") })
    #expect(guarded.contains { $0.contains("has the token") })
  }
}
