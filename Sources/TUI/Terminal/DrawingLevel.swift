/// What a terminal can show: the characters and the colours.
package struct DrawingLevel: Hashable, Sendable {
  package var isASCII: Bool
  package var depth: ColorDepth

  package init(isASCII: Bool, depth: ColorDepth) {
    self.isASCII = isASCII
    self.depth = depth
  }
}

/// How the user wants the screen to look.
package struct DrawingOptions: Sendable {
  package enum Color: Sendable {
    case auto
    case always
    case never
  }

  package var color: Color
  package var forcesASCII: Bool
  package var theme: Theme

  package init(color: Color = .auto, forcesASCII: Bool = false, theme: Theme = .dark) {
    self.color = color
    self.forcesASCII = forcesASCII
    self.theme = theme
  }

  /// The level for a terminal with so many colours and that character set.
  ///
  /// `noColor` is the value of NO_COLOR: any text but an empty one asks for none (https://no-color.org).
  package func level(colors: Int, codeset: String, noColor: String?) -> DrawingLevel {
    let isUTF8 = ["UTF-8", "UTF8", "utf-8", "utf8"].contains(codeset)
    let isForbidden = color == .never || color == .auto && noColor.map { !$0.isEmpty } ?? false
    let depth: ColorDepth =
      isForbidden || colors < 8 ? .none : colors < 256 ? .named : .palette
    return DrawingLevel(isASCII: forcesASCII || !isUTF8, depth: depth)
  }
}
