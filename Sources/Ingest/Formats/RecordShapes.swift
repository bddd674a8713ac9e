import Model

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the records that came lately have in common, so that one like them is compared, not scanned.
///
/// An exporter writes all records of a kind with the same bytes but for a few holes:
///
///     {"traceId":"⟨32 hex⟩","spanId":"⟨16 hex⟩","name":"⟨text⟩","kind":⟨any⟩, …
///      "attributes":[{"key":"screen.tti.ms","value":{"intValue":"⟨digits⟩"}}, …
///
/// Kinds share their beginnings, so they are kept as a tree. A node is the bytes up to a hole and what the
/// hole is; a path from a root to an end is a kind of record. Paths are learned from records that were read
/// the general way (`OTLPJSONDecoder.learn`), whatever their order of members and their white space, and
/// are followed by `OTLPJSONDecoder.follow`. A record that leaves the tree anywhere is read the general way
/// from its beginning, so a shape never decides what a record says, only how soon it is known.
final class RecordShapes {
  /// What stands between the bytes of a node and those of the next one.
  enum Hole: UInt8 {
    /// Nothing: the record ends.
    case end
    /// Hexadecimal digits between quotes: 32, 16 and 16.
    case traceID, spanID, parentID
    /// A span's name between quotes.
    case name
    /// One digit.
    case kind
    /// Nineteen digits, the nanoseconds of the years 2001 to 2262.
    case startTime, endTime
    /// A member's value, which is read the general way.
    case member
    /// Of an attribute: a text between quotes, an integer between quotes or bare, a truth value, and any
    /// other value from the colon on.
    case text, quotedInt, bareInt, bool, other
  }

  /// What a value in a hole is good for, which may be known only by what follows it.
  enum Use: UInt8 {
    /// It was dealt with at once.
    case none
    /// Attributes of spans: a number that has a place of its own, a text that becomes a symbol.
    case number, symbol
    /// Any other attribute.
    case attribute
  }

  struct Attribute {
    var use = Use.none
    var key: AttributeKey?
    var keyHash: UInt64 = 0
    /// Bytes of the key, which stand behind the node's own.
    var keyCount = 0
  }

  struct Node {
    /// The bytes from the hole before to this one, filled up to whole chunks; behind them as many bytes
    /// that blank what was filled up, then the key of the attribute.
    var bytes: UnsafePointer<UInt8>
    var count = 0
    var chunks = 0
    /// What was in the hole before.
    var attribute = Attribute()
    var hole = Hole.end
    /// The member whose value follows.
    var member = OTLPKey.unknown
    /// The id of a session follows, which most likely is the one before.
    var expected: AttributeKey?
    /// The first of the nodes that follow, and the next one that follows the same; 0 for none.
    var child = 0
    var sibling = 0
  }

  /// Roots, by owner.
  static let span = 0
  static let log = 1
  static let resource = 2

  private static let nodeLimit = 1_024
  private static let byteLimit = 256 << 10
  private static let siblingLimit = 16
  private static let longestBytes = 1_024
  /// Bytes that are compared at once.
  private static let chunk = 32

  let nodes: UnsafeMutablePointer<Node>
  private let storage: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var byteCount = 0
  /// Falls with everything learned and rises with everything found: data without shapes is not learned.
  private var credit = 0
  private var refusals = 0

  private static let highestCredit = 512
  private static let price = 4
  /// One record in so many is learned however little that was worth lately.
  private static let retries = 64

  init() {
    storage = .allocate(capacity: Self.byteLimit)
    nodes = .allocate(capacity: Self.nodeLimit)
    removeAll()
  }

  deinit {
    nodes.deallocate()
    storage.deallocate()
  }

  // MARK: - Following

  /// The node after `place` whose bytes come next; nil when there is none.
  @inline(__always)
  static func next(
    after place: UnsafeMutablePointer<Node>,
    of nodes: UnsafeMutablePointer<Node>,
    _ scanner: JSONScanner
  ) -> UnsafeMutablePointer<Node>? {
    let start = UnsafeRawPointer(scanner.base + scanner.position)
    let left = scanner.end &- scanner.position
    var index = place.pointee.child
    while index != 0 {
      let node = nodes + index
      if left >= node.pointee.chunks &* chunk {
        if begins(start, node) { return node }
      } else if left >= node.pointee.count,
        memcmp(start, node.pointee.bytes, node.pointee.count) == 0
      {
        return node
      }
      index = node.pointee.sibling
    }
    return nil
  }

  /// Compares whole chunks, of which the node's masks blank what lies behind its bytes.
  @inline(__always)
  private static func begins(_ start: UnsafeRawPointer, _ node: UnsafeMutablePointer<Node>) -> Bool
  {
    let own = UnsafeRawPointer(node.pointee.bytes)
    let size = node.pointee.chunks &* chunk
    var offset = 0
    while offset < size {
      let there = start.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      let here = own.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      let mask = own.loadUnaligned(fromByteOffset: size &+ offset, as: SIMD4<UInt64>.self)
      let differing: SIMD4<UInt64> = (there ^ here) & mask
      let half: SIMD2<UInt64> = differing.lowHalf | differing.highHalf
      if half.x | half.y != 0 { return false }
      offset &+= chunk
    }
    return true
  }

  /// The key of the attribute that was in the hole before the node.
  @inline(__always)
  static func key(of node: UnsafeMutablePointer<Node>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: node.pointee.bytes + 2 &* node.pointee.chunks &* Self.chunk,
      count: node.pointee.attribute.keyCount
    )
  }

  @inline(__always)
  func reward() {
    if credit < Self.highestCredit { credit &+= 1 }
  }

  // MARK: - Learning

  /// True when a record that left the tree is worth being learned.
  func isWorthLearning() -> Bool {
    if credit >= Self.price {
      credit -= Self.price
      return true
    }
    refusals += 1
    return refusals % Self.retries == 0
  }

  /// The node after `place` like this one, made if need be; nil when there is no room.
  ///
  /// `bytes` and `key` are copied.
  func add(
    after place: Int,
    _ bytes: UnsafeRawBufferPointer,
    _ attribute: Attribute,
    key: UnsafeRawBufferPointer,
    _ hole: Hole,
    member: OTLPKey,
    expected: AttributeKey?
  ) -> Int? {
    var index = nodes[place].child
    var siblings = 0
    while index != 0 {
      let node = nodes[index]
      if node.count == bytes.count, node.hole == hole, let start = bytes.baseAddress,
        memcmp(start, node.bytes, node.count) == 0
      {
        return index
      }
      siblings += 1
      index = node.sibling
    }
    let chunks = (bytes.count + Self.chunk - 1) / Self.chunk
    let filled = chunks * Self.chunk
    let size = 2 * filled + key.count
    guard siblings < Self.siblingLimit, bytes.count <= Self.longestBytes,
      count < Self.nodeLimit, byteCount + size <= Self.byteLimit
    else {
      forgetIfStale()
      return nil
    }
    let start = storage + byteCount
    for offset in 0..<filled {
      start[offset] = offset < bytes.count ? bytes[offset] : 0
      start[filled + offset] = offset < bytes.count ? 0xFF : 0
    }
    for (offset, byte) in key.enumerated() { start[2 * filled + offset] = byte }
    byteCount += size
    let node = count
    count += 1
    (nodes + node).initialize(
      to: Node(bytes: UnsafePointer(start), count: bytes.count, chunks: chunks)
    )
    nodes[node].attribute = attribute
    nodes[node].hole = hole
    nodes[node].member = member
    nodes[node].expected = expected
    insert(node, after: place)
    return node
  }

  /// Puts longer bytes before those that they begin with: `{"value":{"intValue":"` before `{"value":`.
  private func insert(_ node: Int, after place: Int) {
    var before: Int?
    var next = nodes[place].child
    while next != 0, nodes[next].count > nodes[node].count {
      before = next
      next = nodes[next].sibling
    }
    nodes[node].sibling = next
    if let before { nodes[before].sibling = node } else { nodes[place].child = node }
  }

  /// A full tree that finds little is that of other data.
  private func forgetIfStale() {
    if credit < Self.highestCredit / 2 { removeAll() }
  }

  private func removeAll() {
    for root in 0...Self.resource {
      (nodes + root).initialize(to: Node(bytes: UnsafePointer(storage)))
    }
    count = Self.resource + 1
    byteCount = 0
    credit = Self.highestCredit
    refusals = 0
  }
}
