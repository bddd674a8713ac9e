import Model
import Testing
import TestSupport

@testable import Ingest

private let span1 = bareSpanRequest(
  #""traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"1112131415161718","name":"a\u0041\n""#
)
private let span2 = bareSpanRequest(
  #""name":"b","attributes":[{"key":"k","value":{"intValue":"1"}}]"#
)
private let event = #"{"ts":"2026-07-20T18:02:11.482Z","name":"feed.foldPage","ms":412}"#
private let pretty = """
  {
    "resourceSpans": [
      {"scopeSpans": [ {"spans": [
        {"name": "p"},
        {"name": "q"}
      ] } ] }
    ]
  }
  """

@Suite("JSON stream split anywhere")
struct JSONSplitTests {
  static let inputs: [(name: String, text: String)] = [
    ("lines", "\(span1)\n\(event)\r\n\n\(span2)"),
    ("values over lines", "\(pretty)\n\(pretty)\n"),
    ("no separators", "\(span1)\(span2)\(event)\n"),
    ("separators", "\u{FEFF}\(span1)\u{1E}\(span2)\u{0}\u{0}\u{0},\n\u{FEFF}\(event)"),
    ("array", "[\(span1),\n \(event) ,\(span2)]\n\(event)\n"),
    ("array that ends early", "[\(span1),\(span2)"),
    ("torn line", "\(span1.prefix(70))\n\(span2)\n"),
    ("torn in a string", "\(span1.dropLast(12))\n\(span2)\n\(event.prefix(30))\n\(event)\n"),
    ("torn and glued", "\(span1.prefix(95))\(span2)\n\(event)\n"),
    ("torn value over lines", "\(pretty.prefix(60))\n\(span1)\n"),
    ("torn ledger line", "{\"ts\":1,\"name\":\"x\",\"ms\":4\n\(event)\n\(event)\n"),
    (
      "wrong in the middle",
      "{\"a\":NaN,\"b\":[}\n\(span2)\n{\"a\":[1,]}\n{\"a\":\"\u{1}\"}\n\(event)\n"
    ),
    ("mismatched", "{\"a\":]}\n\(event)\n"),
    ("text", "<html>\n<body>502</body>\n\(span1)\nERROR something broke {x\n\(event)\nnull\n7\n"),
    ("binary", "\u{1}\u{2}ab\n\u{3}{\"c\n\u{4}\n\(span1)\n"),
    ("prefix", "2026-07-20T18:02:11.48Z stdout F \(span1)\n\(span2)\n"),
    ("cut", "\(event)\n\(span1.prefix(100))"),
    ("nested lists", "[[1,2],[3]]\n\(event)\n[[[[\n\(span2)\n"),
  ]

  @Test("every split in two gives the same events", arguments: inputs)
  func splitInTwo(_ input: (name: String, text: String)) {
    let bytes = Array(input.text.utf8)
    let whole = decodeJSON([bytes]).transcript
    #expect(!whole.isEmpty)
    for index in 1..<bytes.count {
      let split = decodeJSON([Array(bytes[..<index]), Array(bytes[index...])]).transcript
      guard split != whole else { continue }
      Issue.record("\(input.name) differs when split at \(index)")
      return
    }
  }

  @Test("byte by byte gives the same events", arguments: inputs)
  func byteByByte(_ input: (name: String, text: String)) {
    let bytes = Array(input.text.utf8)
    #expect(decodeJSON(bytes.map { [$0] }).transcript == decodeJSON([bytes]).transcript)
  }

  @Test(
    "pieces of any size give the same events for values beyond the hold limit",
    arguments: [
      1_000, 65_536, 65_537, 100_000,
    ]
  )
  func longValues(_ size: Int) {
    let text = String(repeating: "x", count: 90_000)
    let long = spanRequest(#""attributes":[{"key":"k","value":{"stringValue":"\#(text)"}}]"#)
    let broken = String(long.dropLast(4))
    let junk = "log \(text) {\"no"
    let input =
      "\(long)\(long)\n\(broken)\n\(event)\n\(junk)\n{\"a\":NaN,\"t\":\"\(text)\"}\n[\(long),\(long)]\n\(event)\n"
    let bytes = Array(input.utf8)
    let pieces = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    let whole = decodeJSON([bytes])
    #expect(whole.spans.count == 4)
    #expect(whole.ledger.count == 2)
    #expect(whole.problemKinds == [.malformed, .notTelemetry, .malformed])
    #expect(decodeJSON(pieces).transcript == whole.transcript)
  }
}
