import Foundation

/// A folder of one test, removed with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let name = "perftop-test-\(UUID().uuidString)"
    path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file anew, in place if it exists: the file keeps its inode.
  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let folder = (path(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if !FileManager.default.fileExists(atPath: path(name)) {
      _ = FileManager.default.createFile(atPath: path(name), contents: nil)
    }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  func append(_ text: String, to name: String) throws {
    guard FileManager.default.fileExists(atPath: path(name)) else {
      try write(text, to: name)
      return
    }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
    try handle.seekToEnd()
    try handle.write(contentsOf: Array(text.utf8))
    try handle.close()
  }

  /// Renames as rotation does: an existing target is replaced.
  func rename(_ name: String, to other: String) throws {
    let status = Foundation.rename(path(name), path(other))
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  func link(_ name: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: path(name))
    try FileManager.default.createSymbolicLink(
      atPath: path(name),
      withDestinationPath: path(target)
    )
  }
}
