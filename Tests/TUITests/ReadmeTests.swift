import Foundation
import TUI
import Testing

@Suite("README")
struct ReadmeTests {
  /// `PERFTOP_RECORD=1` writes the table anew and fails all the same.
  @Test("the table of keys is the keymap's")
  func keys() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "README.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: "<!-- keys -->\n")
    let rest = try #require(parts.last?.components(separatedBy: "<!-- end of keys -->"))
    try #require(parts.count == 2 && rest.count == 2)
    if ProcessInfo.processInfo.environment["PERFTOP_RECORD"] == "1" {
      let recorded =
        parts[0] + "<!-- keys -->\n" + Keymap.markdown() + "<!-- end of keys -->" + rest[1]
      try Data(recorded.utf8).write(to: file)
      Issue.record("recorded the table of keys; look at it, then run without")
      return
    }
    #expect(rest[0] == Keymap.markdown())
  }
}
