/// From a span's identity to its winning row: open addressing over row numbers and 32-bit hashes.
///
/// Holds no identities itself; a hit is checked against the row. Kept at most three quarters full.
struct IdentityIndex: Sendable {
  private struct Slot {
    /// Row number plus one; 0 when free.
    var row: UInt32
    var hash: UInt32
  }

  private var slots: ContiguousArray<Slot>
  private var used = 0

  init() {
    slots = ContiguousArray(repeating: Slot(row: 0, hash: 0), count: 1024)
  }

  private static func hash(_ traceHash: UInt64, _ spanID: UInt64) -> UInt32 {
    let product = (traceHash ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: spanID ^ 0xD1B5_4A32_D192_ED03
    )
    let mixed = product.high ^ product.low
    return UInt32(truncatingIfNeeded: mixed ^ mixed >> 32)
  }

  func find(traceHash: UInt64, spanID: UInt64, isMatch: (Int) -> Bool) -> Int? {
    let hash = Self.hash(traceHash, spanID)
    let mask = slots.count - 1
    var position = Int(hash) & mask
    while slots[position].row != 0 {
      if slots[position].hash == hash, isMatch(Int(slots[position].row) - 1) {
        return Int(slots[position].row) - 1
      }
      position = (position + 1) & mask
    }
    return nil
  }

  mutating func insert(_ row: Int, traceHash: UInt64, spanID: UInt64) {
    if (used + 1) * 4 > slots.count * 3 { grow() }
    place(Slot(row: UInt32(row + 1), hash: Self.hash(traceHash, spanID)))
    used += 1
  }

  mutating func replace(_ old: Int, with row: Int, traceHash: UInt64, spanID: UInt64) {
    let mask = slots.count - 1
    var position = Int(Self.hash(traceHash, spanID)) & mask
    while slots[position].row != 0 {
      if Int(slots[position].row) == old + 1 {
        slots[position].row = UInt32(row + 1)
        return
      }
      position = (position + 1) & mask
    }
  }

  private mutating func place(_ slot: Slot) {
    let mask = slots.count - 1
    var position = Int(slot.hash) & mask
    while slots[position].row != 0 { position = (position + 1) & mask }
    slots[position] = slot
  }

  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: Slot(row: 0, hash: 0), count: old.count * 2)
    for slot in old where slot.row != 0 { place(slot) }
  }
}
