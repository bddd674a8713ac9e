import Model

/// Copies of attributes of the record being read that may turn out to be the host's.
struct HeldAttributes: ~Copyable {
  enum Value {
    case text(UnsafeRawBufferPointer)
    case bool(Bool)
    case int(Int64)
    case double(Double)
    /// An array, a list of pairs or bytes, by its canonical hash; not copied, as it is where the record is.
    case composite(UInt64, CompositeSource)
  }

  struct Entry {
    /// The canonical hash of key and value.
    var hash: UInt64
    /// The bit of the key where `AttributeKey` knows it.
    var known: AttributeKeySet
    var key: UnsafeRawBufferPointer
    var value: Value
  }

  /// More attributes than this, or more bytes, are not kept: no host groups by them.
  static let countLimit = 64
  static let byteLimit = 16_384

  private let storage: UnsafeMutablePointer<Entry>
  private let bytes: UnsafeMutableRawPointer
  private var count = 0
  private var byteCount = 0
  /// Something was beyond the limits.
  private(set) var isIncomplete = false

  init() {
    storage = .allocate(capacity: Self.countLimit)
    bytes = .allocate(byteCount: Self.byteLimit, alignment: 8)
  }

  deinit {
    storage.deallocate()
    bytes.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { count == 0 && !isIncomplete }

  /// What is held; valid until the next `removeAll`, values that hold others as long as the record's bytes.
  var entries: UnsafeBufferPointer<Entry> {
    UnsafeBufferPointer(start: storage, count: count)
  }

  mutating func removeAll() {
    count = 0
    byteCount = 0
    isIncomplete = false
  }

  @inline(never)
  mutating func hold(
    key: UnsafeRawBufferPointer,
    value: AttributeValue,
    hash: UInt64,
    known: AttributeKeySet
  ) {
    if key.count == Self.identifierLength, Self.isIdentifier(key) { return }
    var size = key.count
    if case .string(let text) = value { size += text.count }
    guard count < Self.countLimit, byteCount + size <= Self.byteLimit else {
      isIncomplete = true
      return
    }
    let held: Value
    switch value {
    case .string(let text): held = .text(copy(text))
    case .bool(let flag): held = .bool(flag)
    case .int(let number): held = .int(number)
    case .double(let number): held = .double(number)
    case .composite(let hash, let source): held = .composite(hash, source)
    case .empty: return
    }
    (storage + count).initialize(
      to: Entry(hash: hash, known: known, key: copy(key), value: held)
    )
    count += 1
  }

  private mutating func copy(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = bytes + byteCount
    if let source = text.baseAddress { start.copyMemory(from: source, byteCount: text.count) }
    byteCount += text.count
    return UnsafeRawBufferPointer(start: start, count: text.count)
  }

  private static let identifierLength = 19

  /// Ids of sessions, which name a session and say nothing that records could be grouped by.
  private static func isIdentifier(_ key: UnsafeRawBufferPointer) -> Bool {
    let identifiers: [StaticString] = [
      "session.previous_id", "emb.user_session_id", "emb.session_part_id",
    ]
    return identifiers.contains { identifier in
      key.elementsEqual(
        UnsafeBufferPointer(start: identifier.utf8Start, count: identifier.utf8CodeUnitCount)
      )
    }
  }
}

/// Numbers of attribute sets by the hash of their attributes.
///
/// Different attributes with the same 64 bits are left to chance, as everywhere.
struct AttributeSetTable: ~Copyable {
  /// Distinct sets that are kept; further ones are `AttributeSetID.overflow`.
  static let limit = 10_000
  /// Bytes of keys and values that all sets together may have.
  static let byteLimit = 16 << 20
  private static let mask = 32_767
  /// Equal texts of different types make several hashes of one set.
  private static let hashLimit = 20_000

  /// Numbers go up from the one after this.
  private let base: UInt32
  private var slots: UnsafeMutablePointer<(hash: UInt64, id: UInt32)>?
  private var hashCount = 0
  private var sets: [[HostAttribute]: AttributeSetID] = [:]
  private var byteCount = 0

  init(base: UInt32) {
    self.base = base
  }

  deinit { slots?.deallocate() }

  /// The set that was remembered with this hash.
  @inline(__always)
  func find(_ hash: UInt64) -> AttributeSetID? {
    guard let slots else { return nil }
    var index = Int(truncatingIfNeeded: hash) & Self.mask
    while slots[index].id != 0 {
      if slots[index].hash == hash { return AttributeSetID(slots[index].id) }
      index = (index &+ 1) & Self.mask
    }
    return nil
  }

  /// False when no further set can be kept.
  var hasRoom: Bool {
    sets.count < Self.limit && hashCount < Self.hashLimit && byteCount < Self.byteLimit
  }

  /// The number of a set, which the hash finds from now on, and whether it is new.
  mutating func remember(
    _ attributes: [HostAttribute],
    byteCount count: Int,
    hash: UInt64
  ) -> (id: AttributeSetID, isNew: Bool) {
    let known = sets[attributes]
    let id = known ?? AttributeSetID(base + UInt32(sets.count) + 1)
    if known == nil {
      sets[attributes] = id
      byteCount += count
    }
    let slots = self.slots ?? makeSlots()
    var index = Int(truncatingIfNeeded: hash) & Self.mask
    while slots[index].id != 0 { index = (index &+ 1) & Self.mask }
    slots[index] = (hash, id.rawValue)
    hashCount += 1
    return (id, known == nil)
  }

  private mutating func makeSlots() -> UnsafeMutablePointer<(hash: UInt64, id: UInt32)> {
    let made = UnsafeMutablePointer<(hash: UInt64, id: UInt32)>.allocate(capacity: Self.mask + 1)
    made.initialize(repeating: (0, 0), count: Self.mask + 1)
    slots = made
    return made
  }
}
