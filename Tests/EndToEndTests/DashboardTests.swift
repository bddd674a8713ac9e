import Foundation
import Testing

@Suite(
  "Dashboard in a terminal",
  .serialized,
  .enabled(if: Tmux.isUsable, "needs tmux and a built perftop"),
  .timeLimit(.minutes(3))
)
struct DashboardTests {
  let scratch: Scratch
  let terminal: Tmux

  init() throws {
    scratch = try Scratch()
    terminal = try Tmux()
    try scratch.write("ledger.jsonl", (0..<5).map { ledgerLine($0) }.joined())
  }

  private func follow() throws -> Int32 {
    try terminal.open("--follow \(scratch.path("ledger.jsonl"))")
  }

  @Test("it opens on the alternate screen with its header in the first line")
  func header() throws {
    _ = try follow()
    let screen = try terminal.screen()
    #expect(screen.split(separator: "\n").first?.contains("perftop") == true)
  }

  @Test("a line is on the screen within a second of its append; three are allowed here")
  func append() throws {
    _ = try follow()
    try terminal.wait("the ledger") { $0.contains("api.get") }
    try scratch.append("ledger.jsonl", ledgerLine(9, "feed.openThread"))
    try terminal.wait("the appended line", seconds: 3) { $0.contains("feed.openThread") }
  }

  @Test("rotation and truncation while following lose nothing and count nothing twice")
  func rotation() throws {
    _ = try follow()
    try terminal.wait("the ledger") { $0.contains("api.get") }
    try scratch.append("ledger.jsonl", ledgerLine(10, "threads.hydrate"))
    try FileManager.default.moveItem(
      atPath: scratch.path("ledger.jsonl"),
      toPath: scratch.path("ledger.jsonl.prev")
    )
    try scratch.write("ledger.jsonl", ledgerLine(11, "image.load"))
    try terminal.wait("both sides of the rotation", seconds: 5) {
      $0.contains("threads.hydrate") && $0.contains("image.load")
    }
    try scratch.write("ledger.jsonl", "")
    try scratch.append("ledger.jsonl", ledgerLine(12, "socket.connect"))
    let screen = try terminal.wait("what follows a truncation", seconds: 5) {
      $0.contains("socket.connect")
    }
    // Five requests before the rotation, each counted once.
    let row = try #require(screen.split(separator: "\n").first { $0.contains("api.get") })
    #expect(row.split(separator: " ").contains("5"), "\(row)")
  }

  @Test("every size is drawn anew, down to 40×10 and up to 200×60")
  func resize() throws {
    _ = try follow()
    for (columns, rows) in [(40, 10), (200, 60), (80, 24)] {
      try terminal.resize(columns: columns, rows: rows)
      try terminal.wait("\(columns)×\(rows)", seconds: 5) { screen in
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.first?.contains("perftop") == true && lines.allSatisfy { $0.count <= columns }
          && lines.prefix(rows).last { !$0.isEmpty } != nil
      }
    }
  }

  /// Nil for the key `q`.
  @Test(
    "the shell's terminal comes back on every way out",
    arguments: [nil, 15, 11, 6] as [Int32?]
  )
  func restoration(signal: Int32?) throws {
    try terminal.enter("stty -a > \(scratch.path("before")); echo before-done")
    try terminal.wait("stty") { $0.contains("\nbefore-done") }
    let process = try follow()
    if let signal { kill(process, signal) } else { try terminal.press("q") }
    // The command line itself says `status=$?`: only a digit is the answer.
    let screen = try terminal.wait("the shell") {
      $0.range(of: "status=[0-9]", options: .regularExpression) != nil
    }
    #expect(try !terminal.isAlternateScreen)
    #expect(screen.contains("before-done"))
    if signal == nil { #expect(screen.contains("status=0\n")) }
    #expect(try terminal.query("#{cursor_flag}") == "1")
    try terminal.enter("stty -a > \(scratch.path("after")); echo after-done")
    try terminal.wait("stty") { $0.contains("\nafter-done") }
    let before = try String(contentsOfFile: scratch.path("before"), encoding: .utf8)
    let after = try String(contentsOfFile: scratch.path("after"), encoding: .utf8)
    #expect(before == after)
  }

  @Test(
    "idle, it takes one tick at most in ten seconds and writes nothing to the terminal",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "needs /proc")
  )
  func idle() async throws {
    let process = try follow()
    try terminal.wait("the ledger") { $0.contains("api.get") }
    // Measured time is the subject here, so this one waits by the clock.
    try await Task.sleep(for: .seconds(1))
    try terminal.tmux("pipe-pane", "-t", "t", "cat > \(scratch.path("written"))")
    let before = try ticks(of: process)
    try await Task.sleep(for: .seconds(10))
    #expect(try ticks(of: process) - before <= 1)
    let written = FileManager.default.contents(atPath: scratch.path("written")) ?? Data()
    #expect(written.isEmpty, "\(written.count) bytes")
  }

  /// User and system time; the name in parentheses may hold spaces.
  private func ticks(of process: Int32) throws -> Int {
    let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
    return try #require(Int(fields[11])) + #require(Int(fields[12]))
  }
}
