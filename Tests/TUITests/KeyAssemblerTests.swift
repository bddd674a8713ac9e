import TUI
import Testing

@Suite("Typed bytes")
struct KeyAssemblerTests {
  /// The keys of characters that arrive at once.
  private func keys(_ text: String) -> [Key] {
    var assembler = KeyAssembler()
    var keys = text.unicodeScalars.compactMap { assembler.take(.scalar($0.value)) }
    if let last = assembler.finish() { keys.append(last) }
    return keys
  }

  @Test(
    "characters become keys",
    arguments: [
      ("a", [.character("a")]), ("é日", [.character("é"), .character("日")]),
      ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
      ("\u{8}", [.backspace]), ("\u{C}", [.control("l")]), ("\u{1}", [.control("a")]),
      ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{1B}x", [.alt("x")]),
      ("\u{0}", []), ("\u{9B}", []), (" ", [.character(" ")]),
    ] as [(String, [Key])]
  )
  func plain(text: String, expected: [Key]) {
    #expect(keys(text) == expected)
  }

  @Test(
    "unknown sequences are swallowed and type nothing",
    arguments: [
      "\u{1B}[1;5:3u", "\u{1B}[<0;10;20M", "\u{1B}[200~", "\u{1B}OZ", "\u{1B}]0;title\u{7}",
      "\u{1B}Pdata\u{1B}\\", "\u{1B}[?1;2c", "\u{1B}[", "\u{1B}]11;rgb:00/00/00",
    ]
  )
  func swallowed(sequence: String) {
    #expect(keys(sequence).isEmpty)
  }

  @Test("typing goes on after an unknown sequence")
  func after() {
    #expect(keys("\u{1B}[99;99Xq") == [.character("q")])
    #expect(keys("\u{1B}]52;c;aGk=\u{7}j") == [.character("j")])
  }

  @Test("a key that the driver recognised ends a sequence")
  func recognised() {
    var assembler = KeyAssembler()
    #expect(assembler.take(.scalar(0x1B)) == nil)
    #expect(assembler.take(.key(.up)) == .up)
    #expect(assembler.finish() == nil)
  }

  @Test("random bytes never trap and never leave the assembler stuck", arguments: 0..<100)
  func random(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var assembler = KeyAssembler()
    for _ in 0..<200 {
      let input = UInt32.random(in: 0...0x1FF, using: &random)
      _ = assembler.take(.scalar(input))
    }
    _ = assembler.finish()
    #expect(assembler.take(.scalar(0x71)) == .character("q"))
  }

  @Test("a prompt takes text and editing keys, and hands back the rest")
  func prompt() {
    var prompt = Prompt("home view")
    let type = { (keys: [Key]) in keys.forEach { _ = prompt.handle($0) } }
    type([.control("w")])
    #expect(prompt.text == "home ")
    type([.home, .delete, .character("H"), .end, .backspace, .character("q")])
    #expect(prompt.text == "Homeq")
    type([.left, .left, .control("k")])
    #expect(prompt.text == "Hom")
    #expect(prompt.handle(.enter) == .accepted)
    #expect(prompt.handle(.escape) == .cancelled)
    #expect(prompt.handle(.pageDown) == .ignored)
    type([.control("u")])
    #expect(prompt.text.isEmpty)
    #expect(prompt.handle(.backspace) == .cancelled)
  }

  @Test("a prompt shows its end, its cursor and the note")
  func promptPicture() {
    var grid = Grid(width: 16, height: 1)
    let note = StyledText("3/17", .muted)
    Prompt("abcdefghijklmnop").draw(into: &grid, in: grid.bounds, sign: "/", note: note)
    #expect(GridText.plain(grid) == "/hijklmnop  3/17\n")
    #expect((0..<16).filter { grid[$0, 0].attributes.contains(.inverse) } == [10])
    for width in 0..<16 {
      var small = Grid(width: width, height: 1)
      Prompt("日本語").draw(into: &small, in: small.bounds, sign: "/", note: note)
      #expect(small.width == width)
    }
  }
}
