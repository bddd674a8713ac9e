import Foundation
import TUI
import Testing

@Suite("Event loop")
struct EventLoopTests {
  @Test("a picture is due when something changed, and no sooner than a thirtieth of a second")
  func pace() {
    var pacer = FramePacer()
    #expect(pacer.timeout(now: 5) == 0)
    pacer.markDrawn(at: 1_000_000_000)
    #expect(pacer.timeout(now: 1_000_000_000) == -1)
    #expect(pacer.timeout(now: 9_000_000_000) == -1)
    pacer.markChanged()
    #expect(pacer.timeout(now: 1_000_000_000) == 34)
    #expect(pacer.timeout(now: 1_033_000_000) == 1)
    #expect(pacer.timeout(now: 1_033_333_333) == 0)
    pacer.markDrawn(at: 1_034_000_000)
    pacer.markChanged()
    #expect(pacer.timeout(now: 1) == 0)
  }

  @Test("a picture that answers a key is due at once, 8 ms after the one before at the earliest")
  func answers() {
    var pacer = FramePacer()
    pacer.markDrawn(at: 1_000_000_000)
    pacer.markChanged()
    pacer.markAnswer()
    #expect(pacer.timeout(now: 1_001_000_000) == 7)
    #expect(pacer.timeout(now: 1_008_000_000) == 0)
    pacer.markDrawn(at: 1_008_000_000)
    pacer.markChanged()
    #expect(pacer.timeout(now: 1_016_000_000) == 26)
  }

  @Test("a key is answered before more of the other thread's input is applied")
  func answerFirst() {
    let terminal = PipedTerminal()
    terminal.wake()
    var shown: [Int] = []
    var pressed = false
    let exit = terminal.run(
      onWake: {
        shown.append(terminal.shown.count)
        // Longer than pictures that answer keys are apart.
        usleep(10_000)
        if !pressed {
          pressed = true
          terminal.type("j")
        } else {
          terminal.drainWake()
          terminal.type("q")
        }
        return WakeOutcome(isChanged: false, hasMore: false)
      },
      onKey: { $0 == .character("q") ? .quit : .changed }
    )
    #expect(exit == .quit)
    #expect(shown == [1, 2])
  }

  @Test("the picture of everything that was read is due at once")
  func lastPicture() {
    let terminal = PipedTerminal()
    terminal.wake()
    var shown: [Int] = []
    let exit = terminal.run(
      onWake: {
        shown.append(terminal.shown.count)
        // Longer than pictures that are waited for are apart.
        usleep(10_000)
        if shown.count == 2 {
          terminal.drainWake()
          terminal.type("q")
        }
        return WakeOutcome(isChanged: true, hasMore: shown.count < 2, isLast: shown.count == 1)
      },
      onKey: { _ in .quit }
    )
    #expect(exit == .quit)
    #expect(shown == [1, 2])
  }

  @Test("keys reach the application in order, and quit ends the loop")
  func keys() {
    let terminal = PipedTerminal()
    terminal.type("jjq")
    var seen: [Key] = []
    let exit = terminal.run { key in
      seen.append(key)
      return key == .character("q") ? .quit : .changed
    }
    #expect(exit == .quit)
    #expect(seen == [.character("j"), .character("j"), .character("q")])
    #expect(terminal.shown.count == 1)
  }

  @Test("a signal to end ends the loop and is named", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signal(number: Int32) {
    let terminal = PipedTerminal()
    terminal.raise(number)
    #expect(terminal.run { _ in .ignored } == .signal(number))
  }

  @Test("a terminal that is gone ends the loop")
  func gone() {
    let terminal = PipedTerminal()
    terminal.hangUp()
    #expect(terminal.run { _ in .ignored } == .terminalGone)
  }

  @Test("a new size is told before a picture of it is asked for")
  func resize() {
    let terminal = PipedTerminal()
    terminal.nextSize = (40, 10)
    terminal.raise(SIGWINCH)
    var sizes: [[Int]] = []
    let exit = terminal.run(
      onResize: {
        sizes.append([$0, $1])
        if $0 == 40 { terminal.type("q") }
      },
      onKey: { _ in .quit }
    )
    #expect(exit == .quit)
    #expect(sizes == [[20, 5], [40, 10]])
  }

  @Test("being stopped and continued is passed on, and the screen is drawn again")
  func suspended() {
    let terminal = PipedTerminal()
    terminal.raise(SIGTSTP)
    terminal.raise(SIGCONT)
    terminal.raise(SIGTERM)
    #expect(terminal.run { _ in .ignored } == .signal(SIGTERM))
    #expect(terminal.calls == ["suspend", "resume"])
  }

  @Test("asking for a redraw forgets what is shown; asking to suspend suspends")
  func redraw() {
    let terminal = PipedTerminal()
    terminal.type("lzq")
    let exit = terminal.run { key in
      switch key {
      case .character("l"): .redraw
      case .character("z"): .suspend
      default: .quit
      }
    }
    #expect(exit == .quit)
    #expect(terminal.calls == ["invalidate", "suspend"])
  }

  @Test("input of the other thread is applied until there is no more, and drawn")
  func wake() {
    let terminal = PipedTerminal()
    terminal.wake()
    var rounds = 0
    let exit = terminal.run(
      onWake: {
        rounds += 1
        if rounds == 1 { terminal.drainWake() }
        if rounds == 3 { terminal.type("q") }
        return WakeOutcome(isChanged: true, hasMore: rounds < 3)
      },
      onKey: { _ in .quit }
    )
    #expect(exit == .quit)
    #expect(rounds == 3)
  }

  @Test("a picture that is no longer true after a time is drawn again, though nothing happens")
  func changes() {
    let terminal = PipedTerminal()
    let exit = terminal.run(
      changesIn: {
        guard terminal.shown.count >= 3 else { return 0 }
        terminal.type("q")
        return nil
      },
      onKey: { _ in .quit }
    )
    #expect(exit == .quit)
    #expect(terminal.shown.count == 3)
  }
}

/// A terminal made of pipes.
private final class PipedTerminal: TerminalScreen {
  private let input = Pipe()
  private let signals = Pipe()
  private let wakes = Pipe()
  var size = (width: 20, height: 5)
  var nextSize: (width: Int, height: Int)?
  private(set) var shown: [Grid] = []
  private(set) var calls: [String] = []

  var inputDescriptor: Int32 { input.fileHandleForReading.fileDescriptor }
  var signalDescriptor: Int32 { signals.fileHandleForReading.fileDescriptor }

  func run(
    onWake: () -> WakeOutcome = { WakeOutcome(isChanged: false, hasMore: false) },
    onResize: (Int, Int) -> Void = { _, _ in },
    changesIn: () -> Int64? = { nil },
    onKey: (Key) -> KeyOutcome
  ) -> LoopExit {
    var loop = EventLoop(
      terminal: self,
      wakeDescriptor: wakes.fileHandleForReading.fileDescriptor
    )
    return loop.run(
      onWake: onWake,
      onKey: onKey,
      onResize: onResize,
      draw: { Grid(width: $0, height: $1) },
      changesIn: changesIn
    )
  }

  func type(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }
  func raise(_ signal: Int32) { signals.fileHandleForWriting.write(Data([UInt8(signal)])) }
  func wake() { wakes.fileHandleForWriting.write(Data([1])) }
  func drainWake() { _ = wakes.fileHandleForReading.availableData }
  func hangUp() { input.fileHandleForWriting.closeFile() }

  func readKeys() -> [Key] {
    var status = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&status, 1, 0) > 0 else { return [] }
    return input.fileHandleForReading.availableData.map { .character(Unicode.Scalar($0)) }
  }

  func readSignals() -> [Int32] { signals.fileHandleForReading.availableData.map(Int32.init) }

  func updateSize() -> Bool {
    guard let next = nextSize else { return false }
    nextSize = nil
    size = next
    return true
  }

  func show(_ grid: Grid) { shown.append(grid) }
  func invalidate() { calls.append("invalidate") }
  func suspend() { calls.append("suspend") }
  func resume() { calls.append("resume") }
}
