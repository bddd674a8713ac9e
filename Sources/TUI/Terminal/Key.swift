/// A key as the user presses it, whatever bytes the terminal sends for it.
package enum Key: Hashable, Sendable {
  /// A character that prints, the space included.
  case character(Unicode.Scalar)
  /// A letter (lower case) or another character with Control.
  case control(Unicode.Scalar)
  /// A character with Alt.
  case alt(Unicode.Scalar)
  case enter
  case escape
  case tab
  case backTab
  case backspace
  case delete
  case insert
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  case function(Int)

  /// Reads a key from its name in tmux, such as `j`, `Down`, `PgDn`, `C-l`, `M-x` or `F5`.
  package init?(name: String) {
    if let key = Key.names.first(where: { $0.name == name })?.key {
      self = key
      return
    }
    let scalars = Array(name.unicodeScalars)
    if scalars.count == 1, scalars[0].value >= 0x20, scalars[0].value != 0x7F {
      self = .character(scalars[0])
    } else if scalars.count == 3, scalars[1] == "-", scalars[0] == "C" || scalars[0] == "^" {
      self = .control(Key.lowercased(scalars[2]))
    } else if scalars.count == 3, scalars[1] == "-", scalars[0] == "M" {
      self = .alt(scalars[2])
    } else if scalars.first == "F", let number = Int(name.dropFirst()), 1...20 ~= number {
      self = .function(number)
    } else {
      return nil
    }
  }

  /// The keys of a list such as `2 Down Down Enter`; nil and the name for one that is unknown.
  package static func list(_ names: String) throws(UnknownKey) -> [Key] {
    var keys: [Key] = []
    for name in names.split(separator: " ", omittingEmptySubsequences: true) {
      guard let key = Key(name: String(name)) else { throw UnknownKey(name: String(name)) }
      keys.append(key)
    }
    return keys
  }

  /// The name in tmux.
  package var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let scalar): String(Character(scalar))
    case .control(let scalar): "C-\(scalar)"
    case .alt(let scalar): "M-\(scalar)"
    case .function(let number): "F\(number)"
    default: Key.names.first { $0.key == self }?.name ?? "?"
    }
  }

  /// How the key is written on the screen.
  package var label: String {
    switch self {
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .escape: "Esc"
    case .control(let scalar): "^\(String(scalar).uppercased())"
    default: name
    }
  }

  /// The first name of a key is the one it is written with.
  private static let names: [(name: String, key: Key)] = [
    ("Enter", .enter), ("Escape", .escape), ("Esc", .escape), ("Tab", .tab), ("BTab", .backTab),
    ("BSpace", .backspace), ("DC", .delete), ("Delete", .delete), ("IC", .insert),
    ("Insert", .insert), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right),
    ("Home", .home), ("End", .end), ("PgUp", .pageUp), ("PPage", .pageUp), ("PageUp", .pageUp),
    ("PgDn", .pageDown), ("NPage", .pageDown), ("PageDown", .pageDown),
    ("Space", .character(" ")),
  ]

  private static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    0x41...0x5A ~= scalar.value ? Unicode.Scalar(scalar.value + 32) ?? scalar : scalar
  }
}

/// A key name that tmux would not know either.
package struct UnknownKey: Error, Equatable, Sendable {
  package var name: String

  package init(name: String) {
    self.name = name
  }
}
