import CPlatform
import Ingest
import Model
import TUI

/// `perftop report`: reads everything, prints what it means.
struct ReportCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  func run() -> Int32 {
    guard let zone = Zone.offsets(arguments.zone) else {
      StandardError.line("perftop: no time zone '\(arguments.zone ?? "")'; try utc or +05:30")
      return ExitStatus.failed
    }
    let filter: RecordFilter
    do throws(UsageError) { filter = try arguments.filter(in: zone) } catch {
      StandardError.line("perftop: \(error.text)")
      return ExitStatus.failed
    }
    guard let run = Run(arguments, isDashboard: false) else { return Run.usage() }
    cp_take_memory_in_large_steps()
    let (model, early) = Reading(run, arguments).model()
    let overview = model.overview(early: consume early, filter: filter, atOnce: runAtOnce)
    let status = Run.complain(about: model)
    guard arguments.format == "json" else {
      let clock = ClockText(zone: zone)
      let text = ReportText(
        model: model,
        overview: overview,
        filter: filter,
        clock: clock
      ).text
      exit(max(StandardOutput.write(text), status))
    }
    var written = ExitStatus.fine
    var isOpen = true
    let report = ReportJSON(model: model, overview: overview, filter: filter)
    report.write(atOnce: runAtOnce) { piece in
      guard isOpen else { return }
      switch StandardOutput.write(UnsafeRawBufferPointer(piece)) {
      case .written: break
      case .closed: isOpen = false
      case .failed:
        isOpen = false
        written = ExitStatus.failed
      }
    }
    if isOpen { written = StandardOutput.write("\n") }
    // Here rather than in the end of `main`: taking the model apart would only cost time.
    exit(max(written, status))
  }
}

/// Reads all sources of a run into a model; live ones until a signal or what the arguments say.
struct Reading {
  /// Bytes of a model beside which what was needed for reading alone is worth giving back.
  private static let muchMemory = 64 << 20

  private let run: Run
  private let arguments: Arguments

  init(_ run: Run, _ arguments: Arguments) {
    self.run = run
    self.arguments = arguments
  }

  /// The model, and what could be derived of it while the next input was awaited.
  func model() -> (SessionModel, EarlySummaries) {
    let mailbox = Mailbox()
    let thread = run.thread(mailbox: mailbox)
    var model = SessionModel(options: arguments.model)
    var early = EarlySummaries()
    var announcements = AttachOption.Announcements()
    let ending = LiveEnding()
    thread.start()
    while !mailbox.isDrained {
      while mailbox.isAwaiting, model.deriveAhead(&early) {}
      if ending.wait(for: mailbox.descriptor) { thread.stop() }
      let foldings = model.foldings
      for batch in mailbox.take() {
        model.apply(batch.events)
        mailbox.recycle(batch)
      }
      announcements.tell(of: model)
      if model.foldings != foldings { cp_give_back_memory() }
    }
    thread.join()
    cp_let_signals_end()
    model.endArrivals()
    model.dropOutdated(&early)
    if model.byteCount > Self.muchMemory { cp_give_back_memory() }
    return (model, early)
  }
}
