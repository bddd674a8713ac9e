import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Streams of OTLP protobuf")
struct ProtobufStreamTests {
  private typealias Bytes = ProtobufBytes

  private static func messages() throws -> [[UInt8]] {
    [
      try Fixture.bytes("protobuf/traces.pb"), try Fixture.bytes("protobuf/logs.pb"),
      try Fixture.bytes("protobuf/metrics.pb"), Bytes.request([Bytes.span()]),
    ]
  }

  private static func stream(_ framing: String) throws -> [UInt8] {
    let messages = try messages()
    switch framing {
    case "length-prefixed": return messages.flatMap { Bytes.framed($0) + [0, 0, 0, 0] }
    case "varint": return messages.flatMap { Bytes.varint(UInt64($0.count)) + $0 }
    default: return messages.flatMap { $0 }
    }
  }

  @Test(
    "every split of the bytes gives the same events",
    arguments: ["length-prefixed", "varint", "bare"]
  )
  func splits(framing: String) throws {
    let bytes = try Self.stream(framing)
    let whole = decodeProtobuf(bytes)
    let expected = whole.events.map { "\($0)" }
    #expect(whole.spans.count == 3)
    #expect(whole.logs.count == 3)
    #expect(whole.count(of: .metricPoints) == 9)
    #expect(whole.problems.isEmpty)
    for piece in [1, 2, 3, 5, 7, 64, 255, 1000] {
      let sink = decodeProtobuf(bytes, piece: piece)
      #expect(sink.events.map { "\($0)" } == expected)
      #expect(sink.records.map(\.place) == whole.records.map(\.place))
      #expect(sink.records.map(\.bytes) == whole.records.map(\.bytes))
    }
    for cut in 1..<bytes.count {
      let sink = RecordingSink()
      var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
      var decoder = ProtobufStreamDecoder(source: SourceID(2))
      bytes.withUnsafeBytes {
        decoder.consume(UnsafeRawBufferPointer(rebasing: $0[..<cut]), into: &assembler)
        decoder.consume(UnsafeRawBufferPointer(rebasing: $0[cut...]), into: &assembler)
      }
      decoder.finish(into: &assembler)
      #expect(sink.events.count == expected.count)
      #expect(sink.spans.map(\.content) == whole.spans.map(\.content))
      #expect(sink.spans.map(\.place) == whole.spans.map(\.place))
    }
  }

  @Test("a stream cut anywhere loses the message that was cut, as incomplete")
  func cut() throws {
    let messages = try Self.messages()
    let bytes = try Self.stream("length-prefixed")
    // The ends of the messages and of the empty ones after them.
    var ends: Set<Int> = [0]
    var position = 0
    for message in messages {
      position += 4 + message.count
      ends.insert(position)
      ends.insert(position + 4)
      position += 4
    }
    for cut in 1..<bytes.count {
      let sink = decodeProtobuf(Array(bytes[..<cut]))
      let kinds = sink.problems.map(\.kind)
      #expect(kinds == (ends.contains(cut) ? [] : [.incomplete]))
    }
  }

  @Test("raw records are observed before their events")
  func rawFirst() throws {
    let message = Bytes.request([Bytes.span()])
    let sink = decodeProtobuf(Bytes.framed(message) + Bytes.framed(message))
    #expect(sink.records.map(\.place.offset) == [4, UInt64(message.count + 8)])
    #expect(sink.records.map(\.bytes) == [message, message])
  }

  @Test(
    "a length beyond the limit ends the stream with one problem and takes no memory",
    arguments: [[0x08, 0, 0, 0x01], [0xff, 0xff, 0xff, 0xff], [0x7f, 0, 0, 0]] as [[UInt8]]
  )
  func tooLong(prefix: [UInt8]) {
    let sink = decodeProtobuf(prefix + Array(repeating: 0x0b, count: 5000), piece: 100)
    #expect(sink.problems.count == 1)
    #expect(sink.problems.first?.kind == .malformed)
    #expect(sink.events.count == 1)
  }

  @Test("a length past the end of the stream is incomplete")
  func pastTheEnd() {
    let sink = decodeProtobuf([0x07, 0xff, 0xff, 0xff, 0x0a], piece: 1)
    #expect(sink.problems.map(\.kind) == [.incomplete])
  }

  @Test("a bare request that goes wrong keeps what came before")
  func bareFault() {
    let good = Bytes.request([Bytes.span()])
    let sink = decodeProtobuf(good + [0x02, 0x01, 0x61] + good)
    #expect(sink.spans.count == 1)
    #expect(sink.problems.map(\.kind) == [.malformed])
    #expect(sink.problems.first?.offset == UInt64(good.count))
  }

  @Test("the kind is told once for each look")
  func kind() {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var decoder = ProtobufStreamDecoder(source: SourceID(2))
    #expect(decoder.takeKind() == .unknown)
    Bytes.framed(Bytes.request([Bytes.span()])).withUnsafeBytes {
      decoder.consume($0, into: &assembler)
    }
    #expect(decoder.takeKind() == .otlpProtobuf)
    #expect(decoder.takeKind() == .unknown)
  }

  @Test("a message of another framing is decoded by itself")
  func message() {
    let sink = RecordingSink()
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
    var decoder = ProtobufStreamDecoder(source: SourceID(2))
    Bytes.request([Bytes.span()]).withUnsafeBytes {
      decoder.consumeMessage($0, at: 5000, into: &assembler)
    }
    #expect(sink.records.map(\.place.offset) == [5000])
    #expect(sink.spans.map(\.place.offset) == [5006])
  }
}
