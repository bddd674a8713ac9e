import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

private func printed(
  _ name: String,
  id: String,
  _ attributes: [String: String] = [:]
) -> SwiftExport.Printed {
  SwiftExport.Printed(
    span: name,
    traceId: "8102030405060708090a0b0c0d0e0f10",
    spanId: id,
    start: SwiftExport.noon,
    duration: 0.8125,
    attributes: attributes.mapValues { .init(description: $0) }
  )
}

private let tti = printed(
  "screen-tti.Cart",
  id: "f1f2f3f4f5f6f7f8",
  ["screen.name": "Cart", "screen.tti.ms": "812", "screen.tti.custom_start": "true"]
)
private let cancelled = printed("screen-tti.Cart", id: "0000000000000002", ["screen.name": "Cart"])
private let hang = printed(
  "app-hang",
  id: "0000000000000003",
  ["hang.type": "fatal", "hang.duration.ms": "3100", "hang.during_startup": "false"]
)

/// What an app's console holds besides: every line is of another kind.
private let noise = [
  "2026-07-20 12:00:00.123456+0000 Shop[4242:1] [network] task finished {status: 200}",
  "{status: 200}", "{ 'traceId': 'x', 'span': 'y' }", "[Shop] [\"a\": 1]", "[{a}]",
  #"{"level":"info","msg":"loaded"}"#, "__________________", "Span screen-tti.Cart:",
  "TraceId: 8102030405060708090a0b0c0d0e0f10", "Duration: 812000000 nanoseconds",
  "Attributes: [\"screen.name\": Cart]", "------------------", "} else {", "(lldb) po {",
  "\u{1B}[31mError\u{1B}[0m: ✗ größer",
]

@Suite("opentelemetry-swift's stdout exporters")
struct StdoutExporterTests {
  @Test("span lines among log noise are read, and the noise is no telemetry")
  func linesAmongNoise() throws {
    var lines = noise
    lines.insert(SwiftExport.json(tti), at: 3)
    lines.insert(SwiftExport.json(cancelled), at: 8)
    lines.append(SwiftExport.json(hang))
    let sink = decodeJSON(lines.joined(separator: "\n") + "\n")
    #expect(sink.problemKinds == Array(repeating: .notTelemetry, count: noise.count))
    #expect(sink.spans.map(\.signal) == [.screenTTI, .screenTTI, .appHang])
    let span = try #require(sink.spans.first)
    #expect(span.spanID == 0xF1F2_F3F4_F5F6_F7F8)
    #expect(span.parentID == 0)
    #expect(sink.text(span.subject) == "Cart")
    #expect(span.measurements[.primary] == 812)
    #expect(span.measurements[.secondary] == nil)
    #expect(span.start.nanoseconds == Int64(SwiftExport.nanoseconds(SwiftExport.noon)))
    #expect(abs(span.end.nanoseconds(since: span.start) - 812_500_000) < 500)
  }

  @Test("what is not printed is unknown: the status, the app and its device")
  func unknown() throws {
    let sink = decodeJSON(
      SwiftExport.file([[SwiftExport.tti("A", id: 1, 10)]]) + "\n" + SwiftExport.json(tti)
    )
    try #require(sink.spans.count == 2)
    #expect(sink.spans[0].flags == [])
    #expect(sink.spans[1].flags == [.statusUnknown, .customStart])
    #expect(sink.spans[1].status == .unset)
    #expect(sink.spans[1].resource == .empty)
    let resource = try #require(sink.resources[.empty])
    #expect(sink.text(resource.app) == "unknown_service")
    #expect(!resource.version.isPresent && !resource.deviceModel.isPresent)
    #expect(!sink.spans[1].scopeVersion.isPresent)
  }

  @Test("numbers and truth values are read from their text")
  func texts() {
    let sink = decodeJSON(SwiftExport.json(hang))
    #expect(sink.spans[0].measurements[.primary] == 3100)
    #expect(sink.spans[0].flags == [.statusUnknown, .fatal])
  }

  @Test("a line that is cut is malformed, and the next one is read")
  func cutLine() {
    let lines = [
      String(SwiftExport.json(tti).dropLast(30)), SwiftExport.json(cancelled), "{\"a\":1,",
      SwiftExport.json(hang),
    ]
    let sink = decodeJSON(lines.joined(separator: "\n") + "\n")
    #expect(sink.problemKinds == [.malformed, .malformed])
    #expect(sink.spans.map(\.spanID) == [2, 3])
  }

  @Test("a line without ids or times is no span")
  func incomplete() {
    let text = SwiftExport.json(tti)
    for key in ["spanId", "traceId", "start", "duration", "span"] {
      let sink = decodeJSON(text.replacing("\"\(key)\":", with: "\"other\":") + "\n")
      #expect(sink.spans.isEmpty)
      #expect(sink.problemKinds == [.notTelemetry])
    }
  }

  @Test("a brace begins an object where a quote or its end follows, and a line of text otherwise")
  func braces() {
    func kinds(_ text: String) -> [ProblemKind] { decodeJSON(text).problemKinds }
    #expect(kinds("{a:1}\n") == [.notTelemetry])
    #expect(kinds("{ \t\r\n\n a }\n") == [.notTelemetry, .notTelemetry])
    #expect(kinds("{}\n{ }\n{\n}\n") == [])
    #expect(kinds("{\"a\"\n") == [.incomplete])
    #expect(kinds("{") == [.incomplete])
    #expect(kinds("{\"a\":x}\n") == [.malformed])
  }

  // MARK: - Splits

  private static var inputs: [(name: String, text: String)] {
    let spans = [SwiftExport.tti("Ä", id: .max, 10), SwiftExport.tti("B", id: 2, 20)]
    var log = SwiftExport.Log(timestamp: SwiftExport.noon)
    log.body = .string("x")
    let file = SwiftExport.file([[spans[0], spans[1]], [], [spans[0]]])
    let line = SwiftExport.json(tti)
    return [
      ("persisted, cut", String(file.dropLast(30))), ("persisted", file),
      ("persisted logs", SwiftExport.file([[log, log]])),
      ("printed", "\(noise.joined(separator: "\n"))\n\(line)\n\(SwiftExport.json([log]))\n"),
      ("torn", "\(line.prefix(50))\n\(line)\n{x\n \(line)"),
    ]
  }

  @Test("every split gives the same events", arguments: 0..<5)
  func splits(_ index: Int) {
    let input = Self.inputs[index]
    let bytes = Array(input.text.utf8)
    let whole = decodeJSON([bytes]).transcript
    #expect(!whole.isEmpty)
    #expect(decodeJSON(bytes.map { [$0] }).transcript == whole)
    for index in 1..<bytes.count {
      let split = decodeJSON([Array(bytes[..<index]), Array(bytes[index...])]).transcript
      guard split != whole else { continue }
      Issue.record("\(input.name) differs when split at \(index)")
      return
    }
  }
}
