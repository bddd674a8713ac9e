/// A picture as text: plain lines, lines with terminal colours, or a map of its roles.
package enum GridText {
  /// One line a row, without trailing spaces, each ended by a line feed.
  package static func plain(_ grid: Grid, ascii: Bool = false) -> String {
    let grid = ascii ? AsciiFallback.grid(grid) : grid
    return lines(of: grid) { $0.glyph }
  }

  /// A letter for each cell that is not plain text: the first of its role, upper case when selected.
  ///
  /// A selected cell of normal role is `S`. It shows in a golden what colours would show.
  package static func roles(_ grid: Grid) -> String {
    lines(of: grid) { cell in
      let isSelected = cell.attributes.contains(.selected)
      let letter: Unicode.Scalar =
        switch cell.role {
        case .normal: isSelected ? "S" : cell.attributes.contains(.match) ? "/" : " "
        case .muted: isSelected ? "M" : "m"
        case .title: isSelected ? "T" : "t"
        case .heading: isSelected ? "H" : "h"
        case .key: isSelected ? "K" : "k"
        case .accent: isSelected ? "A" : "a"
        case .good: isSelected ? "G" : "g"
        case .warning: isSelected ? "W" : "w"
        case .critical: isSelected ? "C" : "c"
        case .rule: isSelected ? "R" : "r"
        }
      return Glyph(letter)
    }
  }

  /// Lines with the select-graphic-rendition sequences of `theme`; every line ends in the plain look.
  package static func ansi(
    _ grid: Grid,
    theme: Theme,
    depth: ColorDepth,
    ascii: Bool = false
  ) -> String {
    let grid = ascii ? AsciiFallback.grid(grid) : grid
    var text = String.UnicodeScalarView()
    for y in 0..<grid.height {
      var current = TerminalStyle.plain
      for x in 0..<grid.width {
        let cell = grid[x, y]
        let style = theme.style(of: cell, depth: depth)
        if style != current {
          text.append(contentsOf: sequence(for: style).unicodeScalars)
          current = style
        }
        cell.glyph.forEachScalar { text.append($0) }
      }
      if current != .plain { text.append(contentsOf: "\u{1B}[0m".unicodeScalars) }
      text.append("\n")
    }
    return String(text)
  }

  private static func sequence(for style: TerminalStyle) -> String {
    var codes = "0"
    if style.bold { codes += ";1" }
    if style.dim { codes += ";2" }
    if style.underline { codes += ";4" }
    if style.reverse { codes += ";7" }
    if let color = style.foreground { codes += code(color, named: 30, bright: 90, palette: 38) }
    if let color = style.background { codes += code(color, named: 40, bright: 100, palette: 48) }
    return "\u{1B}[\(codes)m"
  }

  private static func code(_ color: UInt8, named: Int, bright: Int, palette: Int) -> String {
    switch color {
    case 0..<8: ";\(named + Int(color))"
    case 8..<16: ";\(bright + Int(color) - 8)"
    default: ";\(palette);5;\(color)"
    }
  }

  private static func lines(of grid: Grid, _ glyph: (Cell) -> Glyph) -> String {
    var text = String.UnicodeScalarView()
    for y in 0..<grid.height {
      var spaces = 0
      for x in 0..<grid.width {
        let cell = grid[x, y]
        guard !cell.glyph.isContinuation else { continue }
        let shown = glyph(cell)
        guard shown != .space else {
          spaces += 1
          continue
        }
        for _ in 0..<spaces { text.append(" ") }
        spaces = 0
        shown.forEachScalar { text.append($0) }
      }
      text.append("\n")
    }
    return String(text)
  }
}
