import Foundation
import TUI
import Testing

@Suite("Pictures as text")
struct GridTextTests {
  private var sample: Grid {
    var grid = Grid(width: 6, height: 1)
    grid.put("a", x: 0, y: 0)
    grid.put("█!", x: 1, y: 0, role: .critical)
    grid.put("日", x: 4, y: 0, role: .accent)
    return grid
  }

  @Test("the palette of 256 is used where there is one")
  func palette() {
    #expect(
      GridText.ansi(sample, theme: .dark, depth: .palette)
        == "a\u{1B}[0;1;38;5;210m█!\u{1B}[0m \u{1B}[0;38;5;80m日\u{1B}[0m\n"
    )
  }

  @Test("the named colours are used where there are sixteen")
  func named() {
    #expect(
      GridText.ansi(sample, theme: .dark, depth: .named, ascii: true)
        == "a\u{1B}[0;1;31m#!\u{1B}[0m \u{1B}[0;36m??\u{1B}[0m\n"
    )
  }

  @Test("without colours weight remains, in either character set", arguments: [false, true])
  func mono(ascii: Bool) {
    let text = GridText.ansi(sample, theme: .mono, depth: .palette, ascii: ascii)
    #expect(text == "a\u{1B}[0;1m\(ascii ? "#" : "█")!\u{1B}[0m \(ascii ? "??" : "日")\n")
  }

  @Test("the selection is a background or reverse, also over coloured cells")
  func selection() {
    var grid = sample
    grid.select(grid.bounds)
    #expect(
      GridText.ansi(grid, theme: .dark, depth: .palette).hasPrefix(
        "\u{1B}[0;48;5;236ma\u{1B}[0;1;38;5;210;48;5;236m█!"
      )
    )
    #expect(
      GridText.ansi(grid, theme: .mono, depth: .none)
        == "\u{1B}[0;7ma\u{1B}[0;1;7m█!\u{1B}[0;7m 日\u{1B}[0m\n"
    )
  }

  @Test("roles show as letters")
  func roles() {
    var grid = sample
    #expect(GridText.roles(grid) == " cc a\n")
    grid.select(grid.bounds)
    #expect(GridText.roles(grid) == "SCCSA\n")
  }

  @Test("every drawing character has a likeness of one printable ASCII character")
  func likenesses() {
    var seen: Set<Unicode.Scalar> = []
    for (drawing, likeness) in AsciiFallback.table {
      #expect(likeness.value > 0x20 && likeness.value < 0x7F)
      #expect(!drawing.isASCII)
      #expect(seen.insert(drawing).inserted, "\(drawing) is listed twice")
      #expect(TextWidth.columns(of: String(Character(drawing))) == 1)
    }
  }

  @Test("what screens draw survives in ASCII, and data becomes question marks")
  func ascii() {
    let grid = WidgetSampler.grid(width: 80, height: 16)
    let text = GridText.plain(grid, ascii: true)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value < 0x7F })
    #expect(AsciiFallback.text("▁▂▃▄▅▆▇█") == "_.:-=+*#")
    #expect(AsciiFallback.text("日本 é e\u{301} …") == "???? ? e ~")
  }

  @Test("block characters keep their order in ASCII: eight levels stay eight levels")
  func levels() {
    #expect(Set(AsciiFallback.text("▁▂▃▄▅▆▇█")).count == 8)
  }

  @Test("the drawing is the same for the same picture, and holds its text escaped")
  func svg() {
    var grid = Grid(width: 12, height: 2)
    grid.put("<a&b> █", x: 0, y: 0, role: .critical)
    let svg = GridSVG.document(grid, theme: .dark)
    #expect(svg == GridSVG.document(grid, theme: .dark))
    #expect(svg.contains(">&lt;a&amp;b&gt;</text>"))
    #expect(svg.contains("<rect x=\"66\" y=\"12\" width=\"9\" height=\"18\" fill=\"#ff8787\"/>"))
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
  }

  @Test("colours are readable on their background", arguments: [Theme.dark, .light, .highContrast])
  func contrast(theme: Theme) {
    for role in Role.allCases where role != .rule {
      for attributes in [[], .selected, .match] as [CellAttributes] {
        let style = theme.style(
          of: Cell(.space, role: role, attributes: attributes),
          depth: .palette
        )
        let front = style.foreground.map(Palette.rgb) ?? theme.pictureForeground
        let back = style.background.map(Palette.rgb) ?? theme.pictureBackground
        let ratio = contrastRatio(front, back)
        #expect(ratio >= 4.5, "\(theme.name) \(role) \(attributes.rawValue): \(ratio)")
      }
    }
  }

  /// As the Web Content Accessibility Guidelines 2.2 define it.
  private func contrastRatio(_ first: UInt32, _ second: UInt32) -> Double {
    let luminance = { (color: UInt32) -> Double in
      let channel = { (shift: UInt32) -> Double in
        let value = Double(color >> shift & 0xFF) / 255
        return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
    }
    let lights = [luminance(first), luminance(second)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  @Test("colours are forbidden by NO_COLOR and by the option, and the character set by the locale")
  func level() {
    let auto = DrawingOptions()
    let utf8 = { (options: DrawingOptions, colors: Int, noColor: String?) in
      options.level(colors: colors, codeset: "UTF-8", noColor: noColor)
    }
    #expect(utf8(auto, 256, nil) == DrawingLevel(isASCII: false, depth: .palette))
    #expect(utf8(auto, 16, nil) == DrawingLevel(isASCII: false, depth: .named))
    #expect(utf8(auto, 0, nil) == DrawingLevel(isASCII: false, depth: .none))
    #expect(utf8(auto, 256, "1").depth == .none)
    #expect(utf8(auto, 256, "").depth == .palette)
    #expect(utf8(DrawingOptions(color: .always), 256, "1").depth == .palette)
    #expect(utf8(DrawingOptions(color: .never), 256, nil).depth == .none)
    #expect(
      DrawingOptions(forcesASCII: true).level(colors: 8, codeset: "UTF-8", noColor: nil).isASCII
    )
    #expect(auto.level(colors: 256, codeset: "ANSI_X3.4-1968", noColor: nil).isASCII)
  }
}
