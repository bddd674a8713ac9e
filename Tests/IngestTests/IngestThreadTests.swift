import CPlatform
import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("The ingest thread", .timeLimit(.minutes(1)))
struct IngestThreadTests {
  let folder: TemporaryFolder
  let mailbox = Mailbox(limit: 64)

  private let pending = Pending()

  /// Problems that were taken but not asked for yet, newest first.
  private final class Pending {
    var problems: [Problem] = []
  }

  init() throws { folder = try TemporaryFolder() }

  private func thread(_ requests: [SourceRequest]) -> IngestThread {
    var options = IngestOptions { .wallClock }
    options.makeDecoder = LineCounter.factory
    options.decodeDetails = { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return RecordDetails(fields: [.init(depth: 0, key: "text", value: text)])
    }
    return IngestThread(requests: requests, options: options, mailbox: mailbox)
  }

  /// Takes batches until one of the problems says `text`; nil when the thread ended before.
  private func problem(_ text: String) -> Problem? {
    while true {
      while let problem = pending.problems.popLast() {
        if problem.text == text { return problem }
      }
      guard let batches = mailbox.waitAndTake() else { return nil }
      for case .problem(let problem) in batches.flatMap(\.events) {
        pending.problems.insert(problem, at: 0)
      }
    }
  }

  private func text(_ thread: IngestThread, at place: RecordPlace) throws -> String? {
    try thread.details(at: place).get().fields.first?.value
  }

  private func place(_ problem: Problem) -> RecordPlace {
    RecordPlace(
      source: problem.source,
      offset: problem.offset,
      length: UInt32(problem.text.utf8.count)
    )
  }

  @Test("delivers everything although the mailbox is smaller than the input, and ends")
  func backPressure() throws {
    let text = (0..<20_000).map { "line \($0)\n" }.joined()
    try folder.write(text, to: "a")
    let thread = thread([.path(folder.path("a"))])
    thread.start()
    var count = 0
    while let batches = mailbox.waitAndTake() {
      for case .problem in batches.flatMap(\.events) { count += 1 }
    }
    thread.join()
    #expect(count == 20_000)
  }

  @Test("follows a file until it is stopped, and finishes what it holds")
  func follow() throws {
    try folder.write("one\n", to: "log")
    let thread = thread([.follow(path: folder.path("log"), tail: nil)])
    thread.start()
    #expect(problem("one") != nil)
    try folder.append("two\nhalf", to: "log")
    #expect(problem("two")?.line == 2)
    try folder.rename("log", to: "log.1")
    try folder.write("three\n", to: "log")
    #expect(problem("three")?.source == SourceID(1))
    thread.stop()
    #expect(problem("half")?.kind == .incomplete)
    thread.join()
    #expect(mailbox.waitAndTake() == nil)
  }

  @Test("sees a followed file that is not there yet, and its folder neither")
  func awaited() throws {
    let thread = thread([.follow(path: folder.path("later/log"), tail: nil)])
    thread.start()
    try folder.write("one\n", to: "later/log")
    #expect(problem("one")?.source == SourceID(0))
    thread.stop()
    mailbox.cancel()
    thread.join()
  }

  @Test("stops while the mailbox is full, once its consumer has cancelled it")
  func stopWhenFull() throws {
    try folder.write(String(repeating: "line\n", count: 200_000), to: "a")
    let thread = thread([.path(folder.path("a")), .follow(path: folder.path("b"), tail: nil)])
    thread.start()
    _ = mailbox.waitAndTake()
    thread.stop()
    mailbox.cancel()
    thread.join()
  }

  @Test("reads a record again from its file")
  func details() throws {
    try folder.write("one\ntwo\nthree\n", to: "a")
    let thread = thread([.path(folder.path("a"))])
    thread.start()
    let two = try #require(problem("two"))
    while mailbox.waitAndTake() != nil {}
    thread.join()
    #expect(two.offset == 4)
    #expect(try text(thread, at: place(two)) == "two")
    let beyond = RecordPlace(source: SourceID(0), offset: 10, length: 10)
    #expect(throws: DetailsUnavailable.sourceChanged) { try thread.details(at: beyond).get() }
  }

  @Test("reads a record again from compressed files", arguments: [true, false])
  func compressedDetails(isGzip: Bool) throws {
    let bytes = Array((0..<50_000).map { "line \($0)\n" }.joined().utf8)
    let packed = isGzip ? CompressedFixtures.gzip(bytes) : CompressedFixtures.zstd(bytes)
    try folder.write(packed, to: "a")
    let thread = thread([.path(folder.path("a"))])
    thread.start()
    let found = try #require(problem("line 44444"))
    while mailbox.waitAndTake() != nil {}
    thread.join()
    #expect(try text(thread, at: place(found)) == "line 44444")
  }

  @Test("reads a record of a rotated file again, and says so when its bytes were overwritten")
  func rotatedDetails() throws {
    try folder.write("one\n", to: "log")
    let thread = thread([.follow(path: folder.path("log"), tail: nil)])
    thread.start()
    let one = try #require(problem("one"))
    try folder.rename("log", to: "log.1")
    try folder.write("two is longer\n", to: "log")
    let two = try #require(problem("two is longer"))
    #expect(try text(thread, at: place(one)) == "one")
    try folder.write("three\n", to: "log")
    _ = try #require(problem("three"))
    #expect(throws: DetailsUnavailable.sourceChanged) {
      try thread.details(at: place(two)).get()
    }
    thread.stop()
    mailbox.cancel()
    thread.join()
  }

  @Test("keeps a pipe's newest records, and says so of those that it no longer keeps")
  func pipeDetails() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    var options = IngestOptions { .wallClock }
    options.makeDecoder = LineCounter.factory
    options.recentBytesCapacity = 100
    options.decodeDetails = { RecordDetails(fields: [], omitted: $0.count) }
    let thread = IngestThread(requests: [.path(path)], options: options, mailbox: mailbox)
    thread.start()
    Thread.detachNewThread {
      let handle = FileHandle(forWritingAtPath: path)
      try? handle?.write(contentsOf: Array((100..<200).map { "\($0)\n" }.joined().utf8))
      try? handle?.close()
    }
    let first = try #require(problem("100"))
    let last = try #require(problem("199"))
    while mailbox.waitAndTake() != nil {}
    thread.join()
    #expect(try thread.details(at: place(last)).get().omitted == 3)
    #expect(throws: DetailsUnavailable.noLongerKept) {
      try thread.details(at: place(first)).get()
    }
  }

  @Test("with a spool, a pipe's records can be read again however long ago they came")
  func spooledDetails() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    var options = IngestOptions { .wallClock }
    options.makeDecoder = LineCounter.factory
    options.recentBytesCapacity = 1
    options.spool = SpoolSettings(folder: folder.path("state"))
    options.decodeDetails = { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return RecordDetails(fields: [.init(depth: 0, key: "text", value: text)])
    }
    let lines = (0..<200).map { "line \($0) " + String(repeating: "x", count: 1_000) }
    let thread = IngestThread(requests: [.path(path)], options: options, mailbox: mailbox)
    thread.start()
    Thread.detachNewThread {
      let handle = FileHandle(forWritingAtPath: path)
      // Compressed: places count what it holds, and so does the spool.
      let text = lines.map { $0 + "\n" }.joined()
      try? handle?.write(contentsOf: CompressedFixtures.gzip(Array(text.utf8)))
      try? handle?.close()
    }
    var events: [TelemetryEvent] = []
    while let batches = mailbox.waitAndTake() { events += batches.flatMap(\.events) }
    thread.join()
    let problems = events.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
    #expect(problems.map(\.text) == lines)
    for problem in [problems.first, problems.last].compactMap({ $0 }) {
      #expect(try text(thread, at: place(problem)) == problem.text)
    }
    let states = events.compactMap { if case .spool(let state) = $0 { state } else { nil } }
    let run = try #require(states.last?.folder)
    #expect(SpoolReading.open(run).lines == lines)
  }
}
