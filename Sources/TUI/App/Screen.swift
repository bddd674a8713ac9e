/// The screens, in the order of their keys.
package enum Screen: Int, CaseIterable, Hashable, Sendable {
  case sessions = 1
  case timeline
  case screens
  case hangs
  case leaks
  case ledger
  /// Beyond the digits.
  case quality = 10
  case help

  /// The name on the command line.
  package var name: String {
    switch self {
    case .sessions: "sessions"
    case .timeline: "timeline"
    case .screens: "screens"
    case .hangs: "hangs"
    case .leaks: "leaks"
    case .ledger: "ledger"
    case .quality: "quality"
    case .help: "help"
    }
  }

  /// The title in the line of screens.
  package var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// The key that shows it.
  package var key: Key {
    switch self {
    case .quality: .character("!")
    case .help: .character("?")
    default: .character(Unicode.Scalar(UInt8(truncatingIfNeeded: 48 + rawValue)))
    }
  }

  package init?(name: String) {
    guard let screen = Screen.allCases.first(where: { $0.name == name }) else { return nil }
    self = screen
  }

  /// Where keys apply.
  package struct Places: OptionSet, Hashable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    package init(_ screens: Screen...) {
      rawValue = screens.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    package static let all = Places(rawValue: .max)
    package static let tables = Places(
      .sessions,
      .screens,
      .hangs,
      .leaks,
      .ledger,
      .quality
    )
    package static let timeline = Places(.timeline)
    package static let screens = Places(.screens)
    package static let ledger = Places(.ledger)
    /// Where there are records.
    package static let data = Places(.sessions, .timeline, .screens, .hangs, .leaks, .ledger)
    /// Where there is something to look for.
    package static let searched = Places(rawValue: data.rawValue | Places(.quality).rawValue)

    package func contains(_ screen: Screen) -> Bool {
      rawValue & 1 << UInt16(screen.rawValue) != 0
    }
  }
}
