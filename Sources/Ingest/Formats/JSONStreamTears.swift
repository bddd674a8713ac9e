import Model

/// What is left to look through of bytes that are lost.
struct LostRest {
  /// The offset in the stream from which on a request may begin.
  var requestsFrom: UInt64
  /// The loss does not end with its line: a persistence file is one line of many records.
  var crossesLines: Bool
}

// Persistence files of opentelemetry-swift: one line of arrays, in which a tear costs no more than itself.
extension JSONStreamDecoder {
  enum Found {
    case newline(Int)
    /// `{"resource…` of OTLP begins here.
    case request(Int)
    /// A whole record of opentelemetry-swift begins here.
    case record(Int)
    /// Nothing before this index.
    case none(Int)
  }

  /// Longer than any record: a batch over 256 KiB is never written.
  private static let recordLimit = 1 << 20

  // MARK: - Records

  /// Whether the object that comes next looks like a persisted record; nil when more bytes must tell.
  ///
  /// Among such records every object is taken for one.
  func beginsRecord(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending
  ) -> Bool? {
    if exportLine == line { return true }
    return SwiftExportKey.begins(base, at, count) ?? (ending == .none ? nil : false)
  }

  /// A value that may be a persisted record, followed by its grammar alone: a tear may stand anywhere.
  mutating func persisted(
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    if ending == .none, isTooEarly(count &- at) { return at }
    switch decode(base, at, count, into: &assembler) {
    case .success(let next):
      let isRecord = exportLine == line
      line &+= newlines(base, at, next)
      if isRecord { exportLine = line }
      attempted = 0
      return next
    case .failure(let fault):
      if fault.position >= count, count &- at <= valueLimit {
        guard ending == .final else {
          attempted = count &- at
          return at
        }
        attempted = 0
        let inner = record(base, at &+ 1, to: count, isFinal: true, isEnd: false)
        guard case .record = inner else { return cut(base, at, count, into: &assembler) }
      }
      attempted = 0
      return broken(fault, base, at, from: at &+ 1, crossesLines: true, into: &assembler)
    }
  }

  /// Bytes that ended inside of a record are looked at again when there are noticeably more.
  private func isTooEarly(_ length: Int) -> Bool {
    attempted > 0 && length < attempted &+ max(1, attempted / (attempted > 65_536 ? 1 : 8))
  }

  // MARK: - Search

  /// Looks through a broken value's rest for its end or for what comes next.
  mutating func skip(
    _ rest: LostRest,
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    switch search(rest, base, at, count, ending, isWholeRequest: true) {
    case .newline(let index):
      mode = .between
      line &+= 1
      return index &+ 1
    case .request(let index): return resume(at: index, base, at, count, ending, into: &assembler)
    case .record(let index):
      return resume(at: index, isRecord: true, base, at, count, ending, into: &assembler)
    case .none(let index):
      line &+= newlines(base, at, index)
      return index
    }
  }

  /// Ends a loss where something begins that can be read.
  mutating func resume(
    at index: Int,
    isRecord: Bool = false,
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    mode = .between
    attempted = 0
    line &+= newlines(base, at, index)
    if isRecord {
      exportLine = line
      // The bracket that opened its array may have been lost.
      hasBrokenArray = true
    }
    return index == at ? value(base, at, count, ending, into: &assembler) : index
  }

  /// Searches the line's rest, or all bytes, for what comes first.
  mutating func search(
    _ rest: LostRest,
    _ base: UnsafePointer<UInt8>,
    _ at: Int,
    _ count: Int,
    _ ending: Ending,
    isWholeRequest: Bool
  ) -> Found {
    let newline =
      rest.crossesLines ? nil : JSONLineSearch.index(of: 0x0A, base, from: at, to: count)
    let end = newline ?? count
    let isFinal = newline != nil || ending == .final
    let skipped = rest.requestsFrom > offset ? Int(clamping: rest.requestsFrom &- offset) : 0
    let request = JSONLineSearch.find(
      base,
      from: min(end, at &+ skipped),
      to: end,
      isWholeRequest: isWholeRequest,
      isFinal: isFinal
    )
    let isEnd = newline == nil && ending == .final
    switch (record(base, at, to: end, before: request, isFinal: isFinal, isEnd: isEnd), request) {
    case (.record(let index), _): return .record(index)
    case (.unfinished(let index), .resource): return .none(index)
    case (.unfinished(let index), .none(let other)): return .none(min(index, other))
    case (nil, .resource(let index)): return .request(index)
    case (nil, .none(let index)): return newline.map { .newline($0) } ?? .none(index)
    }
  }

  private enum FoundRecord {
    case record(Int)
    /// A record may begin here: more bytes must tell.
    case unfinished(Int)
  }

  /// The first whole record between the indices.
  ///
  /// `isFinal` says that no bytes follow; at the end of the input (`isEnd`) the beginning of one will do.
  private mutating func record(
    _ base: UnsafePointer<UInt8>,
    _ start: Int,
    to end: Int,
    before request: JSONLineSearch.Outcome? = nil,
    isFinal: Bool,
    isEnd: Bool
  ) -> FoundRecord? {
    var limit = end
    if case .resource(let index) = request { limit = index }
    var at = start
    // Objects inside of objects may be looked at again and again, but not without end.
    var work = 0
    let allowance = 16 &* (end &- start) &+ Self.recordLimit
    var furthest = start
    while let brace = JSONLineSearch.index(of: 0x7B, base, from: at, to: limit) {
      at = brace &+ 1
      guard let begins = SwiftExportKey.begins(base, brace, end) else {
        if isFinal { continue }
        return .unfinished(brace)
      }
      guard begins, work <= allowance || brace >= furthest else { continue }
      if !isFinal, brace == start, isTooEarly(end &- brace) { return .unfinished(brace) }
      let scanner = JSONScanner(base: base, position: brace, end: end)
      do throws(JSONFault) {
        if try swiftExport.shape(scanner) != nil { return .record(brace) }
      } catch {
        work &+= error.position &- brace
        furthest = max(furthest, error.position)
        guard error.position >= end else { continue }
        if !isFinal, end &- brace <= Self.recordLimit {
          attempted = end &- brace
          return .unfinished(brace)
        }
        if isEnd, swiftExport.hasRecordMembers { return .record(brace) }
      }
    }
    return nil
  }
}
