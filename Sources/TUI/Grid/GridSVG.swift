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
      viewBox="0 0 \(width) \(height)" font-size="15" shape-rendering="crispEdges" \
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
    for piece in pieces(of: run.glyphs) {
      let x = left + piece.start * cellWidth
      let width = piece.columns * cellWidth
      if piece.isShape, let glyph = piece.glyphs.first {
        svg += shape(glyph, x: x, y: top, width: width, fill: fill)
      } else {
        svg += element(piece.glyphs, run.look, x: x, top: top, width: width)
      }
    }
    if run.look.underline {
      svg += rect(left, top + cellHeight - 2, run.glyphs.count * cellWidth, 1, fill)
    }
  }

  /// Equal shapes beside each other, or text without a gap that a viewer might close.
  private struct Piece {
    var start: Int
    var columns = 0
    var glyphs: [Glyph] = []
    var isShape = false
  }

  private static func pieces(of glyphs: [Glyph]) -> [Piece] {
    var pieces: [Piece] = []
    var open: Piece?
    let close = {
      if let piece = open { pieces.append(piece) }
      open = nil
    }
    for (offset, glyph) in glyphs.enumerated() where !glyph.isContinuation {
      let isShape = Self.isShape(glyph)
      let follows = open.map { $0.isShape == isShape && (!isShape || $0.glyphs.last == glyph) }
      if glyph == .space {
        let next = offset + 1 < glyphs.count ? glyphs[offset + 1] : .space
        if open?.isShape != false || next == .space || Self.isShape(next) { close() }
        if open == nil { continue }
      } else if follows != true || glyph.isWide || open?.glyphs.last?.isWide == true {
        close()
      }
      var piece = open ?? Piece(start: offset, isShape: isShape)
      piece.glyphs.append(glyph)
      piece.columns += Int(glyph.columns)
      open = piece
    }
    close()
    return pieces
  }

  private static func element(
    _ glyphs: [Glyph],
    _ look: Look,
    x: Int,
    top: Int,
    width: Int
  ) -> String {
    var text = ""
    for glyph in glyphs { glyph.forEachScalar { text.unicodeScalars.append($0) } }
    let weight = look.bold ? " font-weight=\"bold\"" : ""
    return "<text x=\"\(x)\" y=\"\(top + baseline)\" fill=\"\(hex(look.foreground))\"\(weight) "
      + "textLength=\"\(width)\">\(escaped(text))</text>\n"
  }

  private static func isShape(_ glyph: Glyph) -> Bool {
    switch glyph.base {
    case 0x2500, 0x2502, 0x2503, 0x251C, 0x2524, 0x2581...0x2593, 0x2595: true
    default: false
    }
  }

  /// Shapes of one cell are drawn once for each; those that fill its width once for all.
  private static func shape(_ glyph: Glyph, x: Int, y: Int, width: Int, fill: String) -> String {
    let middle = y + cellHeight / 2
    switch glyph.base {
    case 0x2500:
      return rect(x, middle, width, 1, fill)
    case 0x2581...0x2588:
      let height = eighths(glyph.base - 0x2580, of: cellHeight)
      return rect(x, y + cellHeight - height, width, height, fill)
    case 0x2591...0x2593:
      let opacity = ["0.25", "0.5", "0.75"][Int(glyph.base - 0x2591)]
      return rect(x, y, width, cellHeight, fill + "\" fill-opacity=\"" + opacity)
    default:
      break
    }
    return stride(from: x, to: x + width, by: cellWidth).map { x in
      let center = x + cellWidth / 2
      switch glyph.base {
      case 0x2502: return rect(center, y, 1, cellHeight, fill)
      case 0x2503: return rect(center - 1, y, 2, cellHeight, fill)
      case 0x251C: return rect(center, y, 1, cellHeight, fill) + rect(center, middle, 5, 1, fill)
      case 0x2524: return rect(center, y, 1, cellHeight, fill) + rect(x, middle, 5, 1, fill)
      case 0x2590: return rect(center + 1, y, cellWidth - cellWidth / 2 - 1, cellHeight, fill)
      case 0x2595: return rect(x + cellWidth - 1, y, 1, cellHeight, fill)
      default: return rect(x, y, eighths(0x2590 - glyph.base, of: cellWidth), cellHeight, fill)
      }
    }.joined()
  }

  private static func eighths(_ count: UInt32, of size: Int) -> Int {
    max(1, (Int(count) * size + 4) / 8)
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
