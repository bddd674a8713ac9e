import Foundation

/// A text file of the repository, or a sample that a rule is tried on.
struct SourceFile: Sendable {
  /// Relative to the repository's root, `/` between parts.
  let path: String
  let text: String
  /// Of Swift, the text with comments and the contents of string literals blanked, line ends kept.
  let code: String

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = path.hasSuffix(".swift") ? SwiftCode.blanked(text) : text
  }

  var name: String { String(path.split(separator: "/").last ?? "") }
  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  var isSwift: Bool { path.hasSuffix(".swift") }

  /// `Model` of `Sources/Model/…`; nil outside of `Sources`.
  var module: String? { part(1, under: "Sources") }

  /// `Sources/Model` or `Tests/ModelTests`; nil elsewhere.
  var target: String? {
    (part(1, under: "Sources") ?? part(1, under: "Tests")).map { target in
      path.prefix(while: { $0 != "/" }) + "/" + target
    }
  }

  var codeLines: [Substring] { code.split(separator: "\n", omittingEmptySubsequences: false) }

  private func part(_ index: Int, under folder: String) -> String? {
    let parts = path.split(separator: "/")
    guard parts.count > index + 1, parts[0] == folder else { return nil }
    return String(parts[index])
  }
}

/// Where a file breaks a rule.
struct Violation: CustomStringConvertible, Sendable {
  let path: String
  /// Counted from 1; 0 for the file as a whole.
  let line: Int
  let reason: String

  var description: String { line > 0 ? "\(path):\(line): \(reason)" : "\(path): \(reason)" }
}

/// The files of this repository: what git tracks or would track.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every text file; binary ones (not UTF-8, or with a NUL) are left out.
  static let files: [SourceFile] = paths().compactMap { path in
    guard let data = try? Data(contentsOf: root.appending(path: path)), !data.contains(0),
      let text = String(data: data, encoding: .utf8)
    else { return nil }
    return SourceFile(path: path, text: text)
  }

  private static func paths() -> [String] {
    let git = Process()
    let output = Pipe()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = [
      "git", "-C", root.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
    ]
    git.standardOutput = output
    git.standardError = FileHandle.nullDevice
    guard (try? git.run()) != nil else { return walkedPaths() }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    git.waitUntilExit()
    guard git.terminationStatus == 0 else { return walkedPaths() }
    return data.split(separator: 0).compactMap { String(data: $0, encoding: .utf8) }
  }

  /// For a source archive, which has no git.
  private static func walkedPaths() -> [String] {
    let walk = FileManager.default.enumerator(atPath: root.path)
    var paths: [String] = []
    while let path = walk?.nextObject() as? String {
      if path.hasPrefix(".build") || path.hasPrefix(".git/") { continue }
      paths.append(path)
    }
    return paths
  }
}
