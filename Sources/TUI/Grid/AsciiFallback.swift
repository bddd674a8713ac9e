/// What stands for a character on a terminal that shows only ASCII.
package enum AsciiFallback {
  /// Drawing characters have a likeness of their own; any other character is `?`.
  package static func glyph(for glyph: Glyph) -> Glyph {
    if glyph.isContinuation { return glyph }
    if glyph.base < 0x7F { return glyph.hasMarks ? Glyph(glyph.scalar) : glyph }
    return Glyph(likeness(of: glyph.base))
  }

  /// The picture in ASCII; the right half of a wide character becomes a `?` too.
  package static func grid(_ grid: Grid) -> Grid {
    var result = Grid(width: grid.width, height: grid.height)
    for y in 0..<grid.height {
      for x in 0..<grid.width {
        var cell = grid[x, y]
        cell.glyph = cell.glyph.isContinuation ? Glyph("?") : Self.glyph(for: cell.glyph)
        result.set(cell, x: x, y: y)
      }
    }
    return result
  }

  /// Text in ASCII, for lines that are printed outside a grid.
  package static func text(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    TextWidth.forEachGlyph(in: text) { shown in
      for _ in 0..<shown.columns { result.append(glyph(for: shown).scalar) }
      return true
    }
    return String(result)
  }

  /// Every drawing character with its likeness, in pairs; the one table of them.
  package static let table: [(drawing: Unicode.Scalar, likeness: Unicode.Scalar)] = [
    ("▁", "_"), ("▂", "."), ("▃", ":"), ("▄", "-"), ("▅", "="), ("▆", "+"), ("▇", "*"),
    ("█", "#"), ("▉", "#"), ("▊", "#"), ("▋", "#"), ("▌", "]"), ("▍", ">"), ("▎", ">"),
    ("▏", "!"), ("▐", "["), ("▕", "["), ("░", "."), ("▒", ":"), ("▓", "*"),
    ("─", "-"), ("━", "="), ("│", "|"), ("┃", "|"), ("┄", "~"), ("┆", ":"), ("╴", "-"),
    ("├", "+"), ("┤", "+"), ("└", "`"), ("┌", "+"), ("┐", "+"), ("┘", "+"),
    ("┬", "+"), ("┴", "+"), ("┼", "+"), ("╵", "|"), ("╷", "|"),
    ("■", "#"), ("▪", "+"), ("▨", "z"), ("□", "o"), ("▲", "^"), ("▼", "v"), ("△", "^"),
    ("▽", "v"), ("●", "o"), ("○", "."), ("◆", "*"), ("◇", "+"), ("✓", "+"), ("✗", "x"),
    ("▶", ">"), ("▸", ">"), ("▾", "v"), ("◀", "<"),
    ("…", "~"), ("–", "-"), ("—", "-"), ("·", "."), ("•", "*"), ("×", "x"), ("±", "+"),
    ("≥", ">"), ("≤", "<"), ("≈", "~"), ("∞", "i"), ("µ", "u"), ("μ", "u"), ("Δ", "d"),
    ("→", ">"), ("←", "<"), ("↑", "^"), ("↓", "v"), ("↵", "<"),
    ("‘", "'"), ("’", "'"), ("“", "\""), ("”", "\""),
  ]

  private static func likeness(of value: UInt32) -> Unicode.Scalar {
    likenesses[value] ?? "?"
  }

  private static let likenesses: [UInt32: Unicode.Scalar] = Dictionary(
    table.map { ($0.drawing.value, $0.likeness) },
    uniquingKeysWith: { first, _ in first }
  )
}
