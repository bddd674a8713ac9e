import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Damaged protobuf")
struct ProtobufMutationTests {
  @Test(
    "damage of any kind neither traps nor depends on the split",
    arguments: ["protobuf/traces.pb", "protobuf/logs.pb", "protobuf/metrics.pb"]
  )
  func mutations(path: String) throws {
    let original = try Fixture.bytes(path)
    var generator = SeededGenerator(seed: 7)
    for round in 0..<600 {
      var bytes = round % 2 == 0 ? original : ProtobufBytes.framed(original)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        }
      }
      let whole = decodeProtobuf(bytes)
      let pieces = decodeProtobuf(bytes, piece: Int.random(in: 1...50, using: &generator))
      #expect(pieces.spans.map(\.content) == whole.spans.map(\.content))
      #expect(pieces.logs.map(\.content) == whole.logs.map(\.content))
      #expect(pieces.problems.map(\.text) == whole.problems.map(\.text))
      for isLog in [false, true] {
        let details = bytes.withUnsafeBytes {
          ProtobufDetailsDecoder.details(of: $0, isLog: isLog)
        }
        #expect(details.fields.count <= ProtobufDetailsDecoder.fieldLimit + 1)
      }
      // A place always lies within the source.
      for span in whole.spans {
        #expect(span.place.offset + UInt64(span.place.length) <= UInt64(bytes.count))
      }
    }
  }
}
