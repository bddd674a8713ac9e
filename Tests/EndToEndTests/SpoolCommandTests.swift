import Foundation
import Testing

@Suite(
  "The spool of the program",
  .enabled(if: Program.path != nil),
  .serialized,
  .timeLimit(.minutes(5))
)
struct SpoolCommandTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func report(_ result: Program.Result) throws -> WrittenReport {
    try WrittenReport(result.output.utf8)
  }

  private func last(_ arguments: [String] = []) throws -> Program.Result {
    try Program.run(["report", "--last", "--format", "json"] + arguments, in: scratch.url)
  }

  /// A run that reads a pipe; its folder of state is that of `Program.run`.
  private func start(_ words: [String], _ input: Int32, prefix: [String] = []) throws -> Child {
    let state = "XDG_STATE_HOME=\(scratch.path("state"))"
    return try Child(
      ["env", state] + prefix + [try #require(Program.path)] + words,
      input: input
    )
  }

  /// Two ends of a pipe, closed in children.
  private func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  @Test("a pipe is kept, and --last shows the same; --no-spool leaves no file")
  func again() throws {
    let text = (0..<3_000).map { ledgerLine($0 % 3_000) }.joined()
    try scratch.write("ledger.jsonl", text)
    for words in ["--no-spool", ""] {
      let (reading, writing) = try makePipe()
      let options = words.isEmpty ? [] : [words]
      let run = try start(["report", "--format", "json", "-"] + options, reading)
      close(reading)
      try FileHandle(fileDescriptor: writing, closeOnDealloc: false)
        .write(contentsOf: Data(text.utf8))
      close(writing)
      #expect(run.end() == 0)
      #expect(
        FileManager.default.fileExists(atPath: scratch.path("state/perftop")) == words.isEmpty
      )
    }
    let file = try report(
      try Program.run(["report", "ledger.jsonl", "--format", "json"], in: scratch.url)
    )
    let again = try report(try last())
    #expect(again.quality.received.ledgerEvents == 3_000)
    #expect(again.ledger.map(\.count) == file.ledger.map(\.count))
    #expect(again.sources.map(\.name) == ["-"] && again.sources.map(\.kind) == ["spool"])
    #expect(again.sources.map(\.bytes) == [text.utf8.count])
    #expect(file.spools == nil && again.spools?.count == 1)
  }

  @Test("nothing to open is said, with the status of what could not be done")
  func nothing() throws {
    let result = try last()
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("perftop: --last: no live run was kept in "))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("kill -9 at any moment loses nothing that was taken, and shows every line once")
  func killed() throws {
    var random = SystemRandomNumberGenerator()
    for round in 0..<12 {
      try? FileManager.default.removeItem(at: scratch.url.appending(path: "state"))
      let (reading, writing) = try makePipe()
      let run = try start(["report", "-"], reading)
      _ = fcntl(writing, F_SETFL, O_NONBLOCK)
      // From nothing taken yet to several megabytes.
      let limit = Int.random(in: 1...(1 << (10 + round)), using: &random)
      var sent: [UInt8] = []
      var number = 0
      while sent.count < limit {
        let line = Array(ledgerLine(number % 3_600).utf8)
        // Lines that are cut by a full pipe are finished later.
        var rest = line[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
          if count > 0 {
            rest = rest.dropFirst(count)
          } else {
            var entry = pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)
            _ = poll(&entry, 1, 1_000)
          }
        }
        sent += line
        number += 1
      }
      run.kill()
      run.end()
      // What it did not take is still in the pipe; one read may have been under way.
      var left = 0
      _ = fcntl(reading, F_SETFL, O_NONBLOCK)
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(reading, &piece, piece.count), count > 0 { left += count }
      close(reading)
      close(writing)
      let result = try last()
      guard result.status == 0 else {
        #expect(sent.count - left <= 1 << 16, "round \(round)")
        continue
      }
      let again = try report(result)
      let bytes = again.sources[0].bytes
      #expect(bytes <= sent.count - left && bytes >= sent.count - left - 1 << 16, "round \(round)")
      let whole = sent.prefix(bytes).count { $0 == 0x0A }
      #expect(again.quality.received.ledgerEvents == whole, "round \(round)")
      #expect(again.quality.malformed == 0 && again.quality.notTelemetry == 0)
      #expect(again.quality.incomplete <= 1)
    }
  }

  @Test("a state folder that cannot be used is said once, and the report is whole")
  func unusable() throws {
    try scratch.write("state", "a file where the folder should be")
    let (reading, writing) = try makePipe()
    let errors = open(scratch.path("errors"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let run = try Child(
      [
        "env", "XDG_STATE_HOME=\(scratch.path("state"))", try #require(Program.path), "report", "-",
      ],
      input: reading,
      output: errors
    )
    close(reading)
    close(errors)
    try FileHandle(fileDescriptor: writing, closeOnDealloc: false)
      .write(contentsOf: Data((0..<10).map { ledgerLine($0) }.joined().utf8))
    close(writing)
    #expect(run.end() == 0)
    let text = try String(contentsOfFile: scratch.path("errors"), encoding: .utf8)
    let folder = scratch.path("state/perftop")
    #expect(
      text.contains(
        "perftop: spool \(folder): a file is where a folder should be; "
          + "10 records were shown but not kept"
      )
    )
    #expect(text.contains("10 ledger events"))
  }

  @Test("a limit of a file's size ends nothing: further files are written")
  func fileSizeLimit() throws {
    let (reading, writing) = try makePipe()
    let script = "ulimit -f 256; exec \"$@\""
    let run = try start(["report", "-"], reading, prefix: ["sh", "-c", script, "sh"])
    close(reading)
    let text = (0..<3_600).map { ledgerLine($0) }.joined()
    for _ in 0..<2 {
      try FileHandle(fileDescriptor: writing, closeOnDealloc: false)
        .write(contentsOf: Data(text.utf8))
    }
    close(writing)
    #expect(run.end() == 0)
    let again = try report(try last())
    #expect(again.quality.received.ledgerEvents == 7_200)
    #expect(again.quality.spoolDropped == 0)
  }
}
