/// One record as the model keeps it: what screens and reports need of it, and where the rest lies.
///
/// 80 bytes, without references, so that a column of rows is plain memory. What is packed has the width of
/// what it can be.
package struct RecordRow: Sendable {
  /// Nanoseconds since 1970; meaningless when `flags` say `noStart`.
  package private(set) var start: Int64
  /// 0 when the record has no identity.
  ///
  /// Of a leak: the hash of the instance's identifier.
  package private(set) var spanID: UInt64
  private var traceWord: UInt64
  private var placeWord: UInt64
  private var endWord: UInt64
  /// The whole name of the span; the ledger line's name.
  package var name = Symbol.none
  /// Screen, fragment, class, top screen or detail; for other spans and logs what they are grouped by.
  package var subject = Symbol.none
  package var session = Symbol.none
  package var stream = StreamID(0)
  package var resource = ResourceID(0)
  private var kindWord: UInt32
  private var contentHigh: UInt32
  package private(set) var primary: UInt32
  private var placeLength: UInt32
  /// The second number, or where the extra lies.
  private var second: UInt32

  init(place: RecordPlace, signal: Signal) {
    start = 0
    spanID = 0
    traceWord = 0
    placeWord = 0
    endWord = 0
    kindWord = 0
    contentHigh = 0
    primary = 0
    placeLength = place.length
    second = 0
    Layout.offset.set(&placeWord, place.offset)
    Layout.source.set(&placeWord, UInt64(place.source.rawValue))
    Layout.signal.set(&placeWord, UInt64(signal.rawValue))
  }

  package var place: RecordPlace {
    RecordPlace(
      source: SourceID(UInt16(Layout.source.get(placeWord))),
      offset: Layout.offset.get(placeWord),
      length: placeLength
    )
  }

  package var signal: Signal {
    @inline(__always) get { Signal(rawValue: UInt8(Layout.signal.get(placeWord))) ?? .otherSpan }
  }

  /// Never before `start`: an end that was absent or earlier is set to it, and flagged.
  ///
  /// Exact up to thirteen days after the start, and to 16 microseconds beyond.
  package var end: Int64 {
    @inline(__always) get {
      let kept = Layout.length.get(endWord)
      let scale = kept >> Layout.scaleBit &* Layout.scale
      return start &+ Int64(bitPattern: (kept & Layout.lengthMask) << scale)
    }
  }

  mutating func setTimes(start: Int64, end: Int64) {
    self.start = start
    let length = UInt64(bitPattern: end &- start)
    let isLong = length > Layout.lengthMask
    Layout.length.set(&endWord, isLong ? length >> Layout.scale | 1 << Layout.scaleBit : length)
  }

  package var flags: RecordFlags {
    @inline(__always) get { RecordFlags(rawValue: UInt16(Layout.flags.get(traceWord))) }
    set { Layout.flags.set(&traceWord, UInt64(newValue.rawValue)) }
  }

  /// What the host added; sets have numbers below `UInt16.max`.
  package var attributes: AttributeSetID {
    get {
      let number = Layout.attributes.get(kindWord)
      return number == UInt32(UInt16.max) ? .overflow : AttributeSetID(number)
    }
    set { Layout.attributes.set(&kindWord, newValue.rawValue) }
  }

  package var outcome: Outcome {
    @inline(__always) get { Outcome(rawValue: UInt8(Layout.outcome.get(kindWord))) ?? .normal }
    set { Layout.outcome.set(&kindWord, UInt32(newValue.rawValue)) }
  }

  /// At most 7, which no signal reaches.
  package var finalAttributeCount: UInt8 {
    get { UInt8(Layout.finalCount.get(kindWord)) }
    set { Layout.finalCount.set(&kindWord, UInt32(newValue)) }
  }

  /// At most 8,191: more attributes are as many.
  package var attributeCount: UInt16 {
    get { UInt16(Layout.attributeCount.get(endWord)) }
    set { Layout.attributeCount.set(&endWord, UInt64(newValue)) }
  }

  package var startTime: Timestamp { Timestamp(nanoseconds: start) }
  package var endTime: Timestamp { Timestamp(nanoseconds: end) }
}

// MARK: - Identity

extension RecordRow {
  package var hasIdentity: Bool { spanID != 0 && signal.isSpan }

  /// The two halves of the trace id mixed, 48 bits of it; with `spanID` it is the record's identity.
  ///
  /// 0 without an identity, and of a row that was replaced.
  package var traceHash: UInt64 {
    hasIdentity && !isReplaced ? Layout.trace.get(traceWord) : 0
  }

  /// What the record says, hashed: 64 bits, of spans with an identity the upper 32 alone.
  package var content: UInt64 {
    let low = hasIdentity ? 0 : Layout.trace.get(traceWord) & 0xFFFF_FFFF
    return UInt64(contentHigh) << 32 | low
  }

  /// Takes a trace hash of 64 bits; without an identity it is not kept.
  mutating func setIdentity(traceHash: UInt64 = 0, spanID: UInt64, content: UInt64) {
    self.spanID = spanID
    contentHigh = UInt32(content >> 32)
    let kept = hasIdentity ? traceHash & Layout.trace.mask : content & 0xFFFF_FFFF
    Layout.trace.set(&traceWord, kept)
  }

  var isReplaced: Bool { Layout.replaced.get(kindWord) != 0 }

  /// The row that took this one's place, plus one; 0 while it is the winner.
  var supersededBy: UInt32 {
    isReplaced ? UInt32(truncatingIfNeeded: Layout.trace.get(traceWord)) : 0
  }

  /// A replaced row is found no more, so that its trace makes room for its successor.
  mutating func supersede(by row: Int) {
    Layout.replaced.set(&kindWord, 1)
    Layout.trace.set(&traceWord, UInt64(row + 1))
  }
}

// MARK: - Numbers

extension RecordRow {
  /// Sets the two numbers that most records have.
  mutating func setNumbers(primary: UInt32?, secondary: UInt32?) {
    self.primary = primary ?? 0
    second = secondary ?? 0
    Layout.present.set(&kindWord, (primary == nil ? 0 : 1) | (secondary == nil ? 0 : 2))
  }

  /// Milliseconds (a count for watchdog terminations); nil when absent.
  package var primaryValue: UInt32? { Layout.present.get(kindWord) & 1 == 0 ? nil : primary }

  /// Nil when absent; that of a signal with an extra is there.
  package var secondaryValue: UInt32? { Layout.present.get(kindWord) & 2 == 0 ? nil : second }

  /// 0 when absent.
  package var secondary: UInt32 { secondaryValue ?? 0 }

  /// Where the extra lies; nil without one.
  var extra: UInt32? {
    get { Layout.hasExtra.get(kindWord) == 0 ? nil : second }
    set {
      Layout.hasExtra.set(&kindWord, newValue == nil ? 0 : 1)
      second = newValue ?? 0
      Layout.present.set(&kindWord, Layout.present.get(kindWord) & 1)
    }
  }

  /// True when start and end can be placed on a time axis.
  package var isTimed: Bool { flags.isDisjoint(with: [.noStart, .timeOutOfRange]) }

  /// A fatal hang that was measured to its end; one with an error status is cancelled, whatever its type.
  var isFatalHang: Bool {
    signal == .appHang && flags.contains(.fatal) && !outcome.isError
  }

  /// What kind of hang a record of a hang tells of.
  var hangType: HangType {
    if signal == .ledgerHang { return .nonFatal }
    if outcome.isError { return .cancelled }
    if flags.contains(.fatal) { return .fatal }
    return flags.contains(.nonFatal) ? .nonFatal : .open
  }
}

// MARK: - Layout

/// Some bits of a word.
private struct BitField<Word: FixedWidthInteger & UnsignedInteger> {
  let shift: Word
  let mask: Word

  @inline(__always)
  init(_ shift: Word, bits: Word) {
    self.shift = shift
    mask = 1 &<< bits &- 1
  }

  @inline(__always)
  func get(_ word: Word) -> Word { word &>> shift & mask }

  /// What is too large becomes the largest.
  @inline(__always)
  func set(_ word: inout Word, _ value: Word) {
    word = word & ~(mask &<< shift) | min(value, mask) &<< shift
  }
}

/// Where in a row's words things lie.
private enum Layout {
  // 48 + 16
  @inline(__always) static var trace: BitField<UInt64> { BitField(0, bits: 48) }
  @inline(__always) static var flags: BitField<UInt64> { BitField(48, bits: 16) }
  // 44 + 16 + 4
  @inline(__always) static var offset: BitField<UInt64> { BitField(0, bits: 44) }
  @inline(__always) static var source: BitField<UInt64> { BitField(44, bits: 16) }
  @inline(__always) static var signal: BitField<UInt64> { BitField(60, bits: 4) }
  // 51 + 13
  @inline(__always) static var length: BitField<UInt64> { BitField(0, bits: 51) }
  @inline(__always) static var attributeCount: BitField<UInt64> { BitField(51, bits: 13) }
  // 16 + 3 + 3 + 2 + 1 + 1
  @inline(__always) static var attributes: BitField<UInt32> { BitField(0, bits: 16) }
  @inline(__always) static var outcome: BitField<UInt32> { BitField(16, bits: 3) }
  @inline(__always) static var finalCount: BitField<UInt32> { BitField(19, bits: 3) }
  @inline(__always) static var present: BitField<UInt32> { BitField(22, bits: 2) }
  @inline(__always) static var replaced: BitField<UInt32> { BitField(24, bits: 1) }
  @inline(__always) static var hasExtra: BitField<UInt32> { BitField(25, bits: 1) }

  /// A length has this bit where it counts `2^scale` nanoseconds.
  @inline(__always) static var scaleBit: UInt64 { 50 }
  @inline(__always) static var scale: UInt64 { 14 }
  @inline(__always) static var lengthMask: UInt64 { 1 << scaleBit - 1 }
}

/// How a span ended, as far as its status tells.
package enum Outcome: UInt8, Sendable {
  /// UNSET or OK.
  case normal
  /// OK, which only finished copies carry.
  case ok
  /// ERROR `shouldEmit_rejected`: the host asked to drop it.
  case rejected
  /// ERROR `accumulator_deinit`: monitoring was torn down.
  case detached
  /// Any other ERROR.
  case failed

  package var isError: Bool { rawValue >= Outcome.rejected.rawValue }
}

extension RecordFlags {
  /// The start lies before 2000 or more than 24 hours after the newest arrival.
  package static let timeOutOfRange = RecordFlags(rawValue: 1 << 12)
  /// The end lay before the start.
  package static let endBeforeStart = RecordFlags(rawValue: 1 << 13)

  /// A record whose times cannot be trusted as they stand.
  package var isClockSuspect: Bool {
    !isDisjoint(with: [.timeOutOfRange, .endBeforeStart, .rescaledTime])
  }
}

/// A device stream, told apart by number in the order of first appearance.
package struct StreamID: Hashable, Sendable {
  package var rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }
}
