import Foundation
import Testing

@testable import Ingest

/// A generator with a seed of its own (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

private struct DocumentWriter {
  var random: SeededGenerator

  mutating func document() -> String { "[\(value(depth: 0))]" }

  private mutating func pick(_ choices: [String]) -> String {
    choices.randomElement(using: &random) ?? ""
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 4 ? 6 : 9), using: &random) {
    case 0: pick(["true", "false", "null"])
    case 1: String(Int64.random(in: -1 << 53...1 << 53, using: &random))
    case 2: String(Int.random(in: -1_000...1_000, using: &random))
    case 3: pick(["0", "0.5", "-12.25e2", "1E+3", "1e-7", "123456789.125", "5e-1"])
    case 4, 5: string()
    case 6, 7: object(depth)
    default: array(depth)
    }
  }

  private mutating func object(_ depth: Int) -> String {
    let members = (0..<Int.random(in: 0..<5, using: &random)).map { index in
      // Numbered, since duplicates are compared elsewhere.
      "\(space())\"\(index)\(string().dropFirst())\(space()):\(space())\(value(depth: depth + 1))"
    }
    return "{\(members.joined(separator: "\(space()),"))\(space())}"
  }

  private mutating func array(_ depth: Int) -> String {
    let elements = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
      "\(space())\(value(depth: depth + 1))\(space())"
    }
    return "[\(elements.joined(separator: ","))]"
  }

  private mutating func space() -> String { pick(["", "", "", " ", "\n", "\t", "\r\n  "]) }

  private mutating func string() -> String {
    let parts = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
      pick([
        "a", "plain text", "ü", "日本", "🚀", #"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u00e9"#, #"\u0000"#,
        #"\u2028"#, #"\uD83D\uDE80"#, "0123456789abcdef", "{", "]", ":",
      ])
    }
    return "\"\(parts.joined())\""
  }
}

/// A value in one spelling, read by the scanner.
private struct SpellingReader {
  var scanner: JSONScanner
  let buffer = JSONTextBuffer()

  static func read(_ text: [UInt8]) throws -> String {
    try text.withUnsafeBufferPointer { bytes in
      let base = try #require(bytes.baseAddress)
      var reader = SpellingReader(scanner: JSONScanner(base: base, position: 0, end: bytes.count))
      let spelling = try reader.value()
      reader.scanner.skipWhitespace()
      if reader.scanner.position != bytes.count { throw reader.scanner.fault(.badLiteral) }
      return spelling
    }
  }

  private func string(_ text: JSONText) -> String {
    let decoded = String(decoding: buffer.plain(text, of: scanner), as: UTF8.self)
    return "s\(Array(decoded.utf8))"
  }

  private mutating func value() throws(JSONFault) -> String {
    switch try scanner.peek() {
    case UInt8(ascii: "\""): return string(try scanner.string())
    case UInt8(ascii: "{"):
      scanner.position += 1
      var members: [String: String] = [:]
      var isFirst = true
      while let key = try scanner.nextKey(&isFirst) {
        let name = string(key)
        members[name] = try value()
      }
      return "{\(members.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" })}"
    case UInt8(ascii: "["):
      scanner.position += 1
      var elements: [String] = []
      var isFirst = true
      while try scanner.nextElement(&isFirst) { elements.append(try value()) }
      return "\(elements)"
    case UInt8(ascii: "t"):
      try scanner.literal("true")
      return "true"
    case UInt8(ascii: "f"):
      try scanner.literal("false")
      return "false"
    case UInt8(ascii: "n"):
      try scanner.literal("null")
      return "null"
    case UInt8(ascii: "-"), 0x30...0x39:
      let number = try scanner.number()
      return "n\(number.double.bitPattern)"
    default: throw scanner.fault(.badLiteral)
    }
  }
}

private func spelling(_ value: Any) -> String {
  switch value {
  case let text as String: return "s\(Array(text.utf8))"
  case let members as [String: Any]:
    let sorted = members.map { ("s\(Array($0.key.utf8))", spelling($0.value)) }
      .sorted { $0.0 < $1.0 }
    return "{\(sorted.map { "\($0.0):\($0.1)" })}"
  case let elements as [Any]: return "\(elements.map { spelling($0) })"
  case is NSNull: return "null"
  case let number as NSNumber:
    if String(cString: number.objCType) == "c" { return number.boolValue ? "true" : "false" }
    return "n\(number.doubleValue.bitPattern)"
  default: return "?"
  }
}

@Suite("JSON scanner")
struct JSONScannerTests {
  @Test("every generated document reads as Foundation reads it", arguments: 0..<20)
  func agreesWithFoundation(_ seed: UInt64) throws {
    var writer = DocumentWriter(random: SeededGenerator(state: seed))
    for _ in 0..<100 {
      let text = writer.document()
      let expected = try JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect(try SpellingReader.read(Array(text.utf8)) == spelling(expected), "\(text)")
    }
  }

  @Test(
    "a document with one byte changed is taken or refused as Foundation does",
    arguments: 0..<20
  )
  func refusesAsFoundation(_ seed: UInt64) throws {
    var writer = DocumentWriter(random: SeededGenerator(state: seed &+ 1_000))
    for _ in 0..<100 {
      var bytes = Array(writer.document().utf8)
      let index = Int.random(in: 0..<bytes.count, using: &writer.random)
      guard bytes[index] < 0x80 else { continue }
      bytes[index] = UInt8.random(in: 1..<0x7F, using: &writer.random)
      let text = String(decoding: bytes, as: UTF8.self)
      // Foundation refuses lone surrogates and numbers beyond a double, which the data has.
      if text.contains(/[eE][+-]?[0-9]{3,}/) { continue }
      if text.lowercased().contains(#"\ud"#) || text.contains("e") && text.contains("E") {
        continue
      }
      let isJSON = (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
      #expect(((try? SpellingReader.read(bytes)) != nil) == isJSON, "\(text)")
      #expect(skips(bytes) == isJSON, "\(text)")
    }
  }

  /// Whether `skipValue` takes the bytes as one value.
  private func skips(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      var scanner = JSONScanner(base: base, position: 0, end: buffer.count)
      guard (try? scanner.skipValue()) != nil else { return false }
      scanner.skipWhitespace()
      return scanner.position == buffer.count
    }
  }

  @Test(
    "numbers keep 64 bits and fall back to doubles",
    arguments: [
      ("9223372036854775807", JSONNumber.int(.max)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775808", .unsigned(1 << 63)), ("18446744073709551615", .unsigned(.max)),
      ("18446744073709551616", .double(18_446_744_073_709_551_616)), ("1.5", .double(1.5)),
      ("-9223372036854775809", .double(-9_223_372_036_854_775_808)), ("1e3", .double(1_000)),
    ]
  )
  func numbers(_ text: String, _ expected: JSONNumber) {
    #expect(withBytes(text) { JSONNumber.parse($0) } == expected)
  }

  @Test(
    "text that is no number is none",
    arguments: ["", "-", "abc", "1x", "0x10", "nan", "inf", "1 ", " 1", "1_000", "--1"]
  )
  func noNumbers(_ text: String) {
    #expect(withBytes(text) { JSONNumber.parse($0) } == nil)
  }

  @Test(
    "surrogate pairs join and lone surrogates become U+FFFD",
    arguments: [
      (#"\uD83D\uDE80"#, "🚀"), (#"\uD83D"#, "\u{FFFD}"), (#"\uDE80\uD83D"#, "\u{FFFD}\u{FFFD}"),
      (#"\uD83Dx"#, "\u{FFFD}x"), (#"\uD83D\u0041"#, "\u{FFFD}A"),
      (
        #"\b\f\n\r\t\/\"\\"#,
        "\u{8}\u{C}\n\r\t/\"\\"
      ),
    ]
  )
  func surrogates(_ escaped: String, _ expected: String) {
    let buffer = JSONTextBuffer()
    let plain = withBytes(escaped) { String(decoding: buffer.unescape($0), as: UTF8.self) }
    #expect(plain == expected)
  }

  @Test("a hundred thousand open brackets need no stack")
  func depth() {
    let bytes = Array(repeating: UInt8(ascii: "["), count: 100_000)
    #expect(!skips(bytes))
    #expect(skips(bytes + Array(repeating: UInt8(ascii: "]"), count: 100_000)))
    let objects =
      String(repeating: #"{"a":["#, count: 5_000) + String(repeating: "]}", count: 5_000)
    #expect(skips(Array(objects.utf8)))
    #expect(!skips(Array(objects.replacing("]}", with: "}]").utf8)))
  }
}
