import Foundation
import TUI
import Testing

/// Compares a picture with `Golden/NAME.screen`, below it the map of its roles.
///
/// `PERFTOP_RECORD=1` writes the file anew and fails all the same, so that no run both records and passes.
func expectGolden(
  _ grid: Grid,
  _ name: String,
  isRecording: Bool = ProcessInfo.processInfo.environment["PERFTOP_RECORD"] == "1",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let picture = GridText.plain(grid) + "~~~ roles\n" + GridText.roles(grid)
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden/\(name).screen")
  if isRecording {
    do {
      try Data(picture.utf8).write(to: file)
      Issue.record("recorded \(name); look at it, then run without", sourceLocation: sourceLocation)
    } catch {
      Issue.record("cannot write \(file.path): \(error)", sourceLocation: sourceLocation)
    }
    return
  }
  guard let data = try? Data(contentsOf: file) else {
    Issue.record("no golden \(name); record it", sourceLocation: sourceLocation)
    return
  }
  let expected = String(decoding: data, as: UTF8.self)
  guard expected != picture else { return }
  Issue.record(
    "\(name) differs\n\(difference(from: expected, to: picture))",
    sourceLocation: sourceLocation
  )
}

private func difference(from expected: String, to actual: String) -> String {
  let old = expected.components(separatedBy: "\n")
  let new = actual.components(separatedBy: "\n")
  return (0..<max(old.count, new.count)).compactMap { index in
    let before = index < old.count ? old[index] : "(no line)"
    let after = index < new.count ? new[index] : "(no line)"
    return before == after ? nil : "\(index + 1)\n- \(before)\n+ \(after)"
  }.joined(separator: "\n")
}
