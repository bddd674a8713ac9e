import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

private let resource =
  #""resource":{"attributes":[{"key":"service.name","value":{"stringValue":"Shop"}},"#
  + #"{"key":"session.id","value":{"stringValue":"S-1"}}]}"#
private let ids =
  #""traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"1112131415161718","#
  + #""parentSpanId":"2122232425262728""#
private let times =
  #""startTimeUnixNano":"1787000000000000000","endTimeUnixNano":"1787000000800000000""#
private let text = #"{"key":"screen.name","value":{"stringValue":"Home"}}"#
private let int = #"{"key":"screen.tti.ms","value":{"intValue":"576"}}"#
private let bare = #"{"key":"screen.ttfr.ms","value":{"intValue":40}}"#
private let bool = #"{"key":"screen.tti.custom_start","value":{"boolValue":true}}"#
private let turned = #"{"value":{"stringValue":"S-1"},"key":"session.id"}"#
private let other = #"{"key":"user.tiers","value":{"arrayValue":{"values":[{"intValue":"1"}]}}}"#

private func spans(_ attributes: [String], _ status: String = #""status":{}"#) -> String {
  let list = attributes.joined(separator: ",")
  return
    #"{"resourceSpans":[{\#(resource),"scopeSpans":[{"scope":{"name":"s","version":"1"},"spans":[{"#
    + #"\#(ids),"name":"screen-tti.Home","kind":1,\#(times),"attributes":[\#(list)],\#(status)}]}]}]}"#
}

@Suite("Records that are nearly like those before them")
struct ShapeMutationTests {
  private static let isFull = ProcessInfo.processInfo.environment["PERFTOP_SWEEP"] == "full"
  static let step = 11

  static let lines: [String] = [
    spans([text, int, bare, bool, turned, other]),
    spans([int, text], #""status":{"code":2,"message":"user_abandon"},"events":[{"name":"e"}]"#),
    #"{"resourceLogs":[{\#(resource),"scopeLogs":[{"logRecords":[{"timeUnixNano":"1787000000000000000","#
      + #""severityNumber":13,"body":{"stringValue":"hello"},"attributes":[\#(text),\#(int)]}]}]}]}"#,
    #"{"resourceSpans": [ {"scopeSpans": [ {"spans": [ {"attributes": [ {"value": {"intValue": "5"},"#
      + #" "key": "memory.warnings_count"} , \#(text) ], "name": "x", \#(times), \#(ids)} ],"#
      + #" "scope": {"version": "2"} } ], \#(resource)} ] }"#,
  ]

  /// Streams of the same kind of line twice, and how much they hold.
  private struct Before {
    let bytes: [UInt8]
    let spans: Int
    let logs: Int

    init(_ line: String) {
      bytes = Array("\(line)\n\(line)\n".utf8)
      let sink = decodeJSON([bytes])
      spans = sink.spans.count
      logs = sink.logs.count
    }
  }

  /// Decodes a line as the first of its stream, and behind others like it; both must say the same.
  private func compare(_ line: [UInt8], behind before: Before, _ comment: String) -> Bool {
    let alone = decodeJSON([line])
    let behind = decodeJSON([before.bytes + line])
    let lengths = behind.spans.suffix(alone.spans.count).map(\.place.length)
    let isSame =
      Array(behind.spanFacts().dropFirst(before.spans)) == alone.spanFacts()
      && Array(behind.logFacts().dropFirst(before.logs)) == alone.logFacts()
      && behind.losses(from: UInt64(before.bytes.count)) == alone.losses()
      && behind.count(of: .truncatedValues) == alone.count(of: .truncatedValues)
      && lengths == alone.spans.map(\.place.length)
    #expect(isSame, "\(comment): \(String(decoding: line, as: UTF8.self))")
    return isSame
  }

  @Test(
    "a record with a byte replaced, lost or added, or cut, is read as if it were the first",
    arguments: lines.indices,
    0..<step
  )
  func bytes(_ index: Int, _ first: Int) {
    let text = Self.lines[index]
    // A sample of the places, another one for each line, unless all are asked for.
    guard Self.isFull || first == index else { return }
    let before = Before(text)
    let line = Array(text.utf8)
    let bytes = Array(#"{}[],:"\01e x"#.utf8) + [0x0A, 0x00, 0xC3]
    for place in stride(from: first, to: line.count, by: Self.step) {
      let byte = bytes[place / Self.step % bytes.count]
      var replaced = line
      replaced[place] = byte
      var added = line
      added.insert(byte, at: place)
      var lost = line
      lost.remove(at: place)
      for (change, other) in [
        ("replaced", replaced), ("added", added), ("lost", lost), ("cut", Array(line[..<place])),
      ] where !compare(other, behind: before, "\(change) at \(place)") {
        return
      }
    }
  }

  @Test("a record made of parts of two others is read as if it were the first", arguments: 0..<20)
  func crossed(_ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let pairs = [text, int, bare, bool, turned, other, "null", #"{"key":"a"}"#]
    let values = [
      #""Home""#, #""Ho\u006de""#, #""""#, "576", "-1", "1.5", "true", "null", "{}", "[1]", "0576",
    ]
    for _ in 0..<12 {
      var chosen = pairs.shuffled(using: &generator).prefix(
        Int.random(in: 0...6, using: &generator)
      )
      let like = spans(Array(chosen))
      if let place = chosen.indices.randomElement(using: &generator) {
        let value = values.randomElement(using: &generator) ?? ""
        chosen[place] = chosen[place].replacing(#""Home""#, with: value)
          .replacing(#""576""#, with: value).replacing("true", with: value)
      }
      let line = spans(chosen.shuffled(using: &generator).suffix(5))
      guard compare(Array(line.utf8), behind: Before(like), "seed \(seed)") else { return }
    }
  }

  @Test("every split of records that are like each other gives the same events", arguments: lines)
  func splits(_ text: String) {
    let bytes = Array("\(text)\n\(text)\n\(text)\n".utf8)
    let whole = decodeJSON([bytes]).transcript
    for index in stride(from: 1, to: bytes.count, by: Self.isFull ? 1 : Self.step) {
      let split = decodeJSON([Array(bytes[..<index]), Array(bytes[index...])]).transcript
      #expect(split == whole, "split at \(index)")
      guard split == whole else { return }
    }
  }

  @Test("records before their scope and resource say what records behind them say")
  func order() {
    let scope = #""scope":{"name":"s","version":"1.2"}"#
    let a = #"{\#(ids),"name":"a",\#(times)}"#
    let b = #"{\#(ids),"name":"b",\#(times)}"#
    func request(_ scopes: [String], _ isFirst: Bool) -> String {
      let groups = #""scopeSpans":[\#(scopes.joined(separator: ","))]"#
      return
        #"{"resourceSpans":[{\#(isFirst ? "\(resource),\(groups)" : "\(groups),\(resource)")}]}"#
    }
    let usual = #"{\#(scope),"spans":[\#(a),\#(b)]}"#
    let expected = decodeJSON(request([usual, #"{"spans":[\#(a)]}"#], true)).spanFacts()
    #expect(expected.count == 3)
    let others = [
      usual, #"{"spans":[\#(a),\#(b)],\#(scope)}"#, #"{"spans":[\#(a)],\#(scope),"spans":[\#(b)]}"#,
    ]
    for other in others {
      for isFirst in [true, false] {
        let line = request([other, #"{"spans":[\#(a)]}"#], isFirst)
        #expect(decodeJSON(line).spanFacts() == expected, "\(line)")
      }
    }
    // None of it is taken over by what has no resource.
    let sink = decodeJSON(request([usual], false) + "\n" + bareSpanRequest(#""name":"c""#))
    #expect(sink.spans.map { $0.resource == .empty } == [false, false, true])
    #expect(sink.spans.map { $0.scopeVersion.isPresent } == [true, true, false])
  }
}
