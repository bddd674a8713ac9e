import Model

/// Splits a stream of JSON into its values and decodes them, whatever stands between them.
///
/// Most input is one object a line, decoded where it lies. Values over several lines, arrays of requests
/// and values without anything between them work too. A value that breaks off is lost alone: reading goes
/// on at the next line, or where a request begins.
struct JSONStreamDecoder: StreamDecoder {
  /// What the bytes at the reading position belong to.
  enum Mode {
    case between
    case skipping(LostRest)
    case junk(JunkLine)
    /// The stream is of a kind that is not read.
    case refused
  }

  /// How much may be taken for granted about the end of the bytes.
  enum Ending {
    case none
    /// A whole value may be taken without its line end.
    case settled
    case final
  }

  /// Bytes after which a value without a newline is looked at by its brackets.
  static let shortHoldLimit = 64 << 10
  /// The same where the value before ended with its line: then this one most likely will, too.
  static let longHoldLimit = 16 << 20
  /// Bytes of white space behind an opening brace within which its first key is looked for.
  static let longestMargin = 4_096

  let source: SourceID
  /// Bytes of the longest value that is read.
  let valueLimit: Int
  /// Offset in the stream of the first byte that has not been consumed.
  var offset: UInt64
  /// The line of that byte.
  var line: UInt64 = 1
  var mode = Mode.between
  var decoder: OTLPJSONDecoder
  var ledger: LedgerDecoder
  var swiftExport: SwiftExportDecoder
  /// Brackets of top-level arrays that are open.
  var arrayDepth = 0
  /// An array broke off somewhere, so its closing bracket may or may not come.
  var hasBrokenArray = false
  /// The line before was binary, so that one more is no further loss.
  var isBinaryRun = false
  var kind = SourceKind.unknown
  /// The line of the newest record of a persistence file, 0 before the first one.
  var exportLine: UInt64 = 0
  /// Bytes of a persisted record that were looked at and end inside of it.
  var attempted = 0
  /// How far the held value has been scanned; it begins where `held` does.
  var extent: JSONExtent?
  var newlineFree = 0
  /// The value before ended with its line.
  var isLineByLine = false
  private var hasChecked16 = false
  private var held: [UInt8] = []

  init(source: SourceID, offset: UInt64 = 0, valueLimit: Int = 128 << 20) {
    self.source = source
    self.offset = offset
    self.valueLimit = valueLimit
    decoder = OTLPJSONDecoder(source: source)
    ledger = LedgerDecoder(source: source)
    swiftExport = SwiftExportDecoder(source: source)
  }

  /// Goes on with a message of its own at `offset`: nothing of what came matters but what was learned of records.
  mutating func begin(at offset: UInt64) {
    let learned = decoder
    self = JSONStreamDecoder(source: source, offset: offset, valueLimit: valueLimit)
    decoder = learned
  }

  mutating func consume(_ bytes: UnsafeRawBufferPointer, into assembler: inout RecordAssembler) {
    guard let start = bytes.baseAddress else { return }
    let base = start.assumingMemoryBound(to: UInt8.self)
    var at = 0
    while !held.isEmpty, at < bytes.count {
      let newline = JSONLineSearch.index(of: 0x0A, base, from: at, to: bytes.count)
      let end = newline.map { $0 + 1 } ?? bytes.count
      held.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[at..<end]))
      at = end
      processHeld(.none, into: &assembler)
    }
    guard at < bytes.count else { return }
    let used = process(base + at, bytes.count - at, .none, into: &assembler)
    if at + used < bytes.count {
      held.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[(at + used)...]))
    }
  }

  mutating func settle(into assembler: inout RecordAssembler) {
    processHeld(.settled, into: &assembler)
  }

  mutating func finish(into assembler: inout RecordAssembler) {
    processHeld(.final, into: &assembler)
    if case .junk(let junk) = mode { end(junk, into: &assembler) }
    if arrayDepth > 0 {
      lose(.incomplete, at: offset, "the input ends inside an array", into: &assembler)
    }
    arrayDepth = 0
    mode = .between
  }

  mutating func takeKind() -> SourceKind {
    defer { kind = .unknown }
    return kind
  }

  var holdLimit: Int {
    isLineByLine
      ? max(Self.shortHoldLimit, min(Self.longHoldLimit, valueLimit)) : Self.shortHoldLimit
  }

  private mutating func processHeld(_ ending: Ending, into assembler: inout RecordAssembler) {
    guard !held.isEmpty else { return }
    var bytes: [UInt8] = []
    swap(&bytes, &held)
    let used = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { process($0, buffer.count, ending, into: &assembler) } ?? 0
    }
    if used == bytes.count {
      // One huge value must not keep its memory, while many of them should not take it anew each time.
      let isUsual = bytes.count > bytes.capacity / 4 && bytes.count <= Self.longHoldLimit
      bytes.removeAll(keepingCapacity: isUsual || bytes.capacity <= 4 << 20)
    } else {
      bytes.removeFirst(used)
    }
    held = bytes
  }

  /// Takes what is whole from the bytes; the number of bytes that need not be shown again.
  private mutating func process(
    _ base: UnsafePointer<UInt8>,
    _ count: Int,
    _ ending: Ending,
    into assembler: inout RecordAssembler
  ) -> Int {
    if !hasChecked16 {
      guard count >= 4 || ending == .final else { return 0 }
      hasChecked16 = true
      if isUTF16(base, count) {
        mode = .refused
        let text = "the text is UTF-16; perftop reads UTF-8"
        lose(.notTelemetry, at: offset, text, into: &assembler)
      }
    }
    let start = offset
    var at = 0
    while at < count {
      let next = step(base, at, count, ending, into: &assembler)
      offset = start &+ UInt64(next)
      if next == at { break }
      at = next
    }
    return at
  }

  /// A byte order mark, or a brace or bracket of which every second byte is 0.
  private func isUTF16(_ base: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard count >= 2 else { return false }
    switch (base[0], base[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF): return true
    case (UInt8(ascii: "{"), 0), (UInt8(ascii: "["), 0):
      return count >= 4 && base[2] != 0 && base[3] == 0
    case (0, UInt8(ascii: "{")), (0, UInt8(ascii: "[")):
      return count >= 4 && base[2] == 0 && base[3] != 0
    default: return false
    }
  }

  // MARK: - Events

  mutating func found(_ new: SourceKind) {
    kind = kind == .unknown || kind == new ? new : .mixed
  }

  /// Observes the loss of bytes at an offset of the stream on the current line.
  func lose(
    _ kind: ProblemKind,
    at offset: UInt64,
    line: UInt64? = nil,
    _ text: String,
    into assembler: inout RecordAssembler
  ) {
    assembler.lose(kind, of: source, at: offset, line: line ?? self.line, text)
  }
}
