import CPattern

/// A regular expression, looked for anywhere in a text in time that grows with the text alone.
///
/// The syntax of RE2: case sensitive unless `(?i)` says otherwise, `^` and `$` are the ends of the text,
/// `.` is any character but a newline, `\d` `\w` `\s` are of ASCII and `\p{…}` of Unicode.
package final class TextPattern: Sendable {
  // Never changed once it is made, and made to be asked by several threads at once.
  private nonisolated(unsafe) let compiled: OpaquePointer

  package init(_ source: String) throws(PatternError) {
    var source = source
    var fault = CPatternFault()
    let made = source.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        cpattern_make(characters.baseAddress, characters.count, &fault)
      }
    }
    guard let made else { throw PatternError(fault, of: source) }
    compiled = made
  }

  deinit { cpattern_free(compiled) }

  package func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { isFound(in: UnsafeRawBufferPointer($0)) }
  }

  /// Bytes that are no UTF-8 match nothing, not even `.`; what stands between them is found.
  package func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.withMemoryRebound(to: CChar.self) { characters in
      cpattern_is_found(compiled, characters.baseAddress, characters.count)
    }
  }
}

/// Why a text is no regular expression that can be used.
package struct PatternError: Error, Equatable, Sendable {
  /// The character of the source to blame, from 0; nil where it is not known.
  package let offset: Int?
  package let text: String
}

extension PatternError {
  fileprivate init(_ fault: CPatternFault, of source: String) {
    let bytes = source.utf8.dropFirst(fault.offset)
    let blamed = String(decoding: bytes.prefix(fault.length), as: UTF8.self)
    text = Self.words(fault.kind, blamed)
    // For parentheses without a partner the whole source is blamed.
    let isWhole = fault.length == source.utf8.count
    let isKnown = fault.length > 0 && !isWhole && !fault.is_ambiguous
    offset = isKnown ? source[..<bytes.startIndex].count : nil
  }

  private static func words(_ kind: CPatternFaultKind, _ blamed: String) -> String {
    switch kind {
    case CPatternFaultEscape where blamed.dropFirst().first?.isNumber == true:
      "not supported: back-reference \(blamed)"
    case CPatternFaultEscape: "not supported: escape \(blamed)"
    case CPatternFaultGroupKind: "not supported: \(group(blamed))"
    case CPatternFaultClass, CPatternFaultRange: "'\(blamed)' is no range of characters"
    case CPatternFaultOpenClass: "'[' is never closed"
    case CPatternFaultOpenGroup: "'(' is never closed"
    case CPatternFaultClosedGroup: "')' without a '(' before it"
    case CPatternFaultLastBackslash: "nothing follows the last '\\'"
    case CPatternFaultNothingRepeated: "nothing stands before '\(blamed)' to repeat"
    case CPatternFaultRepetitionSize: "'\(blamed)' is no repetition; 1000 times is the most"
    case CPatternFaultRepeatedTwice: "'\(blamed)' repeats a repetition"
    case CPatternFaultGroupName: "'\(blamed)' names no group"
    case CPatternFaultTooLarge: "too large: it repeats too much"
    default: "it cannot be read"
    }
  }

  /// A group that begins with `(?`.
  private static func group(_ opening: String) -> String {
    switch opening.dropFirst(2).first {
    case "=", "!": "lookahead \(opening)"
    case "<": "lookbehind \(opening); a named group is (?P<name>…)"
    case ">": "atomic group \(opening)"
    default: "group \(opening)"
    }
  }
}
