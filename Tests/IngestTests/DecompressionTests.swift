import Testing

@testable import Ingest

@Suite("Decompression")
struct DecompressionTests {
  enum Format: CaseIterable, Sendable {
    case gzip
    case zstd

    func compress(_ bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .gzip: CompressedFixtures.gzip(bytes)
      case .zstd: CompressedFixtures.zstd(bytes)
      }
    }

    func makeDecompressor() -> any Decompressor {
      switch self {
      case .gzip: GzipDecompressor()
      case .zstd: ZstdDecompressor()
      }
    }
  }

  struct Outcome {
    var bytes: [UInt8] = []
    var failure: DecompressionFailure?
    var longestPiece = 0
  }

  /// Feeds bytes in pieces and ends.
  private func read(_ bytes: [UInt8], as format: Format, piece: Int) -> Outcome {
    let decompressor = format.makeDecompressor()
    var outcome = Outcome()
    do throws(DecompressionFailure) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = Array(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        try feed(part, to: decompressor, &outcome)
      }
      try decompressor.finish()
    } catch { outcome.failure = error }
    return outcome
  }

  private func feed(
    _ part: [UInt8],
    to decompressor: any Decompressor,
    _ outcome: inout Outcome
  ) throws(DecompressionFailure) {
    let result = part.withUnsafeBytes { pointer -> Result<Void, DecompressionFailure> in
      do throws(DecompressionFailure) {
        try decompressor.decompress(pointer) {
          outcome.bytes.append(contentsOf: $0)
          outcome.longestPiece = max(outcome.longestPiece, $0.count)
        }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  @Test("gives what was compressed, split anywhere", arguments: Format.allCases, [1, 7, 64 << 10])
  func roundTrip(format: Format, piece: Int) {
    let data = CompressedFixtures.noise(20_000) + [UInt8](repeating: 65, count: 100_000)
    let outcome = read(format.compress(data), as: format, piece: piece)
    #expect(outcome.failure == nil)
    #expect(outcome.bytes == data)
  }

  @Test("goes on over several members or frames", arguments: Format.allCases, [1, 5, 1_000])
  func members(format: Format, piece: Int) {
    let parts = ["one\n", "", "two\n", "three\n"].map { Array($0.utf8) }
    let outcome = read(parts.flatMap(format.compress), as: format, piece: piece)
    #expect(outcome.failure == nil)
    #expect(outcome.bytes == parts.flatMap { $0 })
  }

  @Test("keeps what came before a cut, and says that it was cut", arguments: Format.allCases)
  func cut(format: Format) {
    let first = CompressedFixtures.noise(300_000)
    let whole = format.compress(first) + format.compress(CompressedFixtures.noise(300_000, seed: 2))
    let outcome = read(Array(whole.dropLast(20_000)), as: format, piece: 4_096)
    #expect(outcome.bytes.count > 300_000)
    #expect(Array(outcome.bytes.prefix(300_000)) == first)
    guard case .cut = outcome.failure else {
      Issue.record("not cut: \(String(describing: outcome.failure))")
      return
    }
  }

  @Test("keeps what came before damage, and says so", arguments: Format.allCases)
  func damage(format: Format) {
    let text = Array("a line of text\n".utf8)
    let outcome = read(format.compress(text) + Array("no magic".utf8), as: format, piece: 3)
    #expect(outcome.bytes == text)
    guard case .damaged = outcome.failure else {
      Issue.record("not damaged: \(String(describing: outcome.failure))")
      return
    }
  }

  @Test("a wrong check sum is damage, and the content is kept")
  func checkSum() {
    let text = Array("a line of text\n".utf8)
    var bytes = CompressedFixtures.gzip(text)
    bytes[bytes.count - 8] ^= 0xFF
    let outcome = read(bytes, as: .gzip, piece: 1_000)
    #expect(outcome.bytes == text)
    #expect(outcome.failure == .damaged("damaged gzip data: incorrect data check"))
  }

  @Test("passes over zeros between and behind gzip members")
  func padding() {
    let zeros = [UInt8](repeating: 0, count: 1_000)
    let bytes = CompressedFixtures.gzip([65]) + zeros + CompressedFixtures.gzip([66]) + zeros
    let outcome = read(bytes, as: .gzip, piece: 64)
    #expect(outcome.failure == nil)
    #expect(outcome.bytes == [65, 66])
  }

  @Test("a bomb comes out in pieces of at most 64 KB", arguments: Format.allCases)
  func bomb(format: Format) {
    let blanks = [UInt8](repeating: 0x20, count: 8 << 20)
    let outcome = read(format.compress(blanks), as: format, piece: 64 << 10)
    #expect(outcome.bytes.count == 8 << 20)
    #expect(outcome.longestPiece <= 64 << 10)
  }
}

@Suite("The collector's compressed files")
struct CollectorFramesTests {
  private func read(_ bytes: [UInt8], piece: Int) -> (String, [String], DecompressionFailure?) {
    let frames = CollectorFrames()
    var output: [UInt8] = []
    var failure: DecompressionFailure?
    var losses: [String] = []
    var rest = bytes[...]
    do {
      while !rest.isEmpty {
        try Array(rest.prefix(piece)).withUnsafeBytes { pointer in
          try frames.decompress(pointer) { output.append(contentsOf: $0) }
        }
        losses += frames.takeLosses()
        rest = rest.dropFirst(piece)
      }
      try frames.finish()
    } catch { failure = error as? DecompressionFailure }
    return (String(decoding: output, as: UTF8.self), losses, failure)
  }

  private func frame(_ text: String) -> [UInt8] {
    CompressedFixtures.collectorFrame(Array(text.utf8))
  }

  @Test("JSON messages become lines, split anywhere", arguments: [1, 3, 10_000])
  func lines(piece: Int) {
    let (text, losses, failure) = read(frame("{\"a\":1}") + frame("{\"b\":2}"), piece: piece)
    #expect(text == "{\"a\":1}\n{\"b\":2}\n")
    #expect(losses.isEmpty)
    #expect(failure == nil)
  }

  @Test("protobuf messages get their lengths back", arguments: [1, 10_000])
  func lengths(piece: Int) {
    let request: [UInt8] = [0x0A, 0x08, 0x0A, 0x06, 0x0A, 0x04, 0x0A, 0x02, 0x01, 0x02]
    let bytes = CompressedFixtures.collectorFrame(request)
    let (text, _, failure) = read(bytes + bytes, piece: piece)
    let framed = CompressedFixtures.length(10) + request
    #expect(Array(text.utf8) == framed + framed)
    #expect(failure == nil)
  }

  @Test("a damaged frame costs itself only")
  func damagedFrame() {
    var damaged = frame(String(repeating: "lost ", count: 20))
    damaged[6] ^= 0xFF
    let (text, losses, failure) = read(frame("one") + damaged + frame("two"), piece: 7)
    #expect(text == "one\ntwo\n")
    #expect(losses.count == 1)
    #expect(failure == nil)
  }

  @Test("a cut last frame is told, and nothing of it is passed on")
  func cut() {
    let (text, _, failure) = read(frame("one") + frame("two").dropLast(3), piece: 100)
    #expect(text == "one\n")
    #expect(failure == .cut("the last frame is cut"))
  }

  @Test("an impossible length ends the reading without memory for it")
  func hugeLength() {
    let (text, _, failure) = read(frame("one") + [0xFF, 0xFF, 0xFF, 0xFF, 1, 2], piece: 100)
    #expect(text == "one\n")
    #expect(failure == .damaged("a frame claims a length of 4294967295 bytes"))
  }
}
