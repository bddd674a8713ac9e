#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Numbers found by byte strings: an open-addressing table over an arena that never moves.
struct ByteTable: ~Copyable {
  private struct Entry {
    var hash: UInt64
    var start: UnsafeMutableRawPointer
    var count: UInt32
    var value: UInt32

    var bytes: UnsafeRawBufferPointer {
      @inline(__always) get { UnsafeRawBufferPointer(start: start, count: Int(count)) }
    }
  }

  /// High half: high half of the hash; low half: index of the entry plus 1; 0 is a free slot.
  private var slots: [UInt64]
  private var entries: [Entry] = []
  private var chunks: [UnsafeMutableRawPointer] = []
  private var chunkLeft = 0
  private var chunkNext: UnsafeMutableRawPointer?
  /// Bytes that the arena holds for keys.
  private(set) var byteCount = 0

  private static let chunkSize = 1 << 16
  private static let firstSlots = 1024

  init() {
    slots = Array(repeating: 0, count: Self.firstSlots)
  }

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  var count: Int { entries.count }

  /// The index of the key's entry; indices rise in the order of insertion.
  @inline(__always)
  func find(_ key: UnsafeRawBufferPointer, hash: UInt64) -> Int? {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    return slots.withUnsafeBufferPointer { slots in
      entries.withUnsafeBufferPointer { entries in
        while true {
          let word = slots[slot]
          if word == 0 { return nil }
          if word &>> 32 == hash &>> 32 {
            let index = Int(word & 0xffff_ffff) &- 1
            if entries[index].hash == hash, Self.matches(entries[index], key) { return index }
          }
          slot = (slot &+ 1) & mask
        }
      }
    }
  }

  func value(at index: Int) -> UInt32 { entries[index].value }

  /// The key's bytes, valid until the table is cleared or destroyed.
  func key(at index: Int) -> UnsafeRawBufferPointer {
    entries[index].bytes
  }

  /// Adds a key that `find` did not find and returns its index.
  mutating func insert(_ key: UnsafeRawBufferPointer, hash: UInt64, value: UInt32) -> Int {
    if (entries.count + 1) * 2 > slots.count { grow() }
    let start = store(key)
    entries.growBySteps()
    entries.append(Entry(hash: hash, start: start, count: UInt32(key.count), value: value))
    place(hash: hash, index: entries.count - 1)
    return entries.count - 1
  }

  mutating func removeAll() {
    for chunk in chunks { chunk.deallocate() }
    chunks.removeAll()
    chunkNext = nil
    chunkLeft = 0
    byteCount = 0
    entries.removeAll()
    slots = Array(repeating: 0, count: Self.firstSlots)
  }

  @inline(__always)
  private static func matches(_ entry: Entry, _ key: UnsafeRawBufferPointer) -> Bool {
    isSame(entry.bytes, key)
  }

  @inline(__always)
  static func isSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let one = left.baseAddress, let other = right.baseAddress else { return true }
    return memcmp(one, other, left.count) == 0
  }

  private mutating func place(hash: UInt64, index: Int) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = (hash >> 32) << 32 | UInt64(index + 1)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for index in entries.indices { place(hash: entries[index].hash, index: index) }
  }

  private mutating func store(_ key: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
    byteCount += key.count
    if key.count > Self.chunkSize / 4 {
      let own = UnsafeMutableRawPointer.allocate(byteCount: key.count, alignment: 1)
      chunks.append(own)
      own.copyMemory(from: key.baseAddress ?? UnsafeRawPointer(own), byteCount: key.count)
      return own
    }
    var next: UnsafeMutableRawPointer
    if let chunkNext, chunkLeft >= key.count {
      next = chunkNext
    } else {
      next = UnsafeMutableRawPointer.allocate(byteCount: Self.chunkSize, alignment: 1)
      chunks.append(next)
      chunkLeft = Self.chunkSize
    }
    if let start = key.baseAddress { next.copyMemory(from: start, byteCount: key.count) }
    chunkNext = next + key.count
    chunkLeft -= key.count
    return next
  }
}

extension Array {
  /// Makes room for one more by a quarter at a time instead of by doubling, which leaves half unused.
  @inline(__always)
  mutating func growBySteps() {
    if count == capacity { reserveCapacity(count + count / 4 + 8) }
  }
}
