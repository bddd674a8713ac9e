/// The status messages that change what a span means, recognised once when their symbol is defined.
struct KnownMessages: Sendable {
  private var rejected = Symbol.none
  private var detached = Symbol.none

  mutating func learn(_ symbol: Symbol, _ text: String) {
    switch text {
    case "shouldEmit_rejected": rejected = symbol
    case "accumulator_deinit": detached = symbol
    default: break
    }
  }

  func outcome(_ status: SpanStatus, _ message: Symbol) -> Outcome {
    switch status {
    case .unset: return .normal
    case .ok: return .ok
    case .error:
      guard message.isPresent else { return .failed }
      if message == rejected { return .rejected }
      return message == detached ? .detached : .failed
    }
  }
}

extension Signal {
  /// Signals with numbers beyond the two of a row.
  var hasExtra: Bool {
    switch self {
    case .appStartup, .screenRendering, .appRendering, .appHang, .watchdogTermination: true
    default: false
    }
  }
}

extension RecordRow {
  /// 2000-01-01T00:00:00Z, before which no device clock of interest stands.
  private static let earliest: Int64 = 946_684_800_000_000_000
  private static let day: Int64 = 86_400_000_000_000

  /// The latest start that is believed.
  static func latestStart(newestArrival: Int64) -> Int64 {
    newestArrival == .min || newestArrival > .max - day ? .max : newestArrival + day
  }

  /// A start that a wrong clock may show, before the year 2223.
  var hasPlausibleStart: Bool {
    !flags.contains(.noStart) && start > 0 && start < 8_000_000_000_000_000_000
  }

  /// Its time may be believed once more has arrived.
  var isAhead: Bool { flags.contains(.timeOutOfRange) && start > Self.earliest }

  /// Takes times as the record has them and flags what cannot be trusted.
  mutating func setTimes(start: Timestamp, end: Timestamp, newestArrival: Int64) {
    let start = start.nanoseconds
    var end = flags.contains(.noEnd) ? start : end.nanoseconds
    if !flags.contains(.noStart) {
      let latest = Self.latestStart(newestArrival: newestArrival)
      if start < Self.earliest || start > latest { flags.insert(.timeOutOfRange) }
      if end < start {
        flags.insert(.endBeforeStart)
        end = start
      }
    }
    setTimes(start: start, end: end)
  }

  /// The end of what was measured: hangs are reported one and a half thresholds late.
  @inline(__always)
  func trueEnd(_ options: ModelOptions) -> Int64 {
    signal == .appHang ? end - options.hangShift : end
  }

  @inline(__always)
  func trueStart(_ options: ModelOptions) -> Int64 {
    signal == .appHang ? start - options.hangShift : start
  }
}
