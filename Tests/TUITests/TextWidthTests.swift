import Testing

@testable import TUI

@Suite("Widths and display")
struct TextWidthTests {
  @Test(
    "text takes the columns that every terminal gives it",
    arguments: [
      ("", 0),
      ("perftop", 7),
      ("12.3 µs", 7),
      ("é", 1),
      ("e\u{301}", 1),
      ("日本語", 6),
      ("ｱｲｳ", 3),
      ("ＡＢ", 4),
      ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2),
      ("שלום", 4),
      ("مرحبا", 5),
      ("ไทย", 3),
      ("กำ", 2),
      ("▁▃█─│", 5),
      ("⚠", 1),
      ("⚠\u{FE0F}", 1),
      ("❤\u{FE0F}", 1),
      ("1\u{FE0F}\u{20E3}", 1),
      ("🚀", 2),
      ("👍🏽", 2),
      ("👨‍👩‍👧‍👦", 2),
      ("🏳\u{FE0F}‍🌈", 1),
      ("🇩🇪", 2),
      ("🇩🇪🇫🇷", 4),
      ("a\u{200B}b", 2),
      ("\u{FEFF}a", 1),
      ("\u{E0041}\u{E0042}", 0),
      ("\u{AD}", 0),
      ("\t", 1),
      ("\r\n", 2),
      ("\u{1B}[31m", 5),
      ("\u{202E}abc\u{202C}", 5),
      ("\u{2028}", 1),
      ("\u{3000}", 2),
      ("\u{A0}", 1),
      ("\u{F8FF}", 1),
      ("\u{378}", 0),
      ("\u{301}", 1),
    ]
  )
  func width(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test(
    "text of the data is shown as one line of printable characters",
    arguments: [
      ("plain", "plain"),
      ("\u{1B}]0;x\u{7}", "␛]0;x␇"),
      ("a\tb\r\nc", "a␉b␍␊c"),
      ("\u{0}\u{1F}\u{7F}", "␀␟␡"),
      ("\u{9B}31m", "\u{FFFD}31m"),
      ("\u{202E}gpj.exe\u{2066}", "\u{FFFD}gpj.exe\u{FFFD}"),
      ("\u{200E}\u{200F}\u{61C}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("a\u{200B}\u{200D}\u{FEFF}\u{2060}b", "ab"),
      ("line\u{2028}para\u{2029}", "line␤para␤"),
      ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴"),
      ("👨‍👩‍👧‍👦", "👨"),
      ("👍🏽", "👍"),
      ("🇩🇪", "DE"),
      ("⚠\u{FE0F}", "⚠"),
      ("\u{1112}\u{1161}\u{11AB}", "한"),
      ("\u{1161}", "\u{FFFD}"),
      ("\u{915}\u{93F}", "\u{FFFD}"),
      ("a\u{A0}b", "a b"),
      ("\u{301}x", "◌\u{301}x"),
      ("%s%n%@", "%s%n%@"),
      ("<b>&amp;</b>", "<b>&amp;</b>"),
      ("שלום", "שלום"),
    ]
  )
  func sanitised(text: String, shown: String) {
    #expect(Array(TextWidth.sanitised(text).unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test("no more than four marks stay on a letter")
  func marks() {
    let text = "e" + String(repeating: "\u{301}", count: 40)
    #expect(TextWidth.sanitised(text).unicodeScalars.count == 5)
    #expect(TextWidth.columns(of: text) == 1)
  }

  @Test("noncharacters are removed", arguments: [0xFDD0, 0xFFFE, 0x10FFFF] as [UInt32])
  func noncharacters(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(TextWidth.columns(of: "a\(Character(scalar))b") == 2)
  }

  @Test("every scalar becomes printable text of at most two columns")
  func everyScalar() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      let columns = TextWidth.columns(of: text)
      let shown = TextWidth.sanitised(text).unicodeScalars
      guard columns <= 2, !shown.contains(where: isForbidden) else {
        Issue.record("U+\(String(value, radix: 16)) shows as \(Array(shown)) in \(columns)")
        return
      }
    }
  }

  @Test("what is drawn without looking for clusters has one column wherever it stands")
  func standsAlone() {
    let alone = (UInt32(0)...0xFFFF).compactMap(Unicode.Scalar.init).filter(TextWidth.standsAlone)
    #expect(alone.count > 400)
    for scalar in alone {
      // A wide character before it and a mark behind it make clusters be looked for.
      let text = "日\(Character(scalar))\u{301}"
      #expect(TextWidth.columns(of: text) == 3, "U+\(String(scalar.value, radix: 16))")
      #expect(Array(TextWidth.sanitised(text).unicodeScalars.prefix(2)) == ["日", scalar])
    }
  }

  private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  @Test(
    "showing what is shown changes nothing",
    arguments: ["\u{1B}[1m🇩🇪👨‍👩‍👧e\u{301}日", "\r\n\t\u{200B}"]
  )
  func idempotent(text: String) {
    let once = TextWidth.sanitised(text)
    #expect(TextWidth.sanitised(once) == once)
    #expect(TextWidth.columns(of: once) == TextWidth.columns(of: text))
  }

  @Test(
    "names are cut in the middle, prose at its end",
    arguments: [
      ("CheckoutViewController", 22, "CheckoutViewController", "CheckoutViewController"),
      ("CheckoutViewController", 19, "CheckoutV…ontroller", "CheckoutViewContro…"),
      ("CheckoutViewController", 2, "C…", "C…"),
      ("CheckoutViewController", 1, "…", "…"),
      ("CheckoutViewController", 0, "", ""),
      ("日本語日本語", 7, "日…語", "日本語…"),
      ("日本語", 5, "日…語", "日本…"),
      ("", 3, "", ""),
    ]
  )
  func cut(text: String, columns: Int, inMiddle: String, atEnd: String) {
    #expect(DisplayText.cutInMiddle(text, to: columns) == inMiddle)
    #expect(DisplayText.cutAtEnd(text, to: columns) == atEnd)
  }

  @Test("a field has exactly its width")
  func field() {
    #expect(DisplayText.field("ab", columns: 4) == "ab  ")
    #expect(DisplayText.field("ab", columns: 4, alignment: .right) == "  ab")
    #expect(DisplayText.field("日本語", columns: 4) == "日… ")
  }

  @Test(
    "prose is broken at spaces, words only where they must be",
    arguments: [
      ("over 2,000 ms in Details", 10, ["over 2,000", "ms in", "Details"]),
      ("CheckoutViewController", 8, ["Checkout", "ViewCont", "roller"]),
      ("日本語 abc", 5, ["日本", "語", "abc"]),
      ("日本", 1, ["日", "本"]),
      ("a  b", 1, ["a", "b"]),
      ("", 5, [""]),
      ("line\nbreak", 20, ["line␊break"]),
    ]
  )
  func wrapped(text: String, columns: Int, lines: [String]) {
    #expect(DisplayText.wrapped(text, to: columns) == lines)
  }
}
