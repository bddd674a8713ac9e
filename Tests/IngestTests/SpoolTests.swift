import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("The spool")
struct SpoolTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func settings(limit: UInt64 = 1 << 20) -> SpoolSettings {
    SpoolSettings(folder: folder.path("state/perftop"), limit: limit)
  }

  /// Bytes of all runs on disk.
  private var size: UInt64 {
    SpoolFolders.runs(in: folder.path("state/perftop"))
      .flatMap { SpoolFolders.segments(in: $0) }.reduce(0) { $0 + $1.size }
  }

  private func place(_ offset: Int, _ length: Int, of source: UInt16 = 0) -> RecordPlace {
    RecordPlace(source: SourceID(source), offset: UInt64(offset), length: UInt32(length))
  }

  @Test("gives back sources by name, with their bytes, order and arrivals")
  func replay() throws {
    let probe = SpoolProbe(settings())
    probe.open(4, name: "-")
    probe.open(7, name: "phone.jsonl")
    probe.receive("first\nsec", of: 4, at: 100)
    probe.receive("other\n", of: 7, at: 101)
    probe.receive("ond\n", of: 4, at: 102)
    let sink = SpoolReading.open(probe.folder)
    let opened = sink.events.compactMap { event -> SourceOpened? in
      if case .source(let source) = event { source } else { nil }
    }
    #expect(opened.map(\.name) == ["-", "phone.jsonl"])
    #expect(opened.map(\.ledgerName) == ["-", "phone.jsonl"])
    #expect(opened.map(\.isSpooled) == [true, true] && opened.map(\.isLive) == [false, false])
    #expect(sink.lines == ["first", "other", "second"])
    #expect(sink.problems.map(\.source.rawValue) == [0, 1, 0])
    #expect(sink.problems.map(\.offset) == [0, 0, 6])
    let arrivals = sink.events.compactMap { event -> Int64? in
      if case .arrival(let time) = event { time.nanoseconds / 1_000_000_000 } else { nil }
    }
    #expect(arrivals == [100, 101, 102])
    #expect(sink.spool?.missingRecords == 0)
    #expect(sink.spool?.bytes == size)
  }

  @Test("makes nothing before something comes, and then folders and files for the user only")
  func permissions() throws {
    let probe = SpoolProbe(settings())
    probe.open(0, name: "-")
    #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
    probe.receive("line\n")
    #expect(try TemporaryFolder.mode(folder.path("state")) == 0o700)
    #expect(try TemporaryFolder.mode(folder.path("state/perftop")) == 0o700)
    #expect(try TemporaryFolder.mode(probe.folder) == 0o700)
    for name in ["000001.spool", ".lock"] {
      #expect(try TemporaryFolder.mode("\(probe.folder)/\(name)") == 0o600)
    }
  }

  @Test("ignores sources that are their own capture")
  func others() throws {
    let probe = SpoolProbe(settings())
    probe.open(0, name: "-")
    var telemetry = Telemetry(sinks: [probe.sink])
    let isKept = Array("x".utf8).withUnsafeBytes {
      let piece = RawPiece(
        source: SourceID(1),
        offset: 0,
        arrival: .zero,
        content: .json,
        bytes: $0
      )
      return telemetry.observe(piece: piece)
    }
    #expect(isKept)
    #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
  }

  @Test("keeps within its bound; the newest lines stay whole, others count", arguments: 1...4)
  func bound(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let settings = settings(limit: 64 << 10)
    let probe = SpoolProbe(settings, decoder: Decoders.make)
    var text: [UInt8] = []
    var count = 0
    while text.count < 300_000 {
      let detail = String(repeating: "d", count: Int.random(in: 0...300, using: &random))
      let time = #""ts":"2026-01-01T10:00:00.000Z""#
      let line = #"{\#(time),"name":"n\#(count)","ms":1,"detail":"\#(detail)"}"#
      text += Array(line.utf8) + [0x0A]
      count += 1
    }
    // Two sources that are cut anywhere, in turn.
    for source: UInt16 in [0, 1] { probe.open(source, name: "source \(source)") }
    var offsets = [0, 0]
    while let source = [0, 1].filter({ offsets[$0] < text.count }).randomElement(using: &random) {
      let end = min(text.count, offsets[source] + Int.random(in: 1...1_500, using: &random))
      probe.receive(Array(text[offsets[source]..<end]), of: UInt16(source))
      offsets[source] = end
      #expect(size <= settings.limit)
    }
    #expect(size > settings.limit * 3 / 4)
    #expect(probe.sink.state.bytes == size)
    #expect(probe.shown.ledger.count == 2 * count)
    let sink = SpoolReading.open(probe.folder, decoder: Decoders.make)
    #expect(sink.problems.isEmpty)
    for source: UInt16 in [0, 1] {
      let kept = sink.ledger.filter { $0.place.source.rawValue == source }.map(\.place.offset)
      let all = probe.shown.ledger.filter { $0.place.source.rawValue == source }.map(\.place.offset)
      #expect(!kept.isEmpty && kept == Array(all.suffix(kept.count)))
    }
    let dropped = probe.sink.state.droppedRecords
    #expect(sink.ledger.count + dropped == 2 * count)
    #expect(sink.spool?.droppedRecords == dropped)
    // Every record can be read by its place, or has left.
    let keptPlaces = Set(sink.ledger.map(\.place))
    for event in probe.shown.ledger {
      let start = Int(event.place.offset)
      let bytes = probe.sink.index.bytes(at: event.place)
      let isKept = keptPlaces.contains(event.place)
      #expect(bytes == nil || bytes == Array(text[start..<start + Int(event.place.length)]))
      #expect(bytes != nil || !isKept)
    }
  }

  @Test("finds the bytes of records across pieces and segments, and none that never came")
  func places() throws {
    let probe = SpoolProbe(settings(limit: 32 << 10))
    let text = (0..<60).map { "line \($0) " + String(repeating: "x", count: 80) + "\n" }.joined()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 61) {
      probe.receive(Array(bytes[start..<min(start + 61, bytes.count)]))
    }
    #expect(SpoolFolders.segments(in: probe.folder).count > 3)
    for start in stride(from: 0, to: bytes.count - 200, by: 47) {
      let wanted = Array(bytes[start..<start + 200])
      #expect(probe.sink.index.bytes(at: place(start, 200)) == wanted, "at \(start)")
    }
    #expect(probe.sink.index.bytes(at: place(bytes.count - 10, 11)) == nil)
    #expect(probe.sink.index.bytes(at: place(0, 1, of: 9)) == nil)
  }

  @Test("messages of their own do not run into each other")
  func wholeMessages() throws {
    let probe = SpoolProbe(settings())
    probe.open(0, name: "otlp :4318")
    var telemetry = Telemetry(sinks: [probe.sink])
    var offset: UInt64 = 0
    for text in ["no line end", "two\nlines\n", "again none"] {
      Array(text.utf8).withUnsafeBytes {
        let piece = RawPiece(
          source: SourceID(0),
          offset: offset,
          arrival: .zero,
          content: .json,
          isWhole: true,
          bytes: $0
        )
        let isKept = telemetry.observe(piece: piece)
        #expect(isKept)
        offset += UInt64($0.count)
      }
    }
    let sink = SpoolReading.open(probe.folder)
    #expect(sink.problems.map(\.text) == ["no line end", "two", "lines", "again none"])
    #expect(sink.problems.map(\.offset) == [0, 11, 15, 21])
  }

  @Test("the state folder is the user's, and only absolute paths name one")
  func location() {
    #expect(SpoolSettings.folder(stateHome: "/s", home: "/h") == "/s/perftop")
    #expect(SpoolSettings.folder(stateHome: "s", home: "/h") == "/h/.local/state/perftop")
    #expect(SpoolSettings.folder(stateHome: "", home: "/h") == "/h/.local/state/perftop")
    #expect(SpoolSettings.folder(stateHome: nil, home: nil) == nil)
  }
}
