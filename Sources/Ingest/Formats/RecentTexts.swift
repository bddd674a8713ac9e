import Model

/// Texts that came lately, with their hashes and symbols, so that one that comes again need not be hashed
/// and looked up among all.
///
/// Only texts that stand in the data as they are, without escapes, and that became a symbol of their own.
final class RecentTexts {
  struct Entry {
    /// In the table of symbols, where they stay.
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    var hash: UInt64 = 0
    var symbol = Symbol.none

    init() {}

    init(bytes: UnsafeRawBufferPointer, hash: UInt64, symbol: Symbol) {
      (self.bytes, self.hash, self.symbol) = (bytes, hash, symbol)
    }

    /// The text of a symbol, or nothing where JSON would have it with escapes.
    init(_ symbol: Symbol, _ table: borrowing SymbolTable) {
      self.init()
      let own = table.bytes(of: symbol)
      guard let start = own.bindMemory(to: UInt8.self).baseAddress else { return }
      var scanner = JSONScanner(base: start, position: 0, end: own.count)
      scanner.skipPlain()
      guard scanner.position == own.count else { return }
      self = Entry(bytes: own, hash: ByteHash.hash(own), symbol: symbol)
    }
  }

  private static let longest = 128
  private static let mask = 511

  private let entries: UnsafeMutablePointer<Entry>
  /// By attribute, the newest: records of one session follow each other.
  private let newest: UnsafeMutablePointer<Entry>

  init() {
    entries = .allocate(capacity: Self.mask + 1)
    entries.initialize(repeating: Entry(), count: Self.mask + 1)
    newest = .allocate(capacity: AttributeKey.allCases.count)
    newest.initialize(repeating: Entry(), count: AttributeKey.allCases.count)
  }

  deinit {
    entries.deallocate()
    newest.deallocate()
  }

  /// The key's newest text if it stands at the scanner's position with a quote behind it.
  @inline(__always)
  func repeated(_ key: AttributeKey, _ scanner: JSONScanner) -> UnsafeMutablePointer<Entry>? {
    let entry = newest + Int(key.rawValue)
    let count = entry.pointee.bytes.count
    guard let start = entry.pointee.bytes.baseAddress, scanner.position &+ count < scanner.end,
      scanner.base[scanner.position &+ count] == UInt8(ascii: "\""),
      Self.isSame(UnsafeRawPointer(scanner.base + scanner.position), start, count)
    else { return nil }
    return entry
  }

  /// Makes a text the key's newest.
  @inline(__always)
  func expect(_ key: AttributeKey, _ entry: Entry) {
    newest[Int(key.rawValue)] = entry
  }

  /// The place of a text among the others; it is the text's own if `holds` says so.
  @inline(__always)
  func place(of text: UnsafeRawBufferPointer) -> UnsafeMutablePointer<Entry> {
    guard let start = text.baseAddress, text.count >= 8 else {
      var mixed = text.count
      for byte in text { mixed = mixed &* 131 &+ Int(byte) }
      return entries + (mixed & Self.mask)
    }
    let first = start.loadUnaligned(as: UInt64.self)
    let last = start.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self)
    let mixed = (first ^ last &* ByteHash.secret2) &* ByteHash.secret3
    return entries + Int(truncatingIfNeeded: mixed &>> 48) & Self.mask
  }

  @inline(__always)
  static func holds(_ entry: UnsafeMutablePointer<Entry>, _ text: UnsafeRawBufferPointer) -> Bool {
    guard entry.pointee.bytes.count == text.count, let own = entry.pointee.bytes.baseAddress,
      let start = text.baseAddress
    else { return false }
    return Self.isSame(start, own, text.count)
  }

  /// For texts of a few words, which `memcmp` would take longer to be called for.
  @inline(__always)
  private static func isSame(
    _ left: UnsafeRawPointer,
    _ right: UnsafeRawPointer,
    _ count: Int
  ) -> Bool {
    var index = 0
    while index &+ 8 <= count {
      let word = right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if left.loadUnaligned(fromByteOffset: index, as: UInt64.self) != word { return false }
      index &+= 8
    }
    if count >= 8 {
      let word = right.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      return left.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) == word
    }
    while index < count {
      let byte = right.load(fromByteOffset: index, as: UInt8.self)
      if left.load(fromByteOffset: index, as: UInt8.self) != byte { return false }
      index &+= 1
    }
    return true
  }

  /// Keeps a text that was looked up; `own` are the symbol's bytes.
  @inline(never)
  func keep(
    _ text: UnsafeRawBufferPointer,
    _ own: UnsafeRawBufferPointer,
    hash: UInt64,
    symbol: Symbol
  ) {
    // A symbol's text may have been repaired; then its hash is not that of the bytes.
    guard text.count <= Self.longest, ByteTable.isSame(own, text) else { return }
    place(of: text).pointee = Entry(bytes: own, hash: hash, symbol: symbol)
  }
}
