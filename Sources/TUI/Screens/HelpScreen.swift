import Model

/// The keys, from the one table that also dispatches them.
enum HelpScreen {
  /// Keys of the screen one came from, and what the signs mean: beside them where there is room.
  static func lines(_ state: AppState) -> [StyledText] {
    let keys = keys(state.screenBeforeHelp) + spool(state.model)
    let columns = keys.map(\.columns).max() ?? 0
    guard state.width >= columns + 50 else { return keys + [StyledText()] + signs }
    let left = max(columns + 4, state.width / 2)
    return (0..<max(keys.count, signs.count)).map { row in
      let key = row < keys.count ? keys[row] : StyledText()
      guard row < signs.count else { return key }
      return key + StyledText(String(repeating: " ", count: left - key.columns)) + signs[row]
    }
  }

  static func draw(_ state: AppState, into grid: inout Grid, in area: Rect) {
    LongText.draw(lines(state), top: state.helpTop, into: &grid, in: area)
  }

  private static func keys(_ screen: Screen) -> [StyledText] {
    // The line of screens above has their names.
    let digits = Screen.allCases.filter { $0.rawValue < 10 }.map(\.key.label)
    let keys: [(keys: String, help: String)] =
      [("\(digits.first ?? "") – \(digits.last ?? "")", "show a screen, as numbered above")]
      + Keymap.helpLines(on: screen).filter { !digits.contains($0.keys) }
    let width = keys.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    return [StyledText("keys on \(screen.title)", .heading)]
      + keys.map { entry in
        StyledText([
          Segment("  " + DisplayText.field(entry.keys, columns: width), .key),
          Segment("  " + entry.help),
        ])
      }
  }

  /// Where live data is kept, and what is missing there.
  private static func spool(_ model: SessionModel) -> [StyledText] {
    guard !model.spools.isEmpty else { return [] }
    return [StyledText(), StyledText("kept", .heading)]
      + model.spools.flatMap { SpoolText.lines($0) }.map { StyledText("  " + $0, .muted) }
  }

  private static let signs: [StyledText] =
    [StyledText("signs", .heading)]
    + meanings.map { sign, meaning in
      StyledText([
        Segment("  " + DisplayText.field(sign, columns: 11)), Segment("  " + meaning, .muted),
      ])
    }

  private static let meanings: [(String, String)] = [
    ("▲ warn", "past the warning threshold"),
    ("■ FAIL", "past the critical threshold, or the app died"),
    ("–", "unknown, none, or too little to judge"),
    ("≥", "at least: the end was not seen"),
    ("✓ clean", "ended when the app left the foreground"),
    ("● open", "not ended yet"),
    ("◌ stale", "open, and nothing came for a long time"),
    ("✗ lost", "the process died, its session span never came"),
    ("✗ abandoned", "ended by the host: crash, kill or session end"),
    ("○ detached", "monitoring was torn down"),
    ("· no frames", "the app reports no sessions of its own"),
    ("×2 +1–", "two parts of one visit; one more was rejected"),
    ("F", "a fatal hang: the next launch told it"),
    ("├▐█▌┤ ×", "fastest to P90, quartiles, median; × is P99"),
    ("▁▃█", "freeze over the session; a gap: not measured"),
    ("q:3 bad", "lines lost; perftop report says which"),
  ]
}
