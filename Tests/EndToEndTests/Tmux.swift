import Foundation
import Testing

/// A shell in a terminal of tmux, with a server of its own that no configuration reaches.
final class Tmux {
  /// Tests that need a terminal are left out where this is false, and say so.
  static let isInstalled = (try? execute(["-V"]))?.status == 0
  static let isUsable = isInstalled && Program.path != nil

  private let socket = "perftop-\(UUID().uuidString.prefix(8))"

  /// Starts a POSIX shell with a known prompt.
  init(columns: Int = 80, rows: Int = 24) throws {
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

  deinit { _ = try? Self.execute(["-L", socket, "kill-server"]) }

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
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, file, O_CREAT | O_WRONLY, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    for descriptor: Int32 in 3..<128 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    let words = ["env", "-u", "TMUX", "LC_ALL=C.UTF-8", "TERM=xterm-256color", tool] + arguments
    let pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    try #require(posix_spawnp(&process, "env", &actions, nil, pointers, environ) == 0)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return (status >> 8 & 0xFF, try String(contentsOfFile: file, encoding: .utf8))
  }
}
