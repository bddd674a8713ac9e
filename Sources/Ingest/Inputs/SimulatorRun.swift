/// One process of a simulated app, from its launch to its death, and what it exports.
///
/// Follows the releases of PerformanceSuite from 1.10.1 on: spans reach the exporter when they end, a
/// session ends when the app resigns active, and the records of a death come from the next launch.
struct SimulatorRun {
  /// How a session ends.
  enum Ending {
    case clean
    /// Clean, but so long and janky that the attribute limit left no room for the duration.
    case withoutDuration
    /// Refused by the host's gate.
    case rejected
    /// Monitoring was torn down meanwhile.
    case detached
    /// Embrace ended its own session first.
    case abandoned
    /// The process died or the connection was lost: nothing arrives.
    case unreported
  }

  /// How a screen came to be visible.
  enum Appearance {
    case opened
    /// Still there after an interruption, or cached: not measured again.
    case shownAgain
    case cancelled
    /// The app never says that it is ready, so the result comes when the screen is left.
    case neverReady
    /// Measured from before the screen existed, under a name that it gets later.
    case pending
  }

  private struct Session {
    var traceID: String
    var spanID: String
    var start: Double
    var missed: [Int] = []
  }

  /// From launch: the time at which PerformanceSuite is enabled.
  static let enableDelay = 0.35
  /// The frame meter skips the first seconds of a process, as launch jank.
  static let warmUp = 5.0

  let device: SimulatorDevice
  let launch: Double
  let sessionID: String
  let previousSessionID: String?
  var random: SimulatorRandom
  var refreshRate = 60
  var isPrewarmed = false
  /// Nothing is exported or written any more from here on.
  var death = Double.infinity
  private(set) var exports: [SimulatorExport] = []
  private(set) var ledger: [SimulatorLedgerLine] = []
  /// When the exporter is told not to wait for its next turn.
  private(set) var flushes: [Double] = []
  private var session: Session?
  private var isFirstSession = true

  init(
    device: SimulatorDevice,
    launch: Double,
    previousSessionID: String?,
    random: inout SimulatorRandom
  ) {
    self.device = device
    self.launch = launch
    self.previousSessionID = previousSessionID
    self.random = random.fork()
    sessionID = self.random.uuid()
  }

  // MARK: Launch and session

  /// The launch; nil for `total` is a cancelled measurement.
  mutating func startUp(total: Double?, premain: Double) {
    var span = span(named: "app-startup", from: launch, to: launch + (total ?? premain + 2))
    if let total {
      let totalMilliseconds = milliseconds(total)
      let premainMilliseconds = milliseconds(premain)
      span.attributes += [
        ("app.startup.total_time.ms", .int(totalMilliseconds)),
        ("app.startup.premain_time.ms", .int(premainMilliseconds)),
        ("app.startup.main_time.ms", .int(totalMilliseconds - premainMilliseconds)),
        ("app.startup.prewarmed", .bool(isPrewarmed)),
      ]
      note("boot.firstFrame", at: launch + total, milliseconds: totalMilliseconds - 35)
    } else {
      span.status = .error("measurement_cancelled")
    }
    export(span, knownAt: span.end + 0.03)
    var log = SimulatorLog(time: launch + 0.3)
    log.scope = .app
    log.eventName = "session.start"
    log.attributes = sessionAttributes
    export(log)
  }

  mutating func becomeActive(at time: Double) {
    session = Session(
      traceID: random.identifier(byteCount: 16),
      spanID: random.identifier(byteCount: 8),
      start: time
    )
    if device.exportsSnapshots { snapshot(at: time + 0.01) }
  }

  /// Exports the running session as it is now, under the ids that it will end with.
  mutating func snapshot(at time: Double) {
    guard let session else { return }
    var span = rendering(of: session, to: time)
    span.attributes.append(("perftop.in_progress", .bool(true)))
    export(span, knownAt: time)
  }

  mutating func resignActive(at time: Double, _ ending: Ending) {
    defer {
      session = nil
      isFirstSession = false
    }
    guard let session, ending != .unreported else { return }
    var span = rendering(of: session, to: time)
    let duration = milliseconds(time - session.start)
    switch ending {
    case .clean:
      span.attributes.append(("app.session.duration.ms", .int(duration)))
      if device.isEndedByEmbrace { span.status = .ok }
    case .withoutDuration: span.droppedAttributes = 187
    case .rejected: span.status = .error("shouldEmit_rejected")
    case .detached: span.status = .error("accumulator_deinit")
    case .abandoned:
      span.status = .error("user_abandon")
      span.attributes.append(("emb.error_code", .string("user_abandon")))
    case .unreported: break
    }
    export(span, knownAt: time + 0.01)
  }

  /// The app goes to the background, where it exports what it has before it is suspended.
  mutating func enterBackground(at time: Double) { flushes.append(time + 0.4) }

  private func rendering(of session: Session, to time: Double) -> SimulatorSpan {
    var span = span(named: "app-rendering", from: session.start, to: time)
    span.traceID = session.traceID
    span.spanID = session.spanID
    let firstFrame =
      isFirstSession && !isPrewarmed
      ? max(session.start, launch + Self.enableDelay + Self.warmUp) : session.start
    var frames = SimulatorFrames(refreshRate: refreshRate)
    frames.draw(seconds: max(0, time - firstFrame), missed: session.missed)
    span.attributes += frames.attributes
    return span
  }

  // MARK: Records

  mutating func export(_ span: SimulatorSpan, knownAt: Double) {
    guard knownAt < death else { return }
    exports.append(SimulatorExport(record: .span(span), knownAt: knownAt))
  }

  mutating func export(_ log: SimulatorLog) {
    guard log.time < death else { return }
    exports.append(SimulatorExport(record: .log(log), knownAt: log.time))
  }

  /// A ledger line, where the app keeps a ledger.
  mutating func note(
    _ name: String,
    at time: Double,
    milliseconds: Int? = nil,
    detail: String? = nil
  ) {
    guard device.keepsLedger, time < death else { return }
    ledger.append(
      SimulatorLedgerLine(time: time, name: name, milliseconds: milliseconds, detail: detail)
    )
  }

  /// A ledger line of which the process, about to die, writes only the beginning.
  mutating func tornNote(_ name: String, at time: Double, keptByteCount: Int) {
    var line = SimulatorLedgerLine(time: time, name: name, milliseconds: 1320)
    line.keptByteCount = keptByteCount
    ledger.append(line)
  }

  /// Frames that the running session missed, in a row each time.
  mutating func miss(_ runs: [Int]) { session?.missed += runs }

  var sessionAttributes: SimulatorAttributes {
    var attributes: SimulatorAttributes = [("session.id", .string(sessionID))]
    if let previousSessionID {
      attributes.append(("session.previous_id", .string(previousSessionID)))
    }
    return attributes
  }

  /// A span of PerformanceSuite with what host and session processor add to it.
  func span(named stem: String, from start: Double, to end: Double) -> SimulatorSpan {
    var identifiers = SimulatorRandom(seed: identifierSeed(stem, start))
    var span = SimulatorSpan(
      traceID: identifiers.identifier(byteCount: 16),
      spanID: identifiers.identifier(byteCount: 8),
      name: (device.prefix.map { $0 + "." } ?? "") + stem,
      start: start,
      end: end
    )
    span.attributes = sessionAttributes + device.hostAttributes
    if device.isEndedByEmbrace {
      span.attributes.append(("emb.auto_termination.code", .string("user_abandon")))
    }
    return span
  }

  /// Two spans of a process never have both name and start in common.
  private func identifierSeed(_ stem: String, _ start: Double) -> UInt64 {
    var seed = start.bitPattern
    for byte in (sessionID + stem).utf8 { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return seed
  }

  func milliseconds(_ seconds: Double) -> Int { Int(seconds * 1000) }
}
