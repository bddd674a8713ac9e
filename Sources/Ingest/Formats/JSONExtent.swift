/// Finds where an object or array ends by its brackets, in pieces, without decoding it.
struct JSONExtent {
  enum Outcome: Equatable {
    /// The value ends before this index.
    case closed(Int)
    /// The first newline, which stands at this index, outside of a string.
    case firstNewline(Int)
    /// A newline inside a string.
    case brokenString(Int)
    /// A bracket that closes what another kind opened.
    case mismatch(Int)
    /// The line that begins here begins another value.
    case newValue(Int)
    /// All bytes are inside the value.
    case more
  }

  /// Index of the next byte, counted from the value's beginning.
  private(set) var position = 0
  /// True when the first newline inside the value has been passed.
  private(set) var hasNewline: Bool
  private var nesting = JSONNesting()
  private var isInString = false
  /// The last byte outside of strings that is no white space; a quote for a string.
  private var last: UInt8 = 0
  private var isLineStart = false

  /// - Parameter hasNewline: true when the first newline needs no notice.
  init(hasNewline: Bool) {
    self.hasNewline = hasNewline
  }

  /// Goes on as far as the bytes reach; they are the value's from its beginning.
  mutating func advance(_ base: UnsafePointer<UInt8>, _ count: Int, isFinal: Bool) -> Outcome {
    while position < count {
      if isInString {
        guard let outcome = skipString(base, count) else { continue }
        return outcome
      }
      let byte = base[position]
      if isLineStart, byte != 0x20, byte != 0x09, byte != 0x0D, byte != 0x0A {
        if byte == 0x7B {
          guard let isNew = beginsValue(base, count, isFinal) else { return .more }
          if isNew { return .newValue(position) }
        }
        isLineStart = false
      }
      switch byte {
      case 0x22: isInString = true
      case 0x7B, 0x5B: nesting.push(isObject: byte == 0x7B)
      case 0x7D, 0x5D:
        guard nesting.isObject == (byte == 0x7D) else { return .mismatch(position) }
        nesting.pop()
        if nesting.depth == 0 { return .closed(position &+ 1) }
      case 0x0A:
        if !hasNewline {
          hasNewline = true
          return .firstNewline(position)
        }
        isLineStart = true
      default: break
      }
      if byte > 0x20 { last = byte }
      position &+= 1
    }
    return .more
  }

  /// Moves behind the string; nil to go on.
  private mutating func skipString(_ base: UnsafePointer<UInt8>, _ count: Int) -> Outcome? {
    var scanner = JSONScanner(base: base, position: position, end: count)
    scanner.skipPlain()
    position = scanner.position
    guard position < count else { return .more }
    switch base[position] {
    case 0x22:
      isInString = false
      position &+= 1
    case 0x5C:
      guard position &+ 1 < count else { return .more }
      // A newline after a backslash still ends the line.
      position &+= base[position &+ 1] == 0x0A ? 1 : 2
    case 0x0A: return .brokenString(position)
    default: position &+= 1
    }
    return nil
  }

  private static let resource = Array("{\"resource".utf8)

  /// Whether an opening brace at the beginning of a line cannot belong to the value; nil when more
  /// bytes must tell.
  ///
  /// It belongs after a colon in an object and after a bracket or comma in an array. Requests begin
  /// with `{"resourceSpans"` and the like, which stands nowhere else.
  private func beginsValue(
    _ base: UnsafePointer<UInt8>,
    _ count: Int,
    _ isFinal: Bool
  ) -> Bool? {
    let fits =
      nesting.isObject
      ? last == UInt8(ascii: ":") : last == UInt8(ascii: "[") || last == UInt8(ascii: ",")
    if !fits { return true }
    for (index, byte) in Self.resource.enumerated() {
      guard position &+ index < count else { return isFinal ? false : nil }
      if base[position &+ index] != byte { return false }
    }
    let next = position &+ Self.resource.count
    guard next < count else { return isFinal ? false : nil }
    // An element of `resourceSpans` begins with `{"resource"` and lies two or three levels deep.
    if base[next] == UInt8(ascii: "\"") { return nesting.depth != 2 && nesting.depth != 3 }
    return true
  }
}
