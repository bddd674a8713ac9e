import Model
import TestSupport
import Testing

@testable import Ingest

/// A persistence file and where its records lie.
private struct TornFile {
  var bytes: [UInt8] = []
  var records: [Range<Int>] = []

  /// Batches of spans whose ids are 1, 2, 3 and so on, encoded by hand.
  init(batches: [Int], sorted: Bool = true) {
    var id: UInt64 = 0
    for count in batches {
      bytes.append(UInt8(ascii: "["))
      for index in 0..<count {
        id += 1
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        let json = SwiftExport.json(SwiftExport.tti("S\(id)", id: id, 10), sorted: sorted)
        records.append(bytes.count..<bytes.count + json.utf8.count)
        bytes += Array(json.utf8)
      }
      bytes += Array("],".utf8)
    }
  }

  /// The ids of records of which every byte is before or behind a range.
  func untouched(by damage: Range<Int>) -> Set<UInt64> {
    let kept = records.indices.filter { index in
      let record = records[index]
      // Bytes that are put between two others of a record touch it too.
      return record.upperBound <= damage.lowerBound || record.lowerBound >= damage.upperBound
    }
    return Set(kept.map { UInt64($0 + 1) })
  }

  func damaged(_ range: Range<Int>, with new: [UInt8]) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + new + Array(bytes[range.upperBound...])
  }
}

@Suite("A torn persistence file loses what is torn")
struct PersistenceTearTests {
  private func ids(_ sink: RecordingSink) -> [UInt64] { sink.spans.map(\.spanID) }

  @Test(
    "junk between arrays is one loss to syntax, and every record stays",
    arguments: [
      "XXXX", "\"", "]", "{", "[{", "\u{1}\u{2}", "nul", "{\"a", "{\"a\":", "<html>",
      "a long piece of text, longer than what a problem quotes: 0123456789 0123456789",
    ]
  )
  func junk(_ junk: String) {
    let file = TornFile(batches: [2, 2])
    let place = file.records[2].lowerBound - 1
    let bytes = file.damaged(place..<place, with: Array(junk.utf8))
    let sink = decodeJSON([bytes])
    #expect(ids(sink) == [1, 2, 3, 4])
    #expect(sink.problemKinds == [.malformed], "\(junk)")
    // Brackets and braces may begin something.
    guard !junk.hasPrefix("["), !junk.hasPrefix("{") else { return }
    #expect(sink.problems.first?.offset == UInt64(place))
  }

  @Test("a tear in the middle of a record loses it alone; a cut at the end is incomplete")
  func tear() {
    let file = TornFile(batches: [3, 3])
    // The second record ends after 100 bytes.
    let tear = (file.records[1].lowerBound + 100)..<file.records[1].upperBound
    let torn = file.damaged(tear, with: [])
    let sink = decodeJSON([torn])
    #expect(ids(sink) == [1, 3, 4, 5, 6])
    #expect(sink.problemKinds == [.malformed])
    let cut = decodeJSON([Array(torn.dropLast(40))])
    #expect(ids(cut) == [1, 3, 4, 5])
    #expect(cut.problemKinds == [.malformed, .incomplete])
  }

  @Test("a record that swallows the ones behind it gives them back, also at the end of the input")
  func swallowed() throws {
    let file = TornFile(batches: [3])
    // From behind `"events":[` of the first record to the second one.
    let key = Array(#""events":["#.utf8)
    let found = file.records[0].first { file.bytes[$0...].starts(with: key) }
    let start = try #require(found) + key.count
    let sink = decodeJSON([file.damaged(start..<file.records[1].lowerBound, with: [])])
    #expect(ids(sink) == [2, 3])
    #expect(sink.problemKinds.contains(.malformed))
  }

  @Test(
    "the file as its library reads it, in brackets and with null at the end",
    arguments: [[2, 1], [1], [], [0, 2]]
  )
  func wrapped(_ batches: [Int]) {
    let file = TornFile(batches: batches)
    let text = "[" + String(decoding: file.bytes, as: UTF8.self) + "null]"
    for text in [text, text + "\n", text + "\n" + text] {
      let sink = decodeJSON(text)
      let once = (0..<file.records.count).map { UInt64($0 + 1) }
      #expect(ids(sink) == (text.hasSuffix("]") && text.contains("\n") ? once + once : once))
      #expect(sink.problems.isEmpty)
    }
    let cut = decodeJSON(String(text.dropLast(2)))
    #expect(ids(cut).count == file.records.count)
    #expect(cut.problemKinds == [.incomplete])
  }

  @Test("text before a printed span on its line is no loss; a broken beginning of a file is one")
  func beginnings() {
    let span = SwiftExport.Printed(
      span: "screen-tti.A",
      traceId: "0102030405060708090a0b0c0d0e0f10",
      spanId: "1112131415161718",
      start: SwiftExport.noon,
      duration: 1
    )
    let line = "2026-07-20 12:00:00.123 Shop[12:345] " + SwiftExport.json(span) + "\n"
    let printed = decodeJSON(line + "some text\n" + line)
    #expect(printed.spans.count == 2)
    #expect(printed.problemKinds == [.notTelemetry])
    let file = TornFile(batches: [2])
    let broken = decodeJSON([Array(file.bytes.dropFirst(20))])
    #expect(ids(broken) == [2])
    #expect(broken.problemKinds == [.malformed])
  }

  private static let torn: [(name: String, bytes: [UInt8])] = {
    let file = TornFile(batches: [1, 2])
    let place = file.records[1].lowerBound
    let inside = file.records[1].lowerBound + 120
    let text = String(decoding: file.bytes, as: UTF8.self)
    return [
      ("junk", file.damaged(place - 1..<place, with: Array("XX\"{[\n".utf8))),
      ("tear", file.damaged(inside..<inside + 40, with: Array("\"\nX{".utf8))),
      ("lost end", file.damaged(inside..<file.records[1].upperBound, with: [])),
      ("cut", Array(file.bytes.dropLast(30))),
      ("wrapped", Array("[\(text)null]".utf8)),
      ("torn head", Array(file.bytes.dropFirst(7))),
    ]
  }()

  @Test("every split of torn input gives the same events", arguments: 0..<6)
  func splits(_ index: Int) {
    let (name, bytes) = Self.torn[index]
    let whole = decodeJSON([bytes]).transcript
    for index in 1..<bytes.count {
      let split = decodeJSON([Array(bytes[..<index]), Array(bytes[index...])]).transcript
      guard split != whole else { continue }
      Issue.record("\(name) differs when split at \(index)")
      return
    }
    #expect(decodeJSON(bytes.map { [$0] }).transcript == whole)
  }

  @Test("damage anywhere loses no record that it does not touch", arguments: 0..<8 as Range<UInt64>)
  func damage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("{}[],:\"\\ \nxn0-".utf8) + [0x00, 0xFF, 0xC3]
    let file = TornFile(batches: [3, 1, 2], sorted: seed % 2 == 0)
    for _ in 0..<100 {
      let start = Int.random(in: 1..<file.bytes.count - 1, using: &random)
      let length = Int.random(in: 0..<(Bool.random(using: &random) ? 4 : 900), using: &random)
      let range = start..<min(start + length, file.bytes.count)
      let count = Bool.random(using: &random) ? 0 : Int.random(in: 1..<12, using: &random)
      let new = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      let bytes = file.damaged(range, with: new)
      let split = Int.random(in: 1..<bytes.count, using: &random)
      let sink = decodeJSON([Array(bytes[..<split]), Array(bytes[split...])])
      let lost = file.untouched(by: range).subtracting(ids(sink))
      guard !lost.isEmpty else { continue }
      Issue.record("seed \(seed): \(range) replaced by \(new) lost \(lost.sorted())")
      return
    }
  }
}
