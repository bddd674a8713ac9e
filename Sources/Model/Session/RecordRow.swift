/// One record as the model keeps it: what screens and reports need of it, and where the rest lies.
///
/// 96 bytes, without references, so that a column of rows is plain memory.
package struct RecordRow: Sendable {
  /// Nanoseconds since 1970; meaningless when `flags` say `noStart`.
  package var start: Int64
  /// Never before `start`: an end that was absent or earlier is set to it, and flagged.
  package var end: Int64
  /// Source in the upper 16 bits, offset in the lower 48.
  private var packedPlace: UInt64
  /// The two halves of the trace id mixed; with `spanID` it is the record's identity.
  package var traceHash: UInt64
  /// 0 when the record has no identity.
  ///
  /// Of a leak: the hash of the instance's identifier.
  package var spanID: UInt64
  package var content: UInt64
  private var placeLength: UInt32
  /// The whole name of the span; the ledger line's name.
  package var name: Symbol
  /// Screen, fragment, class, top screen or detail; for other spans and logs what they are grouped by.
  package var subject: Symbol
  package var stream: StreamID
  package var resource: ResourceID
  package var session: Symbol
  package var primary: UInt32
  package var secondary: UInt32
  /// Index into the extras plus one; 0 when there are none.
  var extra: UInt32
  /// The row that took this one's place, plus one; 0 while it is the winner.
  var supersededBy: UInt32
  package var attributeCount: UInt16
  package var flags: RecordFlags
  package var signal: Signal
  /// From the lowest bit: which numbers are there (2), the outcome (3), how many final attributes (3).
  private var packed: UInt8
  private var attributeSet: UInt16

  package var place: RecordPlace {
    RecordPlace(
      source: SourceID(UInt16(packedPlace >> 48)),
      offset: packedPlace & 0xFFFF_FFFF_FFFF,
      length: placeLength
    )
  }

  init(place: RecordPlace, signal: Signal) {
    packedPlace = UInt64(place.source.rawValue) << 48 | place.offset & 0xFFFF_FFFF_FFFF
    placeLength = place.length
    self.signal = signal
    start = 0
    end = 0
    traceHash = 0
    spanID = 0
    content = 0
    name = .none
    subject = .none
    stream = StreamID(0)
    resource = .empty
    session = .none
    primary = 0
    secondary = 0
    extra = 0
    supersededBy = 0
    attributeCount = 0
    flags = []
    packed = 0
    attributeSet = 0
  }

  package var outcome: Outcome {
    get { Outcome(rawValue: packed >> 2 & 7) ?? .normal }
    set { packed = packed & 0b1110_0011 | newValue.rawValue << 2 }
  }

  /// At most 7, which no signal reaches.
  package var finalAttributeCount: UInt8 {
    get { packed >> 5 }
    set { packed = packed & 0b0001_1111 | min(newValue, 7) << 5 }
  }

  /// What the host added; sets have numbers below `UInt16.max`.
  package var attributes: AttributeSetID {
    get { attributeSet == .max ? .overflow : AttributeSetID(UInt32(attributeSet)) }
    set { attributeSet = UInt16(clamping: newValue.rawValue) }
  }

  /// Sets the two numbers that most records have.
  mutating func setNumbers(primary: UInt32?, secondary: UInt32?) {
    self.primary = primary ?? 0
    self.secondary = secondary ?? 0
    packed = packed & ~3 | (primary == nil ? 0 : 1) | (secondary == nil ? 0 : 2)
  }

  /// Milliseconds (a count for watchdog terminations); nil when absent.
  package var primaryValue: UInt32? { packed & 1 == 0 ? nil : primary }
  package var secondaryValue: UInt32? { packed & 2 == 0 ? nil : secondary }

  package var hasIdentity: Bool { spanID != 0 && signal.isSpan }

  /// True when start and end can be placed on a time axis.
  package var isTimed: Bool { !flags.contains(.noStart) && !flags.contains(.timeOutOfRange) }

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

  package var startTime: Timestamp { Timestamp(nanoseconds: start) }
  package var endTime: Timestamp { Timestamp(nanoseconds: end) }
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

/// Numbers that only launches, renderings, hangs and terminations have.
package struct RecordExtra: Sendable {
  package var measurements = Measurements()
  package var hostSession = Symbol.none
  package var appState = Symbol.none
  package var statusMessage = Symbol.none
}

/// A device stream, told apart by number in the order of first appearance.
package struct StreamID: Hashable, Sendable {
  package var rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }
}
