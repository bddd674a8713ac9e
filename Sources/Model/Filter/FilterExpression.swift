/// What `--filter` and `&` ask of a record.
///
/// The language: free words match names, case folded; `key:value` contains, `key=value`, `key!=value`,
/// `key~regex`, `key>n`, `key<n`; `and`, `or`, `not` and parentheses; terms side by side are all asked for.
package indirect enum FilterExpression: Sendable {
  /// A part of the record's name, screen, fragment or class, in any case.
  case word(String)
  case term(FilterTerm)
  case not(FilterExpression)
  case all([FilterExpression])
  case any([FilterExpression])
}

/// A question about one property of a record.
package struct FilterTerm: Sendable {
  package var key: FilterKey
  /// The attribute that `attr.NAME` names; empty for other keys.
  package var attribute = ""
  package var test: FilterTest
}

/// How a property is compared.
package enum FilterTest: Sendable {
  /// A part of it, in any case; the text is in lower case.
  case contains(String)
  case equals(String)
  case differs(String)
  case matches(TextPattern)
  /// Milliseconds for durations.
  case compares(Comparison, Double)

  package enum Comparison: String, Sendable {
    case above = ">"
    case below = "<"
    case atLeast = ">="
    case atMost = "<="
    case equal = "="
    case different = "!="

    func holds(_ value: Double, _ limit: Double) -> Bool {
      switch self {
      case .above: value > limit
      case .below: value < limit
      case .atLeast: value >= limit
      case .atMost: value <= limit
      case .equal: value == limit
      case .different: value != limit
      }
    }
  }
}

/// The properties that a filter can ask for.
package enum FilterKey: String, CaseIterable, Sendable {
  case signal, screen, fragment, app, version, device, os, session, state, type, name, duration
  case freeze, severity, `class`, source
  case attribute = "attr."

  /// Compared as numbers: `duration` in milliseconds, `freeze` in milliseconds a second.
  var isNumber: Bool { self == .duration || self == .freeze }
  /// Words of perftop, not of the data: their case does not matter.
  var isWord: Bool { [.signal, .state, .type, .severity].contains(self) }
  /// The answer depends on the session that the record belongs to.
  var needsSession: Bool { self == .state || self == .session }
}

/// Why a filter cannot be read.
package struct FilterError: Error, Equatable, Sendable {
  /// The character where it went wrong, from 1.
  package var column: Int
  package var text: String
  /// What to do instead, where that takes more room than a prompt has.
  package var advice = ""

  /// `column 9: unknown key 'screeen'; did you mean screen?`.
  package var sentence: String { "column \(column): \(text)" }
}

extension FilterExpression {
  /// Whether any part of it asks for an attribute that only sets of attributes have.
  fileprivate var asksForHostAttributes: Bool {
    switch self {
    case .word: false
    case .term(let term):
      term.key == .attribute && StandardAttribute(rawValue: term.attribute) == nil
    case .not(let inner): inner.asksForHostAttributes
    case .all(let parts), .any(let parts): parts.contains(where: \.asksForHostAttributes)
    }
  }

  /// Whether any part of it depends on sessions.
  var needsSessions: Bool {
    switch self {
    case .word: false
    case .term(let term): term.key.needsSession
    case .not(let inner): inner.needsSessions
    case .all(let parts), .any(let parts): parts.contains(where: \.needsSessions)
    }
  }
}

extension Quality {
  private static let attributesNote = "not all attributes were kept"

  /// What to say beside what a filter lets through; nil where nothing that it asks for was dropped.
  package func note(on filter: RecordFilter) -> String? {
    if foldedRecords > 0 { return "the oldest records are no longer kept and not looked at" }
    let asks = filter.expression?.asksForHostAttributes ?? false
    return asks && hostAttributesDropped > 0 ? Self.attributesNote : nil
  }

  /// What to say beside parted figures; nil where nothing that they are parted by was dropped.
  package func note(on grouping: Grouping?) -> String? {
    if grouping != nil, foldedRecords > 0 { return "the oldest records are in \"other\"" }
    guard case .attribute(let name) = grouping, StandardAttribute(rawValue: name) == nil else {
      return nil
    }
    return hostAttributesDropped > 0 ? Self.attributesNote : nil
  }
}
