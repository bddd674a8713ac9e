import Foundation
import Testing

@Suite(
  "Command line",
  .enabled(if: Program.path != nil, "needs a built perftop"),
  .timeLimit(.minutes(3))
)
struct CommandLineTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("good.jsonl", (0..<3).map { ledgerLine($0) }.joined())
    try FileManager.default.createDirectory(
      at: scratch.url.appending(path: "folder"),
      withIntermediateDirectories: true
    )
    try scratch.write("folder/notes.txt", "nothing to see\n")
    try scratch.write("empty.jsonl", "")
    try scratch.write("blank.jsonl", " \n\n\t\n")
    let noise = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ 31) | 0x80 })
    try noise.write(to: scratch.url.appending(path: "binary"))
  }

  private func run(_ arguments: String..., input: Data = Data()) throws -> Program.Result {
    try Program.run(arguments, in: scratch.url, input: input)
  }

  @Test(
    "what cannot be read ends with 2 and is named on stderr",
    arguments: ["missing.jsonl", "folder", "binary"]
  )
  func unreadable(source: String) throws {
    let result = try run("report", source)
    #expect(result.status == 2)
    #expect(result.errors.contains(source))
  }

  @Test(
    "empty input is no telemetry yet, which is fine",
    arguments: ["empty.jsonl", "blank.jsonl"]
  )
  func empty(source: String) throws {
    let result = try run("report", source)
    #expect(result.status == 0)
    #expect((result.output + result.errors).contains("no telemetry yet"))
  }

  @Test("one unreadable source among good ones: the others are reported, and the end is 2")
  func oneBad() throws {
    let result = try run("report", "missing.jsonl", "good.jsonl", "--format", "json")
    #expect(result.status == 2)
    #expect(result.errors.split(separator: "\n").count == 1)
    let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let quality = (report as? [String: Any])?["quality"] as? [String: Any]
    #expect((quality?["received"] as? [String: Any])?["ledgerEvents"] as? Int == 3)
  }

  @Test("an unknown option ends with 2, writes nothing to stdout and names the nearest one")
  func unknownOption() throws {
    let result = try run("--folow", "good.jsonl")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("--follow"))
  }

  @Test(
    "a budgets file that cannot be used ends with 2 and says where and why",
    arguments: [
      ("{\"budgets\":[\n{\"limt\":1}]}", ":2:2: unknown key \"limt\""), (nil, "No such file"),
    ] as [(String?, String)]
  )
  func badBudgets(text: String?, words: String) throws {
    if let text {
      try text.write(
        to: scratch.url.appendingPathComponent("budgets.json"),
        atomically: true,
        encoding: .utf8
      )
    }
    for form in ["report", "screen sessions"] {
      let arguments = form.split(separator: " ").map(String.init)
      let result = try Program.run(
        arguments + ["good.jsonl", "--budgets", "budgets.json"],
        in: scratch.url
      )
      #expect(result.status == 2)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("budgets.json"))
      #expect(result.errors.contains(words))
    }
  }

  @Test(
    "a filter or time that cannot be read ends with 2 and says where",
    arguments: [
      ("--filter", "screeen:x", "column 1: unknown key"),
      ("--filter", "screen~a(?=b)", "column 9: not supported: lookahead (?="),
      ("--since", "soon", "2026-11-30T10:00"),
      ("--until", "2026-02-30", "2026-02-30"),
    ]
  )
  func badSelection(option: String, value: String, words: String) throws {
    for form in ["report", "screen sessions"] {
      let arguments = form.split(separator: " ").map(String.init)
      let result = try Program.run(arguments + ["good.jsonl", option, value], in: scratch.url)
      #expect(result.status == 2)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains(words))
    }
  }

  @Test("times without a zone are of the zone shown, and a filtered report says what it is of")
  func selection() throws {
    // The demo starts at midnight UTC; its lines up to 00:05 are those up to 05:30 + 00:05 there.
    let times = [
      ["--until", "2026-01-01T00:05Z"], ["--until", "2026-01-01 05:35:00.0", "--tz", "+05:30"],
      ["--until", "2026-01-01T05:35+05:30"],
    ]
    var counts: Set<Int> = []
    for time in times {
      let result = try Program.run(
        ["report", "--demo", "--format", "json", "--filter", "signal=screen-tti"] + time,
        in: scratch.url
      )
      let report = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
      )
      let filter = try #require(report["filter"] as? [String: Any])
      #expect(filter["expression"] as? String == "signal=screen-tti")
      #expect(filter["until"] as? String == "2026-01-01T00:05:00.000000000Z")
      counts.insert(try #require(filter["records"] as? Int))
    }
    #expect(counts.count == 1)
    #expect(counts.first.map { $0 > 0 } == true)
  }

  @Test("no source and nothing on standard input is a usage error")
  func usage() throws {
    let result = try run("report")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(!result.errors.isEmpty)
  }

  @Test("a file and standard input give the same report, and stderr stays empty")
  func standardInput() throws {
    let file = try run("report", "good.jsonl")
    let input = try Data(contentsOf: scratch.url.appending(path: "good.jsonl"))
    for arguments in [["report", "-"], ["report"]] {
      let piped = try Program.run(arguments, in: scratch.url, input: input)
      #expect(piped.status == 0)
      #expect(piped.errors.isEmpty)
      #expect(piped.output.contains("api.get"))
    }
    #expect(file.status == 0)
    #expect(file.errors.isEmpty)
    #expect(file.output.contains("api.get"))
  }

  @Test("a closed standard input is an empty one")
  func closedInput() throws {
    let program = try #require(Program.path)
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "'\(program)' report - 0<&- >answer"]
    shell.currentDirectoryURL = scratch.url
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    let answer = try String(contentsOfFile: scratch.path("answer"), encoding: .utf8)
    #expect(answer.hasPrefix("no telemetry yet"))
  }

  @Test("a closed pipe is not a failure")
  func closedPipe() throws {
    let program = try #require(Program.path)
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = [
      "-c",
      "{ '\(program)' report --demo --format json; echo $? >&2; } 2>status | head -c 1 >answer",
    ]
    shell.currentDirectoryURL = scratch.url
    try shell.run()
    shell.waitUntilExit()
    #expect(try String(contentsOfFile: scratch.path("answer"), encoding: .utf8) == "{")
    let status = try String(contentsOfFile: scratch.path("status"), encoding: .utf8)
    #expect(status == "0\n")
  }

  @Test("the report of the demo is the same twice, and valid JSON")
  func demo() throws {
    let first = try run("report", "--demo", "--format", "json")
    #expect(first.status == 0)
    #expect(first.errors.isEmpty)
    #expect(try run("report", "--demo", "--format", "json").output == first.output)
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any]
    )
    #expect(report["schema"] as? String == "perftop.report/1")
    let states = (report["sessions"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
    let every = [
      "clean", "abandoned", "detached", "rejected", "open", "stale", "lost", "unmeasured",
    ]
    #expect(Set(states ?? []) == Set(every))
  }

  @Test("the pictures in screenshots are what the program draws today")
  func screenshots() throws {
    let program = try #require(Program.path)
    let check = Process()
    check.executableURL = URL(filePath: "/usr/bin/env")
    check.arguments = [
      "PERFTOP_BINARY=\(program)", Program.root.appending(path: "scripts/screenshots.sh").path,
      "--check",
    ]
    try check.run()
    check.waitUntilExit()
    #expect(check.terminationStatus == 0)
  }

  @Test("a screen has the size that was asked for", arguments: [(80, 24), (120, 40), (1, 1)])
  func screen(columns: Int, rows: Int) throws {
    let result = try run("screen", "sessions", "--demo", "--size", "\(columns)x\(rows)")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == rows)
    #expect(lines.allSatisfy { $0.count <= columns })
  }
}
