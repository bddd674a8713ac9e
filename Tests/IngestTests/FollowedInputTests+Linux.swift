#if os(Linux)
import CPlatform
import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("The wake-ups of a followed path")
struct FollowedInputTests {
  let folder: TemporaryFolder
  private let now = Timestamp(seconds: 500)

  init() throws { folder = try TemporaryFolder() }

  private func makeContext() -> IngestContext {
    var options = IngestOptions { .zero }
    options.makeDecoder = LineCounter.factory
    return IngestContext(
      telemetry: Telemetry(sinks: [RecordingSink()]),
      catalog: SourceCatalog(recentBytes: RecentBytes(capacity: 1)),
      options: options
    )
  }

  /// Steps the input until it waits, as the poll loop does.
  private func settle(_ input: inout FollowedInput, _ hints: ChangeHints, at time: Timestamp) {
    let context = makeContext()
    for _ in 0..<10 {
      while case .more = input.step(now: time, isReadable: false, context: context) {}
      guard input.watch(with: hints) else { break }
    }
    hints.clear()
  }

  private func isAwake(_ hints: ChangeHints) -> Bool {
    var entry = pollfd(fd: hints.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    defer { hints.clear() }
    return poll(&entry, 1, 0) == 1
  }

  @Test("are none while nothing changes, once the last line has been offered")
  func served() throws {
    try folder.write("one line\n", to: "log")
    var input = FollowedInput(path: folder.path("log"), tail: nil)
    let hints = ChangeHints()
    settle(&input, hints, at: now)
    #expect(input.deadline == now.advanced(byMilliseconds: 2_000))
    settle(&input, hints, at: now.advanced(byMilliseconds: 2_000))
    #expect(input.deadline == nil)
  }

  @Test("are none while an awaited file's folder is there")
  func awaited() throws {
    var input = FollowedInput(path: folder.path("log"), tail: nil)
    settle(&input, ChangeHints(), at: now)
    #expect(input.deadline == nil)
  }

  @Test("come with growth, rotation, truncation, deletion and creation of the file")
  func hints() throws {
    try folder.write("one line\n", to: "log")
    var input = FollowedInput(path: folder.path("log"), tail: nil)
    let hints = ChangeHints()
    settle(&input, hints, at: now)
    #expect(!isAwake(hints))
    let changes: [(String, (TemporaryFolder) throws -> Void)] = [
      ("growth", { try $0.append("two\n", to: "log") }),
      ("truncation", { try $0.write("", to: "log") }),
      ("rename", { try $0.rename("log", to: "log.1") }),
      ("growth under another name", { try $0.append("three\n", to: "log.1") }),
      ("creation", { try $0.write("four\n", to: "log") }),
      ("deletion", { try $0.remove("log") }),
    ]
    for (name, change) in changes {
      try change(folder)
      #expect(isAwake(hints), "\(name)")
      settle(&input, hints, at: now)
    }
  }

  @Test("do not come with the growth of other files in the folder")
  func neighbours() throws {
    try folder.write("one line\n", to: "log")
    try folder.write("x", to: "other")
    var input = FollowedInput(path: folder.path("log"), tail: nil)
    let hints = ChangeHints()
    settle(&input, hints, at: now)
    try folder.append("y", to: "other")
    #expect(!isAwake(hints))
  }

  @Test("come through a symbolic link, whose target may grow elsewhere")
  func link() throws {
    try folder.write("one line\n", to: "elsewhere/log")
    try folder.link("log", to: "elsewhere/log")
    var input = FollowedInput(path: folder.path("log"), tail: nil)
    let hints = ChangeHints()
    settle(&input, hints, at: now)
    try folder.append("two\n", to: "elsewhere/log")
    #expect(isAwake(hints))
    try folder.link("log", to: "elsewhere")
    #expect(isAwake(hints))
  }

  @Test("are one a second while the folder is not there")
  func missingFolder() {
    var input = FollowedInput(path: folder.path("later/log"), tail: nil)
    settle(&input, ChangeHints(), at: now)
    #expect(input.deadline == now.advanced(byMilliseconds: 1_000))
  }

  @Test("are one a second while the path cannot be read")
  func unsuitable() throws {
    try folder.write("x", to: "log/inner")
    var input = FollowedInput(path: folder.path("log"), tail: nil)
    settle(&input, ChangeHints(), at: now)
    #expect(input.deadline == now.advanced(byMilliseconds: 1_000))
  }

  @Test("are one a second behind a folder that is a symbolic link, which may be pointed elsewhere")
  func linkedFolder() throws {
    try folder.write("one line\n", to: "real/log")
    try folder.link("current", to: "real")
    var input = FollowedInput(path: folder.path("current/log"), tail: nil)
    let hints = ChangeHints()
    settle(&input, hints, at: now)
    settle(&input, hints, at: now.advanced(byMilliseconds: 2_000))
    #expect(input.deadline == now.advanced(byMilliseconds: 3_000))
  }
}
#endif
