/// What the driver reads: a character, or a key that ncurses has recognised.
package enum RawInput: Hashable, Sendable {
  case scalar(UInt32)
  case key(Key)
  /// Something without a meaning here, such as a mouse report.
  case nothing
}

/// Turns characters and recognised keys into keys, and swallows escape sequences that nobody knows.
///
/// An escape that nothing follows is the key Escape; one that a character follows at once is Alt, or the
/// beginning of a sequence whose end is awaited, so that its bytes are never taken for typing.
package struct KeyAssembler: Sendable {
  private enum State {
    case ground
    case escape
    /// After `ESC O`: one more character.
    case single
    /// After `ESC [`: until a character from `@` to `~`.
    case control
    /// After `ESC ]`, `ESC P` and their kind: until BEL or ESC `\`.
    case string
    case stringEscape
  }

  private var state = State.ground

  package init() {}

  /// Takes one input and returns the key that it completes.
  package mutating func take(_ input: RawInput) -> Key? {
    switch input {
    case .nothing:
      state = .ground
      return nil
    case .key(let key):
      state = .ground
      return key
    case .scalar(let value):
      return take(value)
    }
  }

  /// Says that nothing more is waiting: an escape on its own is a key, half a sequence is dropped.
  package mutating func finish() -> Key? {
    defer { state = .ground }
    return state == .escape ? .escape : nil
  }

  private mutating func take(_ value: UInt32) -> Key? {
    switch state {
    case .ground:
      guard value == 0x1B else { return Self.key(value) }
      state = .escape
      return nil
    case .escape:
      return takeAfterEscape(value)
    case .single:
      state = .ground
      return nil
    case .control:
      if value == 0x1B { state = .escape } else if 0x40...0x7E ~= value { state = .ground }
      return nil
    case .string:
      if value == 0x07 { state = .ground } else if value == 0x1B { state = .stringEscape }
      return nil
    case .stringEscape:
      state = value == 0x5C ? .ground : .string
      return nil
    }
  }

  private mutating func takeAfterEscape(_ value: UInt32) -> Key? {
    switch value {
    case 0x1B:
      return .escape
    case 0x4F:
      state = .single
    case 0x5B:
      state = .control
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F:
      state = .string
    default:
      state = .ground
      guard value > 0x20, value != 0x7F, let scalar = Unicode.Scalar(value) else { return nil }
      return .alt(scalar)
    }
    return nil
  }

  private static func key(_ value: UInt32) -> Key? {
    switch value {
    case 0x08, 0x7F: return .backspace
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    case 1...26: return Unicode.Scalar(value + 0x60).map(Key.control)
    case 0..<0x20, 0x80..<0xA0: return nil
    default: return Unicode.Scalar(value).map(Key.character)
    }
  }
}
