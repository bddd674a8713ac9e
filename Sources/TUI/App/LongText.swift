/// Text that is longer than its place: broken over lines, scrolled by lines.
enum LongText {
  /// What one value may take of the pane, so that the fields after it stay in reach.
  private static let mostLines = 40

  /// A label and its value; the value goes on below itself, or indented where the label leaves no room.
  static func lines(_ label: StyledText, _ value: String, width: Int) -> [StyledText] {
    let isWide = label.columns <= width * 2 / 3
    let indent = isWide ? label.columns : min(2, width)
    let room = max(1, width - indent)
    var pieces = pieces(of: value, columns: room)
    guard pieces.count > 1 || !isWide else {
      return [label + StyledText(pieces.first ?? "")]
    }
    if pieces.count > mostLines { pieces = pieces.prefix(mostLines - 1) + ["…"] }
    let space = String(repeating: " ", count: indent)
    var lines = pieces.map { StyledText(space + $0) }
    if isWide {
      lines[0] = label + StyledText(pieces[0])
    } else {
      lines.insert(label, at: 0)
    }
    return lines
  }

  /// Pieces of at most so many columns, broken at a space where one is near, each character whole.
  private static func pieces(of text: String, columns: Int) -> [String] {
    var pieces: [String] = []
    var piece = String.UnicodeScalarView()
    var used = 0
    TextWidth.forEachGlyph(in: text) { glyph in
      let width = Int(glyph.columns)
      if used + width > columns, used > 0 {
        let rest = rest(after: &piece)
        pieces.append(String(piece))
        piece = rest
        used = TextWidth.columns(of: String(rest))
      }
      glyph.forEachScalar { piece.append($0) }
      used += width
      return pieces.count <= mostLines
    }
    if used > 0 { pieces.append(String(piece)) }
    return pieces
  }

  /// Takes what follows the last space off a piece, if that is less than a third of it.
  private static func rest(
    after piece: inout String.UnicodeScalarView
  ) -> String.UnicodeScalarView {
    guard let space = piece.lastIndex(of: " ") else { return String.UnicodeScalarView() }
    let next = piece.index(after: space)
    guard piece.distance(from: next, to: piece.endIndex) * 3 < piece.count else {
      return String.UnicodeScalarView()
    }
    let rest = String.UnicodeScalarView(piece[next...])
    piece = String.UnicodeScalarView(piece[..<space])
    return rest
  }

  /// Draws the lines from `top` on, and says how many are left below.
  static func draw(_ lines: [StyledText], top: Int, into grid: inout Grid, in area: Rect) {
    guard !area.isEmpty else { return }
    let top = max(0, min(top, lines.count - 1))
    for (row, line) in lines.dropFirst(top).prefix(area.height).enumerated() {
      grid.put(line, x: area.x, y: area.y + row, clip: area)
    }
    let left = lines.count - top - area.height
    guard left > 0, area.height > 2 else { return }
    grid.putRight(StyledText(" ↓ \(left) more", .muted), in: area.row(area.height - 1))
  }
}
