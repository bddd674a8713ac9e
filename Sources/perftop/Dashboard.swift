import CPlatform
import Ingest
import Model
import TUI

/// The dashboard: the ingest thread, the state, and the terminal, wired together.
final class Dashboard {
  /// Batches are applied for so long before keys and drawing have their turn.
  private static let applyBudget: Int64 = 8_000_000
  /// Deriving the picture takes at most one part in so many of the time.
  private static let refreshShare: Int64 = 10
  /// A picture that took less to derive, nanoseconds, is derived where keys wait for it.
  private static let refreshBudget: Int64 = 4_000_000
  /// A search goes on for so long before keys have their turn, nanoseconds, so many rows at once.
  private static let searchBudget: Int64 = 15_000_000
  private static let searchStep = 200
  /// Records that are folded at once at the memory limit: they take some milliseconds.
  private static let foldedAtOnce = 4_096
  /// Freed memory is given back now and then: that takes some milliseconds, too.
  private static let foldingsBetweenTrims = 64

  private let arguments: Arguments
  private var state: AppState
  private let mailbox = Mailbox()
  private var derivation: PictureDerivation?
  private let leftovers = BackgroundWork<Void, Never>()
  private var waiting: ArraySlice<EventBatch> = []
  private var lastRefresh: Int64 = 0
  private var refreshCost: Int64 = 0
  private var trimmedFoldings = 0

  init(_ arguments: Arguments) {
    self.arguments = arguments
    var options = arguments.model
    options.foldedAtOnce = Self.foldedAtOnce
    state = AppState(options: options)
    state.derivesElsewhere = true
  }

  func run() -> Int32 {
    guard let zone = Zone.offsets(arguments.zone) else {
      StandardError.line("perftop: no time zone '\(arguments.zone ?? "")'; try utc or +05:30")
      return ExitStatus.failed
    }
    state.clock = ClockText(zone: zone)
    do throws(UsageError) { state.filter = try arguments.filter(in: zone) } catch {
      StandardError.line("perftop: \(error.text)")
      return ExitStatus.failed
    }
    guard let run = Run(arguments, isDashboard: true) else { return Run.usage() }
    if nothingCanBeRead() { return ExitStatus.failed }
    let thread = run.thread(mailbox: mailbox)
    let terminal: CursesTerminal
    do throws(TerminalError) { terminal = try CursesTerminal(options: drawing) } catch {
      StandardError.line("perftop: no terminal: \(error.text)")
      return ExitStatus.failed
    }
    thread.start()
    var loop = EventLoop(terminal: terminal, wakeDescriptor: mailbox.descriptor)
    _ = loop.run(
      onWake: { self.takeInput(thread) },
      onKey: { self.press($0, thread) },
      onResize: { self.state.resize(width: $0, height: $1) },
      draw: { _, _ in self.draw() },
      needsAnotherDraw: {
        self.state.isSearching
          || self.state.needsRefresh && !self.state.isPaused && self.derivation == nil
      },
      changesIn: { self.state.changesAt?.nanoseconds(since: .wallClock) }
    )
    terminal.restore()
    mailbox.cancel()
    thread.stop()
    thread.join()
    return Run.complain(about: state.model)
  }

  /// Names every file that is not there before the screen is taken; true when no source is left.
  private func nothingCanBeRead() -> Bool {
    let isLeft = arguments.sources.map { source in
      guard case .path(let path) = source, access(path, R_OK) != 0 else { return true }
      return false
    }
    guard !isLeft.isEmpty, !isLeft.contains(true) else { return false }
    for case .path(let path) in arguments.sources where access(path, R_OK) != 0 {
      StandardError.line("perftop: \(path): \(String(cString: strerror(cp_errno())))")
    }
    return true
  }

  private var drawing: DrawingOptions {
    let color: DrawingOptions.Color =
      switch arguments.color {
      case .auto: .auto
      case .always: .always
      case .never: .never
      }
    return DrawingOptions(
      color: color,
      forcesASCII: arguments.isASCII,
      theme: arguments.theme.flatMap(Theme.named) ?? .dark
    )
  }

  private func takeInput(_ thread: IngestThread) -> WakeOutcome {
    let deadline = cp_monotonic_nanoseconds() + Self.applyBudget
    if waiting.isEmpty { waiting = mailbox.take()[...] }
    while let batch = waiting.popFirst() {
      state.observe(batch.events)
      mailbox.recycle(batch)
      if cp_monotonic_nanoseconds() > deadline { break }
    }
    if state.model.foldings >= trimmedFoldings + Self.foldingsBetweenTrims {
      trimmedFoldings = state.model.foldings
      cp_give_back_memory()
    }
    state.noteProgress(at: cp_monotonic_nanoseconds())
    return WakeOutcome(
      isChanged: true,
      hasMore: !waiting.isEmpty,
      isLast: waiting.isEmpty && mailbox.isDrained,
      isOver: waiting.isEmpty && mailbox.isDrained && thread.isOver
    )
  }

  private func press(_ key: Key, _ thread: IngestThread) -> KeyOutcome {
    for effect in state.press(key) {
      switch effect {
      case .quit: return .quit
      case .redraw: return .redraw
      case .suspend: return .suspend
      case .stopLoading: thread.stopLoading()
      case .readDetails(let place):
        state.take(details: thread.details(at: place), of: place)
      }
    }
    return .changed
  }

  private func draw() -> Grid {
    takePictures()
    if derivation == nil, state.isAsking || state.needsRefresh && isRefreshDue { refresh() }
    let deadline = cp_monotonic_nanoseconds() + Self.searchBudget
    while state.isSearching, cp_monotonic_nanoseconds() < deadline {
      state.continueSearch(rows: Self.searchStep)
    }
    state.time = state.isAttached ? .wallClock : nil
    return Picture.draw(state)
  }

  /// Shows what was derived meanwhile; what answers another question than the last is left alone.
  private func takePictures() {
    guard let current = derivation else { return }
    guard current.question == state.question else {
      current.work.cancel()
      derivation = nil
      return
    }
    if let news = current.work.takeNews() {
      state.take(share: news.share, firstHits: news.firstHits, of: current.question)
    }
    guard let done = current.work.take() else { return }
    derivation = nil
    guard let picture = done.picture else { return }
    refreshCost = done.cost
    lastRefresh = cp_monotonic_nanoseconds()
    let old = state.overview
    state.take(picture)
    _ = leftovers.take()
    // Taking a large picture apart would keep keys waiting.
    leftovers.start({ _ in withExtendedLifetime(old) {} }, wake: {})
  }

  /// Pictures of what is still being loaded come seldom; the one of all that came, at once.
  private var isRefreshDue: Bool {
    mailbox.isDrained && waiting.isEmpty
      || cp_monotonic_nanoseconds() - lastRefresh >= refreshCost * Self.refreshShare
  }

  private func refresh() {
    let start = cp_monotonic_nanoseconds()
    guard state.isAsking || refreshCost > Self.refreshBudget else {
      state.refresh()
      lastRefresh = cp_monotonic_nanoseconds()
      refreshCost = lastRefresh - start
      return
    }
    guard let work = state.beginPicture() else { return }
    derivation = PictureDerivation(work, mailbox)
  }
}
