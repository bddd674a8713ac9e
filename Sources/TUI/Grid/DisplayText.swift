/// Text cut to a number of columns.
package enum DisplayText {
  /// The text if it fits, else its beginning and `…`; for prose.
  package static func cutAtEnd(_ text: String, to columns: Int) -> String {
    let glyphs = shownGlyphs(of: text)
    guard glyphs.columns > columns else { return glyphs.text }
    guard columns > 0 else { return "" }
    return glyphs.prefix(columns - 1) + "…"
  }

  /// The text if it fits, else its beginning, `…` and its end; for names, which often differ at the end.
  package static func cutInMiddle(_ text: String, to columns: Int) -> String {
    let glyphs = shownGlyphs(of: text)
    guard glyphs.columns > columns else { return glyphs.text }
    guard columns > 0 else { return "" }
    let head = columns / 2
    return glyphs.prefix(head) + "…" + glyphs.suffix(columns - 1 - head)
  }

  /// The text in a field of exactly `columns`, cut or filled with spaces.
  package static func field(_ text: String, columns: Int, alignment: Alignment = .left) -> String {
    let cut = cutAtEnd(text, to: columns)
    let room = max(0, columns - TextWidth.columns(of: cut))
    let spaces = String(repeating: " ", count: room)
    return alignment == .left ? cut + spaces : spaces + cut
  }

  private static func shownGlyphs(of text: String) -> ShownGlyphs {
    var shown = ShownGlyphs()
    TextWidth.forEachGlyph(in: text) { glyph in
      shown.glyphs.append(glyph)
      shown.columns += Int(glyph.columns)
      return true
    }
    return shown
  }
}

/// Where a text stands in a field that is wider.
package enum Alignment: Sendable {
  case left
  case right
}

private struct ShownGlyphs {
  var glyphs: [Glyph] = []
  var columns = 0

  var text: String { string(glyphs[...]) }

  /// As many whole characters from the beginning as fit.
  func prefix(_ limit: Int) -> String {
    var used = 0
    let end = glyphs.firstIndex { glyph in
      used += Int(glyph.columns)
      return used > limit
    }
    return string(glyphs[..<(end ?? glyphs.endIndex)])
  }

  /// As many whole characters from the end as fit.
  func suffix(_ limit: Int) -> String {
    var used = 0
    let start = glyphs.lastIndex { glyph in
      used += Int(glyph.columns)
      return used > limit
    }
    return string(glyphs[(start.map { $0 + 1 } ?? glyphs.startIndex)...])
  }

  private func string(_ part: ArraySlice<Glyph>) -> String {
    var scalars = String.UnicodeScalarView()
    for glyph in part { glyph.forEachScalar { scalars.append($0) } }
    return String(scalars)
  }
}
