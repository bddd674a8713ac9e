/// From a span's identity to its winning row: open addressing over row numbers and 32-bit hashes.
///
/// Holds no identities itself; a hit is checked against the row. In segments by the hash, which grow a
/// quarter at a time, each for itself: a table that doubles is half empty after it has doubled.
struct IdentityIndex: Sendable {
  fileprivate struct Slot {
    /// Row number plus one; 0 when free.
    var row: UInt32
    var hash: UInt32
  }

  fileprivate struct Segment {
    var slots = ContiguousArray(repeating: Slot(row: 0, hash: 0), count: 16)
    var used = 0
  }

  private static let segmentBits: UInt32 = 6
  fileprivate var segments = ContiguousArray(repeating: Segment(), count: 1 << Self.segmentBits)

  private static func hash(_ traceHash: UInt64, _ spanID: UInt64) -> UInt32 {
    let product = (traceHash ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: spanID ^ 0xD1B5_4A32_D192_ED03
    )
    let mixed = product.high ^ product.low
    return UInt32(truncatingIfNeeded: mixed ^ mixed >> 32)
  }

  @inline(__always)
  private static func segment(_ hash: UInt32) -> Int { Int(hash & (1 << segmentBits - 1)) }

  /// Where to begin to look: hashes spread over slots whose number is no power of two.
  @inline(__always)
  fileprivate static func place(_ hash: UInt32, among count: Int) -> Int {
    Int((UInt64(hash) &* UInt64(count)) >> 32)
  }

  func find(traceHash: UInt64, spanID: UInt64, isMatch: (Int) -> Bool) -> Int? {
    let hash = Self.hash(traceHash, spanID)
    return segments.withUnsafeBufferPointer { segments in
      segments[Self.segment(hash)].slots.withUnsafeBufferPointer { slots in
        var position = Self.place(hash, among: slots.count)
        while slots[position].row != 0 {
          if slots[position].hash == hash, isMatch(Int(slots[position].row) - 1) {
            return Int(slots[position].row) - 1
          }
          position += 1
          if position == slots.count { position = 0 }
        }
        return nil
      }
    }
  }

  mutating func insert(_ row: Int, traceHash: UInt64, spanID: UInt64) {
    let hash = Self.hash(traceHash, spanID)
    segments[Self.segment(hash)].insert(Slot(row: UInt32(row + 1), hash: hash))
  }

  mutating func replace(_ old: Int, with row: Int, traceHash: UInt64, spanID: UInt64) {
    let hash = Self.hash(traceHash, spanID)
    segments[Self.segment(hash)].replace(old, with: row, hash)
  }

  /// Forgets a row, whose room is for the next one; nothing where it is not known.
  mutating func remove(_ row: Int, traceHash: UInt64, spanID: UInt64) {
    let hash = Self.hash(traceHash, spanID)
    segments[Self.segment(hash)].remove(row, hash)
  }
}

extension IdentityIndex.Segment {
  fileprivate mutating func remove(_ row: Int, _ hash: UInt32) {
    let isKnown = slots.withUnsafeMutableBufferPointer { slots in
      let count = slots.count
      let next = { (position: Int) in position + 1 == count ? 0 : position + 1 }
      var hole = IdentityIndex.place(hash, among: count)
      while slots[hole].row != UInt32(row + 1) {
        if slots[hole].row == 0 { return false }
        hole = next(hole)
      }
      // What stands behind moves up unless that is before the place where it is looked for.
      var position = next(hole)
      while slots[position].row != 0 {
        let home = IdentityIndex.place(slots[position].hash, among: count)
        let isBehindHole =
          hole < position
          ? hole < home && home <= position : hole < home || home <= position
        if !isBehindHole {
          slots[hole] = slots[position]
          hole = position
        }
        position = next(position)
      }
      slots[hole] = IdentityIndex.Slot(row: 0, hash: 0)
      return true
    }
    if isKnown { used -= 1 }
  }

  fileprivate mutating func insert(_ slot: IdentityIndex.Slot) {
    if (used + 1) * 5 > slots.count * 4 { grow() }
    place(slot)
    used += 1
  }

  fileprivate mutating func replace(_ old: Int, with row: Int, _ hash: UInt32) {
    slots.withUnsafeMutableBufferPointer { slots in
      var position = IdentityIndex.place(hash, among: slots.count)
      while slots[position].row != 0 {
        if Int(slots[position].row) == old + 1 {
          slots[position].row = UInt32(row + 1)
          return
        }
        position += 1
        if position == slots.count { position = 0 }
      }
    }
  }

  private mutating func place(_ slot: IdentityIndex.Slot) {
    slots.withUnsafeMutableBufferPointer { slots in
      var position = IdentityIndex.place(slot.hash, among: slots.count)
      while slots[position].row != 0 {
        position += 1
        if position == slots.count { position = 0 }
      }
      slots[position] = slot
    }
  }

  private static let few = 2_048

  private mutating func grow() {
    let old = slots
    // While there are few, doubling costs no memory worth naming and moves them less often.
    let count = old.count < Self.few ? old.count * 2 : old.count * 5 / 4
    slots = ContiguousArray(repeating: IdentityIndex.Slot(row: 0, hash: 0), count: count)
    for slot in old where slot.row != 0 { place(slot) }
  }
}
