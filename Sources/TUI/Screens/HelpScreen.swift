import Model

/// The keys, from the one table that also dispatches them.
enum HelpScreen {
  /// Keys of the screen one came from first, then what the marks mean.
  static func lines(_ state: AppState) -> [StyledText] {
    let screen = state.screenBeforeHelp
    let keys = Keymap.helpLines(on: screen)
    let width = keys.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    var lines = [StyledText("keys on \(screen.title)", .heading)]
    lines += keys.map { entry in
      StyledText([
        Segment("  " + DisplayText.field(entry.keys, columns: width), .key),
        Segment("  " + entry.help),
      ])
    }
    lines.append(StyledText())
    lines.append(StyledText("signs", .heading))
    lines += signs.map { sign in
      StyledText([
        Segment("  " + DisplayText.field(sign.0, columns: width), .normal),
        Segment("  " + sign.1, .muted),
      ])
    }
    return lines
  }

  static func draw(_ state: AppState, into grid: inout Grid, in area: Rect) {
    let lines = lines(state)
    let top = max(0, min(state.helpTop, lines.count - 1))
    for (row, line) in lines[top...].prefix(area.height).enumerated() {
      grid.put(line, x: area.x, y: area.y + row, clip: area)
    }
  }

  private static let signs: [(String, String)] = [
    ("▲ warn", "past the warning threshold"),
    ("■ FAIL", "past the critical threshold, or the app died"),
    ("–", "unknown, or not enough data to judge: never zero"),
    ("≥", "at least: the end was not seen"),
    ("✓ clean", "the session ended when the app left the foreground"),
    ("● open", "not ended yet"),
    ("◌ stale", "open, and nothing came for five minutes"),
    ("✗ lost", "the process died; the session's own span never came"),
    ("✗ abandoned", "ended by the host's SDK: crash, kill or session end"),
    ("q:", "lines and records lost, see the sources' first problems in `perftop report`"),
  ]
}
