import Model

/// What a span's name and its screen or fragment say about the span.
struct SignalMatch: Equatable {
  /// Where the subject comes from.
  enum Subject: Equatable {
    case none
    case screenName
    case fragmentName
    /// The end of the span's name, from this byte on.
    case suffix(Int)
  }

  var signal = Signal.otherSpan
  var subject = Subject.none
  var isPending = false
}

/// Matches span names with PerformanceSuite's, which may have a prefix with dots in front.
enum SignalNames {
  private static let named: [(stem: StaticString, signal: Signal)] = [
    ("screen-tti", .screenTTI),
    ("screen-rendering", .screenRendering),
    ("fragment-tti", .fragmentTTI),
  ]
  private static let fixed: [(stem: StaticString, signal: Signal)] = [
    ("app-startup", .appStartup),
    ("app-rendering", .appRendering),
    ("app-hang", .appHang),
    ("app-watchdog-termination", .watchdogTermination),
  ]
  private static let stems = named + fixed
  private static let dot = UInt8(ascii: ".")

  /// The signal of a span that has this whole name.
  ///
  /// `screen` and `fragment` are the values of `screen.name` and `fragment.name`, nil when absent.
  static func match(
    name: UnsafeRawBufferPointer,
    screen: UnsafeRawBufferPointer?,
    fragment: UnsafeRawBufferPointer?
  ) -> SignalMatch {
    for (stem, signal) in named {
      let isFragment = signal == .fragmentTTI
      guard let value = isFragment ? fragment : screen, ends(name, stem: stem, value: value)
      else { continue }
      return SignalMatch(signal: signal, subject: isFragment ? .fragmentName : .screenName)
    }
    var start = 0
    while start < name.count {
      let rest = UnsafeRawBufferPointer(rebasing: name[start...])
      if let match = match(rest, at: start, hasScreen: screen != nil, hasFragment: fragment != nil)
      {
        return match
      }
      guard let next = rest.firstIndex(of: dot) else { break }
      start += next + 1
    }
    return SignalMatch()
  }

  private static func match(
    _ rest: UnsafeRawBufferPointer,
    at start: Int,
    hasScreen: Bool,
    hasFragment: Bool
  ) -> SignalMatch? {
    for (stem, signal) in fixed where equal(rest, stem) { return SignalMatch(signal: signal) }
    for (stem, signal) in named where begins(rest, stem) {
      let length = stem.utf8CodeUnitCount
      let isFragment = signal == .fragmentTTI
      let hasValue = isFragment ? hasFragment : hasScreen
      guard rest.count == length || rest[length] == dot else { continue }
      if hasValue {
        return SignalMatch(signal: signal, subject: isFragment ? .fragmentName : .screenName)
      }
      guard rest.count > length + 1 else { continue }
      let suffix = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
      if signal == .screenTTI, equal(suffix, "pending") {
        return SignalMatch(signal: signal, isPending: true)
      }
      return SignalMatch(signal: signal, subject: .suffix(start + length + 1))
    }
    return nil
  }

  /// The signals whose stem stands anywhere in the name: the span's own is among them.
  static func candidates(_ name: UnsafeRawBufferPointer) -> [Signal] {
    var found: [Signal] = []
    for hyphen in name.indices where name[hyphen] == UInt8(ascii: "-") {
      // Every stem has its first hyphen behind one of three words.
      for word in [3, 6, 8] where hyphen >= word {
        let rest = UnsafeRawBufferPointer(rebasing: name[(hyphen - word)...])
        for (stem, signal) in stems where begins(rest, stem) { found.append(signal) }
      }
    }
    return found
  }

  /// True when the name is a prefix (with its dot, or none), the stem, a dot and the value.
  private static func ends(
    _ name: UnsafeRawBufferPointer,
    stem: StaticString,
    value: UnsafeRawBufferPointer
  ) -> Bool {
    let start = name.count - value.count - 1 - stem.utf8CodeUnitCount
    guard start >= 0, start == 0 || name[start - 1] == dot else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: name[start...])
    return begins(rest, stem) && rest[stem.utf8CodeUnitCount] == dot
      && rest.suffix(value.count).elementsEqual(value)
  }

  private static func begins(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    bytes.starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private static func equal(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    bytes.count == text.utf8CodeUnitCount && begins(bytes, text)
  }
}
