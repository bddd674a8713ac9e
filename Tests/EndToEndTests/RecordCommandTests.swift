import Foundation
import Testing

@Suite(
  "perftop record",
  .enabled(if: Program.path != nil),
  .timeLimit(.minutes(5))
)
struct RecordCommandTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) throws -> Program.Result {
    try Program.run(words, in: scratch.url)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: scratch.url.appending(path: name), encoding: .utf8)
  }

  private static var fixture: String {
    Program.root.appending(path: "Tests/Fixtures/record/requests.pb").path
  }

  /// Both reports without what names the source and the places in it.
  private func comparable(_ report: Program.Result) throws -> String {
    var object = try #require(
      try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
    )
    object["sources"] = nil
    let findings = object["findings"] as? [[String: Any]] ?? []
    object["findings"] = findings.map { $0.filter { $0.key != "evidence" } }
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  @Test("protobuf becomes the Collector's lines, which give the same report")
  func roundTrip() throws {
    let result = try run("record", "--output", "out.jsonl", Self.fixture)
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(
      result.errors
        == "perftop: out.jsonl: 4 spans, 3 logs, 0 ledger events, 12 metric points, 13,774 bytes\n"
    )
    let expected = Program.root.appending(path: "Tests/Fixtures/record/requests.jsonl")
    #expect(try text("out.jsonl") == String(contentsOf: expected, encoding: .utf8))
    let direct = try comparable(try run("report", "--format", "json", Self.fixture))
    let again = try comparable(try run("report", "--format", "json", "out.jsonl"))
    #expect(direct == again)
  }

  @Test("the demo's story is the same when it is read from its recording")
  func demo() throws {
    #expect(try run("record", "--demo", "--output", "demo.jsonl").status == 0)
    let again = try run("record", "--output", "-", "demo.jsonl")
    #expect(again.output == (try text("demo.jsonl")))
  }

  @Test("a file that holds something is left alone without --force, and so is one that is read")
  func existing() throws {
    try scratch.write("own.jsonl", ledgerLine(1))
    try scratch.write("empty.jsonl", "")
    let refused = try run("record", "--output", "own.jsonl", Self.fixture)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("own.jsonl is there already and holds"))
    let itself = try run("record", "--force", "--output", "own.jsonl", "own.jsonl")
    #expect(itself.status == 2)
    #expect(itself.errors.contains("is read by this very run"))
    #expect(try text("own.jsonl") == ledgerLine(1))
    #expect(try run("record", "--output", "empty.jsonl", Self.fixture).status == 0)
    #expect(try run("record", "--force", "--output", "own.jsonl", Self.fixture).status == 0)
    #expect(try text("own.jsonl") == (try text("empty.jsonl")))
  }

  @Test(
    "what does not fit together is said",
    arguments: [
      (["record"], "record needs a file"),
      (["record", "--output", "x", "--filter", "a"], "writes everything"),
      (["report", "--output", "x"], "--output and --force are for record"),
      (["record", "--output", "x", "--format", "json"], "--format is not for record"),
      (["report", "--max-spans", "0", "x"], "--max-spans takes"),
      (["report", "--stop-at", "screeen:x", "x"], "--stop-at column 1: unknown key"),
    ]
  )
  func usage(words: [String], text: String) throws {
    let result = try Program.run(words, in: scratch.url)
    #expect(result.status == 2)
    #expect(result.errors.contains(text))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("x")))
  }

  @Test("a full disk is said with what to do, and ends with 2")
  func full() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let result = try run("record", "--output", "/dev/full", Self.fixture)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("perftop: /dev/full: no space left on device: "))
    #expect(result.errors.contains("make room"))
  }

  @Test("where a file may not grow, it ends with its last whole line")
  func limited() throws {
    #expect(try run("record", "--demo", "--output", "whole.jsonl").status == 0)
    let binary = try #require(Program.path)
    // Blocks of 512 bytes.
    let script = "ulimit -f 150; exec '\(binary)' record --no-spool --demo --output cut.jsonl"
    let child = try Child(["sh", "-c", "cd '\(scratch.url.path)' && \(script)"])
    #expect(child.end() == 2)
    let (cut, whole) = (try text("cut.jsonl"), try text("whole.jsonl"))
    #expect(cut.utf8.count > 30_000)
    #expect(cut.utf8.count < whole.utf8.count)
    #expect(cut.hasSuffix("\n"))
    #expect(whole.hasPrefix(cut))
  }

  @Test("a pipe is recorded line by line, up to the span that --max-spans names")
  func pipe() throws {
    var ends: [Int32] = [0, 0]
    try #require(Foundation.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let state = "XDG_STATE_HOME=\(scratch.path("state"))"
    let binary = try #require(Program.path)
    let words = ["record", "-", "--max-spans", "3", "--output", scratch.path("out.jsonl")]
    let child = try Child(["env", state, binary] + words, input: ends[0])
    close(ends[0])
    let lines = (1...5).map { number in
      let id = String(format: "%016x", number)
      return
        #"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"\#(id)\#(id)","spanId":"\#(id)","#
        + #""name":"work","startTimeUnixNano":"1","endTimeUnixNano":"2"}]}]}]}"# + "\n"
    }
    let handle = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    try handle.write(contentsOf: Data(lines.joined().utf8))
    // The pipe stays open: the run ends by itself.
    #expect(child.end() == 0)
    close(ends[1])
    #expect(try text("out.jsonl") == lines[..<3].joined())
    let last = try run("record", "--last", "--output", "last.jsonl")
    #expect(last.status == 0)
    #expect(try text("last.jsonl") == lines.joined())
  }
}
