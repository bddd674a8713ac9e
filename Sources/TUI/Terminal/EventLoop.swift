import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a key led to.
package enum KeyOutcome: Sendable {
  case ignored
  /// The picture may differ.
  case changed
  /// Draw everything anew, whatever the terminal shows.
  case redraw
  case suspend
  case quit
}

/// What applying input from the other thread led to.
package struct WakeOutcome: Sendable {
  package var isChanged: Bool
  /// The time for one batch was up; call again before sleeping.
  package var hasMore: Bool
  /// Everything has been read: whoever opened a file waits for this picture.
  package var isLast: Bool
  /// The run is over: nobody needs to press a key.
  package var isOver: Bool

  package init(isChanged: Bool, hasMore: Bool, isLast: Bool = false, isOver: Bool = false) {
    self.isOver = isOver
    self.isChanged = isChanged
    self.hasMore = hasMore
    self.isLast = isLast
  }
}

/// Why the loop ended.
package enum LoopExit: Hashable, Sendable {
  case quit
  case signal(Int32)
  /// The terminal was closed under us.
  case terminalGone
}

/// Decides when to draw: only when something has changed, new data 30 times a second at most, and keys at once.
package struct FramePacer: Sendable {
  package static let interval: UInt64 = 33_333_333
  /// Between two pictures that answer keys: no terminal shows more, and pasted text is many keys.
  package static let keyInterval: UInt64 = 8_000_000

  private var isDirty = true
  private var isAnswer = false
  private var lastDraw: UInt64?

  package init() {}

  package mutating func markChanged() { isDirty = true }

  /// Somebody waits for the next picture.
  package mutating func markAnswer() {
    isDirty = true
    isAnswer = true
  }

  package mutating func markDrawn(at now: UInt64) {
    isDirty = false
    isAnswer = false
    lastDraw = now
  }

  /// Milliseconds until the next picture is due: 0 when it is, -1 when nothing has changed.
  package func timeout(now: UInt64) -> Int32 {
    guard isDirty else { return -1 }
    let interval = isAnswer ? Self.keyInterval : Self.interval
    guard let lastDraw, now >= lastDraw, now - lastDraw < interval else { return 0 }
    return Int32((interval - (now - lastDraw) + 999_999) / 1_000_000)
  }
}

extension FramePacer {
  /// The same where the picture changes by itself at an instant of that clock.
  func timeout(now: UInt64, due: UInt64?) -> Int32 {
    let timeout = timeout(now: now)
    guard let due else { return timeout }
    let left = due > now ? (due - now + 999_999) / 1_000_000 : 0
    let limit = Int32(min(left, 3_600_000))
    return timeout < 0 ? limit : min(timeout, limit)
  }
}

/// Waits for keys, signals and the other thread, and draws.
///
/// While nothing happens it sleeps, without a time limit unless the picture names one: no wake-ups, no bytes to
/// the terminal.
package struct EventLoop {
  private let terminal: any TerminalScreen
  private let wakeDescriptor: Int32
  private var pacer = FramePacer()
  private var hasMore = false

  /// `wakeDescriptor` becomes readable when input waits; -1 for none.
  package init(terminal: any TerminalScreen, wakeDescriptor: Int32) {
    self.terminal = terminal
    self.wakeDescriptor = wakeDescriptor
  }

  /// Runs until a key, a signal or the loss of the terminal ends it.
  ///
  /// `onWake` has to empty what made `wakeDescriptor` readable. `onResize` learns of a new size before
  /// `draw` is asked for a picture of it. `needsAnotherDraw` is true while the picture lags behind. `changesIn`
  /// says in how many nanoseconds the picture is no longer true although nothing happens; nil for never.
  package mutating func run(
    onWake: () -> WakeOutcome,
    onKey: (Key) -> KeyOutcome,
    onResize: (_ width: Int, _ height: Int) -> Void,
    draw: (_ width: Int, _ height: Int) -> Grid,
    needsAnotherDraw: () -> Bool = { false },
    changesIn: () -> Int64? = { nil }
  ) -> LoopExit {
    onResize(terminal.size.width, terminal.size.height)
    while true {
      if pacer.timeout(now: Self.now) == 0 {
        let size = terminal.size
        terminal.show(draw(size.width, size.height))
        pacer.markDrawn(at: Self.now)
        if needsAnotherDraw() { pacer.markChanged() }
      }
      let due = changesIn().map { Self.now + UInt64(max(0, $0)) }
      let ready = wait(until: due)
      if let due, Self.now >= due { pacer.markChanged() }
      if ready.signal, let exit = takeSignals(onResize: onResize) { return exit }
      if ready.input || ready.hangUp {
        let keys = terminal.readKeys()
        if keys.isEmpty, ready.hangUp { return .terminalGone }
        for key in keys where take(onKey(key)) { return .quit }
      }
      // A picture that answers a key is drawn before anything more is applied.
      if ready.wake || hasMore, pacer.timeout(now: Self.now) != 0 {
        let outcome = onWake()
        if outcome.isOver { return .quit }
        hasMore = outcome.hasMore
        if outcome.isChanged { pacer.markChanged() }
        if outcome.isLast { pacer.markAnswer() }
      }
    }
  }

  private struct Readiness {
    var input = false
    var hangUp = false
    var signal = false
    var wake = false
  }

  private func wait(until due: UInt64?) -> Readiness {
    var descriptors = [terminal.inputDescriptor, terminal.signalDescriptor, wakeDescriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let timeout = hasMore ? 0 : pacer.timeout(now: Self.now, due: due)
    guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return Readiness() }
    let lost = Int16(POLLHUP | POLLERR | POLLNVAL)
    return Readiness(
      input: descriptors[0].revents & Int16(POLLIN) != 0,
      hangUp: descriptors[0].revents & lost != 0,
      signal: descriptors[1].revents & Int16(POLLIN) != 0,
      wake: descriptors[2].revents != 0
    )
  }

  private mutating func takeSignals(onResize: (Int, Int) -> Void) -> LoopExit? {
    for number in terminal.readSignals() {
      switch number {
      case SIGTERM, SIGINT, SIGHUP:
        return .signal(number)
      case SIGTSTP:
        terminal.suspend()
        pacer.markChanged()
      case SIGCONT:
        terminal.resume()
        pacer.markChanged()
      default:
        break
      }
    }
    // Whatever the signal was, the size may have changed with it.
    if terminal.updateSize() {
      onResize(terminal.size.width, terminal.size.height)
      pacer.markChanged()
    }
    return nil
  }

  /// True when the loop has to end.
  private mutating func take(_ outcome: KeyOutcome) -> Bool {
    switch outcome {
    case .ignored:
      return false
    case .changed:
      pacer.markAnswer()
    case .redraw:
      terminal.invalidate()
      pacer.markAnswer()
    case .suspend:
      terminal.suspend()
      pacer.markAnswer()
    case .quit:
      return true
    }
    return false
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
