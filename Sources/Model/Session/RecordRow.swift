/// One record as the model keeps it: what screens and reports need of it, and where the rest lies.
///
/// 72 bytes, without references, so that a column of rows is plain memory. Numbers of symbols, resources
/// and streams are as wide as their tables may grow; the rest has the width of what it can be.
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
  private var nameWord: UInt64
  private var originWord: UInt64
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
    nameWord = 0
    originWord = 0
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

  /// The whole name of the span; the ledger line's name.
  package var name: Symbol {
    @inline(__always) get { Symbol(UInt32(Layout.name.get(nameWord))) }
    set { Layout.name.set(&nameWord, UInt64(newValue.rawValue)) }
  }

  /// Screen, fragment, class, top screen or detail; for other spans and logs what they are grouped by.
  package var subject: Symbol {
    @inline(__always) get { Symbol(UInt32(Layout.subject.get(nameWord))) }
    set { Layout.subject.set(&nameWord, UInt64(newValue.rawValue)) }
  }

  package var stream: StreamID {
    @inline(__always) get { StreamID(UInt32(Layout.stream.get(nameWord))) }
    set { Layout.stream.set(&nameWord, UInt64(newValue.rawValue)) }
  }

  package var resource: ResourceID {
    @inline(__always) get { ResourceID(UInt32(Layout.resource.get(originWord))) }
    set { Layout.resource.set(&originWord, UInt64(newValue.rawValue)) }
  }

  package var session: Symbol {
    @inline(__always) get { Symbol(UInt32(Layout.session.get(originWord))) }
    set { Layout.session.set(&originWord, UInt64(newValue.rawValue)) }
  }

  /// What the host added; sets have numbers below `UInt16.max`.
  package var attributes: AttributeSetID {
    get {
      let number = Layout.attributes.get(originWord)
      return number == UInt64(UInt16.max) ? .overflow : AttributeSetID(UInt32(number))
    }
    set { Layout.attributes.set(&originWord, UInt64(UInt16(clamping: newValue.rawValue))) }
  }

  package var outcome: Outcome {
    @inline(__always) get { Outcome(rawValue: UInt8(Layout.outcome.get(originWord))) ?? .normal }
    set { Layout.outcome.set(&originWord, UInt64(newValue.rawValue)) }
  }

  /// At most 7, which no signal reaches.
  package var finalAttributeCount: UInt8 {
    get { UInt8(Layout.finalCount.get(endWord)) }
    set { Layout.finalCount.set(&endWord, UInt64(newValue)) }
  }

  /// At most 255: more attributes are as many.
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

  var isReplaced: Bool { Layout.replaced.get(originWord) != 0 }

  /// The row that took this one's place, plus one; 0 while it is the winner.
  var supersededBy: UInt32 {
    isReplaced ? UInt32(truncatingIfNeeded: Layout.trace.get(traceWord)) : 0
  }

  /// A replaced row is found no more, so that its trace makes room for its successor.
  mutating func supersede(by row: Int) {
    Layout.replaced.set(&originWord, 1)
    Layout.trace.set(&traceWord, UInt64(row + 1))
  }
}

// MARK: - Numbers

extension RecordRow {
  /// Sets the two numbers that most records have.
  mutating func setNumbers(primary: UInt32?, secondary: UInt32?) {
    self.primary = primary ?? 0
    second = secondary ?? 0
    Layout.present.set(&endWord, (primary == nil ? 0 : 1) | (secondary == nil ? 0 : 2))
  }

  /// Milliseconds (a count for watchdog terminations); nil when absent.
  package var primaryValue: UInt32? { Layout.present.get(endWord) & 1 == 0 ? nil : primary }

  /// Nil when absent; that of a signal with an extra is there.
  package var secondaryValue: UInt32? { Layout.present.get(endWord) & 2 == 0 ? nil : second }

  /// 0 when absent.
  package var secondary: UInt32 { secondaryValue ?? 0 }

  /// Where the extra lies; nil without one.
  var extra: UInt32? {
    get { Layout.hasExtra.get(originWord) == 0 ? nil : second }
    set {
      Layout.hasExtra.set(&originWord, newValue == nil ? 0 : 1)
      second = newValue ?? 0
      Layout.present.set(&endWord, Layout.present.get(endWord) & 1)
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
private struct BitField {
  let shift: UInt64
  let mask: UInt64

  @inline(__always)
  init(_ shift: UInt64, bits: UInt64) {
    self.shift = shift
    mask = 1 &<< bits &- 1
  }

  @inline(__always)
  func get(_ word: UInt64) -> UInt64 { word &>> shift & mask }

  /// What is too large becomes the largest.
  @inline(__always)
  func set(_ word: inout UInt64, _ value: UInt64) {
    word = word & ~(mask &<< shift) | min(value, mask) &<< shift
  }
}

/// Where in a row's words things lie.
private enum Layout {
  // 48 + 16
  @inline(__always) static var trace: BitField { BitField(0, bits: 48) }
  @inline(__always) static var flags: BitField { BitField(48, bits: 16) }
  // 44 + 16 + 4
  @inline(__always) static var offset: BitField { BitField(0, bits: 44) }
  @inline(__always) static var source: BitField { BitField(44, bits: 16) }
  @inline(__always) static var signal: BitField { BitField(60, bits: 4) }
  // 51 + 8 + 3 + 2
  @inline(__always) static var length: BitField { BitField(0, bits: 51) }
  @inline(__always) static var attributeCount: BitField { BitField(51, bits: 8) }
  @inline(__always) static var finalCount: BitField { BitField(59, bits: 3) }
  @inline(__always) static var present: BitField { BitField(62, bits: 2) }
  // 22 + 22 + 20
  @inline(__always) static var name: BitField { BitField(0, bits: 22) }
  @inline(__always) static var subject: BitField { BitField(22, bits: 22) }
  @inline(__always) static var stream: BitField { BitField(44, bits: 20) }
  // 22 + 20 + 16 + 3 + 1 + 1
  @inline(__always) static var session: BitField { BitField(0, bits: 22) }
  @inline(__always) static var resource: BitField { BitField(22, bits: 20) }
  @inline(__always) static var attributes: BitField { BitField(42, bits: 16) }
  @inline(__always) static var outcome: BitField { BitField(58, bits: 3) }
  @inline(__always) static var replaced: BitField { BitField(61, bits: 1) }
  @inline(__always) static var hasExtra: BitField { BitField(62, bits: 1) }

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
