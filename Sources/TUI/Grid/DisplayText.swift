/// Text cut to a number of columns.
package enum DisplayText {
  /// All of the text, as a terminal may show it.
  package static func shown(_ text: String) -> String { shownGlyphs(of: text).text }

  /// The text if it fits, else its beginning and `…`; for prose.
  package static func cutAtEnd(_ text: String, to columns: Int) -> String {
    if let cut = cutPlain(text, head: columns - 1, tail: 0) { return cut }
    let glyphs = shownGlyphs(of: text)
    guard glyphs.columns > columns else { return glyphs.text }
    guard columns > 0 else { return "" }
    return glyphs.prefix(columns - 1) + "…"
  }

  /// The text if it fits, else its beginning, `…` and its end; for names, which often differ at the end.
  package static func cutInMiddle(_ text: String, to columns: Int) -> String {
    if let cut = cutPlain(text, head: columns / 2, tail: columns - 1 - columns / 2) { return cut }
    let glyphs = shownGlyphs(of: text)
    guard glyphs.columns > columns else { return glyphs.text }
    guard columns > 0 else { return "" }
    let head = columns / 2
    return glyphs.prefix(head) + "…" + glyphs.suffix(columns - 1 - head)
  }

  /// The text in lines of at most `columns`, broken at spaces where possible; one empty line for none.
  package static func wrapped(_ text: String, to columns: Int) -> [String] {
    let limit = max(1, columns)
    var lines: [String] = []
    var rest = shownGlyphs(of: text).glyphs[...]
    repeat {
      var used = 0
      let overflow = rest.firstIndex { glyph in
        used += Int(glyph.columns)
        return used > limit
      }
      guard let overflow else {
        lines.append(ShownGlyphs.string(rest))
        break
      }
      let space = rest[...overflow].lastIndex(of: .space) ?? rest.startIndex
      // A single character wider than the line goes onto it all the same.
      let end = space > rest.startIndex ? space : max(overflow, rest.startIndex + 1)
      lines.append(ShownGlyphs.string(rest[..<end]))
      rest = rest[end...].drop { $0 == .space }
    } while !rest.isEmpty
    return lines
  }

  /// The text in a field of exactly `columns`, cut or filled with spaces.
  package static func field(_ text: String, columns: Int, alignment: Alignment = .left) -> String {
    let cut = cutAtEnd(text, to: columns)
    let room = max(0, columns - TextWidth.columns(of: cut))
    let spaces = String(repeating: " ", count: room)
    return alignment == .left ? cut + spaces : spaces + cut
  }

  /// Text whose bytes are a column each, with `head` and `tail` columns beside the `…` where it is too long;
  /// nil for other text.
  private static func cutPlain(_ text: String, head: Int, tail: Int) -> String? {
    let bytes = text.utf8
    guard bytes.withContiguousStorageIfAvailable(TextWidth.isPlain) == true else { return nil }
    guard bytes.count > head + tail + 1 else { return text }
    guard head + tail >= 0 else { return "" }
    return String(Substring(bytes.prefix(head))) + "…" + String(Substring(bytes.suffix(tail)))
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

  var text: String { Self.string(glyphs[...]) }

  /// As many whole characters from the beginning as fit.
  func prefix(_ limit: Int) -> String {
    var used = 0
    let end = glyphs.firstIndex { glyph in
      used += Int(glyph.columns)
      return used > limit
    }
    return Self.string(glyphs[..<(end ?? glyphs.endIndex)])
  }

  /// As many whole characters from the end as fit.
  func suffix(_ limit: Int) -> String {
    var used = 0
    let start = glyphs.lastIndex { glyph in
      used += Int(glyph.columns)
      return used > limit
    }
    return Self.string(glyphs[(start.map { $0 + 1 } ?? glyphs.startIndex)...])
  }

  static func string(_ part: ArraySlice<Glyph>) -> String {
    var scalars = String.UnicodeScalarView()
    for glyph in part { glyph.forEachScalar { scalars.append($0) } }
    return String(scalars)
  }
}
