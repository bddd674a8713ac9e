import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("opentelemetry-swift's persistence files")
struct PersistenceFileTests {
  private static let highID: UInt64 = 0xFEDC_BA98_7654_3211

  @Test(
    "a file of two arrays with a comma after each and a cut tail: ids above 2^63 are exact",
    arguments: [true, false]
  )
  func twoArraysAndCutTail(sorted: Bool) throws {
    let spans = [
      SwiftExport.tti("Search", id: Self.highID, 812), SwiftExport.tti("Cart", id: 2, at: 1, 350),
      SwiftExport.tti("Search", id: UInt64.max, at: 2, 1_200),
    ]
    let whole = SwiftExport.file([[spans[0], spans[1]], [], [spans[2]]], sorted: sorted)
    let tail = SwiftExport.file([[SwiftExport.tti("Lost", id: 9, at: 3, 5)]], sorted: sorted)
    let sink = decodeJSON(whole + tail.dropLast(40))
    #expect(sink.spans.map(\.spanID) == [Self.highID, 2, UInt64.max])
    #expect(sink.spans.map(\.traceHigh) == Array(repeating: 0x8102_0304_0506_0708, count: 3))
    #expect(sink.spans.map(\.traceLow) == Array(repeating: 0xF90A_0B0C_0D0E_0F10, count: 3))
    #expect(sink.spans.map { $0.measurements[.primary] } == [812, 350, 1_200])
    #expect(sink.spans.map { $0.measurements[.secondary] } == [406, 175, 600])
    #expect(sink.spans.allSatisfy { $0.signal == .screenTTI && $0.flags == [] })
    #expect(sink.spans.map { sink.text($0.subject) } == ["Search", "Cart", "Search"])
    #expect(sink.problemKinds == [.incomplete])
    #expect(sink.problems.first?.offset == UInt64(whole.utf8.count + 1))
    let resource = try #require(sink.resources[sink.spans[0].resource])
    #expect(sink.text(resource.app) == "Shop")
    #expect(sink.text(resource.deviceID) == "D-1")
  }

  @Test("the record's place is its own bytes, which were shown before it was observed")
  func places() {
    let spans = [SwiftExport.tti("A", id: 1, 10), SwiftExport.tti("Ü", id: 2, 20)]
    let text = SwiftExport.file([[spans[0]], [spans[1]]])
    let sink = decodeJSON(text)
    let bytes = Array(text.utf8)
    for (span, source) in zip(sink.spans, spans) {
      let start = Int(span.place.offset)
      let own = bytes[start..<start + Int(span.place.length)]
      #expect(String(decoding: own, as: UTF8.self) == SwiftExport.json(source))
    }
    #expect(sink.records.map(\.place) == sink.spans.map(\.place))
  }

  @Test("a cut at any byte loses the cut record alone and counts it as incomplete")
  func cutAnywhere() {
    let spans = [SwiftExport.tti("A", id: 1, 10), SwiftExport.tti("B", id: 2, 20)]
    let bytes = Array(SwiftExport.file([[spans[0]], [spans[1], spans[0]], []]).utf8)
    let all = decodeJSON([bytes]).spans
    #expect(all.count == 3)
    for length in 1..<bytes.count {
      let sink = decodeJSON([Array(bytes[..<length])])
      let whole = all.filter { Int($0.place.offset) + Int($0.place.length) <= length }
      #expect(sink.spans.map(\.content) == whole.map(\.content))
      let isInside = bytes[..<length].reduce(0) { $0 + ($1 == 0x5B ? 1 : $1 == 0x5D ? -1 : 0) } > 0
      guard sink.problemKinds != (isInside ? [.incomplete] : []) else { continue }
      Issue.record("a cut at \(length) gives \(sink.problemKinds)")
      return
    }
  }

  @Test("a record that grows at the end of a followed file is taken when the file is calm")
  func settles() {
    let bytes = Array(SwiftExport.file([[SwiftExport.tti("A", id: 1, 10)]]).utf8)
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var decoder = JSONStreamDecoder(source: SourceID(1))
    for byte in bytes.dropLast(20) {
      withUnsafeBytes(of: byte) { decoder.consume($0, into: &assembler) }
    }
    decoder.settle(into: &assembler)
    #expect(sink.spans.isEmpty)
    bytes.suffix(20).withUnsafeBytes { decoder.consume($0, into: &assembler) }
    decoder.settle(into: &assembler)
    #expect(sink.spans.count == 1)
    #expect(sink.problems.isEmpty)
    #expect(decoder.takeKind() == .otlpJSON)
  }

  // MARK: - What a record says

  @Test("times are seconds since 2001, exact to the SDK's own rounding")
  func times() {
    let span = SwiftExport.tti("A", id: 1, 10)
    let sink = decodeJSON(SwiftExport.file([[span]]))
    let start = sink.spans[0].start.nanoseconds
    #expect(start == Int64(SwiftExport.nanoseconds(span.startTime)))
    // 2026-07-20T12:00:00.1234567Z.
    #expect(abs(start - 1_784_548_800_123_456_700) < 250)
    #expect(sink.spans[0].end.nanoseconds == Int64(SwiftExport.nanoseconds(span.endTime)))
  }

  @Test("an hour before 2001 is a time, one before 1970 is none")
  func earlyTimes() {
    var span = SwiftExport.tti("A", id: 1, 10)
    span.startTime = Date(timeIntervalSinceReferenceDate: -3_600)
    span.endTime = Date(timeIntervalSince1970: -1)
    let sink = decodeJSON(SwiftExport.file([[span]]))
    #expect(sink.spans[0].start == Timestamp(seconds: 978_303_600))
    #expect(sink.spans[0].flags == .noEnd)
  }

  @Test("a span whose time is no number is malformed, and the others stay")
  func badTime() {
    let good = SwiftExport.tti("A", id: 1, 10)
    let bad = SwiftExport.json(good).replacing(
      "\"endTime\":",
      with: "\"endTime\":\"x\",\"was\":",
      maxReplacements: 1
    )
    let sink = decodeJSON("[\(bad),\(SwiftExport.json(good))],")
    #expect(sink.spans.count == 1)
    #expect(sink.problemKinds == [.malformed])
  }

  @Test("a copy that has not ended says so")
  func unended() {
    var span = SwiftExport.tti("A", id: 1, 10)
    let ended = decodeJSON(SwiftExport.file([[span]])).spans[0]
    span.hasEnded = false
    let open = decodeJSON(SwiftExport.file([[span]])).spans[0]
    #expect(ended.flags == [])
    #expect(open.flags == .inProgress)
    #expect(open.content != ended.content)
  }

  @Test("the status is read, with its description")
  func statuses() {
    var spans = [SwiftExport.Status.unset, .ok, .error(description: "measurement_cancelled")].map {
      var span = SwiftExport.tti("A", id: 1, 10)
      span.status = $0
      return span
    }
    spans[2].attributes = ["screen.name": .string("A")]
    let sink = decodeJSON(SwiftExport.file([spans]))
    #expect(sink.spans.map(\.status) == [.unset, .ok, .error])
    #expect(
      sink.spans.map { sink.text($0.statusMessage) } == [nil, nil, "measurement_cancelled"]
    )
  }

  @Test("an id that was passed through a float is no id")
  func floatingIDs() {
    let text = SwiftExport.json(SwiftExport.tti("A", id: 7, 10))
    let sink = decodeJSON("[\(text.replacing("\"id\":7", with: "\"id\":1.8446744073709552e19"))],")
    #expect(sink.spans.map(\.spanID) == [0])
    #expect(sink.spans[0].traceHigh == 0x8102_0304_0506_0708)
  }
}
