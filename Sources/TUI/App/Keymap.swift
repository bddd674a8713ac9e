/// What the user can ask for with a key.
package enum Action: Hashable, Sendable {
  case show(Screen)
  case move(Move)
  case open
  case back
  /// Closes the top layer; on the last one, ends perftop.
  case quit
  /// Ends perftop from anywhere.
  case quitNow
  case pause
  case follow
  case search
  case filter
  case nextHit
  case previousHit
  case redraw
  case suspend
  case zoomIn
  case zoomOut
  case cursorLeft
  case cursorRight
  case previousSession
  case nextSession
  case sortPrevious
  case sortNext
  case invertSort
  case nextPane
  case nextGrouping

  package enum Move: Hashable, Sendable {
    case up
    case down
    case pageUp
    case pageDown
    case halfPageUp
    case halfPageDown
    case top
    case bottom

    /// The same move in a list.
    package var scroll: ScrollPosition.Move {
      switch self {
      case .up: .by(-1)
      case .down: .by(1)
      case .pageUp: .pages(-1)
      case .pageDown: .pages(1)
      case .halfPageUp: .halfPages(-1)
      case .halfPageDown: .halfPages(1)
      case .top: .top
      case .bottom: .bottom
      }
    }
  }
}

/// The one table of keys: it feeds dispatch, the footer, the help screen and the README.
package enum Keymap {
  package struct Binding: Sendable {
    /// The first key is the one shown; the others do the same.
    package var keys: [Key]
    package var action: Action
    /// For the footer; empty where it does not belong there.
    ///
    /// Bindings in a row with the same words share one entry.
    package var words: String
    /// For the help screen and the README.
    package var help: String
    package var places: Screen.Places
  }

  package static let bindings: [Binding] =
    screenBindings + timelineBindings + tableBindings + generalBindings + moveBindings

  /// What a key does on a screen; nil when it does nothing there.
  package static func action(for key: Key, on screen: Screen) -> Action? {
    bindings.first { $0.places.contains(screen) && $0.keys.contains(key) }?.action
  }

  package static func bindings(on screen: Screen) -> [Binding] {
    bindings.filter { $0.places.contains(screen) }
  }

  /// The footer of a screen: as many entries as fit, the screen's own first, `? help` always.
  package static func footer(on screen: Screen, width: Int) -> StyledText {
    let entries = footerEntries(on: screen)
    var line = StyledText()
    var used = 0
    let help = entry("?", "help")
    for entry in entries where used + entry.columns + help.columns + 2 <= width {
      line = line + entry
      line.append("  ")
      used += entry.columns + 2
    }
    return line + help
  }

  /// The keys and what they do, in the order of the table, one line each.
  package static func helpLines(on screen: Screen) -> [(keys: String, help: String)] {
    bindings(on: screen).map { ($0.keys.map(\.label).joined(separator: " "), $0.help) }
  }

  /// The table of keys for the README.
  package static func markdown() -> String {
    var text = "| key | does | where |\n|---|---|---|\n"
    for binding in bindings {
      let keys = binding.keys.map { "`\($0.label)`" }.joined(separator: " ")
      text += "| \(keys) | \(binding.help) | \(placeName(binding.places)) |\n"
    }
    return text
  }

  private static func placeName(_ places: Screen.Places) -> String {
    if places == .all { return "everywhere" }
    return Screen.allCases.filter(places.contains).map(\.title).joined(separator: ", ")
  }

  private static func footerEntries(on screen: Screen) -> [StyledText] {
    var entries: [(label: String, words: String)] = []
    for binding in bindings(on: screen) where !binding.words.isEmpty {
      guard let label = binding.keys.first?.label else { continue }
      if let last = entries.last, last.words == binding.words {
        entries[entries.count - 1].label = joined(last.label, label)
      } else {
        entries.append((label, binding.words))
      }
    }
    return entries.map { entry($0.label, $0.words) }
  }

  private static func joined(_ first: String, _ second: String) -> String {
    let isBracket = first.hasSuffix("[") || first.hasSuffix("<")
    return first + (isBracket ? " " : "") + second
  }

  private static func entry(_ label: String, _ words: String) -> StyledText {
    StyledText([Segment(label, .key), Segment(" " + words, .muted)])
  }

  private static func bind(
    _ names: String,
    _ action: Action,
    _ words: String,
    _ help: String,
    on places: Screen.Places = .all
  ) -> Binding {
    Binding(
      keys: names.split(separator: " ").compactMap { Key(name: String($0)) },
      action: action,
      words: words,
      help: help,
      places: places
    )
  }

  private static let screenBindings: [Binding] = Screen.allCases.map { screen in
    bind(
      screen == .help ? "? F1" : screen.key.name,
      .show(screen),
      "",
      screen == .help ? "help for this screen" : "show \(screen.title)"
    )
  }

  private static let timelineBindings: [Binding] = [
    bind("Left h", .cursorLeft, "cursor", "move the cursor back in time", on: .timeline),
    bind("Right l", .cursorRight, "cursor", "move the cursor on in time", on: .timeline),
    bind("+ =", .zoomIn, "zoom", "zoom in around the cursor", on: .timeline),
    bind("- _", .zoomOut, "zoom", "zoom out", on: .timeline),
    bind("[", .previousSession, "session", "previous session", on: .timeline),
    bind("]", .nextSession, "session", "next session", on: .timeline),
  ]

  private static let tableBindings: [Binding] = [
    bind("<", .sortPrevious, "sort", "sort by the column to the left", on: .tables),
    bind("> s", .sortNext, "sort", "sort by the column to the right", on: .tables),
    bind("S", .invertSort, "", "turn the order round", on: .tables),
    bind("b", .nextGrouping, "group", "group by version, device, os, attributes", on: .screens),
    bind("Tab", .nextPane, "other list", "go to the names or to their events", on: .ledger),
  ]

  private static let generalBindings: [Binding] = [
    bind("Enter", .open, "open", "open the selected record", on: .data),
    bind("Escape", .back, "back", "close; stop loading; clear search and filter"),
    bind("Space", .pause, "pause", "pause the picture; reading goes on"),
    bind("f", .follow, "follow", "follow the newest data", on: .data),
    bind("/", .search, "search", "search in this screen", on: .searched),
    bind("&", .filter, "filter", "filter, as in screen:Search duration>1s", on: .data),
    bind("n", .nextHit, "", "next hit", on: .searched),
    bind("N", .previousHit, "", "previous hit", on: .searched),
    bind("q", .quit, "quit", "close the top layer; quit on the last one"),
    bind("C-c", .quitNow, "", "quit at once"),
    bind("C-l", .redraw, "", "draw the screen anew"),
    bind("C-z", .suspend, "", "suspend"),
  ]

  private static let moveBindings: [Binding] = [
    bind("Down j", .move(.down), "", "down"),
    bind("Up k", .move(.up), "", "up"),
    bind("PgDn C-f", .move(.pageDown), "", "page down"),
    bind("PgUp C-b", .move(.pageUp), "", "page up"),
    bind("C-d", .move(.halfPageDown), "", "half a page down"),
    bind("C-u", .move(.halfPageUp), "", "half a page up"),
    bind("Home g", .move(.top), "", "to the top"),
    bind("End G", .move(.bottom), "", "to the bottom"),
  ]
}
