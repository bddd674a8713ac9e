/// What a cell means; a theme turns it into a colour when the picture is shown.
///
/// Four hues and grey: accent, good, warning and critical. A role never carries a meaning alone: a glyph,
/// a word or a place says the same.
package enum Role: UInt8, CaseIterable, Sendable {
  case normal
  /// Units, absent values, axes, hints.
  case muted
  /// The name of the tool, of the app, of the thing that the screen is about.
  case title
  /// The titles of a table's columns and of a rule line.
  case heading
  /// A key in the footer and on the help screen.
  case key
  case accent
  case good
  case warning
  /// A budget is broken or the app died.
  case critical
  /// Lines that only separate.
  case rule
}

/// What a cell's look adds to its role.
package struct CellAttributes: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let bold = CellAttributes(rawValue: 1 << 0)
  package static let underline = CellAttributes(rawValue: 1 << 1)
  /// A badge such as ` FAIL `.
  package static let inverse = CellAttributes(rawValue: 1 << 2)
  /// The row under the cursor.
  package static let selected = CellAttributes(rawValue: 1 << 3)
  /// A hit of the search.
  package static let match = CellAttributes(rawValue: 1 << 4)
}
