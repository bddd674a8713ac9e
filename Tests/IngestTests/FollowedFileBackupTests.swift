import Foundation
import Testing

@testable import Ingest

@Suite("What lies beside a followed file")
struct FollowedFileBackupTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func probe(_ name: String = "log", tail: Int? = nil) -> FollowerProbe {
    FollowerProbe(folder.path(name), tail: tail)
  }

  @Test("is read first", arguments: ["log.prev", "log.1"])
  func backupFirst(name: String) throws {
    try folder.write("old\n", to: name)
    try folder.write("new\n", to: "log")
    let probe = probe()
    probe.poll()
    #expect(probe.names == [name, "log"])
    #expect(probe.contents == ["old\n", "new\n"])
  }

  @Test("may have .prev before the suffix, as in events.prev.jsonl")
  func previousBeforeSuffix() throws {
    try folder.write("old\n", to: "events.prev.jsonl")
    try folder.write("new\n", to: "events.jsonl")
    let probe = probe("events.jsonl")
    probe.poll()
    #expect(probe.contents == ["old\n", "new\n"])
  }

  @Test("is read while the file itself is not there yet")
  func backupAlone() throws {
    try folder.write("old\n", to: "log.prev")
    let probe = probe()
    probe.poll()
    #expect(probe.contents == ["old\n"])
    #expect(probe.isAwaited)
    try folder.write("new\n", to: "log")
    probe.poll(afterSeconds: 30)
    #expect(probe.contents == ["old\n", "new\n"])
  }

  @Test("is not read twice when it is the same inode")
  func hardLink() throws {
    try folder.write("one\n", to: "log")
    try FileManager.default.linkItem(atPath: folder.path("log"), toPath: folder.path("log.prev"))
    let probe = probe()
    probe.poll()
    try folder.append("two\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["one\ntwo\n"])
  }

  @Test("is not read again after the rotation that put it there")
  func rotationToBackup() throws {
    try folder.write("one\n", to: "log")
    let probe = probe()
    probe.poll()
    for round in 2...5 {
      try folder.rename("log", to: "log.prev")
      try folder.write("round \(round)\n", to: "log")
      probe.poll(afterSeconds: 7)
    }
    #expect(probe.contents == ["one\n"] + (2...5).map { "round \($0)\n" })
  }

  @Test("is read when two rotations came between two looks", arguments: [1, 3])
  func missedRotations(count: Int) throws {
    try folder.write("first\n", to: "log")
    let probe = probe()
    probe.poll()
    for round in 0..<count {
      for number in (1...4).reversed() {
        try? folder.rename("log.\(number)", to: "log.\(number + 1)")
      }
      try folder.rename("log", to: "log.1")
      try folder.write("round \(round)\n", to: "log")
    }
    probe.poll()
    #expect(probe.contents == ["first\n"] + (0..<count).map { "round \($0)\n" })
  }

  @Test("is not read when it is a copy that copytruncate made")
  func copyTruncate() throws {
    let text = (0..<100).map { "line \($0) of the log\n" }.joined()
    try folder.write(text, to: "log")
    let probe = probe()
    probe.poll()
    try folder.write(text, to: "log.1")
    try folder.write("", to: "log")
    probe.poll()
    try folder.append("next\n", to: "log")
    try folder.rename("log", to: "log.0")
    try folder.write("last\n", to: "log")
    probe.poll()
    #expect(probe.contents == [text, "next\n", "last\n"])
  }

  @Test("gives what came between the last look and copytruncate")
  func copyTruncateRest() throws {
    try folder.write("one\n", to: "log")
    let probe = probe()
    probe.poll()
    try folder.write("one\ntwo\n", to: "log.1")
    try folder.write("3\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["one\ntwo\n", "3\n"])
    try folder.rename("log", to: "log.0")
    try folder.write("4\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["one\ntwo\n", "3\n", "4\n"])
  }

  @Test(
    "is left out with --tail, which begins with the last lines",
    arguments: [
      (0, "1\n2\n3\n", ""), (1, "1\n2\n3\n", "3\n"), (2, "1\n2\n3\n", "2\n3\n"),
      (3, "1\n2\n3\n", "1\n2\n3\n"), (9, "1\n2\n3\n", "1\n2\n3\n"),
      (1, "1\n2\n3", "3"), (2, "1\n2\n3", "2\n3"), (1, "", ""), (1, "\n\n", "\n"),
    ]
  )
  func tail(lines: Int, text: String, expected: String) throws {
    try folder.write("old\n", to: "log.1")
    try folder.write(text, to: "log")
    let probe = probe(tail: lines)
    probe.poll()
    #expect(probe.contents == [expected])
    try folder.append("4\n", to: "log")
    probe.poll()
    try folder.rename("log", to: "log.2")
    try folder.write("5\n", to: "log")
    probe.poll()
    #expect(probe.contents == [expected + "4\n", "5\n"])
  }

  @Test("a tail of many lines is found across pieces of 64 KB")
  func longTail() throws {
    let lines = (0..<20_000).map { "line \($0)\n" }
    try folder.write(lines.joined(), to: "log")
    let probe = probe(tail: 15_000)
    probe.poll()
    #expect(probe.contents == [lines.suffix(15_000).joined()])
  }

  @Test("with --tail a file that comes later is read from its beginning")
  func tailOfLaterFile() throws {
    let probe = probe(tail: 1)
    probe.poll()
    try folder.write("1\n2\n3\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["1\n2\n3\n"])
  }
}
