#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why bytes are not JSON, and where.
struct JSONFault: Error, Equatable {
  enum Reason: UInt8 {
    /// The bytes end inside a value but outside of a string: more may follow.
    case unfinished
    case unterminatedString
    case controlCharacter
    case badEscape
    case badLiteral
    case badNumber
    case expectedKey
    case expectedColon
    case expectedCommaOrEnd
    case mismatchedBracket
  }

  var reason: Reason
  /// Index of the byte that broke the value.
  var position: Int

  /// For people; says nothing about the data.
  var text: String {
    switch reason {
    case .unfinished: "the value has no end"
    case .unterminatedString: "a string has no end on its line"
    case .controlCharacter: "a raw control character stands inside a string"
    case .badEscape: "a string holds an escape that JSON does not have"
    case .badLiteral: "something that is no JSON value stands where a value must"
    case .badNumber: "a number is not written as JSON demands"
    case .expectedKey: "a key is missing"
    case .expectedColon: "a colon is missing after a key"
    case .expectedCommaOrEnd: "a comma or closing bracket is missing"
    case .mismatchedBracket: "a bracket closes what another kind opened"
    }
  }
}

/// A string as it stands between its quotes.
struct JSONText {
  var start: Int
  var count: Int
  /// True when the bytes hold escapes and must be unescaped before use.
  var isEscaped: Bool
}

/// A number by its own words.
enum JSONNumber: Equatable {
  case int(Int64)
  /// Above `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
}

/// A pull scanner over the bytes of JSON text: one pass, no recursion, no read outside of the bytes.
///
/// Copying it is cheap and makes a second reader of the same bytes. The bytes must outlive it.
struct JSONScanner {
  let base: UnsafePointer<UInt8>
  /// Index of the next byte.
  var position: Int
  /// Index after the last byte.
  let end: Int

  init(base: UnsafePointer<UInt8>, position: Int, end: Int) {
    self.base = base
    self.position = position
    self.end = end
  }

  @inline(__always)
  func fault(_ reason: JSONFault.Reason) -> JSONFault {
    JSONFault(reason: reason, position: position)
  }

  @inline(__always)
  func bytes(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + start, count: end &- start)
  }

  @inline(__always)
  func bytes(of text: JSONText) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + text.start, count: text.count)
  }

  /// The eight bytes at an index that is at least eight before the end.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
    )
  }

  /// True when the text stands at an index; all of it must lie before the end.
  @inline(__always)
  func reads(_ text: StaticString, at index: Int) -> Bool {
    memcmp(base + index, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  // MARK: Structure

  @inline(__always)
  mutating func skipWhitespace() {
    while position < end {
      let byte = base[position]
      if byte > 0x20 { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position &+= 1
    }
  }

  /// The next byte after white space, not consumed.
  @inline(__always)
  mutating func peek() throws(JSONFault) -> UInt8 {
    if position < end, base[position] > 0x20 { return base[position] }
    skipWhitespace()
    guard position < end else { throw fault(.unfinished) }
    return base[position]
  }

  /// True when the byte comes next; it is then consumed.
  @inline(__always)
  mutating func take(_ byte: UInt8) throws(JSONFault) -> Bool {
    guard try peek() == byte else { return false }
    position &+= 1
    return true
  }

  /// The next key of the object whose brace was consumed, with its colon; nil after the closing brace.
  ///
  /// `isFirst` is true before the first key and becomes false.
  @inline(__always)
  mutating func nextKey(_ isFirst: inout Bool) throws(JSONFault) -> JSONText? {
    var byte = try peek()
    if byte == UInt8(ascii: "}") {
      position &+= 1
      return nil
    }
    if isFirst {
      isFirst = false
    } else {
      guard byte == UInt8(ascii: ",") else { throw fault(.expectedCommaOrEnd) }
      position &+= 1
      byte = try peek()
    }
    guard byte == UInt8(ascii: "\"") else { throw fault(.expectedKey) }
    let key = try string()
    guard try take(UInt8(ascii: ":")) else { throw fault(.expectedColon) }
    return key
  }

  /// True when another element of the array, whose bracket was consumed, comes next; false after its end.
  @inline(__always)
  mutating func nextElement(_ isFirst: inout Bool) throws(JSONFault) -> Bool {
    let byte = try peek()
    if byte == UInt8(ascii: "]") {
      position &+= 1
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    guard byte == UInt8(ascii: ",") else { throw fault(.expectedCommaOrEnd) }
    position &+= 1
    if try peek() == UInt8(ascii: "]") { throw fault(.badLiteral) }
    return true
  }

  // MARK: Strings

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Moves to the next quote, backslash or control character.
  @inline(__always)
  mutating func skipPlain() {
    var index = position
    while index &+ 8 <= end {
      let word = word(at: index)
      let quote = word ^ 0x2222_2222_2222_2222
      let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
      // The lowest set bit is exact for each of the three tests.
      let found =
        ((quote &- Self.ones) & ~quote) | ((slash &- Self.ones) & ~slash)
        | ((word &- 0x2020_2020_2020_2020) & ~word)
      let hits = found & Self.highs
      if hits != 0 {
        position = index &+ (hits.trailingZeroBitCount &>> 3)
        return
      }
      index &+= 8
    }
    while index < end {
      let byte = base[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
      index &+= 1
    }
    position = index
  }

  /// The string whose opening quote comes next.
  @inline(__always)
  mutating func string() throws(JSONFault) -> JSONText {
    position &+= 1
    let start = position
    skipPlain()
    if position < end, base[position] == 0x22 {
      position &+= 1
      return JSONText(start: start, count: position &- 1 &- start, isEscaped: false)
    }
    return try escapedString(start)
  }

  @inline(never)
  private mutating func escapedString(_ start: Int) throws(JSONFault) -> JSONText {
    while true {
      guard position < end else { throw fault(.unterminatedString) }
      switch base[position] {
      case 0x22:
        position &+= 1
        return JSONText(start: start, count: position &- 1 &- start, isEscaped: true)
      case 0x5C: try skipEscape()
      case 0x0A: throw fault(.unterminatedString)
      default: throw fault(.controlCharacter)
      }
      skipPlain()
    }
  }

  private mutating func skipEscape() throws(JSONFault) {
    guard position &+ 1 < end else {
      position = end
      throw fault(.unterminatedString)
    }
    switch base[position &+ 1] {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: position &+= 2
    case 0x75:
      for offset in 2..<6 {
        guard position &+ offset < end else {
          position = end
          throw fault(.unterminatedString)
        }
        guard Self.hexValue(base[position &+ offset]) != nil else { throw fault(.badEscape) }
      }
      position &+= 6
    default: throw fault(.badEscape)
    }
  }

  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte &- 0x30
    case 0x41...0x46: byte &- 0x37
    case 0x61...0x66: byte &- 0x57
    default: nil
    }
  }

  // MARK: Values that nobody wants

  /// Moves behind the value, checking its grammar.
  mutating func skipValue() throws(JSONFault) {
    let byte = try peek()
    switch byte {
    case 0x22: _ = try string()
    case 0x7B, 0x5B: try skipContainer()
    default: try skipScalar(byte)
    }
  }

  private mutating func skipScalar(_ byte: UInt8) throws(JSONFault) {
    switch byte {
    case 0x74: try literal("true")
    case 0x66: try literal("false")
    case 0x6E: try literal("null")
    case 0x2D, 0x30...0x39: _ = try numberText()
    default: throw fault(.badLiteral)
    }
  }

  /// Consumes the word.
  @inline(__always)
  mutating func literal(_ word: StaticString) throws(JSONFault) {
    let count = word.utf8CodeUnitCount
    guard position &+ count <= end, memcmp(base + position, word.utf8Start, count) == 0 else {
      // A beginning of the word that the bytes cut off is unfinished, not wrong.
      let left = end &- position
      guard left < count, memcmp(base + position, word.utf8Start, left) == 0 else {
        throw fault(.badLiteral)
      }
      position = end
      throw fault(.unfinished)
    }
    position &+= count
  }

  private mutating func skipContainer() throws(JSONFault) {
    var nesting = JSONNesting()
    var isFirst = true
    repeat {
      if isFirst {
        nesting.push(isObject: base[position] == 0x7B)
        position &+= 1
      }
      if nesting.isObject {
        var first = isFirst
        guard try nextKey(&first) != nil else {
          nesting.pop()
          isFirst = false
          continue
        }
      } else {
        var first = isFirst
        guard try nextElement(&first) else {
          nesting.pop()
          isFirst = false
          continue
        }
      }
      let byte = try peek()
      switch byte {
      case 0x22:
        _ = try string()
        isFirst = false
      case 0x7B, 0x5B: isFirst = true
      default:
        try skipScalar(byte)
        isFirst = false
      }
    } while nesting.depth > 0
  }

  /// Moves behind the object or array by counting brackets alone; anything else as `skipValue`.
  ///
  /// Grammar inside is not checked: whoever decodes the bytes later does that.
  mutating func skipBalanced() throws(JSONFault) {
    let byte = try peek()
    guard byte == 0x7B || byte == 0x5B else { return try skipValue() }
    var depth = 0
    while position < end {
      switch base[position] {
      case 0x22:
        _ = try string()
        continue
      case 0x7B, 0x5B: depth &+= 1
      case 0x7D, 0x5D:
        depth &-= 1
        if depth == 0 {
          position &+= 1
          return
        }
      default: break
      }
      position &+= 1
    }
    throw fault(.unfinished)
  }
}

/// Which kinds of containers are open, a bit each.
struct JSONNesting {
  private var bits: UInt64 = 0
  private var spilled: [UInt64] = []
  private(set) var depth = 0

  init() {}

  /// True when the innermost container is an object.
  @inline(__always)
  var isObject: Bool { bits & 1 != 0 }

  @inline(__always)
  mutating func push(isObject: Bool) {
    if depth != 0, depth & 63 == 0 {
      spilled.append(bits)
      bits = 0
    }
    bits = bits &<< 1 | (isObject ? 1 : 0)
    depth &+= 1
  }

  @inline(__always)
  mutating func pop() {
    depth &-= 1
    bits = bits &>> 1
    if depth & 63 == 0 { bits = spilled.popLast() ?? 0 }
  }
}
