import Model

/// Gives every distinct text one number, counted from 1.
///
/// Texts are told apart by their bytes after repair: invalid UTF-8 counts as U+FFFD per maximal bad part
/// and nothing is normalised.
struct SymbolTable: ~Copyable {
  struct Interned {
    var symbol: Symbol
    /// The text was too long and the symbol stands for its beginning and a hash.
    var isTruncated = false
    /// The symbol's text where the symbol is new, for its announcement.
    var newText: String?
  }

  /// Scalars of a text that are kept; a longer one is cut and gets `…` and 8 hex digits.
  static let scalarLimit = 1024

  private var table = ByteTable()
  /// The entry of the table that holds a symbol's own text, at the symbol's number minus 1.
  private var entryOfSymbol: [UInt32] = []
  private let limit: Int
  private var bytesLeft: Int
  /// How often a text beyond the limits was looked for: one that comes again may count again.
  private(set) var beyond = 0

  private static let truncatedBit: UInt32 = 1 << 31

  /// Beyond `limit` distinct texts, or `bytes` of them, new ones share the symbol of `other`.
  init(limit: Int = 4_000_000, bytes: Int = .max) {
    self.limit = limit
    bytesLeft = bytes
  }

  /// Distinct symbols so far.
  var count: Int { entryOfSymbol.count }

  /// The repaired text of a symbol as bytes; empty for `Symbol.none`.
  func bytes(of symbol: Symbol) -> UnsafeRawBufferPointer {
    guard symbol.isPresent else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return table.key(at: Int(entryOfSymbol[Int(symbol.rawValue) - 1]))
  }

  @inline(__always)
  mutating func intern(_ bytes: UnsafeRawBufferPointer) -> Interned {
    intern(bytes, hash: ByteHash.hash(bytes))
  }

  /// The symbol of the text; `hash` is `ByteHash.hash` of the bytes.
  @inline(__always)
  mutating func intern(_ bytes: UnsafeRawBufferPointer, hash: UInt64) -> Interned {
    if let index = table.find(bytes, hash: hash) {
      let value = table.value(at: index)
      return Interned(
        symbol: Symbol(value & ~Self.truncatedBit),
        isTruncated: value & Self.truncatedBit != 0
      )
    }
    return add(bytes, hash: hash)
  }

  @inline(never)
  private mutating func add(_ bytes: UnsafeRawBufferPointer, hash: UInt64) -> Interned {
    let repaired = String(decoding: bytes, as: UTF8.self)
    let (text, isTruncated) = Self.cut(repaired)
    var utf8 = text
    var result = utf8.withUTF8 { own in
      let own = UnsafeRawBufferPointer(own)
      return ByteTable.isSame(own, bytes)
        ? create(bytes, hash: hash, text) : internRepaired(own, text)
    }
    result.isTruncated = isTruncated
    let isAlias = table.find(bytes, hash: hash) == nil
    if isAlias, hasRoom, table.count < limit * 2 {
      bytesLeft -= TableLimits.cost(ofText: bytes.count)
      let mark = isTruncated ? Self.truncatedBit : 0
      _ = table.insert(bytes, hash: hash, value: result.symbol.rawValue | mark)
    }
    return result
  }

  private mutating func internRepaired(_ own: UnsafeRawBufferPointer, _ text: String) -> Interned {
    let hash = ByteHash.hash(own)
    guard let index = table.find(own, hash: hash) else { return create(own, hash: hash, text) }
    return Interned(symbol: Symbol(table.value(at: index) & ~Self.truncatedBit))
  }

  private mutating func create(
    _ own: UnsafeRawBufferPointer,
    hash: UInt64,
    _ text: String
  ) -> Interned {
    if !hasRoom, text != "other" {
      beyond += 1
      var other = "other"
      return other.withUTF8 { intern(UnsafeRawBufferPointer($0)) }
    }
    let symbol = Symbol(UInt32(count + 1))
    bytesLeft -= TableLimits.cost(ofText: own.count)
    let index = table.insert(own, hash: hash, value: symbol.rawValue)
    entryOfSymbol.growBySteps()
    entryOfSymbol.append(UInt32(index))
    return Interned(symbol: symbol, newText: text)
  }

  private var hasRoom: Bool { count < limit && bytesLeft > 0 }

  private static func cut(_ text: String) -> (text: String, isTruncated: Bool) {
    guard text.utf8.count > scalarLimit else { return (text, false) }
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(
        scalars.startIndex,
        offsetBy: scalarLimit,
        limitedBy: scalars.endIndex
      ),
      end != scalars.endIndex
    else { return (text, false) }
    var whole = text
    let hash = whole.withUTF8 { ByteHash.hash(UnsafeRawBufferPointer($0)) }
    let digits = String(UInt32(truncatingIfNeeded: hash), radix: 16)
    let padding = String(repeating: "0", count: 8 - digits.utf8.count)
    return (String(scalars[..<end]) + "…" + padding + digits, true)
  }
}
