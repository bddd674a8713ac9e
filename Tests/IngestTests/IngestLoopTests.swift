import CPlatform
import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Ingest", .timeLimit(.minutes(1)))
struct IngestLoopTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ requests: [SourceRequest],
    decoder: @escaping DecoderFactory = LineCounter.factory
  ) -> RecordingSink {
    let sink = RecordingSink()
    var options = IngestOptions { Timestamp(seconds: 1_800_000_000) }
    options.makeDecoder = decoder
    var loop = IngestLoop(
      requests: requests,
      options: options,
      telemetry: Telemetry(sinks: [sink])
    )
    loop.runToEnd()
    return sink
  }

  private func sources(_ sink: RecordingSink) -> [SourceOpened] {
    sink.events.compactMap { if case .source(let source) = $0 { source } else { nil } }
  }

  private func states(_ sink: RecordingSink, of source: UInt16) -> [SourceProgress] {
    sink.events.compactMap { event in
      guard case .progress(let progress) = event, progress.source.rawValue == source else {
        return nil
      }
      return progress
    }
  }

  private func lines(_ sink: RecordingSink, kind: ProblemKind = .malformed) -> [String] {
    sink.problems.filter { $0.kind == kind }.map(\.text)
  }

  @Test("reads files in the order of the command line, each to its end")
  func files() throws {
    try folder.write("b1\nb2", to: "b")
    try folder.write("a1\n", to: "a")
    let sink = run([.path(folder.path("b")), .path(folder.path("a"))])
    #expect(sources(sink).map(\.name) == [folder.path("b"), folder.path("a")])
    #expect(sink.problems.map(\.text) == ["b1", "b2", "a1"])
    #expect(sink.problems.map(\.source.rawValue) == [0, 0, 1])
    #expect(lines(sink, kind: .incomplete) == ["b2"])
    #expect(states(sink, of: 0).map(\.state) == [.reading, .ended])
    #expect(states(sink, of: 0).last?.bytesRead == 5)
    #expect(states(sink, of: 0).last?.bytesTotal == 5)
  }

  @Test("says when bytes arrived before what they hold, and flushes at the end")
  func arrival() throws {
    try folder.write("one\n", to: "a")
    let sink = run([.path(folder.path("a"))])
    let kinds = sink.events.map { event in
      switch event {
      case .source: "source"
      case .arrival(let time): "arrival \(time.nanoseconds / 1_000_000_000)"
      case .problem: "line"
      case .progress(let progress): "\(progress.state)"
      default: "other"
      }
    }
    #expect(kinds == ["source", "reading", "arrival 1800000000", "line", "ended"])
    #expect(sink.flushes > 0)
  }

  @Test("reads a folder file by file, and an empty one is a problem")
  func folders() throws {
    try folder.write("2\n", to: "logs/b.jsonl")
    try folder.write("1\n", to: "logs/a/x.jsonl")
    try folder.write("", to: "none/.hidden")
    let sink = run([.path(folder.path("logs")), .path(folder.path("none"))])
    #expect(lines(sink) == ["1", "2"])
    #expect(sources(sink).map(\.name).first == folder.path("logs/a/x.jsonl"))
    #expect(lines(sink, kind: .unreadable) == ["the folder holds no files"])
  }

  @Test("names what cannot be opened and goes on with the others")
  func unreadable() throws {
    try folder.write("1\n", to: "a")
    let sink = run([.path(folder.path("missing")), .path(folder.path("a"))])
    #expect(lines(sink, kind: .unreadable) == ["no such file"])
    #expect(states(sink, of: 0).map(\.state) == [.failed])
    #expect(lines(sink) == ["1"])
  }

  @Test("names formats that it does not read, and reads nothing of them")
  func refused() throws {
    try folder.write([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 1, 2, 3], to: "capture.jsonl")
    let sink = run([.path(folder.path("capture.jsonl"))])
    #expect(lines(sink, kind: .notTelemetry) == ["xz is not a format that perftop reads"])
    #expect(sink.problems.count == 1)
    #expect(states(sink, of: 0).last?.state == .failed)
  }

  @Test("opens gzip and zstd whatever the name, and counts bytes as stored")
  func compressed() throws {
    let text = (0..<5_000).map { "line \($0)\n" }.joined()
    let gzip = CompressedFixtures.gzip(Array(text.utf8))
    let zstd = CompressedFixtures.zstd(Array(text.utf8))
    try folder.write(gzip, to: "a.jsonl")
    try folder.write(zstd, to: "b.gz")
    let sink = run([.path(folder.path("a.jsonl")), .path(folder.path("b.gz"))])
    #expect(lines(sink).count == 10_000)
    #expect(states(sink, of: 0).last?.bytesRead == UInt64(gzip.count))
    #expect(states(sink, of: 1).last?.bytesRead == UInt64(zstd.count))
  }

  @Test("one problem for a cut archive, which takes the line that it cuts with it")
  func cutArchive() throws {
    let text = (0..<50_000).map { "line \($0)\n" }.joined()
    let gzip = CompressedFixtures.gzip(Array(text.utf8))
    try folder.write(Array(gzip.dropLast(gzip.count / 2)), to: "a.gz")
    let sink = run([.path(folder.path("a.gz"))])
    #expect(lines(sink, kind: .incomplete) == ["the gzip data ends in the middle"])
    let whole = lines(sink)
    #expect(whole.count > 10_000)
    #expect(whole == (0..<whole.count).map { "line \($0)" })
    #expect(states(sink, of: 0).last?.state == .failed)
  }

  @Test("a wrong check sum is one loss to syntax, and the lines before it count")
  func damagedArchive() throws {
    var gzip = CompressedFixtures.gzip(Array("one\ntwo\n".utf8))
    gzip[gzip.count - 8] ^= 0xFF
    try folder.write(gzip, to: "a.gz")
    let sink = run([.path(folder.path("a.gz"))])
    #expect(lines(sink) == ["one", "two", "damaged gzip data: incorrect data check"])
    #expect(states(sink, of: 0).last?.state == .failed)
  }

  @Test("reads a named pipe until its writer closes it")
  func pipe() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let text = (0..<30_000).map { "line \($0)\n" }.joined()
    Thread.detachNewThread {
      let handle = FileHandle(forWritingAtPath: path)
      try? handle?.write(contentsOf: Array(text.utf8))
      try? handle?.close()
    }
    let sink = run([.path(path)])
    #expect(lines(sink).count == 30_000)
    #expect(sources(sink).map(\.isLive) == [true])
    #expect(states(sink, of: 0).last?.state == .ended)
  }

  @Test("the demo is two sources that hold the same for the same seed")
  func demo() {
    let start = Timestamp(seconds: 1_767_225_600)
    let request = SourceRequest.demo(seed: 1, start: start, seconds: 600)
    let first = run([request])
    #expect(sources(first).map(\.name) == ["demo", "demo ledger"])
    #expect(first.problems.count > 100)
    #expect(run([request]).problems.map(\.text) == first.problems.map(\.text))
    let times = first.events.compactMap { if case .arrival(let time) = $0 { time } else { nil } }
    #expect(times == times.sorted())
    #expect((times.first ?? .zero) >= start)
    #expect((times.last ?? .zero) < start.advanced(byMilliseconds: 600_000))
  }

  @Test("generated bytes are taken when they are due, until their source ends")
  func generated() {
    struct Three: GeneratedSource {
      var made = 0
      let start: Timestamp
      private var due: Timestamp { start.advanced(byMilliseconds: Int64(made) * 20) }
      init(start: Timestamp) { self.start = start }
      var nextDue: Timestamp? { made < 3 ? due : nil }
      mutating func next(until now: Timestamp) -> GeneratedPiece? {
        guard made < 3, due <= now else { return nil }
        defer { made += 1 }
        return GeneratedPiece(bytes: Array("line \(made)\n".utf8), arrival: due)
      }
    }
    let start = Timestamp(seconds: 1_800_000_000)
    let sink = run([.generated(names: ["three"]) { Three(start: start) }])
    #expect(lines(sink) == ["line 0", "line 1", "line 2"])
    #expect(states(sink, of: 0).map(\.state) == [.live, .ended])
  }

  @Test(
    "a rotated or compressed ledger belongs to the ledger",
    arguments: [
      ("logs/perf.jsonl", "logs/perf.jsonl"), ("logs/perf.jsonl.prev", "logs/perf.jsonl"),
      ("perf.prev.jsonl", "perf.jsonl"), ("perf.jsonl.1", "perf.jsonl"),
      ("perf.jsonl.12.gz", "perf.jsonl"), ("perf.jsonl.prev.zst", "perf.jsonl"), ("-", "-"),
      ("a.1/perf", "a.1/perf"),
    ]
  )
  func ledgerNames(path: String, name: String) {
    #expect(LedgerName.of(path) == name)
  }
}
