/// What only launches, renderings, hangs and terminations have.
package struct RecordExtra: Equatable, Sendable {
  package var measurements = Measurements()
  package var hostSession = Symbol.none
  package var appState = Symbol.none
  package var statusMessage = Symbol.none
}

/// Extras one behind the other, each as long as what it says, in chunks that never move.
///
/// An extra begins with a bit for each number that is there; the numbers follow in seven bits a byte.
/// The first measurement is left out: rows have it.
struct ExtraBytes: Sendable {
  private var chunks: ContiguousArray<Chunk> = []
  /// How many extras of each chunk are needed.
  private var needed: ContiguousArray<Int> = []
  /// Of the next extra, in its chunk.
  private var used = Chunk.size
  private(set) var byteCount = 0

  /// At most twelve numbers of five bytes behind two bytes of bits.
  private static let longest = 62
  private static let messageBit = 9
  private static let hostBit = 10
  private static let stateBit = 11

  /// What lies at a place that `append` returned.
  subscript(place: UInt32) -> RecordExtra {
    let chunk = chunks[Int(place >> Chunk.shift)]
    var byte = UnsafePointer(chunk.bytes) + Int(place & Chunk.mask)
    let present = UInt16(byte[0]) | UInt16(byte[1]) << 8
    byte += 2
    var extra = RecordExtra()
    extra.measurements = withUnsafeTemporaryAllocation(
      of: UInt32.self,
      capacity: Measurements.slotCount
    ) { slots in
      let measured = present & (1 << UInt16(Measurements.slotCount) - 1)
      var rest = measured
      while rest != 0 {
        slots[rest.trailingZeroBitCount] = Self.take(&byte)
        rest &= rest - 1
      }
      guard let base = slots.baseAddress else { return Measurements() }
      return Measurements(present: measured, values: base)
    }
    if present & 1 << Self.messageBit != 0 { extra.statusMessage = Symbol(Self.take(&byte)) }
    if present & 1 << Self.hostBit != 0 { extra.hostSession = Symbol(Self.take(&byte)) }
    if present & 1 << Self.stateBit != 0 { extra.appState = Symbol(Self.take(&byte)) }
    return extra
  }

  /// Where the extra lies from now on.
  mutating func append(_ extra: RecordExtra) -> UInt32 {
    if used + Self.longest > Chunk.size {
      if !chunks.isEmpty { giveUp(chunks.count - 1) }
      chunks.append(Chunk(size: Chunk.size))
      needed.append(0)
      byteCount += Chunk.size
      used = 0
    } else if !isKnownUniquelyReferenced(&chunks[chunks.count - 1]) {
      chunks[chunks.count - 1] = Chunk(copying: used, of: chunks[chunks.count - 1])
    }
    let start = chunks[chunks.count - 1].bytes + used
    let place = UInt32(chunks.count - 1) << Chunk.shift | UInt32(used)
    var byte = start + 2
    var present: UInt16 = 0
    func put(_ value: UInt32, _ bit: Int) {
      present |= 1 << bit
      Self.put(value, &byte)
    }
    var rest = extra.measurements.present & ~1
    extra.measurements.withValues { values in
      while rest != 0 {
        put(values[rest.trailingZeroBitCount], rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    if extra.statusMessage.isPresent { put(extra.statusMessage.rawValue, Self.messageBit) }
    if extra.hostSession.isPresent { put(extra.hostSession.rawValue, Self.hostBit) }
    if extra.appState.isPresent { put(extra.appState.rawValue, Self.stateBit) }
    start[0] = UInt8(truncatingIfNeeded: present)
    start[1] = UInt8(truncatingIfNeeded: present >> 8)
    used += byte - start
    needed[needed.count - 1] += 1
    return place
  }

  /// Says that nobody needs an extra any more.
  mutating func release(_ place: UInt32?) {
    guard let place else { return }
    let number = Int(place >> Chunk.shift)
    needed[number] -= 1
    if number < chunks.count - 1 { giveUp(number) }
  }

  /// Gives up a chunk that nobody needs and nothing is added to.
  private mutating func giveUp(_ number: Int) {
    guard needed[number] == 0, chunks[number].size > 0 else { return }
    byteCount -= chunks[number].size
    chunks[number] = Chunk(size: 0)
  }

  /// Writes an extra again behind all others; returns where it lies now.
  mutating func move(_ place: UInt32) -> UInt32 {
    let new = append(self[place])
    release(place)
    return new
  }

  @inline(__always)
  private static func put(_ value: UInt32, _ byte: inout UnsafeMutablePointer<UInt8>) {
    var rest = value
    while rest >= 0x80 {
      byte.pointee = UInt8(truncatingIfNeeded: rest) | 0x80
      byte += 1
      rest >>= 7
    }
    byte.pointee = UInt8(truncatingIfNeeded: rest)
    byte += 1
  }

  @inline(__always)
  private static func take(_ byte: inout UnsafePointer<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    var shift: UInt32 = 0
    while true {
      let next = byte.pointee
      byte += 1
      value |= UInt32(next & 0x7F) &<< shift
      if next < 0x80 { return value }
      shift &+= 7
    }
  }
}

extension ExtraBytes {
  /// Written only by a store that alone has it.
  fileprivate final class Chunk: Sendable {
    static let shift: UInt32 = 16
    static let size = 1 << 16
    static let mask: UInt32 = 1 << 16 - 1

    let size: Int
    nonisolated(unsafe) let bytes: UnsafeMutablePointer<UInt8>

    init(size: Int) {
      self.size = size
      bytes = .allocate(capacity: max(1, size))
    }

    convenience init(copying count: Int, of other: Chunk) {
      self.init(size: other.size)
      bytes.initialize(from: other.bytes, count: count)
    }

    deinit {
      bytes.deallocate()
    }
  }
}
