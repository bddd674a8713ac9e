import Model
import TestSupport
import Testing

@Suite("Sources")
struct SourcesTests {
  @Test("the files that a followed path stood for are one source; captures of one name are not")
  func followed() {
    var script = TelemetryScript()
    script.addSource("ledger.jsonl", isLive: true)
    script.ledger("api.get", at: 1, 1200)
    script.addSource("ledger.jsonl", isLive: true)
    script.ledger("api.get", at: 2, 1300)
    script.ledger("api.get", at: 3, 1400)
    script.addSource("capture.jsonl")
    let named = script.model().namedSources
    #expect(named.map(\.name) == ["capture.jsonl", "ledger.jsonl", "capture.jsonl"])
    #expect(named.map(\.records) == [0, 3, 0])
  }

  @Test("a source whose whole run of lines stands in another is not counted again")
  func repeatedLedger() {
    var script = TelemetryScript()
    script.addSource("report.json")
    for index in 0..<4 { script.ledger("api.get", at: Double(index), 1200 + Int64(index)) }
    script.addSource("perf-events.jsonl.prev", ledgerName: "perf-events.jsonl")
    for index in 1..<3 { script.ledger("api.get", at: Double(index), 1200 + Int64(index)) }
    #expect(script.overview.ledger.map(\.count) == [4])
    #expect(script.overview.quality.receivedLedgerEvents == 6)
  }

  @Test("equal lines of one source count as written; a line that only resembles one is no repeat")
  func equalLines() {
    var script = TelemetryScript()
    script.addSource("a.jsonl")
    for _ in 0..<3 { script.ledger("api.get", at: 1, 1200) }
    script.addSource("b.jsonl")
    script.ledger("api.get", at: 1, 1200)
    script.ledger("api.get", at: 2, 1200)
    #expect(script.overview.ledger.map(\.count) == [5])
  }
}
