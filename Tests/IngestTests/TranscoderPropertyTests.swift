import Model
import TestSupport
import Testing

@testable import Ingest

/// Random requests, with every field that a span or log can have.
private struct RandomRequest {
  private typealias Bytes = ProtobufBytes
  var generator: SeededGenerator

  private static let texts = [
    "", "a", "screen.tti.ms", "quote \" and \\", "line\nend", "tab\t\u{1}", "é漢👩‍👧", "session.id",
    "rendering.total_frames", "\u{7F}\u{2028}", String(repeating: "long ", count: 60),
  ]
  private static let names = [
    "screen-tti.Search", "app-startup", "app-hang", "screen-rendering.Feed", "work",
    "app-rendering",
  ]

  private mutating func chance(_ one: Int) -> Bool {
    Int.random(in: 0..<one, using: &generator) == 0
  }
  private mutating func text() -> String { Self.texts.randomElement(using: &generator) ?? "" }

  private mutating func number() -> UInt64 {
    let bits = UInt64.random(in: 0...63, using: &generator)
    return UInt64.random(in: 0...UInt64.max, using: &generator) >> bits
  }

  private mutating func raw(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private mutating func double() -> Double {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: [.nan, .infinity, -.infinity, -0.0, 0].randomElement(using: &generator) ?? 0
    case 1: Double(bitPattern: UInt64.random(in: 0..<0x7FF0 << 48, using: &generator))
    case 2: Double(Int64(truncatingIfNeeded: number()))
    default: (Double.random(in: -1e6...1e6, using: &generator) * 8).rounded() / 8
    }
  }

  private mutating func value(_ depth: Int = 0) -> [UInt8] {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &generator) {
    case 0: return []
    case 1: return Bytes.text(1, text())
    case 2: return Bytes.number(2, number() & 1)
    case 3: return Bytes.number(3, chance(2) ? number() : 0 &- number())
    case 4: return Bytes.fixed64(4, double().bitPattern)
    case 5: return Bytes.bytes(7, raw(Int.random(in: 0...9, using: &generator)))
    case 6:
      let count = Int.random(in: 0...3, using: &generator)
      return Bytes.bytes(5, (0..<count).flatMap { _ in Bytes.bytes(1, value(depth + 1)) })
    default:
      let count = Int.random(in: 0...3, using: &generator)
      return Bytes.bytes(6, (0..<count).flatMap { _ in Bytes.bytes(1, pair(depth + 1)) })
    }
  }

  private mutating func pair(_ depth: Int = 0) -> [UInt8] {
    let parts = [Bytes.text(1, text()), Bytes.bytes(2, value(depth))]
    return chance(5) ? parts[1] + parts[0] : parts[0] + parts[1]
  }

  private mutating func attributes(_ number: UInt32) -> [[UInt8]] {
    (0..<Int.random(in: 0...5, using: &generator)).map { _ in Bytes.bytes(number, pair()) }
  }

  private mutating func joined(_ parts: [[UInt8]]) -> [UInt8] {
    (chance(3) ? parts.shuffled(using: &generator) : parts).flatMap { $0 }
  }

  private mutating func event() -> [UInt8] {
    joined(
      [Bytes.fixed64(1, number()), Bytes.text(2, text()), Bytes.number(4, number() & 0xFFFF_FFFF)]
        + attributes(3)
    )
  }

  private mutating func link() -> [UInt8] {
    joined(
      [
        Bytes.bytes(1, raw(16)), Bytes.bytes(2, raw(8)), Bytes.text(3, text()),
        Bytes.number(5, number() & 0xFFFF_FFFF),
        Bytes.fixed32(6, UInt32(truncatingIfNeeded: number())),
      ] + attributes(4)
    )
  }

  private mutating func span() -> [UInt8] {
    var parts = [
      Bytes.bytes(1, raw(16)), Bytes.bytes(2, raw(8)), Bytes.text(3, text()),
      Bytes.bytes(4, chance(2) ? [] : raw(8)),
      Bytes.text(5, Self.names.randomElement(using: &generator) ?? ""),
      Bytes.number(6, number() & 7),
      Bytes.fixed64(7, 1_780_000_000_000_000_000 + number() & 0xFF_FFFF),
      Bytes.fixed64(8, 1_780_000_001_000_000_000 + number() & 0xFFFF_FFFF),
      Bytes.number(10, number() & 0xFFFF_FFFF), Bytes.number(12, number() & 0xFFFF_FFFF),
      Bytes.number(14, number() & 0xFFFF_FFFF),
      Bytes.bytes(15, Bytes.text(2, text()) + Bytes.number(3, number() & 3)),
      Bytes.fixed32(16, UInt32(truncatingIfNeeded: number())),
    ]
    parts += attributes(9)
    if chance(2) { parts.append(Bytes.bytes(11, event())) }
    if chance(2) { parts.append(Bytes.bytes(13, link())) }
    return joined(parts)
  }

  private mutating func log() -> [UInt8] {
    joined(
      [
        Bytes.fixed64(1, 1_780_000_000_000_000_000 + number() & 0xFF_FFFF),
        Bytes.number(2, number() & 0x1F), Bytes.text(3, text()), Bytes.bytes(5, value()),
        Bytes.number(7, number() & 0xFFFF_FFFF),
        Bytes.fixed32(8, UInt32(truncatingIfNeeded: number())), Bytes.bytes(9, raw(16)),
        Bytes.bytes(10, raw(8)), Bytes.fixed64(11, number()),
        Bytes.text(12, chance(2) ? "view_controller_leak" : text()),
      ] + attributes(6)
    )
  }

  mutating func request() -> [UInt8] {
    (0..<Int.random(in: 1...2, using: &generator)).flatMap { _ -> [UInt8] in
      let isLogs = chance(3)
      let scopes = (0..<Int.random(in: 1...2, using: &generator)).map { _ -> [UInt8] in
        let scope = Bytes.bytes(1, Bytes.text(1, text()) + Bytes.text(2, "1.9.\(number() & 3)"))
        let records = (0..<Int.random(in: 1...3, using: &generator)).flatMap { _ in
          Bytes.bytes(2, isLogs ? log() : span())
        }
        return Bytes.bytes(2, scope + records)
      }
      let resource =
        chance(4)
        ? []
        : Bytes.bytes(
          1,
          Bytes.bytes(1, Bytes.pair("service.name", Bytes.text(1, "Shop")))
            + attributes(1).flatMap { $0 }
        )
      return Bytes.bytes(1, resource + scopes.flatMap { $0 })
    }
  }
}

@Suite("Protobuf requests read again from their JSON")
struct TranscoderPropertyTests {
  @Test("random requests say the same as JSON, to the hash of all they hold", arguments: 0..<8)
  func same(seed: Int) {
    var random = RandomRequest(generator: SeededGenerator(seed: UInt64(seed)))
    for _ in 0..<60 {
      let request = random.request()
      let direct = decodeProtobuf(ProtobufBytes.framed(request))
      let lines = transcoded(request)
      #expect(lines.outcome == .written && lines.unknown == 0 && lines.bad == 0)
      let again = decodeJSON(lines.lines)
      #expect(direct.spans.count + direct.logs.count > 0)
      // Signals in one request part into lines: the order of spans among spans stays.
      #expect(again.spanFacts() == direct.spanFacts())
      #expect(again.logFacts() == direct.logFacts())
      #expect(again.problems.map(\.text).sorted() == direct.problems.map(\.text).sorted())
    }
  }

  @Test("doubles read back to the very same bits")
  func doubles() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
      guard value.isFinite else { continue }
      let text = jsonDouble(value)
      #expect(Double(text)?.bitPattern == value.bitPattern)
    }
  }

  /// As Go's `strconv.AppendFloat(x, 'f', -1, 64)` prints them, with `'e'` below 1e-6 and from 1e21.
  @Test(
    "doubles look as the Collector prints them",
    arguments: [
      (0, "0"), (-0.0, "-0.0"), (1, "1"), (-12.5, "-12.5"), (0.1, "0.1"), (0.001, "0.001"),
      (1e-6, "0.000001"), (9.5e-7, "9.5e-7"), (1e-10, "1e-10"), (.leastNonzeroMagnitude, "5e-324"),
      (1e15, "1000000000000000"), (1e16, "10000000000000000"),
      (1.2345678901234568e20, "123456789012345680000"), (1e21, "1e+21"), (-1.5e300, "-1.5e+300"),
      (123456.789, "123456.789"), (9_007_199_254_740_992, "9007199254740992"),
    ] as [(Double, String)]
  )
  func doubleTexts(value: Double, text: String) {
    #expect(jsonDouble(value) == text)
  }

  private func jsonDouble(_ value: Double) -> String {
    var output = JSONOutput()
    output.double(value)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  @Test(
    "whole numbers print all their digits",
    arguments: [0, 9, 10, 99, 100, 12_345, UInt64.max - 1, UInt64.max, 10_000_000_000_000_000_000]
  )
  func wholeNumbers(value: UInt64) {
    var output = JSONOutput()
    output.unsigned(value)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "\(value)")
    output.removeAll()
    output.signed(Int64(bitPattern: value))
    #expect(String(decoding: output.bytes, as: UTF8.self) == "\(Int64(bitPattern: value))")
  }
}
