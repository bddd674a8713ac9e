import Testing

@testable import Ingest

@Suite("The wire reader")
struct ProtobufReaderTests {
  private typealias Bytes = ProtobufBytes

  private func read(_ bytes: [UInt8]) -> (numbers: [UInt32], values: [UInt64], ProtobufFault?) {
    bytes.withUnsafeBytes {
      var reader = ProtobufReader($0)
      var numbers: [UInt32] = []
      var values: [UInt64] = []
      while let field = reader.next() {
        numbers.append(field.number)
        values.append(field.wire == .bytes ? UInt64(field.bytes.count) : field.value)
      }
      return (numbers, values, reader.fault)
    }
  }

  @Test("every wire type is read, and groups are skipped with what they hold")
  func wireTypes() {
    let group =
      Bytes.tag(9, 3) + Bytes.number(1, 5) + Bytes.tag(4, 3) + Bytes.text(2, "inner")
      + Bytes.fixed32(3, 1) + Bytes.tag(4, 4) + Bytes.fixed64(5, 1) + Bytes.tag(9, 4)
    let message =
      Bytes.number(1, 300) + Bytes.fixed64(2, .max) + group + Bytes.text(3, "abc")
      + Bytes.fixed32(4, 7) + Bytes.number(536_870_911, .max)
    let (numbers, values, fault) = read(message)
    #expect(numbers == [1, 2, 3, 4, 536_870_911])
    #expect(values == [300, .max, 3, 7, .max])
    #expect(fault == nil)
  }

  @Test("an empty message has no fields and no fault")
  func empty() {
    let (numbers, _, fault) = read([])
    #expect(numbers.isEmpty)
    #expect(fault == nil)
  }

  @Test(
    "malformed bytes end with their fault",
    arguments: [
      ([0x02, 0x01, 0x61], .fieldZero),
      ([0x00], .fieldZero),
      ([0x0e], .unknownWireType),
      ([0x0f], .unknownWireType),
      ([0x08], .lengthPastEnd),
      ([0x80], .lengthPastEnd),
      ([0x0a, 0x02, 0x61], .lengthPastEnd),
      ([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], .lengthPastEnd),
      ([0x09, 1, 2, 3, 4, 5, 6, 7], .lengthPastEnd),
      ([0x0d, 1, 2, 3], .lengthPastEnd),
      ([0x08] + Array(repeating: 0x80, count: 10) + [0x01], .varintTooLong),
      ([0x0c], .unbalancedGroup),
      ([0x0b], .unbalancedGroup),
      ([0x0b, 0x14], .unbalancedGroup),
      ([0x0b, 0x00], .fieldZero),
      ([0x0b, 0x0e], .unknownWireType),
      ([0x0b, 0x12, 0x05, 0x61], .lengthPastEnd),
      // A field number beyond 29 bits.
      ([0xf8, 0xff, 0xff, 0xff, 0x1f, 0x00], .fieldZero),
    ] as [([UInt8], ProtobufFault)]
  )
  func faults(bytes: [UInt8], fault: ProtobufFault) {
    #expect(read(bytes).2 == fault)
    // What came before is read all the same.
    let (numbers, _, own) = read(Bytes.number(7, 1) + bytes)
    #expect(numbers == [7])
    #expect(own == fault)
  }

  @Test("a varint of ten bytes is a negative number")
  func negative() {
    let (_, values, fault) = read([0x08] + Array(repeating: 0xff, count: 9) + [0x01])
    #expect(values == [UInt64(bitPattern: -1)])
    #expect(fault == nil)
  }

  @Test("a hundred thousand nested groups take no stack")
  func deepGroups() {
    let depth = 100_000
    let open = Array(repeating: UInt8(0x0b), count: depth)
    let close = Array(repeating: UInt8(0x0c), count: depth)
    let (numbers, _, fault) = read(open + close + Bytes.number(2, 1))
    #expect(numbers == [2])
    #expect(fault == nil)
    #expect(read(open + close.dropLast()).2 == .unbalancedGroup)
  }

  @Test("no byte of garbage makes it leave the message")
  func garbage() {
    var state: UInt64 = 42
    for length in 0..<400 {
      let bytes = (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      let (numbers, _, _) = read(bytes)
      #expect(numbers.count <= length)
    }
  }
}
