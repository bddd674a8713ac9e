import Foundation

/// Files of Tests/Fixtures.
package enum Fixture {
  /// The bytes of the file with this path below Tests/Fixtures.
  package static func bytes(_ path: String, file: StaticString = #filePath) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: "\(file)").deletingLastPathComponent()
      .deletingLastPathComponent()
    let url = folder.appendingPathComponent("Fixtures").appendingPathComponent(path)
    return Array(try Data(contentsOf: url))
  }
}
