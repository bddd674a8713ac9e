import Model

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Attributes as compact JSON had them lately, so that one that comes again needs no scanning.
///
/// Records of a kind carry the same keys in the same order. Each attribute is kept behind the one before it,
/// so that few bytes have to be compared to know the key, and of a text that repeats also the value.
final class RecentAttributes {
  /// What follows the key's quote.
  enum Kind: UInt8 {
    /// `,"value":{"stringValue":"`.
    case text
    /// `,"value":{"intValue":"`.
    case int
    /// `,"value":`, then anything.
    case other
  }

  struct Node {
    var kind = Kind.other
    /// The last eight bytes up to the key's quote, which tell most attributes apart.
    var ending: UInt64 = 0
    /// Bytes from the opening brace to the value; 0 in a root.
    var prefixCount = 0
    /// Bytes of the text, its quote and the brackets that close it; 0 when none is kept.
    var textCount = 0
    var keyCount = 0
    var key: AttributeKey?
    var keyHash: UInt64 = 0
    /// Of the text that is kept, and of the attribute.
    var textHash: UInt64 = 0
    var hash: UInt64 = 0
    var symbol = Symbol.none
    /// How many texts in a row were others than the one before.
    var changes = 0
    /// The node that followed, and another one that followed the same; 0 for none.
    var child = 0
    var sibling = 0
  }

  /// The places before the first attribute of a span and of a resource.
  static let span = 0
  static let resource = 1

  private static let limit = 512
  /// How many attributes that followed one are compared before the general way is taken.
  private static let siblingLimit = 12
  static let longestPrefix = 128
  static let longestText = 96
  private static let stride = longestPrefix + longestText
  /// `{"key":"`.
  static let opening = 8

  let nodes: UnsafeMutablePointer<Node>
  private let bytes: UnsafeMutablePointer<UInt8>
  private var count = 0

  init() {
    nodes = .allocate(capacity: Self.limit)
    nodes.initialize(repeating: Node(), count: Self.limit)
    bytes = .allocate(capacity: Self.limit * Self.stride)
    bytes.initialize(repeating: 0, count: Self.limit * Self.stride)
    removeAll()
  }

  deinit {
    nodes.deallocate()
    bytes.deallocate()
  }

  /// The node whose beginning comes next, of those that followed `place`; 0 when it is none of them.
  @inline(__always)
  func find(after place: Int, _ scanner: JSONScanner) -> Int {
    var node = nodes[place].child
    let start = scanner.base + scanner.position
    let left = scanner.end &- scanner.position
    guard left >= Self.longestPrefix else { return 0 }
    while node != 0 {
      let known = nodes + node
      if scanner.word(at: scanner.position &+ known.pointee.keyCount) == known.pointee.ending,
        memcmp(start, bytes + node &* Self.stride, known.pointee.prefixCount) == 0
      {
        return node
      }
      node = known.pointee.sibling
    }
    return 0
  }

  /// True when the text that is kept stands behind the node's prefix, with the brackets that close it.
  @inline(__always)
  func repeats(_ node: Int, _ scanner: JSONScanner) -> Bool {
    let length = nodes[node].textCount
    let start = scanner.position &+ nodes[node].prefixCount
    guard length > 0, start &+ length <= scanner.end else { return false }
    return memcmp(scanner.base + start, text(of: node), length) == 0
  }

  @inline(__always)
  func keyBytes(of node: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + (node &* Self.stride &+ Self.opening),
      count: nodes[node].keyCount
    )
  }

  /// The text that is kept, without what closes it.
  @inline(__always)
  func textBytes(of node: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text(of: node), count: nodes[node].textCount &- 3)
  }

  @inline(__always)
  private func text(of node: Int) -> UnsafeMutablePointer<UInt8> {
    bytes + (node &* Self.stride &+ Self.longestPrefix)
  }

  /// Hands an attribute with a value not seen before over; its hash.
  @inline(__always)
  @discardableResult
  func hand(
    _ node: Int,
    _ known: UnsafeMutablePointer<Node>,
    _ value: AttributeValue,
    of owner: OTLPJSONDecoder.Owner,
    into assembler: inout RecordAssembler
  ) -> UInt64 {
    let hash = CanonicalHash.attribute(
      keyHash: known.pointee.keyHash,
      valueHash: assembler.fields.valueHash(value)
    )
    hand(node, known, value, hash: hash, of: owner, into: &assembler)
    return hash
  }

  @inline(__always)
  func hand(
    _ node: Int,
    _ known: UnsafeMutablePointer<Node>,
    _ value: AttributeValue,
    hash: UInt64,
    of owner: OTLPJSONDecoder.Owner,
    into assembler: inout RecordAssembler
  ) {
    let key = known.pointee.key
    let bytes = keyBytes(of: node)
    if owner == .span {
      assembler.spanAttribute(key, bytes, value, hash: hash)
    } else {
      assembler.resourceAttribute(key, bytes, value, hash: hash)
    }
  }

  /// Keeps a text that was read behind the node's prefix, up to the scanner's position.
  @inline(__always)
  func keep(_ node: Int, from start: Int, _ scanner: JSONScanner, hash: UInt64, textHash: UInt64) {
    let length = scanner.position &- start
    nodes[node].changes &+= 1
    // A text that seldom repeats is not worth its copies.
    let isSteady = nodes[node].changes < 8 || nodes[node].changes & 15 == 0
    guard isSteady, length <= Self.longestText else {
      nodes[node].textCount = 0
      return
    }
    memcpy(text(of: node), scanner.base + start, length)
    nodes[node].textCount = length
    nodes[node].hash = hash
    nodes[node].textHash = textHash
    nodes[node].symbol = .none
  }

  /// Keeps the beginning of an attribute that stood from `start` on; the place after it.
  ///
  /// Where it was written otherwise than compactly nothing is kept.
  @inline(never)
  func learn(
    after place: Int,
    from start: Int,
    _ scanner: JSONScanner,
    _ bytes: UnsafeRawBufferPointer,
    key: AttributeKey?,
    keyHash: UInt64
  ) -> Int {
    // A key with escapes is somewhere else.
    guard bytes.baseAddress == UnsafeRawPointer(scanner.base + start + Self.opening),
      let (kind, length) = shape(from: start, scanner, bytes.count), hasRoom(after: place)
    else { return place }
    if count == Self.limit { removeAll() }
    let node = count
    count += 1
    memcpy(self.bytes + node * Self.stride, scanner.base + start, length)
    nodes[node] = Node()
    nodes[node].kind = kind
    nodes[node].ending = scanner.word(at: start &+ bytes.count)
    nodes[node].prefixCount = length
    nodes[node].keyCount = bytes.count
    nodes[node].key = key
    nodes[node].keyHash = keyHash
    // After everything was forgotten the place may be no more.
    let parent = place < node ? place : Self.span
    nodes[node].sibling = nodes[parent].child
    nodes[parent].child = node
    return node
  }

  private func shape(
    from start: Int,
    _ scanner: JSONScanner,
    _ keyCount: Int
  ) -> (Kind, length: Int)? {
    let end = start &+ Self.opening &+ keyCount
    let text: StaticString = "\",\"value\":{\"stringValue\":\""
    let int: StaticString = "\",\"value\":{\"intValue\":\""
    let other: StaticString = "\",\"value\":"
    guard end &+ text.utf8CodeUnitCount <= scanner.position, scanner.reads("{\"key\":\"", at: start)
    else { return nil }
    for (kind, word) in [(Kind.text, text), (.int, int), (.other, other)]
    where scanner.reads(word, at: end) {
      let length = end &- start &+ word.utf8CodeUnitCount
      return length <= Self.longestPrefix ? (kind, length) : nil
    }
    return nil
  }

  private func hasRoom(after place: Int) -> Bool {
    var node = nodes[place].child
    var found = 0
    while node != 0 {
      found += 1
      node = nodes[node].sibling
    }
    return found < Self.siblingLimit
  }

  private func removeAll() {
    nodes[Self.span] = Node()
    nodes[Self.resource] = Node()
    count = 2
  }
}

extension OTLPJSONDecoder {
  /// Reads the attribute that comes next if it is like one that came lately; false, with nothing consumed,
  /// otherwise.
  ///
  /// `place` is the attribute before it and becomes this one.
  @inline(__always)
  mutating func repeatedAttribute(
    after place: inout Int,
    of owner: Owner,
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) -> Bool {
    let node = recentAttributes.find(after: place, scanner)
    guard node != 0 else { return false }
    let known = recentAttributes.nodes + node
    let start = scanner.position
    let valueStart = start &+ known.pointee.prefixCount
    switch known.pointee.kind {
    case .int:
      var index = valueStart
      let limit = min(index &+ 18, scanner.end &- 3)
      var number: Int64 = 0
      while index < limit, scanner.base[index] &- 0x30 < 10 {
        number = number &* 10 &+ Int64(scanner.base[index] &- 0x30)
        index &+= 1
      }
      guard index > valueStart, closes(scanner, at: index) else { return false }
      scanner.position = index &+ 3
      recentAttributes.hand(node, known, .int(number), of: owner, into: &assembler)
    case .text:
      if recentAttributes.repeats(node, scanner) {
        scanner.position = valueStart &+ known.pointee.textCount
        assembler.fields.expectText(
          hash: known.pointee.textHash,
          symbol: known.pointee.symbol
        )
        known.pointee.changes = 0
        let value = AttributeValue.string(recentAttributes.textBytes(of: node))
        recentAttributes.hand(
          node,
          known,
          value,
          hash: known.pointee.hash,
          of: owner,
          into: &assembler
        )
      } else {
        scanner.position = valueStart &- 1
        let text = try scanner.string()
        guard !text.isEscaped, closes(scanner, at: scanner.position &- 1) else {
          scanner.position = start
          return false
        }
        scanner.position &+= 2
        let value = AttributeValue.string(scanner.bytes(of: text))
        let hash = recentAttributes.hand(node, known, value, of: owner, into: &assembler)
        recentAttributes.keep(
          node,
          from: valueStart,
          scanner,
          hash: hash,
          textHash: assembler.fields.textHash
        )
      }
      known.pointee.symbol = assembler.fields.textSymbol
    case .other:
      scanner.position = valueStart
      guard let value = try anyValue(&scanner), try scanner.take(UInt8(ascii: "}")) else {
        scanner.position = start
        return false
      }
      recentAttributes.hand(node, known, value, of: owner, into: &assembler)
    }
    place = node
    return true
  }

  /// True for `"}}`.
  @inline(__always)
  private func closes(_ scanner: JSONScanner, at index: Int) -> Bool {
    index &+ 3 <= scanner.end && scanner.base[index] == UInt8(ascii: "\"")
      && scanner.base[index &+ 1] == UInt8(ascii: "}")
      && scanner.base[index &+ 2] == UInt8(ascii: "}")
  }
}
