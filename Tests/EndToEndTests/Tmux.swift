import Foundation
import Testing

/// A shell in a terminal of tmux, with a server of its own that no configuration reaches.
final class Tmux {
  /// Tests that need a terminal are left out where this is false, and say so.
  static let isInstalled = (try? execute(["-V"]))?.status == 0
  static let isUsable = isInstalled && Program.path != nil

  private let socket: String
  private let lifeline: Lifeline

  /// Starts a POSIX shell with a known prompt.
  init(columns: Int = 80, rows: Int = 24) throws {
    socket = "perftop-\(UUID().uuidString.prefix(8))"
    lifeline = try Lifeline(socket: socket)
    try tmux(
      "new-session",
      "-d",
      "-s",
      "t",
      "-x",
      "\(columns)",
      "-y",
      "\(rows)",
      "env PS1='ready$ ' LC_ALL=C.UTF-8 ENV= sh"
    )
    try wait("the shell's prompt") { $0.contains("ready$") }
  }

  @discardableResult
  func tmux(_ arguments: String...) throws -> String {
    let result = try Self.execute(["-L", socket, "-f", "/dev/null"] + arguments)
    try #require(result.status == 0, "tmux \(arguments): \(result.output)")
    return result.output
  }

  func type(_ text: String) throws { try tmux("send-keys", "-t", "t", "-l", text) }
  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", "-t", "t", key) }
  }
  func enter(_ command: String) throws {
    try type(command)
    try press("Enter")
  }
  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-t", "t", "-x", "\(columns)", "-y", "\(rows)")
  }
  func screen() throws -> String { try tmux("capture-pane", "-p", "-t", "t") }
  func query(_ format: String) throws -> String {
    try tmux("display-message", "-p", "-t", "t", format)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
  var isAlternateScreen: Bool { get throws { try query("#{alternate_on}") == "1" } }

  /// Polls the screen until it is as wanted; records the screen where it never is.
  @discardableResult
  func wait(
    _ what: String,
    seconds: Double = 10,
    until isWanted: (String) throws -> Bool
  ) throws -> String {
    let deadline = Date(timeIntervalSinceNow: seconds)
    var last = ""
    repeat {
      last = try screen()
      if try isWanted(last) { return last }
      usleep(30_000)
    } while Date() < deadline
    Issue.record("waited \(seconds) s for \(what); the screen is:\n\(last)")
    throw Missing()
  }

  struct Missing: Error {}

  /// Opens the dashboard, and returns its process id.
  func open(_ arguments: String) throws -> Int32 {
    let program = try #require(Program.path)
    try enter("\(program) \(arguments); echo status=$?")
    try wait("the dashboard") { [self] screen in
      try isAlternateScreen && screen.contains("perftop")
    }
    let shell = try query("#{pane_pid}")
    let children = try Self.execute(["-P", shell], tool: "pgrep").output
    return try #require(Int32(children.split(separator: "\n").last ?? ""))
  }

  private static func execute(
    _ arguments: [String],
    tool: String = "tmux"
  ) throws -> (status: Int32, output: String) {
    // Not Foundation's Process, which waits until every process that inherited its descriptors is gone,
    // and a tmux server stays. A file, not a pipe, for the same reason.
    let file = FileManager.default.temporaryDirectory.appending(path: "tmux-\(UUID().uuidString)")
      .path
    defer { unlink(file) }
    try Data().write(to: URL(filePath: file))
    let output = try FileHandle(forWritingTo: URL(filePath: file))
    let words = ["env", "-u", "TMUX", "LC_ALL=C.UTF-8", "TERM=xterm-256color", tool] + arguments
    let status = try Child(words, output: output.fileDescriptor).end()
    return (status, try String(contentsOfFile: file, encoding: .utf8))
  }
}
