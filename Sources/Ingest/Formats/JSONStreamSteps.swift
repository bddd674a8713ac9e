import Model

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension JSONStreamDecoder {
  /// Consumes the next thing in the bytes: separators, a value or a piece of a lost line.
  ///
  /// Returns the index after it; the index given when more bytes are needed.
  mutating func step(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    switch mode {
    case .refused: return count
    case .skipping(let rest): return skip(rest, base, at, count, ending, into: &assembler)
    case .junk(let junk): return readJunk(junk, base, at, count, ending, into: &assembler)
    case .between: break
    }
    if extent != nil { return value(base, at, count, ending, into: &assembler) }
    switch base[at] {
    case UInt8(ascii: "{"):
      guard let isObject = beginsObject(base, at, count, ending) else { return at }
      if isObject { return value(base, at, count, ending, into: &assembler) }
      breakArray()
      return beginJunk(base, at, count, ending)
    case 0x0A:
      line &+= 1
      return at &+ 1
    case 0x20, 0x09, 0x0D, 0x1E, UInt8(ascii: ","): return at &+ 1
    case 0x00: return skipZeros(base, at, count)
    case 0xEF: return byteOrderMark(base, at, count, ending) ?? beginJunk(base, at, count, ending)
    case UInt8(ascii: "["): return bracket(base, at, count, ending, into: &assembler)
    case UInt8(ascii: "]") where arrayDepth > 0 || hasBrokenArray:
      arrayDepth = max(0, arrayDepth &- 1)
      return at &+ 1
    case UInt8(ascii: "n") where arrayDepth > 0 || hasBrokenArray:
      return null(base, at, count, ending) ?? beginJunk(base, at, count, ending)
    default: return beginJunk(base, at, count, ending)
    }
  }

  /// Whether an opening brace begins a JSON object and no text, as of a log; nil when more bytes must tell.
  @inline(__always)
  private func beginsObject(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending
  ) -> Bool? {
    let limit = at &+ Self.longestMargin
    var next = at &+ 1
    while next < min(count, limit) {
      switch base[next] {
      case UInt8(ascii: "\""), UInt8(ascii: "}"): return true
      case 0x20, 0x09, 0x0A, 0x0D: next &+= 1
      default: return false
      }
    }
    return ending != .none || next == limit ? true : nil
  }

  private func skipZeros(_ base: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Int {
    var at = at
    while at &+ 8 <= count,
      UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self) == 0
    {
      at &+= 8
    }
    while at < count, base[at] == 0 { at &+= 1 }
    return at
  }

  /// The index after a byte order mark, `at` when more bytes must tell, nil when it is none.
  private func byteOrderMark(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending
  ) -> Int? {
    for (index, byte) in [0xEF, 0xBB, 0xBF].enumerated() {
      guard at &+ index < count else { return ending == .final ? nil : at }
      if base[at &+ index] != UInt8(byte) { return nil }
    }
    return at &+ 3
  }

  /// An opening bracket begins a list of values, or of lists of them; other lists are values of their own.
  private mutating func bracket(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    var next = at &+ 1
    while next < count, base[next] <= 0x20 { next &+= 1 }
    // A persistence file as its library reads it is a list of lists, of which some may be empty.
    let isList = next < count && base[next] == UInt8(ascii: "[")
    if isList {
      next &+= 1
      while next < count, Self.isBetweenLists(base[next], after: base[next &- 1]) { next &+= 1 }
    }
    guard next < count else {
      if ending != .final, count &- at < Self.shortHoldLimit { return at }
      arrayDepth &+= 1
      return at &+ 1
    }
    switch base[next] {
    case UInt8(ascii: "{"):
      arrayDepth &+= 1
      return at &+ 1
    case UInt8(ascii: "]") where !isList:
      arrayDepth &+= 1
      return at &+ 1
    case UInt8(ascii: "n") where !isList:
      guard let end = null(base, next, count, ending) else { break }
      guard end > next else { return at }
      arrayDepth &+= 1
      return at &+ 1
    default:
      if isList { return value(base, at, count, ending, into: &assembler) }
    }
    return beginJunk(base, at, count, ending)
  }

  /// White space and what stands between lists that hold nothing, but no list in a list.
  private static func isBetweenLists(_ byte: UInt8, after last: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "["): last != UInt8(ascii: "[")
    case UInt8(ascii: "]"), UInt8(ascii: ","): true
    default: byte <= 0x20
    }
  }

  /// The index after `null`, which ends a persistence file as its library reads it.
  ///
  /// The index itself when more bytes must tell, nil when it is another word.
  private func null(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending
  ) -> Int? {
    let word: StaticString = "null"
    let length = min(word.utf8CodeUnitCount, count &- at)
    guard memcmp(base + at, word.utf8Start, length) == 0 else { return nil }
    if length == word.utf8CodeUnitCount { return at &+ length }
    return ending == .final ? count : at
  }

  // MARK: - Values

  /// A value that begins with a brace or bracket.
  mutating func value(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    if extent != nil { return scanExtent(base, at, count, ending, into: &assembler) }
    if arrayDepth > 0 || exportLine == line {
      guard let isPersisted = beginsRecord(base, at, count, ending) else { return at }
      if isPersisted { return persisted(base, at, count, ending, into: &assembler) }
    }
    let newline = JSONLineSearch.index(of: 0x0A, base, from: at &+ newlineFree, to: count)
    guard newline != nil || ending != .none else {
      newlineFree = count &- at
      guard newlineFree > holdLimit else { return at }
      extent = JSONExtent(hasNewline: false)
      return scanExtent(base, at, count, ending, into: &assembler)
    }
    newlineFree = 0
    let end = newline ?? count
    guard end &- at <= valueLimit else { return tooLong(base, at, end, into: &assembler) }
    switch decode(base, at, end, into: &assembler) {
    case .success(let next):
      if newline != nil { isLineByLine = end &- next <= 1 }
      return next
    case .failure(let fault):
      if newline == nil {
        if ending == .settled {
          newlineFree = count &- at
          return at
        }
        if fault.position >= end { return cut(base, at, count, into: &assembler) }
      } else if fault.reason == .unfinished {
        extent = JSONExtent(hasNewline: true)
        return scanExtent(base, at, count, ending, into: &assembler)
      }
      return broken(fault, base, at, from: max(at &+ 1, fault.position &- 16), into: &assembler)
    }
  }

  /// Follows a value over several lines, or without a line end, by its brackets.
  private mutating func scanExtent(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    guard var scan = extent else { return at }
    extent = nil
    newlineFree = 0
    let hadNewline = scan.hasNewline
    let outcome = scan.advance(base + at, count &- at, isFinal: ending == .final)
    guard scan.position <= valueLimit else {
      return tooLong(base, at, at &+ scan.position, into: &assembler)
    }
    switch outcome {
    case .closed(let length):
      switch decode(base, at, at &+ length, into: &assembler) {
      case .success(let next):
        if next < count { isLineByLine = base[next] == 0x0A }
        line &+= newlines(base, at, next)
        return next
      case .failure(let fault):
        let resume = hadNewline ? at &+ length : max(at &+ 1, fault.position &- 16)
        return broken(fault, base, at, from: resume, into: &assembler)
      }
    case .firstNewline(let length):
      if case .failure(let fault) = decode(base, at, at &+ length, into: &assembler),
        fault.reason != .unfinished
      {
        return broken(fault, base, at, from: max(at &+ 1, fault.position &- 16), into: &assembler)
      }
      extent = scan
      return scanExtent(base, at, count, ending, into: &assembler)
    case .brokenString(let length):
      var fault = JSONFault(reason: .unterminatedString, position: at &+ length)
      if !hadNewline, case .failure(let first) = decode(base, at, at &+ length, into: &assembler) {
        fault = first
      }
      let resume = hadNewline ? at &+ length : max(at &+ 1, fault.position &- 16)
      return broken(fault, base, at, from: resume, into: &assembler)
    case .mismatch(let length):
      var fault = JSONFault(reason: .mismatchedBracket, position: at &+ length)
      if case .failure(let first) = decode(base, at, at &+ length &+ 1, into: &assembler),
        first.reason != .unfinished
      {
        fault = first
      }
      let resume = hadNewline ? at &+ length : max(at &+ 1, fault.position &- 16)
      return broken(fault, base, at, from: resume, into: &assembler)
    case .newValue(let length):
      let fault = JSONFault(reason: .unfinished, position: at &+ length)
      let next = broken(fault, base, at, from: at &+ length, into: &assembler)
      mode = .between
      return next
    case .more:
      if ending == .final { return cut(base, at, count, into: &assembler) }
      extent = scan
      return at
    }
  }

  /// The value is lost; the line's rest is searched for a request from an index on, and all of what is
  /// lost for records, which may lie inside of it.
  mutating func broken(
    _ fault: JSONFault,
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    from next: Int,
    crossesLines: Bool = false,
    into assembler: inout RecordAssembler
  ) -> Int {
    let place = place(of: fault.position, base, at)
    lose(.malformed, at: place.offset, line: place.line, fault.text, into: &assembler)
    let crossesLines = crossesLines || exportLine == line
    breakArray()
    mode = .skipping(
      LostRest(requestsFrom: offset &+ UInt64(next &- at), crossesLines: crossesLines)
    )
    let lines = newlines(base, at, next)
    if crossesLines || lines == 0 { return at &+ 1 }
    line &+= lines
    return next
  }

  private mutating func tooLong(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ end: Int,
    into assembler: inout RecordAssembler
  ) -> Int {
    let text = "a value is longer than \(valueLimit >> 20) MiB"
    lose(.malformed, at: offset, text, into: &assembler)
    breakArray()
    line &+= newlines(base, at, end)
    mode = .skipping(LostRest(requestsFrom: 0, crossesLines: false))
    return end
  }

  /// The input ends inside the value.
  mutating func cut(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    into assembler: inout RecordAssembler
  ) -> Int {
    lose(.incomplete, at: offset, "the input ends inside a value", into: &assembler)
    breakArray()
    line &+= newlines(base, at, count)
    return count
  }

  mutating func breakArray() {
    if arrayDepth > 0 { hasBrokenArray = true }
    arrayDepth = 0
    isBinaryRun = false
  }

  // MARK: - Places

  /// Offset in the stream and line of an index at or after the value's beginning, which is next.
  func place(
    of index: Int,
    _ base: UnsafePointer<UInt8>,
    _ at: Int
  ) -> (offset: UInt64, line: UInt64) {
    (offset &+ UInt64(index &- at), line &+ newlines(base, at, index))
  }

  func newlines(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
    var count: UInt64 = 0
    var at = start
    while let found = JSONLineSearch.index(of: 0x0A, base, from: at, to: end) {
      count &+= 1
      at = found &+ 1
    }
    return count
  }
}
