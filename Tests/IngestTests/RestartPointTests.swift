import CCompression
import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Restart points")
struct RestartPointTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How parts of a text are compressed.
  enum Form: CaseIterable, Sendable {
    case gzip, gzipMembers, zlib, zstd, zstdFrames, collector

    func compress(_ parts: [[UInt8]]) -> [UInt8] {
      switch self {
      case .gzip: CompressedFixtures.gzip(RestartPointTests.join(parts))
      case .gzipMembers: RestartPointTests.join(parts.map { CompressedFixtures.gzip($0) + [0, 0] })
      // Nothing but a gzip member tells what it is, but other members may be zlib's.
      case .zlib:
        CompressedFixtures.gzip(parts[0])
          + RestartPointTests.join(parts.dropFirst().map(RestartPointTests.zlib))
      case .zstd: CompressedFixtures.zstd(RestartPointTests.join(parts))
      case .zstdFrames: RestartPointTests.join(parts.map(CompressedFixtures.zstd))
      // The collector's messages have no line end, which is added when they are read.
      case .collector:
        RestartPointTests.join(
          parts.map { CompressedFixtures.collectorFrame(Array($0.dropLast())) }
        )
      }
    }
  }

  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(count))
    compress(&output, &count, bytes, UInt(bytes.count))
    return Array(output[..<Int(count)])
  }

  /// Faster than `joined`, byte for byte, without optimisation.
  private static func join(_ parts: some Sequence<[UInt8]>) -> [UInt8] {
    parts.reduce(into: []) { $0.append(contentsOf: $1) }
  }

  /// Lines of 200 KB each, with numbers that differ everywhere.
  private func parts(_ count: Int, seed: UInt64) -> [[UInt8]] {
    var random = SeededGenerator(seed: seed)
    let block = (0..<50_000).flatMap { _ in
      Array(String(UInt16.random(in: 0...9_999, using: &random)).utf8)
    }
    return (0..<count).map { number in
      var part = Array("line \(number) ".utf8)
      let turn = Int.random(in: 0..<block.count, using: &random)
      part += block[turn...]
      part += block[..<turn]
      part.append(0x0A)
      return part
    }
  }

  /// Reads a file as a source of a run, which collects its restart points.
  private func catalog(of name: String) -> SourceCatalog {
    let catalog = SourceCatalog(recentBytes: RecentBytes(capacity: 1))
    var options = IngestOptions { .zero }
    options.makeDecoder = { _, source, offset in Silence(source: source, offset: offset) }
    var loop = IngestLoop(
      requests: [.path(folder.path(name))],
      options: options,
      telemetry: Telemetry(sinks: []),
      catalog: catalog,
      stopSignal: StopSignal()
    )
    loop.runToEnd()
    return catalog
  }

  @Test("bytes from a restart point are those of the plain file", arguments: Form.allCases)
  func places(form: Form) throws {
    let parts = parts(20, seed: 7)
    let plain = Self.join(parts)
    try folder.write(form.compress(parts), to: "capture")
    let catalog = catalog(of: "capture")
    var random = SeededGenerator(seed: 8)
    for _ in 0..<15 {
      let length = Int.random(in: 1...60_000, using: &random)
      let offset = Int.random(in: 0...plain.count - length, using: &random)
      let place = RecordPlace(
        source: SourceID(0),
        offset: UInt64(offset),
        length: UInt32(length)
      )
      let wanted = Array(plain[offset..<offset + length])
      #expect(try catalog.bytes(at: place).get() == wanted, "\(length) bytes at \(offset)")
    }
    let end = UInt64(plain.count - 1_000)
    let point = catalog.restarts.nearest(to: end, of: SourceID(0))
    // A single zstd frame has no place in its middle.
    #expect((point == nil) == (form == .zstd))
    #expect(point.map { end - $0.output < 3 << 20 } ?? true)
    #expect(catalog.restarts.nearest(to: 1_000, of: SourceID(0)) == nil)
  }

  @Test("every point of a gzip file leads on to its end, across members too")
  func everyPoint() throws {
    let parts = parts(14, seed: 3)
    let plain = Self.join(parts)
    try folder.write(Form.gzip.compress(parts) + Form.zlib.compress(parts), to: "capture")
    let catalog = catalog(of: "capture")
    let file = try OpenFile.open(folder.path("capture")).get()
    let last = RecordPlace(
      source: SourceID(0),
      offset: UInt64(2 * plain.count - 50),
      length: 50
    )
    var offset = UInt64(2 * plain.count)
    var points = 0
    while offset > 0, let point = catalog.restarts.nearest(to: offset - 1, of: SourceID(0)) {
      points += 1
      offset = point.output
      #expect(CompressedPlace.bytes(of: file, at: last, from: point) == plain.suffix(50))
    }
    #expect(points >= 4)
  }

  @Test("points become sparser instead of more, for one file and for many")
  func bounded() {
    let points = RestartPoints()
    func fill(_ source: UInt16, megabytes: UInt64) {
      var recorder = RestartRecorder(points, SourceID(source))
      for output in stride(from: 0, to: megabytes << 20, by: 100_000)
      where recorder.isDue(at: output) {
        let window = [UInt8](repeating: 0, count: 32 << 10)
        let container = RestartPoint.Container.gzipBlock(bits: 0, window: window, trailer: 8)
        recorder.add(RestartPoint(input: output / 5, output: output, container: container))
      }
    }
    fill(0, megabytes: 10_000)
    #expect(points.cost <= RestartPoints.fileLimit * (33 << 10))
    for end in stride(from: UInt64(300), to: 10_000, by: 97) {
      let point = points.nearest(to: end << 20, of: SourceID(0))
      let distance = point.map { (end << 20) - $0.output } ?? .max
      #expect(distance < (10_000 << 20) / 32, "at \(end) MB")
    }
    for source: UInt16 in 1...40 { fill(source, megabytes: 200) }
    #expect(points.cost <= RestartPoints.limit * (33 << 10))
    for source: UInt16 in 1...40 {
      #expect(points.nearest(to: 190 << 20, of: SourceID(source)) != nil, "source \(source)")
    }
  }
}

/// Stands for a decoder that finds nothing.
private struct Silence: StreamDecoder {
  init(source: SourceID, offset: UInt64) {}

  mutating func consume(_ bytes: UnsafeRawBufferPointer, into assembler: inout RecordAssembler) {}
  mutating func settle(into assembler: inout RecordAssembler) {}
  mutating func finish(into assembler: inout RecordAssembler) {}
  mutating func takeKind() -> SourceKind { .unknown }
}
