import Model
import TestSupport

@testable import Ingest

/// Decodes the pieces as one stream and keeps what was observed.
func decodeJSON(
  _ pieces: [[UInt8]],
  valueLimit: Int = 128 << 20,
  finishes: Bool = true
) -> RecordingSink {
  let sink = RecordingSink()
  var assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink]))
  var decoder = JSONStreamDecoder(source: SourceID(1), valueLimit: valueLimit)
  for piece in pieces {
    // A copy of its own, so that a read outside of the piece is a read outside of its memory.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
    copy.copyBytes(from: piece)
    decoder.consume(UnsafeRawBufferPointer(copy), into: &assembler)
    copy.deallocate()
  }
  if finishes { decoder.finish(into: &assembler) }
  return sink
}

func decodeJSON(_ text: String) -> RecordingSink {
  decodeJSON([Array(text.utf8)])
}

/// A request with one span that has these members besides its ids, name and times.
func spanRequest(_ members: String, resource: String = "") -> String {
  let ids = #""traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"1112131415161718""#
  let times = #""startTimeUnixNano":"1787000000000000000","endTimeUnixNano":"1787000000800000000""#
  let more = members.isEmpty ? "" : ",\(members)"
  return #"{"resourceSpans":[{\#(resource)"scopeSpans":[{"spans":[{\#(ids),"name":"x",\#(times)"#
    + #"\#(more)}]}]}]}"#
}

/// A request with a span made of these members alone.
func bareSpanRequest(_ members: String) -> String {
  #"{"resourceSpans":[{"scopeSpans":[{"spans":[{\#(members)}]}]}]}"#
}

extension RecordingSink {
  /// Everything observed, as text for comparison.
  var transcript: [String] {
    events.map { "\($0)" }
      + records.map { "\($0.place) \(String(decoding: $0.bytes, as: UTF8.self))" }
  }

  var problemKinds: [ProblemKind] { problems.map(\.kind) }

  func names() -> [String] { spans.map { text($0.name) ?? "" } }
}
