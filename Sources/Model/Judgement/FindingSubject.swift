/// What a finding is about, by its place in the overview.
package enum FindingSubject: Hashable, Sendable {
  /// Index into `Overview.screens`.
  case screen(Int)
  case fragment(Int)
  /// Index into `Findings.startups`.
  case startup(Int)
  /// Indices into `Overview.streams` and the stream's sessions.
  case session(Int, Int)
  case hang(Int, Int)
  case termination(Int, Int)
  /// Index into `Findings.leaks`.
  case leak(Int)
  /// Index into `Overview.ledger`.
  case ledger(Int)
  /// Index into `Overview.spans`.
  case span(Int)
  case stream(Int)
  /// Everything that an entry of the budgets file is about, by the entry's place.
  case budget(Int)

  /// Orders subjects of one kind as the overview lists them.
  var order: UInt64 {
    switch self {
    case .screen(let index): UInt64(index)
    case .fragment(let index): 1 << 60 | UInt64(index)
    case .startup(let index): 2 << 60 | UInt64(index)
    case .session(let stream, let index): 3 << 60 | UInt64(stream) << 28 | UInt64(index)
    case .hang(let stream, let index): 4 << 60 | UInt64(stream) << 28 | UInt64(index)
    case .termination(let stream, let index): 5 << 60 | UInt64(stream) << 28 | UInt64(index)
    case .leak(let index): 6 << 60 | UInt64(index)
    case .ledger(let index): 7 << 60 | UInt64(index)
    case .span(let index): 8 << 60 | UInt64(index)
    case .stream(let index): 9 << 60 | UInt64(index)
    case .budget(let index): 10 << 60 | UInt64(index)
    }
  }

  /// The subject with a given `order`.
  init(order: UInt64) {
    let index = Int(order & (1 << 28 - 1))
    let stream = Int(order >> 28 & 0xFFFF_FFFF)
    let single = Int(order & (1 << 60 - 1))
    self =
      switch order >> 60 {
      case 0: .screen(single)
      case 1: .fragment(single)
      case 2: .startup(single)
      case 3: .session(stream, index)
      case 4: .hang(stream, index)
      case 5: .termination(stream, index)
      case 6: .leak(single)
      case 7: .ledger(single)
      case 8: .span(single)
      case 9: .stream(single)
      default: .budget(single)
      }
  }
}
