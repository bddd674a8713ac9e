import TUI
import Testing

@Suite("Keys")
struct KeymapTests {
  @Test("no key is bound twice on a screen", arguments: Screen.allCases)
  func unique(screen: Screen) {
    let keys = Keymap.bindings(on: screen).flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test(
    "no binding uses a key that terminals mean otherwise",
    arguments: ["C-h", "C-i", "C-j", "C-m", "C-[", "C-s", "C-q"]
  )
  func forbidden(name: String) throws {
    let key = try #require(Key(name: name))
    for screen in Screen.allCases { #expect(Keymap.action(for: key, on: screen) == nil) }
  }

  @Test("every binding has a key, a help text, and a name that reads back")
  func complete() {
    for binding in Keymap.bindings {
      #expect(!binding.keys.isEmpty)
      #expect(!binding.help.isEmpty)
      for key in binding.keys { #expect(Key(name: key.name) == key) }
    }
  }

  @Test(
    "keys do what fingers expect",
    arguments: [
      ("1", .sessions, .show(.sessions)), ("6", .sessions, .show(.ledger)),
      ("?", .ledger, .show(.help)), ("F1", .ledger, .show(.help)),
      ("j", .help, .move(.down)), ("Down", .hangs, .move(.down)), ("k", .leaks, .move(.up)),
      ("g", .screens, .move(.top)), ("End", .screens, .move(.bottom)),
      ("PgDn", .screens, .move(.pageDown)), ("C-u", .screens, .move(.halfPageUp)),
      ("Enter", .sessions, .open), ("Escape", .sessions, .back), ("q", .sessions, .quit),
      ("C-c", .sessions, .quitNow), ("Space", .sessions, .pause), ("f", .timeline, .follow),
      ("/", .sessions, .search), ("n", .sessions, .nextHit), ("N", .sessions, .previousHit),
      ("C-l", .sessions, .redraw), ("C-z", .sessions, .suspend), ("+", .timeline, .zoomIn),
      ("-", .timeline, .zoomOut), ("Left", .timeline, .cursorLeft),
      ("]", .timeline, .nextSession), ("+", .sessions, nil), ("Left", .sessions, nil),
      ("<", .sessions, .sortPrevious), ("s", .sessions, .sortNext), ("<", .timeline, nil),
      ("Tab", .ledger, .nextPane),
      ("Tab", .sessions, nil), ("/", .help, nil), ("z", .sessions, nil),
    ] as [(String, Screen, Action?)]
  )
  func dispatch(name: String, screen: Screen, action: Action?) throws {
    let key = try #require(Key(name: name))
    #expect(Keymap.action(for: key, on: screen) == action)
  }

  @Test(
    "every screen has a key, a name that reads back, and a key for help",
    arguments: Screen.allCases
  )
  func screens(screen: Screen) {
    #expect(Screen(name: screen.name) == screen)
    for other in Screen.allCases {
      #expect(Keymap.action(for: screen.key, on: other) == .show(screen))
    }
  }

  @Test("the footer fits its width and always names help")
  func footer() {
    for screen in Screen.allCases {
      for width in 6...160 {
        let footer = Keymap.footer(on: screen, width: width)
        #expect(footer.columns <= width)
        #expect(footer.segments.suffix(2).map(\.text) == ["?", " help"])
      }
    }
  }

  @Test("the footer of the timeline begins with its own keys")
  func timelineFooter() {
    let text = Keymap.footer(on: .timeline, width: 80).segments.map(\.text).joined()
    #expect(text.hasPrefix("←→ cursor  +- zoom  [ ] session  Enter open"))
  }

  @Test("help and the README name every key of a screen")
  func help() {
    let lines = Keymap.helpLines(on: .timeline)
    #expect(lines.contains { $0.keys == "+ =" && $0.help == "zoom in around the cursor" })
    #expect(!Keymap.helpLines(on: .sessions).contains { $0.keys == "+ =" })
    let readme = Keymap.markdown()
    for binding in Keymap.bindings { #expect(readme.contains(binding.help)) }
    #expect(readme.contains("| `[` | previous session | Timeline |"))
  }

  @Test(
    "keys are read from tmux's names",
    arguments: [
      ("Down", .down), ("PgDn", .pageDown), ("NPage", .pageDown), ("PPage", .pageUp),
      ("Enter", .enter), ("Escape", .escape), ("C-l", .control("l")), ("C-L", .control("l")),
      ("^l", nil), ("j", .character("j")), ("Space", .character(" ")), ("M-x", .alt("x")),
      ("F5", .function(5)), ("F21", nil), ("BTab", .backTab), ("BSpace", .backspace),
      ("DC", .delete), ("é", .character("é")), ("", nil), ("Nope", nil), ("F", .character("F")),
      ("-", .character("-")), ("C-", nil),
    ] as [(String, Key?)]
  )
  func names(name: String, key: Key?) {
    #expect(Key(name: name) == key)
  }

  @Test("a list of keys names the one that is unknown")
  func list() throws {
    #expect(try Key.list("2 Down  C-l") == [.character("2"), .down, .control("l")])
    #expect(throws: UnknownKey(name: "Hyper")) { try Key.list("j Hyper") }
  }
}
