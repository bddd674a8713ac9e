/// The status of a span as OTLP numbers it.
package enum SpanStatus: UInt8, Sendable {
  case unset = 0
  case ok = 1
  case error = 2
}

/// Facts about a record that are either so or not.
package struct RecordFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// `app.startup.prewarmed` is true.
  package static let prewarmed = RecordFlags(rawValue: 1 << 0)
  /// `hang.during_startup` is true.
  package static let duringStartup = RecordFlags(rawValue: 1 << 1)
  /// `hang.type` is `fatal`.
  package static let fatal = RecordFlags(rawValue: 1 << 2)
  /// `hang.type` is `non_fatal`.
  package static let nonFatal = RecordFlags(rawValue: 1 << 3)
  /// `screen.tti.ready_fallback` is true.
  package static let readyFallback = RecordFlags(rawValue: 1 << 4)
  /// `screen.tti.custom_start` is true.
  package static let customStart = RecordFlags(rawValue: 1 << 5)
  /// `perftop.in_progress` is true, or a persisted span's `hasEnded` false: a copy that says of itself
  /// that it has not ended.
  package static let inProgress = RecordFlags(rawValue: 1 << 6)
  /// The start was absent, zero or out of range.
  package static let noStart = RecordFlags(rawValue: 1 << 7)
  /// The end was absent, zero or out of range (opentelemetry-swift writes 2^64 - 1 for such dates).
  package static let noEnd = RecordFlags(rawValue: 1 << 8)
  /// A time came in seconds, milliseconds or microseconds and was rescaled.
  package static let rescaledTime = RecordFlags(rawValue: 1 << 9)
  /// A name or value was cut.
  package static let truncated = RecordFlags(rawValue: 1 << 10)
  /// The record's name is a pending measurement (`…screen-tti.pending` without `screen.name`).
  package static let pending = RecordFlags(rawValue: 1 << 11)
  /// The record's format has no status: an error cannot be told from success.
  ///
  /// Bits 12 and 13 are the model's own.
  package static let statusUnknown = RecordFlags(rawValue: 1 << 14)
}

/// A span as a decoder read it, reduced to what the model keeps; the rest is read again from `place`.
package struct SpanRecord: Sendable {
  package var place: RecordPlace
  /// What the host added, for PerformanceSuite's signals; none for other spans.
  package var attributes = AttributeSetID.none
  /// The 128-bit trace id; both halves 0 when absent or invalid.
  package var traceHigh: UInt64 = 0
  package var traceLow: UInt64 = 0
  /// 0 when absent or invalid.
  package var spanID: UInt64 = 0
  package var parentID: UInt64 = 0
  package var start = Timestamp.zero
  package var end = Timestamp.zero
  package var resource = ResourceID.empty
  /// The span's whole name.
  package var name = Symbol.none
  /// The screen, the fragment or the hang's top screen; none where the signal has none.
  package var subject = Symbol.none
  package var scopeVersion = Symbol.none
  /// `session.id` of the span itself.
  package var sessionID = Symbol.none
  /// `app.session.id`, which only hangs carry.
  package var hostSessionID = Symbol.none
  package var statusMessage = Symbol.none
  /// `app.state`, which hosts may add to watchdog terminations.
  package var appState = Symbol.none
  package var measurements = Measurements()
  package var flags = RecordFlags()
  package var signal = Signal.otherSpan
  package var status = SpanStatus.unset
  /// How many of the attributes that the signal gets only at its end are there.
  package var finalAttributeCount: UInt8 = 0
  package var attributeCount: UInt16 = 0
  /// Hash of everything that the record says (resource and scope too), whatever the encoding or the
  /// order of attributes: equal records have equal hashes.
  package var content: UInt64 = 0

  package init(place: RecordPlace) {
    self.place = place
  }

  /// A span without both ids has no identity and is never merged.
  package var hasIdentity: Bool { spanID != 0 && (traceHigh | traceLow) != 0 }
}

/// A log record as a decoder read it.
package struct LogRecord: Sendable {
  package var place: RecordPlace
  /// What the host added: all attributes that are not the signal's own.
  package var attributes = AttributeSetID.none
  /// `time_unix_nano`, else `observed_time_unix_nano`; flags say `noStart` when both were absent.
  package var time = Timestamp.zero
  package var resource = ResourceID.empty
  /// `vc.class_name` of a leak; else the event name, else the body's text.
  package var subject = Symbol.none
  package var sessionID = Symbol.none
  /// Hash of `vc.identifier`, unique per instance and run; 0 when absent.
  package var instance: UInt64 = 0
  package var severity: UInt8 = 0
  package var signal = Signal.otherLog
  package var flags = RecordFlags()
  package var content: UInt64 = 0

  package init(place: RecordPlace) {
    self.place = place
  }
}

/// One line of the slow-event ledger.
package struct LedgerEvent: Sendable {
  package var place: RecordPlace
  /// When the line was written: the end of what it measured.
  ///
  /// Flags say `noStart` when the line has no wall time.
  package var time = Timestamp.zero
  package var name = Symbol.none
  /// A URL path, a row count or another short text.
  package var detail = Symbol.none
  /// Nanoseconds; nil for a note.
  package var durationNanoseconds: Int64?
  package var signal = Signal.ledgerNote
  package var flags = RecordFlags()
  /// Hash of the line's bytes without its line end.
  package var content: UInt64 = 0

  package init(place: RecordPlace) {
    self.place = place
  }
}
