/// How many colours there are to choose from.
package enum ColorDepth: Sendable, CaseIterable {
  case none
  /// The eight or sixteen named colours.
  case named
  /// The palette of 256.
  case palette
}

/// A look as a terminal understands it; colours are numbers of the palette, nil is the terminal's own.
package struct TerminalStyle: Hashable, Sendable {
  package var foreground: UInt8?
  package var background: UInt8?
  package var bold = false
  package var dim = false
  package var underline = false
  package var reverse = false

  package init(foreground: UInt8? = nil, background: UInt8? = nil) {
    self.foreground = foreground
    self.background = background
  }

  package static let plain = TerminalStyle()
}

/// A table from roles to looks.
///
/// The background stays the terminal's own except under the selection and search hits.
package struct Theme: Sendable {
  /// One line of the table: a colour of the palette, one of the sixteen, and what comes with it.
  struct Entry: Sendable {
    var palette: UInt8?
    var named: UInt8?
    var bold = false
    var dim = false
  }

  package let name: String
  private let entries: [Entry]
  /// Backgrounds of the palette; nil shows the part in reverse.
  private let selection: UInt8?
  private let match: UInt8?
  private let hasColor: Bool
  /// The terminal's own colours in pictures, as red, green and blue.
  package let pictureForeground: UInt32
  package let pictureBackground: UInt32

  private init(
    name: String,
    selection: UInt8?,
    match: UInt8?,
    hasColor: Bool = true,
    pictureForeground: UInt32,
    pictureBackground: UInt32,
    _ entry: (Role) -> Entry
  ) {
    self.name = name
    self.selection = selection
    self.match = match
    self.hasColor = hasColor
    self.pictureForeground = pictureForeground
    self.pictureBackground = pictureBackground
    entries = Role.allCases.map(entry)
  }

  package static let all: [Theme] = [dark, light, highContrast, mono]

  package static func named(_ name: String) -> Theme? { all.first { $0.name == name } }

  package static let dark = Theme(
    name: "dark",
    selection: 236,
    match: 221,
    pictureForeground: 0xD7DAE0,
    pictureBackground: 0x16181D
  ) { role in
    switch role {
    case .normal: Entry()
    case .muted: Entry(palette: 247, named: 8)
    case .title: Entry(bold: true)
    case .heading: Entry(palette: 250, named: 7, bold: true)
    case .key: Entry(palette: 80, named: 6, bold: true)
    case .accent: Entry(palette: 80, named: 6)
    case .good: Entry(palette: 114, named: 2)
    case .warning: Entry(palette: 221, named: 3)
    case .critical: Entry(palette: 210, named: 1, bold: true)
    case .rule: Entry(palette: 240, named: 8)
    }
  }

  package static let light = Theme(
    name: "light",
    selection: 254,
    match: 220,
    pictureForeground: 0x24292F,
    pictureBackground: 0xFFFFFF
  ) { role in
    switch role {
    case .normal: Entry()
    case .muted: Entry(palette: 241, named: 8)
    case .title: Entry(bold: true)
    case .heading: Entry(palette: 238, named: 0, bold: true)
    case .key: Entry(palette: 24, named: 6, bold: true)
    case .accent: Entry(palette: 24, named: 6)
    case .good: Entry(palette: 22, named: 2)
    case .warning: Entry(palette: 94, named: 3)
    case .critical: Entry(palette: 124, named: 1, bold: true)
    case .rule: Entry(palette: 249, named: 7)
    }
  }

  package static let highContrast = Theme(
    name: "high-contrast",
    selection: nil,
    match: nil,
    pictureForeground: 0xFFFFFF,
    pictureBackground: 0x000000
  ) { role in
    switch role {
    case .normal, .muted, .rule: Entry()
    case .title, .heading: Entry(bold: true)
    case .key, .accent: Entry(palette: 51, named: 14, bold: true)
    case .good: Entry(palette: 46, named: 10, bold: true)
    case .warning: Entry(palette: 226, named: 11, bold: true)
    case .critical: Entry(palette: 217, named: 9, bold: true)
    }
  }

  /// No colour at all, as NO_COLOR asks.
  package static let mono = Theme(
    name: "mono",
    selection: nil,
    match: nil,
    hasColor: false,
    pictureForeground: 0xD7DAE0,
    pictureBackground: 0x16181D
  ) { role in
    switch role {
    case .normal, .muted, .rule, .good, .accent: Entry()
    case .title, .heading, .key, .warning, .critical: Entry(bold: true)
    }
  }

  /// The look of a cell; attributes of the cell win over its role.
  package func style(of cell: Cell, depth: ColorDepth) -> TerminalStyle {
    let entry = entries[Int(cell.role.rawValue)]
    var style = TerminalStyle()
    let depth = hasColor ? depth : .none
    switch depth {
    case .none: break
    case .named: style.foreground = entry.named
    case .palette: style.foreground = entry.palette
    }
    style.bold = entry.bold || cell.attributes.contains(.bold)
    style.dim = entry.dim
    style.underline = cell.attributes.contains(.underline)
    style.reverse = cell.attributes.contains(.inverse)
    if cell.attributes.contains(.match) {
      style.underline = true
      apply(match, to: &style, depth: depth)
      // Bright enough behind dark text to be found at a glance, in either kind of theme.
      if style.background != nil { style.foreground = 16 }
    }
    if cell.attributes.contains(.selected), style.background == nil {
      apply(selection, to: &style, depth: depth)
    }
    return style
  }

  private func apply(_ background: UInt8?, to style: inout TerminalStyle, depth: ColorDepth) {
    if depth == .palette, let background {
      style.background = background
    } else {
      style.reverse = true
    }
  }
}

/// The colours of xterm's palette as red, green and blue.
package enum Palette {
  package static func rgb(_ index: UInt8) -> UInt32 {
    switch index {
    case 0..<16:
      return named[Int(index)]
    case 16..<232:
      let cube = UInt32(index) - 16
      return level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6)
    default:
      return (8 + 10 * (UInt32(index) - 232)) * 0x010101
    }
  }

  private static func level(_ step: UInt32) -> UInt32 { step == 0 ? 0 : 55 + 40 * step }

  private static let named: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
}
