import Model
import Testing
import TestSupport

@testable import Ingest

/// 2026-07-20T18:02:11.482Z.
private let moment = Timestamp(nanoseconds: 1_784_570_531_482_000_000)

@Suite("Slow-event ledger")
struct LedgerDecoderTests {
  @Test("the canonical line gives name, end, duration and detail")
  func canonical() throws {
    let line =
      #"{"ts":"2026-07-20T18:02:11.482Z","name":"feed.foldPage","ms":412,"detail":"200 rows"}"#
    let sink = decodeJSON("\(line)\r\n\(line)\n")
    let event = try #require(sink.ledger.first)
    #expect(sink.ledger.count == 2)
    #expect(event.time == moment)
    #expect(event.durationNanoseconds == 412_000_000)
    #expect(event.signal == .ledgerSpan)
    #expect(sink.text(event.name) == "feed.foldPage")
    #expect(sink.text(event.detail) == "200 rows")
    #expect(
      event.place == RecordPlace(source: SourceID(1), offset: 0, length: UInt32(line.utf8.count))
    )
    #expect(sink.ledger[1].content == event.content)
    #expect(sink.records.count == 2)
    #expect(sink.problems.isEmpty)
  }

  @Test(
    "times are read in every form",
    arguments: [
      #""2026-07-20T18:02:11.482Z""#, #""2026-07-20T20:02:11.482+02:00""#,
      #""2026-07-20 18:02:11.482 +0000""#, #""2026-07-20T12:32:11.482-0530""#,
      #""2026-07-20T18:02:11.482000000""#, "1784570531.482", #""1784570531.482""#, "1784570531482",
      "1784570531482000", "1784570531482000000", "806263331.482", "1.784570531482e12",
    ]
  )
  func times(_ time: String) throws {
    for key in ["ts", "t", "at", "time", "timestamp", "date", "hora"] {
      let sink = decodeJSON(#"{"\#(key)":\#(time),"name":"x","ms":1}"#)
      #expect(try #require(sink.ledger.first).time == moment, "\(key)")
    }
  }

  @Test(
    "uptimes and times that cannot be read leave an event without wall time",
    arguments: [
      "12.5", "0", "299999999", "-5", #""soon""#, "true", "null", #""2026-13-01T00:00:00Z""#,
    ]
  )
  func noWallTime(_ time: String) throws {
    let sink = decodeJSON(#"{"ts":\#(time),"name":"x","ms":1}"#)
    let event = try #require(sink.ledger.first)
    #expect(event.flags.contains(.noStart))
    #expect(event.time == .zero)
  }

  @Test(
    "durations are milliseconds unless key, unit or text says otherwise",
    arguments: [
      (#""ms":412"#, 412_000_000), (#""duration_ms":412"#, 412_000_000),
      (#""durationMs":"412""#, 412_000_000), (#""dur":412"#, 412_000_000),
      (#""duration":412"#, 412_000_000), (#""elapsedMs":412.5"#, 412_500_000),
      (#""duracao_ms":412"#, 412_000_000), (#""duration":0.412,"unit":"s""#, 412_000_000),
      (#""unit":"seconds","duration":2"#, 2_000_000_000), (#""duration_s":0.412"#, 412_000_000),
      (#""duration_us":412"#, 412_000), (#""durationNs":412"#, 412),
      (#""duration":"412 ms""#, 412_000_000), (#""duration":"1.5s""#, 1_500_000_000),
      (#""ms":4.12e2"#, 412_000_000), (#""ms":0"#, 0),
    ] as [(String, Int64)]
  )
  func durations(_ member: String, _ nanoseconds: Int64) throws {
    let sink = decodeJSON(#"{"ts":1784570531482,"name":"x",\#(member)}"#)
    #expect(try #require(sink.ledger.first).durationNanoseconds == nanoseconds)
  }

  @Test(
    "names and kinds decide the signal",
    arguments: [
      (#""name":"main.hang","ms":300"#, Signal.ledgerHang),
      (#""event":"frame.hitch","ms":130"#, .ledgerHitch), (#""n":"api.get","ms":9"#, .ledgerSpan),
      (#""evento":"socket.reconnect""#, .ledgerNote), (#""span":"main.hang""#, .ledgerNote),
      (#""name":"x","kind":"hang","ms":1"#, .ledgerHang),
      (#""name":"x","type":"HITCH","ms":1"#, .ledgerHitch),
      (#""name":"x","type":"span","ms":1"#, .ledgerSpan),
      (#""name":"x","kind":"note","ms":1"#, .ledgerNote),
      (#""name":"metrickit.payload","ms":1"#, .ledgerPayload),
      (#""name":"metrickit.diagnostic""#, .ledgerPayload), (#""name":"x","ms":null"#, .ledgerNote),
      (#""name":"x","ms":-1"#, .ledgerNote),
    ]
  )
  func signals(_ members: String, _ signal: Signal) throws {
    let sink = decodeJSON(#"{"ts":1784570531482,\#(members)}"#)
    #expect(try #require(sink.ledger.first).signal == signal)
  }

  @Test(
    "details are texts, row counts or whatever stands there",
    arguments: [
      (#""detail":"/v1/feed""#, "/v1/feed"), (#""path":"\/a""#, "/a"), (#""rows":200"#, "200 rows"),
      (#""info":7"#, "7"), (#""meta":{"a": 1}"#, #"{"a": 1}"#), (#""rows":1,"detail":"d""#, "d"),
    ]
  )
  func details(_ member: String, _ expected: String) throws {
    let sink = decodeJSON(#"{"ts":1784570531482,"name":"x","ms":1,\#(member)}"#)
    #expect(sink.text(try #require(sink.ledger.first).detail) == expected)
  }

  @Test("arrays of events and other objects between them work")
  func arrays() {
    let event = #"{"at":1784570531,"name":"a","ms":1}"#
    let sink = decodeJSON("[\(event),\n\(event)]\n{\"other\":1}\n\(event)")
    #expect(sink.ledger.count == 3)
    #expect(sink.problemKinds == [.notTelemetry])
    #expect(sink.problems.first?.line == 3)
  }

  @Test(
    "MetricKit payloads of every family are counted and are no loss",
    arguments: [
      (#"{"timeStampBegin":"a","metaData":{},"appVersion":"1"}"#, Counted.metricPayloads),
      (#"{"cpuMetrics":{},"timeStampBegin":"a"}"#, .metricPayloads),
      (#"{"intervalEntries":[],"version":"2.0.0"}"#, .metricPayloads),
      (#"{"crashDiagnostics":[],"timeStampEnd":"b"}"#, .diagnosticPayloads),
      (#"{"environment":{},"hangDiagnostic":{}}"#, .diagnosticPayloads),
      (#"{"callStackTree":{},"diagnosticMetaData":{}}"#, .diagnosticPayloads),
    ]
  )
  func payloads(_ text: String, _ counted: Counted) {
    let sink = decodeJSON(text)
    #expect(sink.count(of: counted) == 1)
    #expect(sink.problems.isEmpty)
  }

  @Test(
    "other JSON is no telemetry, and the problem says what it looks like",
    arguments: [
      (#"{"data":[{"traceID":"1"}]}"#, "Jaeger"), (#"{"one":"two"}"#, "no telemetry"),
      (
        #"{"name":"x","context":{"trace_id":"0x1"},"start_time":"t","kind":"SpanKind.INTERNAL"}"#,
        "console"
      ),
      (#"{"span":"x","traceId":"1","spanKind":"internal","start":1,"duration":2}"#, "stdout"),
      (
        #"{"traceId":"1","id":"2","name":"x","timestamp":1,"duration":2,"localEndpoint":{}}"#,
        "format"
      ),
      (#"{"log":"{\"resourceSpans\":[]}\n","stream":"stdout","time":"t"}"#, "container"),
      (#"{"time":"t","level":"info","msg":"x"}"#, "log line"), ("1", "bare"), ("null", "bare"),
      (#""x""#, "bare"), ("<html>", "HTML"), ("Segmentation fault", "Segmentation"),
    ]
  )
  func foreign(_ text: String, _ word: String) throws {
    let sink = decodeJSON("\(text)\n")
    #expect(sink.problemKinds == [.notTelemetry])
    #expect(try #require(sink.problems.first).text.contains(word))
    #expect(sink.ledger.isEmpty)
  }
}
