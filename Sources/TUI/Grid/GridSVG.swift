/// A picture as a drawing that needs no terminal; the same grid gives the same bytes.
package enum GridSVG {
  private static let cellWidth = 9
  private static let cellHeight = 18
  private static let baseline = 14
  private static let margin = 12

  /// An SVG document with a monospaced font and the colours of `theme`.
  ///
  /// Block elements and horizontal lines are shapes, so that bars have no seams whatever the font.
  package static func document(_ grid: Grid, theme: Theme, title: String = "perftop") -> String {
    let width = grid.width * cellWidth + 2 * margin
    let height = grid.height * cellHeight + 2 * margin
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-size="15" \
      font-family="'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace">
      <title>\(escaped(title))</title>
      <rect width="\(width)" height="\(height)" rx="6" fill="\(hex(theme.pictureBackground))"/>

      """
    for y in 0..<grid.height {
      for run in runs(of: y, in: grid, theme: theme) { append(run, y: y, to: &svg) }
    }
    return svg + "</svg>\n"
  }

  private struct Run {
    var x: Int
    var look: Look
    var glyphs: [Glyph] = []
  }

  private struct Look: Equatable {
    var foreground: UInt32
    var background: UInt32?
    var bold: Bool
    var underline: Bool
  }

  private static func runs(of y: Int, in grid: Grid, theme: Theme) -> [Run] {
    var runs: [Run] = []
    for x in 0..<grid.width {
      let cell = grid[x, y]
      let look = look(of: theme.style(of: cell, depth: .palette), theme: theme)
      if runs.last?.look != look { runs.append(Run(x: x, look: look)) }
      runs[runs.count - 1].glyphs.append(cell.glyph)
    }
    return runs
  }

  private static func look(of style: TerminalStyle, theme: Theme) -> Look {
    let foreground = style.foreground.map(Palette.rgb) ?? theme.pictureForeground
    let background = style.background.map(Palette.rgb)
    return Look(
      foreground: style.reverse ? background ?? theme.pictureBackground : foreground,
      background: style.reverse ? foreground : background,
      bold: style.bold,
      underline: style.underline
    )
  }

  private static func append(_ run: Run, y: Int, to svg: inout String) {
    let top = margin + y * cellHeight
    let left = margin + run.x * cellWidth
    let fill = hex(run.look.foreground)
    if let background = run.look.background {
      svg += rect(left, top, run.glyphs.count * cellWidth, cellHeight, hex(background))
    }
    var text = ""
    var textStart = 0
    var textColumns = 0
    for (offset, glyph) in run.glyphs.enumerated() {
      let x = left + offset * cellWidth
      if let shape = shape(glyph, x: x, y: top, fill: fill) {
        svg += shape
      } else if glyph.base != 0x20, !glyph.isContinuation {
        if text.isEmpty { textStart = offset }
        if textColumns > 0, textStart + textColumns < offset {
          text += String(repeating: " ", count: offset - textStart - textColumns)
        }
        glyph.forEachScalar { text.unicodeScalars.append($0) }
        textColumns = offset - textStart + Int(glyph.columns)
        continue
      } else if glyph.base == 0x20 {
        continue
      }
      if !text.isEmpty, !glyph.isContinuation {
        svg += element(text, run, left + textStart * cellWidth, top, textColumns)
        text = ""
        textColumns = 0
      }
    }
    if !text.isEmpty {
      svg += element(text, run, left + textStart * cellWidth, top, textColumns)
    }
    if run.look.underline {
      svg += rect(left, top + cellHeight - 2, run.glyphs.count * cellWidth, 1, fill)
    }
  }

  private static func element(
    _ text: String,
    _ run: Run,
    _ x: Int,
    _ top: Int,
    _ columns: Int
  ) -> String {
    let weight = run.look.bold ? " font-weight=\"bold\"" : ""
    return "<text x=\"\(x)\" y=\"\(top + baseline)\" fill=\"\(hex(run.look.foreground))\"\(weight) "
      + "textLength=\"\(columns * cellWidth)\" xml:space=\"preserve\">\(escaped(text))</text>\n"
  }

  private static func shape(_ glyph: Glyph, x: Int, y: Int, fill: String) -> String? {
    let eighth = { (count: UInt32, size: Int) in max(1, (Int(count) * size + 4) / 8) }
    switch glyph.base {
    case 0x2581...0x2588:
      let height = eighth(glyph.base - 0x2580, cellHeight)
      return rect(x, y + cellHeight - height, cellWidth, height, fill)
    case 0x2589...0x258F:
      return rect(x, y, eighth(0x2590 - glyph.base, cellWidth), cellHeight, fill)
    case 0x2590:
      return rect(x + cellWidth - cellWidth / 2, y, cellWidth / 2, cellHeight, fill)
    case 0x2595:
      return rect(x + cellWidth - 1, y, 1, cellHeight, fill)
    case 0x2500:
      return rect(x, y + cellHeight / 2, cellWidth, 1, fill)
    case 0x2502:
      return rect(x + cellWidth / 2, y, 1, cellHeight, fill)
    case 0x2503:
      return rect(x + cellWidth / 2 - 1, y, 2, cellHeight, fill)
    default:
      return nil
    }
  }

  private static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ fill: String)
    -> String
  {
    "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" fill=\"\(fill)\"/>\n"
  }

  private static func hex(_ rgb: UInt32) -> String {
    let digits = String(rgb & 0xFFFFFF, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
