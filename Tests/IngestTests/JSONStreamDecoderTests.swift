import Model
import Testing
import TestSupport

@testable import Ingest

private let good = spanRequest("")

@Suite("JSON stream")
struct JSONStreamDecoderTests {
  @Test(
    "a loss costs itself alone and has its kind and line",
    arguments: [
      ("\(good)\n\(good.dropLast(60))\n\(good)", 2, [ProblemKind.malformed], [2]),
      ("\(good)\n\(good.dropLast(8))", 1, [.incomplete], [2]),
      ("{\"a\":\"b", 0, [.incomplete], [1]), ("\(good)\n[\(good)", 2, [.incomplete], [2]),
      ("\(good.dropLast(60))\(good)\n\(good)", 2, [.malformed], [1]),
      ("\n\n{\"a\":NaN}\n\(good)", 1, [.malformed], [3]),
      ("{\"a\":1,}\n{\"a\":[1,]}\n\(good)", 1, [.malformed, .malformed], [1, 2]),
      ("{\"a\":\"\\x\"}\n\(good)", 1, [.malformed], [1]),
      ("{\"a\":\"\u{1b}\"}\n\(good)", 1, [.malformed], [1]),
      ("{\"a\":\"\u{0}\"}\n\(good)", 1, [.malformed], [1]),
      ("{\"a\" 1}\n{1:2}\n\(good)", 1, [.malformed, .notTelemetry], [1, 2]),
      ("<p>\n<p>\n\(good)\n<p>\n", 1, [.notTelemetry, .notTelemetry, .notTelemetry], [1, 2, 4]),
      ("{\n\"a\":{\n\"b\":tru\n}}\n\(good)", 1, [.malformed], [3]),
      ("{\"a\":[\n\(good)\n", 1, [.malformed], [2]), ("\(good)}\n\(good)", 2, [.notTelemetry], [1]),
      ("\(String(repeating: "[", count: 100_000))\n\(good)", 1, [.malformed], [2]),
      ("1\nnull\n\"x\"\n\(good)", 1, [.notTelemetry, .notTelemetry, .notTelemetry], [1, 2, 3]),
    ]
  )
  func losses(_ text: String, _ spans: Int, _ kinds: [ProblemKind], _ lines: [UInt64]) {
    let sink = decodeJSON(text)
    #expect(sink.spans.count == spans)
    #expect(sink.problemKinds == kinds)
    #expect(sink.problems.map(\.line) == lines)
  }

  @Test("a span before the fault of its line is not observed")
  func discards() {
    let torn =
      #"{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"x"},{"name":"y"}]},{"spans":[NaN]}]}]}"#
    let sink = decodeJSON("\(torn)\n")
    #expect(sink.spans.isEmpty)
    #expect(sink.records.isEmpty)
    #expect(sink.problemKinds == [.malformed])
    #expect(sink.problems.first?.offset == 81)
  }

  @Test(
    "what stands between values is no loss",
    arguments: [
      "", " \n\r\n\t", "\u{FEFF}", "\u{1E}", ",", String(repeating: "\u{0}", count: 70_001), "[]",
      "{}",
      "[ ]\n", "{\"resourceSpans\":[]}", "{\"resourceSpans\":[{}]}", "[{}]",
    ]
  )
  func separators(_ text: String) {
    let sink = decodeJSON("\(text)\(good)\(text)\(good)\(text)")
    #expect(sink.spans.count == 2)
    #expect(sink.problems.isEmpty)
    #expect(decodeJSON(text).problems.isEmpty)
  }

  @Test("what a container runtime writes before a request is no loss")
  func prefix() {
    let sink = decodeJSON("2026-07-20T18:02:11.4Z stdout F \(good)\n2026 stderr F oops\n")
    #expect(sink.spans.count == 1)
    #expect(sink.problemKinds == [.notTelemetry])
    #expect(sink.records.first?.place.offset == 32)
  }

  @Test(
    "UTF-16 is refused once, by name",
    arguments: [[0xFF, 0xFE], [0xFE, 0xFF], []] as [[UInt8]],
    [true, false]
  )
  func utf16(_ mark: [UInt8], _ isLittle: Bool) {
    let units = Array("\(good)\n\(good)\n".utf16)
    let text = units.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
      return isLittle ? bytes : bytes.reversed()
    }
    let sink = decodeJSON([mark + text])
    #expect(sink.spans.isEmpty)
    #expect(sink.problemKinds == [.notTelemetry])
    #expect(sink.problems.first?.text.contains("UTF-16") == true)
    #expect(decodeJSON((mark + text).map { [$0] }).transcript == sink.transcript)
  }

  @Test(
    "a value longer than the limit is skipped, and the next line is read",
    arguments: [
      1, 1_000, 1_000_000,
    ]
  )
  func tooLong(_ size: Int) {
    let long = spanRequest("\"x\":\"\(String(repeating: "y", count: 200_000))\"")
    let bytes = Array("\(long)\n\(good)\n".utf8)
    let pieces = stride(from: 0, to: bytes.count, by: max(size, 100)).map {
      Array(bytes[$0..<min($0 + max(size, 100), bytes.count)])
    }
    let sink = decodeJSON(pieces, valueLimit: 100_000)
    #expect(sink.spans.count == 1)
    #expect(sink.problemKinds == [.malformed])
  }

  @Test("settling takes a whole value without its line end and holds a cut one")
  func settles() {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var decoder = JSONStreamDecoder(source: SourceID(1))
    func feed(_ text: some StringProtocol) {
      withBytes(String(text)) { decoder.consume($0, into: &assembler) }
    }
    feed(good)
    #expect(sink.spans.isEmpty)
    decoder.settle(into: &assembler)
    #expect(sink.spans.count == 1)
    feed("\n\(good.dropLast(20))")
    decoder.settle(into: &assembler)
    #expect(sink.spans.count == 1)
    feed(good.suffix(20))
    decoder.settle(into: &assembler)
    #expect(sink.spans.count == 2)
    feed("\nhalf a line")
    decoder.settle(into: &assembler)
    #expect(sink.problems.isEmpty)
    decoder.finish(into: &assembler)
    #expect(sink.problemKinds == [.notTelemetry])
  }

  @Test("the kind of content is told once per change of it")
  func kinds() {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var decoder = JSONStreamDecoder(source: SourceID(1))
    func kind(_ text: String) -> SourceKind {
      withBytes(text) { decoder.consume($0, into: &assembler) }
      return decoder.takeKind()
    }
    let event = #"{"ts":1784570531,"name":"x","ms":1}"#
    #expect(kind("\n") == .unknown)
    #expect(kind("\(good)\n") == .otlpJSON)
    #expect(kind("\(event)\n") == .ledger)
    #expect(kind("\(event)\n\(good)\n") == .mixed)
    #expect(kind("<html>\n") == .unknown)
  }

  @Test("invalid UTF-8 inside strings is no fault and is repaired")
  func invalidUTF8() throws {
    var bytes = Array(bareSpanRequest(#""name":"a?b""#).utf8)
    let index = try #require(bytes.firstIndex(of: UInt8(ascii: "?")))
    bytes[index] = 0xFF
    let sink = decodeJSON([bytes])
    #expect(sink.names() == ["a\u{FFFD}b"])
    #expect(sink.problems.isEmpty)
  }
}
