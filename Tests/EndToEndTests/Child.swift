import Foundation
import Testing

/// A process of our own that inherits nothing but what it is given.
struct Child {
  private let process: pid_t

  /// `input` is empty where it is nil; `output` takes stdout and stderr, and nil drops them.
  init(_ words: [String], input: Int32? = nil, output: Int32? = nil) throws {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    posix_spawn_file_actions_adddup2(&actions, input ?? null, 0)
    posix_spawn_file_actions_adddup2(&actions, output ?? null, 1)
    posix_spawn_file_actions_adddup2(&actions, output ?? null, 2)
    for descriptor: Int32 in 3..<256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // The threads that run tests block nearly every signal, and a server that inherits this hears
    // neither SIGTERM, with which it would end itself, nor SIGCHLD.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    try #require(posix_spawnp(&process, words[0], &actions, &attributes, pointers, environ) == 0)
    self.process = process
  }

  /// Ends it at once, whatever it does.
  func kill() {
    Foundation.kill(process, SIGKILL)
  }

  func signal(_ number: Int32) {
    Foundation.kill(process, number)
  }

  /// Waits for the end, and returns the exit status.
  @discardableResult
  func end() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status >> 8 & 0xFF
  }
}

/// Ends a tmux server when it is released, or when the tests' process ends, however that comes.
final class Lifeline {
  /// Closed by the system at the latest; the watcher reads the other end.
  private let held: Int32
  private let watcher: Child

  init(socket: String) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    // ^C reaches the watcher too, and is not for it.
    let script = "trap '' HUP INT TERM; read line; exec tmux -L \(socket) kill-server"
    watcher = try Child(["env", "-u", "TMUX", "sh", "-c", script], input: ends[0])
    held = ends[1]
  }

  deinit {
    close(held)
    watcher.end()
  }
}
