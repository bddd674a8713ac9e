import CPlatform
import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Runs in the spool")
struct SpoolRunTests {
  let folder: TemporaryFolder
  private let now = Guarded(Timestamp.zero)

  init() throws { folder = try TemporaryFolder() }

  private var state: String { folder.path("state") }

  /// A run that came `seconds` after the first one could.
  private func run(_ text: String, at seconds: Int64, limit: UInt64 = 1 << 20) -> SpoolProbe {
    let probe = SpoolProbe(SpoolSettings(folder: state, limit: limit))
    probe.receive(text, at: seconds)
    return probe
  }

  /// A sink whose writes fail as told: with an error number after half of the bytes, or not at all (0).
  private func probe(
    failing: Guarded<Int32>,
    fallback: RecentBytes? = nil
  ) -> SpoolProbe {
    var settings = SpoolSettings(folder: state)
    settings.write = { descriptor, head, payload in
      let error = failing.withLock { $0 }
      guard error != 0 else { return SpoolSegment.systemWrite(descriptor, head, payload) }
      let half = UnsafeRawBufferPointer(rebasing: payload[..<(payload.count / 2)])
      _ = SpoolSegment.systemWrite(descriptor, head, half)
      return error
    }
    return SpoolProbe(settings, fallback: fallback, clock: { [now] in now.withLock { $0 } })
  }

  @Test("the last is the newest that nobody writes any more")
  func newest() throws {
    #expect(SpoolFolders.newestFinished(in: state) == nil)
    var first: SpoolProbe? = run("one\n", at: 100)
    let firstFolder = try #require(first?.folder)
    #expect(SpoolFolders.newestFinished(in: state) == nil)
    #expect(SpoolFolders.newestRunning(in: state) == firstFolder)
    first = nil
    #expect(SpoolFolders.newestFinished(in: state) == firstFolder)
    var second: SpoolProbe? = run("two\n", at: 200)
    let secondFolder = try #require(second?.folder)
    #expect(SpoolFolders.newestFinished(in: state) == firstFolder)
    #expect(SpoolFolders.newestRunning(in: state) == secondFolder)
    #expect(second?.shown.lines == ["two"])
    second = nil
    #expect(SpoolFolders.newestFinished(in: state) == secondFolder)
    // Whoever reads it makes it no running one.
    let reader = SpoolLock(folder: secondFolder, exclusive: false)
    #expect(reader != nil && SpoolFolders.newestFinished(in: state) == secondFolder)
  }

  @Test("all folders opened together hold every line once")
  func together() {
    for number in 0..<3 {
      let probe = run("run \(number) line 1\nrun \(number) ", at: Int64(100 + number))
      probe.receive("line 2\n")
    }
    let sink = SpoolReading.open(state)
    #expect(sink.lines == (0..<3).flatMap { ["run \($0) line 1", "run \($0) line 2"] })
  }

  @Test("the bound holds over all runs: the oldest finished goes first, none that is in use")
  func bound() throws {
    let text = String(repeating: String(repeating: "x", count: 99) + "\n", count: 100)
    let old = run(text, at: 100, limit: 64 << 10).folder
    let read = run(text, at: 200, limit: 64 << 10).folder
    let running = run(text, at: 300, limit: 64 << 10)
    let reader = try #require(SpoolLock(folder: read, exclusive: false))
    let newest = run("", at: 400, limit: 64 << 10)
    for _ in 0..<20 { newest.receive(text) }
    #expect(SpoolFolders.runs(in: state) == [read, running.folder, newest.folder])
    #expect(!FileManager.default.fileExists(atPath: old))
    #expect(SpoolReading.open(read).lines.count == 100)
    let size = SpoolFolders.runs(in: state).flatMap { SpoolFolders.segments(in: $0) }
      .reduce(0) { $0 + $1.size }
    #expect(size <= 64 << 10)
    #expect(newest.sink.state.droppedBytes > 0)
    withExtendedLifetime(reader) {}
  }

  @Test("two at once get folders of their own")
  func two() {
    let first = run("one\n", at: 100)
    let second = run("two\n", at: 100)
    #expect(first.folder != second.folder)
    first.receive("more\n")
    #expect(SpoolReading.open(first.folder).lines == ["one", "more"])
    #expect(SpoolReading.open(second.folder).lines == ["two"])
  }

  @Test(
    "a disk that is full leaves no trace of what failed, says so, and is tried again later",
    arguments: [ENOSPC, EDQUOT, EIO, EROFS]
  )
  func fullDisk(error: Int32) throws {
    let failing = Guarded<Int32>(0)
    let recent = RecentBytes(capacity: 1_000)
    let probe = probe(failing: failing, fallback: recent)
    probe.receive("kept 1\n")
    #expect(probe.sink.isKeeping)
    failing.withLock { $0 = error }
    probe.receive("lost 1\n")
    #expect(!probe.sink.isKeeping)
    #expect(probe.sink.state.problem == SystemError(error).text)
    #expect(probe.sink.state.unkeptBytes == 7)
    failing.withLock { $0 = 0 }
    // Not before a while.
    probe.receive("lost 2\n")
    #expect(probe.sink.state.unkeptBytes == 14)
    now.withLock { $0 = Timestamp(seconds: 2) }
    #expect(probe.sink.isKeeping)
    probe.receive("kept 2\n")
    #expect(probe.sink.state.problem == nil)
    #expect(probe.shown.lines == ["kept 1", "lost 1", "lost 2", "kept 2"])
    let sink = SpoolReading.open(probe.folder)
    #expect(sink.lines == ["kept 1", "kept 2"])
    let gaps = sink.problems.filter { $0.kind == .incomplete }.map(\.text)
    #expect(gaps == ["14 bytes are missing in the spool"])
    // What was not written can be read while it is among the newest.
    let lost = RecordPlace(source: SourceID(0), offset: 7, length: 6)
    #expect(probe.sink.index.bytes(at: lost) == nil)
    #expect(recent.bytes(at: lost) == Array("lost 1".utf8))
  }

  @Test("records that could not be written are counted")
  func unkept() throws {
    let failing = Guarded<Int32>(0)
    var settings = SpoolSettings(folder: state)
    settings.write = { descriptor, head, payload in
      guard failing.withLock({ $0 }) == 0 else { return ENOSPC }
      return SpoolSegment.systemWrite(descriptor, head, payload)
    }
    let probe = SpoolProbe(settings, decoder: Decoders.make)
    let line = #"{"ts":"2026-01-01T10:00:00.000Z","name":"a","ms":1}"# + "\n"
    probe.receive(line)
    failing.withLock { $0 = 1 }
    probe.receive(line + line)
    #expect(probe.shown.ledger.count == 3)
    #expect(probe.sink.state.unkeptRecords == 2)
    #expect(probe.sink.state.missingRecords == 2)
  }

  @Test("a file that may not grow further is followed by another")
  func fileLimit() throws {
    var settings = SpoolSettings(folder: state)
    settings.write = { descriptor, head, payload in
      var status = cp_file_status()
      guard cp_status_of_descriptor(descriptor, &status) == 0, status.size < 500 else {
        return EFBIG
      }
      return SpoolSegment.systemWrite(descriptor, head, payload)
    }
    let probe = SpoolProbe(settings)
    let lines = (0..<40).map { "line \($0)" }
    for line in lines { probe.receive(line + "\n") }
    #expect(probe.sink.state.unkeptBytes == 0)
    #expect(SpoolFolders.segments(in: probe.folder).count > 3)
    #expect(SpoolReading.open(probe.folder).lines == lines)
  }

  @Test("a state folder that cannot be made is said, and reading goes on")
  func noFolder() throws {
    try folder.write("a file", to: "taken")
    let probe = SpoolProbe(SpoolSettings(folder: folder.path("taken/perftop")))
    probe.receive("one\n")
    #expect(probe.shown.lines == ["one"])
    #expect(!probe.sink.isKeeping)
    #expect(probe.sink.state.problem == "a file is where a folder should be")
    #expect(probe.sink.state.folder == folder.path("taken/perftop"))
  }

  @Test("a folder that somebody removes is followed by a new one")
  func removedFolder() throws {
    let probe = SpoolProbe(SpoolSettings(folder: state, limit: 32 << 10))
    probe.receive("one\n")
    let first = probe.folder
    try FileManager.default.removeItem(atPath: first)
    let line = String(repeating: "x", count: 400)
    for _ in 0..<5 { probe.receive(line + "\n") }
    #expect(probe.sink.state.problem == nil)
    #expect(!SpoolReading.open(probe.folder).lines.isEmpty)
    #expect(SpoolFolders.runs(in: state).count == 1)
  }
}
