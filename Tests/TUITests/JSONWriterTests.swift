import Foundation
import Testing

@testable import TUI

@Suite("JSON writer")
struct JSONWriterTests {
  /// What is written of an object with one member, the member's key and punctuation taken away.
  private func written(_ write: (inout JSONWriter) -> Void) -> String {
    var bytes: [UInt8] = []
    var json = JSONWriter { bytes.append(contentsOf: $0) }
    json.object { write(&$0) }
    json.finish()
    let text = String(decoding: bytes, as: UTF8.self)
    return String(text.dropFirst("{\n\"v\":".count).dropLast())
  }

  @Test(
    "whole numbers have as many digits as they need",
    arguments: [
      0, 1, 9, 10, 42, 99, 100, 101, 999, 1000, 12_345, 99_999, 100_000, 1_000_000_007,
      999_999_999_999_999_999, 1_000_000_000_000_000_000, .max,
    ]
  )
  func integers(value: Int) {
    #expect(written { $0.member("v", value) } == String(value))
    #expect(written { $0.member("v", -value) } == String(-value))
  }

  @Test("the least number is written whole")
  func leastInteger() {
    #expect(written { $0.member("v", Int.min) } == "-9223372036854775808")
  }

  @Test(
    "fractions have as few digits as tell them from all others",
    arguments: [
      (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"), (-2.5, "-2.5"),
      (25_525.250038, "25525.250038"), (.leastNonzeroMagnitude, "5e-324"),
      (-2.2250738585072014e-308, "-2.2250738585072014e-308"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (1e15, "1000000000000000.0"),
    ] as [(Double, String)]
  )
  func fractions(value: Double, text: String) {
    #expect(written { $0.member("v", value) } == text)
  }

  @Test(
    "ids have 16 hex digits, zeros included",
    arguments: [
      (0, "0000000000000000"), (.max, "ffffffffffffffff"),
      (0x0123_4567_89AB_CDEF, "0123456789abcdef"), (0xFEDC_BA98_7654_3210, "fedcba9876543210"),
    ] as [(UInt64, String)]
  )
  func ids(value: UInt64, text: String) {
    #expect(written { $0.member("v", hex: value) } == "\"\(text)\"")
  }

  @Test(
    "times are in UTC with nanoseconds, whatever day was written before",
    arguments: [
      (0, "1970-01-01T00:00:00.000000000Z"),
      (86_399_999_999_999, "1970-01-01T23:59:59.999999999Z"),
      (86_400_000_000_000, "1970-01-02T00:00:00.000000000Z"),
      (-1, "1969-12-31T23:59:59.999999999Z"),
      (-86_400_000_000_001, "1969-12-30T23:59:59.999999999Z"),
      (951_827_696_012_345_678, "2000-02-29T12:34:56.012345678Z"),
      (.max, "2262-04-11T23:47:16.854775807Z"), (.min, "1677-09-21T00:12:43.145224192Z"),
    ] as [(Int64, String)]
  )
  func times(nanoseconds: Int64, text: String) {
    #expect(written { $0.member("v", time: nanoseconds) } == "\"\(text)\"")
    let after = written {
      $0.member("v", time: 1_767_225_600_000_000_000)
      $0.member("w", time: nanoseconds)
    }
    #expect(after == "\"2026-01-01T00:00:00.000000000Z\",\n\"w\":\"\(text)\"")
  }

  @Test(
    "texts of every length keep what needs an escape, wherever it stands",
    arguments: ["\"", "\\", "\n", "\u{1B}", "\u{7F}", "\u{9B}", "é", "日", "🚀"]
  )
  func escapes(special: String) throws {
    for length in 0...24 {
      for place in 0...length {
        let plain = String(repeating: "!", count: place)
        let text = plain + special + String(repeating: "~", count: length - place)
        let one = written { $0.member("v", text) }
        let pair = written { $0.member("v", plain, text) }
        #expect(!one.utf8.contains { $0 < 0x20 || $0 == 0x7F })
        #expect(try decoded(one) == text)
        #expect(try decoded(pair) == plain + " " + text)
      }
    }
  }

  @Test("plain texts of every length are written as they are")
  func plainTexts() {
    for length in 0...40 {
      let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(0x23 + $0))) })
      #expect(written { $0.member("v", text) } == "\"\(text)\"")
      #expect(written { $0.member("v", text, "x") } == "\"\(text) x\"")
    }
  }

  @Test("members outlive the buffer's first size")
  func growth() throws {
    let long = String(repeating: "x", count: 300_000)
    let text = written { json in
      json.member("v", long)
      json.array("w", 0..<3) { json, number in
        json.object { $0.member("n", number) }
      }
    }
    #expect(text == "\"\(long)\",\n\"w\":[\n{\"n\":0},\n{\"n\":1},\n{\"n\":2}]")
  }

  @Test("members that were kept are written again as they were, and only those")
  func keptMembers() {
    var copied: [Bool] = []
    let text = written { json in
      json.member("v", 1)
      copied.append(json.copyMembers(7))
      let position = json.position
      json.member("w", "a\"b")
      json.member("x", 2)
      json.keepMembers(from: position, as: 7)
      json.member("y", 3)
      for set in [7, 0, 8] { copied.append(json.copyMembers(set)) }
    }
    #expect(copied == [false, true, false, false])
    let kept = ",\n\"w\":\"a\\\"b\",\n\"x\":2"
    #expect(text == "1" + kept + ",\n\"y\":3" + kept)
  }

  private func decoded(_ text: String) throws -> String {
    try JSONDecoder().decode([String].self, from: Data("[\(text)]".utf8))[0]
  }
}
