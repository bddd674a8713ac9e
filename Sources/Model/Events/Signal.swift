/// What a record measures.
package enum Signal: UInt8, CaseIterable, Sendable {
  case appStartup
  case screenTTI
  case fragmentTTI
  case screenRendering
  case appRendering
  case appHang
  case watchdogTermination
  /// Any span that is none of PerformanceSuite's.
  case otherSpan
  /// The log record `view_controller_leak`.
  case leak
  /// Any other log record.
  case otherLog
  /// A span of the slow-event ledger.
  case ledgerSpan
  /// `main.hang` of the ledger.
  case ledgerHang
  /// `frame.hitch` of the ledger.
  case ledgerHitch
  /// A ledger line without a duration, such as `socket.reconnect`.
  case ledgerNote
  /// A ledger line that says that a MetricKit payload was filed.
  case ledgerPayload

  package var isSpan: Bool { rawValue <= Signal.otherSpan.rawValue }
  package var isLog: Bool { self == .leak || self == .otherLog }
  package var isLedger: Bool { rawValue >= Signal.ledgerSpan.rawValue }
}

/// Which number of a record a slot of `Measurements` holds.
///
/// Slots are shared between signals that never meet in one record.
package enum Measurement: UInt8, Sendable {
  /// `screen.tti.ms`, `fragment.tti.ms`, `app.startup.total_time.ms`, `hang.duration.ms`,
  /// `memory.warnings_count` (a count) or a ledger line's duration; milliseconds unless said.
  case primary = 0
  /// `screen.ttfr.ms`, `fragment.ttfr.ms`, `app.startup.premain_time.ms`; milliseconds.
  case secondary = 1
  /// `app.startup.main_time.ms`; milliseconds.
  case tertiary = 2
  /// `rendering.total_frames`: frames rendered.
  case totalFrames = 3
  /// `rendering.dropped_frames`.
  case droppedFrames = 4
  /// `rendering.slow_frames`.
  case slowFrames = 5
  /// `rendering.freeze_time.ms`.
  case freezeTime = 6
  /// `rendering.session_duration.ms`: time on screen that was measured.
  case onScreenTime = 7
  /// `app.session.duration.ms`.
  case sessionDuration = 8
}

/// The numbers of one record that screens and reports need; absent is not zero.
package struct Measurements: Hashable, Sendable {
  package private(set) var present: UInt16 = 0
  private var slots = InlineSlots()

  private struct InlineSlots: Hashable, Sendable {
    var a: UInt32 = 0, b: UInt32 = 0, c: UInt32 = 0, d: UInt32 = 0, e: UInt32 = 0
    var f: UInt32 = 0, g: UInt32 = 0, h: UInt32 = 0, i: UInt32 = 0
  }

  package init() {}

  /// Values by slot; those whose bit in `present` is 0 are not read.
  package init(present: UInt16, values: UnsafePointer<UInt32>) {
    self.present = present
    withUnsafeMutableBytes(of: &slots) {
      for slot in 0..<Self.slotCount where present & (1 << UInt16(slot)) != 0 {
        $0.storeBytes(of: values[slot], toByteOffset: slot &* 4, as: UInt32.self)
      }
    }
  }

  package static var slotCount: Int { 9 }

  /// The values by slot; those whose bit in `present` is 0 mean nothing.
  @inline(__always)
  func withValues<Result>(_ body: (UnsafePointer<UInt32>) -> Result) -> Result {
    withUnsafePointer(to: slots) { slots in
      slots.withMemoryRebound(to: UInt32.self, capacity: Self.slotCount, body)
    }
  }

  package var isEmpty: Bool { present == 0 }

  @inline(__always)
  package func contains(_ measurement: Measurement) -> Bool {
    present & (1 << UInt16(measurement.rawValue)) != 0
  }

  package subscript(measurement: Measurement) -> UInt32? {
    @inline(__always) get {
      guard contains(measurement) else { return nil }
      return withUnsafeBytes(of: slots) {
        $0.load(fromByteOffset: Int(measurement.rawValue) &* 4, as: UInt32.self)
      }
    }
    set {
      let bit: UInt16 = 1 << UInt16(measurement.rawValue)
      if newValue == nil { present &= ~bit } else { present |= bit }
      withUnsafeMutableBytes(of: &slots) {
        $0.storeBytes(
          of: newValue ?? 0,
          toByteOffset: Int(measurement.rawValue) &* 4,
          as: UInt32.self
        )
      }
    }
  }
}
