import Foundation
import Testing

/// The binary under test, run without a terminal.
enum Program {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `PERFTOP_BINARY`, else the release build, else the debug build; nil where none was built.
  static let path: String? = {
    if let given = ProcessInfo.processInfo.environment["PERFTOP_BINARY"] { return given }
    return [".build/release/perftop", ".build/debug/perftop"]
      .map { root.appending(path: $0).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs to the end, in a folder, with `input` as standard input.
  ///
  /// The state folder is `state` in this folder, never the user's own.
  static func run(_ arguments: [String], in folder: URL, input: Data = Data()) throws -> Result {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_STATE_HOME": folder.appending(path: "state").path]
    ) { $1 }
    process.executableURL = URL(filePath: try #require(path))
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Files instead of pipes, which a long answer would fill while nobody reads.
    let files = ["in", "out", "err"].map { folder.appending(path: ".\($0)-\(UUID().uuidString)") }
    for file in files { try Data().write(to: file) }
    try input.write(to: files[0])
    let handles = [
      try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
      try FileHandle(forWritingTo: files[2]),
    ]
    process.standardInput = handles[0]
    process.standardOutput = handles[1]
    process.standardError = handles[2]
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: try String(contentsOf: files[1], encoding: .utf8),
      errors: try String(contentsOf: files[2], encoding: .utf8)
    )
  }
}

/// A folder that is gone when the test is over.
final class Scratch {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "perftop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    return path(name)
  }

  func append(_ name: String, _ text: String) throws {
    let handle = try FileHandle(forWritingTo: url.appending(path: name))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }
}

/// Ledger lines for tests; the time of day rises with the number.
func ledgerLine(_ number: Int, _ name: String = "api.get") -> String {
  let minute = String(format: "%02d:%02d", number / 60, number % 60)
  return #"{"ts":"2026-01-01T10:\#(minute).000Z","name":"\#(name)","ms":1250,"detail":"/v3/a"}"#
    + "\n"
}
