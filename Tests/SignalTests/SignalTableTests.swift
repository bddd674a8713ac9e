import Foundation
import Testing

/// SIGNAL-TABLES.md names a test for every fact, and every test that it names exists.
@Suite("The tables of signals")
struct SignalTableTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private var rows: [(fact: String, test: String)] {
    get throws {
      let file = Self.folder.appendingPathComponent("SIGNAL-TABLES.md")
      let text = try String(contentsOf: file, encoding: .utf8)
      return text.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 4, cells[1] != "fact", !cells[1].hasPrefix("---") else { return nil }
        return (cells[1], cells[2])
      }
    }
  }

  /// The texts of all tests of the project.
  private var tests: Set<String> {
    get throws {
      let all = try #require(
        FileManager.default.enumerator(
          at: Self.folder.deletingLastPathComponent(),
          includingPropertiesForKeys: nil
        )
      )
      var names: Set<String> = []
      for case let file as URL in all where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/) {
          names.insert(String(match.1))
        }
      }
      return names
    }
  }

  @Test("every fact has a test that exists, or says why nothing is to be done")
  func complete() throws {
    let tests = try tests
    let rows = try rows
    #expect(rows.count > 60)
    for row in rows {
      if row.test.hasPrefix("nothing: ") { continue }
      let name = row.test.trimmingCharacters(in: ["`"])
      #expect(tests.contains(name), "\(row.fact): \(row.test)")
    }
  }
}
