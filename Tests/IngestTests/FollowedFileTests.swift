import Foundation
import Testing

@testable import Ingest

@Suite("A followed file")
struct FollowedFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func probe(_ name: String = "log", tail: Int? = nil) -> FollowerProbe {
    FollowerProbe(folder.path(name), tail: tail)
  }

  @Test("is read from its beginning and then as it grows")
  func append() throws {
    try folder.write("one\n", to: "log")
    let probe = probe()
    probe.poll()
    #expect(probe.contents == ["one\n"])
    try folder.append("two\n", to: "log")
    try folder.append("three\n", to: "log")
    probe.poll()
    probe.poll()
    #expect(probe.contents == ["one\ntwo\nthree\n"])
    #expect(probe.problems.isEmpty)
  }

  @Test("passes on half a line at once and the rest when it comes")
  func halfLine() throws {
    try folder.write("one\ntw", to: "log")
    let probe = probe()
    probe.poll()
    #expect(probe.contents == ["one\ntw"])
    try folder.append("o\n", to: "log")
    probe.poll(afterSeconds: 1)
    #expect(probe.contents == ["one\ntwo\n"])
    #expect(probe.settled.isEmpty)
  }

  @Test("offers an unterminated line to the decoder after two calm seconds, once")
  func calm() throws {
    try folder.write("one", to: "log")
    let probe = probe()
    probe.poll()
    probe.poll(afterSeconds: 1.9)
    #expect(probe.settled.isEmpty)
    #expect(probe.secondsToDeadline.map { abs($0 - 0.1) < 0.001 } == true)
    probe.poll(afterSeconds: 0.1)
    probe.poll(afterSeconds: 10)
    #expect(probe.settled == [0])
    #expect(probe.secondsToDeadline == nil, "a calm file must not wake anybody")
    try folder.append("\ntwo\n", to: "log")
    probe.poll()
    probe.poll(afterSeconds: 2)
    #expect(probe.settled == [0, 0])
  }

  @Test("is drained before the file that takes its name is read")
  func rotation() throws {
    try folder.write("one\n", to: "log")
    let probe = probe()
    probe.poll()
    try folder.append("two without its end", to: "log")
    try folder.rename("log", to: "log.old")
    try folder.write("three\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["one\ntwo without its end", "three\n"])
    #expect(probe.settled == [0], "the last line of the old file must count at once")
  }

  @Test("is read on under its old name until the new file has been there for five calm seconds")
  func lateWriter() throws {
    try folder.write("one\n", to: "log")
    let probe = probe()
    probe.poll()
    try folder.rename("log", to: "log.old")
    probe.poll()
    #expect(probe.isAwaited)
    try folder.append("two\n", to: "log.old")
    probe.poll(afterSeconds: 1)
    try folder.write("new\n", to: "log")
    probe.poll(afterSeconds: 1)
    #expect(!probe.isAwaited)
    try folder.append("three\n", to: "log.old")
    probe.poll(afterSeconds: 4)
    #expect(probe.contents == ["one\ntwo\nthree\n", "new\n"])
    #expect(probe.ended.isEmpty)
    probe.poll(afterSeconds: 5)
    #expect(probe.ended == [0])
    try folder.append("new too\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["one\ntwo\nthree\n", "new\nnew too\n"])
  }

  @Test("is read from its beginning again after a truncation")
  func truncation() throws {
    try folder.write("one\ntwo\n", to: "log")
    let probe = probe()
    probe.poll()
    try folder.write("3\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["one\ntwo\n", "3\n"])
    #expect(probe.overwritten == [0])
  }

  @Test("that was emptied and written again under the same length is noticed by its first bytes")
  func replacementOfSameSize() throws {
    try folder.write("one\n", to: "log")
    let probe = probe()
    probe.poll()
    try folder.write("two\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["one\n", "two\n"])
  }

  @Test("that was replaced by longer content within one look is read from its beginning")
  func longerReplacement() throws {
    try folder.write("one\n", to: "log")
    let probe = probe()
    probe.poll()
    try folder.write("two\nthree\n", to: "log")
    probe.poll()
    #expect(probe.contents == ["one\n", "two\nthree\n"])
    #expect(probe.overwritten == [0])
  }

  @Test("that was replaced by longer content with the same first KiB is noticed by what follows")
  func longerReplacementWithTheSameHead() throws {
    let head = String(repeating: "h", count: 1_500) + "\n"
    try folder.write(head + "one\n", to: "log")
    let probe = probe()
    probe.poll()
    try folder.write(head + "two\nthree\n", to: "log")
    probe.poll()
    #expect(probe.contents == [head + "one\n", head + "two\nthree\n"])
  }

  @Test("keeps being read after its deletion, and what is created later is another file")
  func deletion() throws {
    try folder.write("one\n", to: "log")
    let probe = probe()
    probe.poll()
    let writer = try #require(FileHandle(forWritingAtPath: folder.path("log")))
    try writer.seekToEnd()
    try folder.remove("log")
    try writer.write(contentsOf: Array("two\n".utf8))
    probe.poll()
    #expect(probe.isAwaited)
    #expect(probe.contents == ["one\ntwo\n"])
    try folder.write("three\n", to: "log")
    probe.poll(afterSeconds: 60)
    #expect(!probe.isAwaited)
    #expect(probe.contents == ["one\ntwo\n", "three\n"])
    try writer.close()
  }

  @Test("may come later, also with its folder")
  func notYetThere() throws {
    let probe = probe("later/log")
    probe.poll()
    #expect(probe.isAwaited)
    #expect(probe.contents.isEmpty)
    #expect(probe.problems.isEmpty)
    try folder.write("one\n", to: "later/log")
    probe.poll(afterSeconds: 1)
    #expect(!probe.isAwaited)
    #expect(probe.contents == ["one\n"])
  }

  @Test("that is a folder is named as a problem once, and read when a file takes its place")
  func folderInPlace() throws {
    try folder.write("x", to: "log/inner")
    let probe = probe()
    probe.poll()
    probe.poll(afterSeconds: 1)
    #expect(probe.problems == ["is a directory"])
    try folder.remove("log")
    try folder.write("one\n", to: "log")
    probe.poll(afterSeconds: 1)
    #expect(probe.contents == ["one\n"])
  }

  @Test("through a symbolic link that is pointed elsewhere is followed there and back, each once")
  func symbolicLink() throws {
    try folder.write("a1\n", to: "a")
    try folder.write("b1\n", to: "b")
    try folder.link("log", to: "a")
    let probe = probe()
    probe.poll()
    try folder.append("a2\n", to: "a")
    try folder.link("log", to: "b")
    probe.poll()
    #expect(probe.contents == ["a1\na2\n", "b1\n"])
    try folder.link("log", to: "a")
    try folder.append("a3\n", to: "a")
    probe.poll()
    #expect(probe.contents == ["a1\na2\na3\n", "b1\n"])
    probe.poll(afterSeconds: 6)
    try folder.append("b2\n", to: "b")
    try folder.link("log", to: "b")
    probe.poll()
    #expect(probe.contents == ["a1\na2\na3\n", "b1\n", "b2\n"], "b goes on where it was left")
  }
}
