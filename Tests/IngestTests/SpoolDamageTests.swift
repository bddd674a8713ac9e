import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("A damaged spool")
struct SpoolDamageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// One segment of pieces, and what they held.
  private func segment(_ pieces: [String]) throws -> [UInt8] {
    let probe = SpoolProbe(SpoolSettings(folder: folder.path("live")))
    probe.open(0, name: "-")
    for piece in pieces { probe.receive(piece) }
    let paths = SpoolFolders.segments(in: probe.folder).map(\.path)
    #expect(paths.count == 1)
    return try folder.contents(paths[0])
  }

  private func reopen(_ bytes: some Sequence<UInt8>) throws -> RecordingSink {
    try folder.write(Array(bytes), to: "copy/000001.spool")
    return SpoolReading.open(folder.path("copy"))
  }

  @Test("cut at any byte holds every line before the cut, once, and says what is missing")
  func cut() throws {
    // Pieces end within lines, as reads of a pipe do; no line begins like a head.
    let text = (0..<12).map { "line \($0) " + String(repeating: "x", count: $0) + "\n" }.joined()
    let bytes = Array(text.utf8)
    let pieces = stride(from: 0, to: bytes.count, by: 37).map {
      String(decoding: bytes[$0..<min($0 + 37, bytes.count)], as: UTF8.self)
    }
    let whole = try segment(pieces)
    let heads = (0..<whole.count - 43).filter { index in
      whole[index...].withUnsafeBytes { SpoolFrame(UnsafeRawBufferPointer($0)) } != nil
    }
    #expect(heads.count == pieces.count + 2)
    for cut in 0...whole.count {
      let sink = try reopen(whole[..<cut])
      // By hand: bytes of the pieces that lie before the cut, whatever frames they are in.
      let kept = heads.dropFirst(2).enumerated().reduce(0) { sum, head in
        sum + min(pieces[head.offset].utf8.count, max(0, cut - head.element - 44))
      }
      let lines = String(decoding: bytes[..<kept], as: UTF8.self).split(
        separator: "\n",
        omittingEmptySubsequences: false
      )
      #expect(sink.lines == lines.dropLast().map(String.init), "cut at \(cut)")
      let isCutInside = cut > 0 && cut < whole.count && !heads.contains(cut)
      let told = sink.problems.filter { $0.text.hasPrefix("the last write was cut") }
      // Less than a head tells no spool.
      #expect(told.count == (isCutInside && cut >= 44 ? 1 : 0), "cut at \(cut)")
    }
  }

  @Test("a wrong byte costs the frame that it lies in and nothing else, and is counted")
  func flipped() throws {
    let pieces = (0..<6).map { "first \($0)\nsecond \($0)\n" }
    let all = pieces.flatMap { $0.split(separator: "\n").map(String.init) }
    let whole = try segment(pieces)
    let heads = (0..<whole.count - 43).filter { index in
      whole[index...].withUnsafeBytes { SpoolFrame(UnsafeRawBufferPointer($0)) } != nil
    }
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= UInt8(1 << (index % 8))
      let sink = try reopen(bytes)
      let frame = heads.lastIndex { $0 <= index } ?? 0
      var expected = all
      // The frames before the pieces name the run and the source.
      if frame >= 2 { expected.removeSubrange((frame - 2) * 2..<(frame - 1) * 2) }
      #expect(sink.lines == expected, "byte \(index)")
      let damage = sink.problems.filter { $0.text.hasSuffix("bytes of the spool are damaged") }
      #expect(damage.count == 1, "byte \(index)")
      #expect(damage.first?.kind == .malformed)
    }
  }

  @Test("bytes that are no frame, between frames and at the end, are passed over")
  func junk() throws {
    let whole = try segment(["one\n", "two\n"])
    let second = try #require(
      (0..<whole.count - 43).last { index in
        whole[index...].withUnsafeBytes { SpoolFrame(UnsafeRawBufferPointer($0)) } != nil
      }
    )
    // Longer than what is read at a time.
    let zeros = [UInt8](repeating: 0, count: 200_000)
    let sink = try reopen(whole[..<second] + zeros + whole[second...] + zeros)
    #expect(sink.lines == ["one", "two"])
    #expect(
      sink.problems.filter { $0.line == 0 }.map(\.text)
        == Array(repeating: "200000 bytes of the spool are damaged", count: 2)
    )
  }

  @Test("any flipped bit of a head makes it none")
  func heads() {
    let payload = Array("payload".utf8)
    var frame = payload.withUnsafeBytes { SpoolFrame(.piece, payload: $0) }
    frame.source = 3
    frame.content = .protobuf
    frame.isWhole = true
    frame.arrival = Timestamp(nanoseconds: 1_234_567_890_123_456_789)
    frame.offset = 0x0102_0304_0506_0708
    var head = [UInt8](repeating: 0, count: SpoolFrame.headSize)
    head.withUnsafeMutableBytes { frame.write(to: $0) }
    #expect(head.withUnsafeBytes { SpoolFrame($0) } == frame)
    // CRC-32 of "payload", from Python's zlib.
    #expect(frame.checksum == 0x422C_6A15)
    for bit in 0..<head.count * 8 {
      var wrong = head
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(wrong.withUnsafeBytes { SpoolFrame($0) } == nil, "bit \(bit)")
    }
  }
}
