import CPlatform
import Ingest
import Model
import TUI

/// A run's sources, opened as the arguments say.
struct Run {
  let requests: [SourceRequest]
  private let spool: SpoolSettings?
  private let limits: TableLimits
  private let ending: LiveLimits?

  /// 2026-01-01T00:00:00Z, where the demo starts unless it goes with the clock.
  private static let demoStart = Timestamp(seconds: 1_767_225_600)
  private static let demoSeconds: Int64 = 600

  /// Nil when there is nothing to read: neither a source nor standard input.
  init?(_ arguments: Arguments, isDashboard: Bool) {
    var sources = arguments.sources
    if sources.isEmpty {
      guard StandardInput.hasData else { return nil }
      sources = [.standardInput]
    }
    let seed = arguments.seed
    spool = SpoolOption.settings(arguments)
    limits = arguments.model.limits
    ending = arguments.ending.isEmpty ? nil : arguments.ending
    let received = arguments.listening.map { [SourceRequest.listen($0)] } ?? []
    requests =
      received
      + sources.flatMap { source -> [SourceRequest] in
        switch source {
        case .path(let path): [.path(path)]
        // Has become a path before.
        case .lastRun: []
        case .standardInput: [.standardInput]
        case .follow(let path): [.follow(path: path, tail: arguments.tail)]
        // All addresses are one receiver's.
        case .listen: []
        case .attach(let address): [.attach(address, AttachSettings())]
        case .demo:
          [
            .demo(
              seed: seed,
              start: isDashboard ? .wallClock : Self.demoStart,
              seconds: isDashboard ? nil : Self.demoSeconds
            )
          ]
        }
      }
  }

  func thread(mailbox: Mailbox, recording: Recording? = nil) -> IngestThread {
    var options = IngestOptions(clock: { .wallClock })
    options.spool = spool
    options.limits = limits
    options.ending = ending
    options.recording = recording
    return IngestThread(requests: requests, options: options, mailbox: mailbox)
  }

  static func usage() -> Int32 {
    StandardError.line(
      "perftop: nothing to read: give a file, a folder, --follow FILE or --demo; see perftop --help"
    )
    return ExitStatus.failed
  }

  /// Says what could not be read, a line each; the status that this asks for.
  static func complain(about model: SessionModel) -> Int32 {
    var failed = false
    var withRecords = false
    var withoutRecords = false
    for source in model.sources {
      let problem = source.firstProblem
      if let problem, problem.kind == .unreadable {
        let nearest = NearestName.of(source.name, among: ["report", "record", "screen", "--help"])
        let hint = problem.text == "no such file" ? nearest.map { "; did you mean \($0)?" } : nil
        StandardError.line("perftop: \(source.name): \(problem.text)\(hint ?? "")")
        failed = true
      } else if source.records > 0 || source.kind != .unknown {
        withRecords = true
      } else if let problem {
        let place = problem.line > 0 ? "line \(problem.line)" : "byte \(problem.offset)"
        StandardError.line(
          "perftop: \(source.name): no telemetry in it; first at \(place): \(DisplayText.shown(problem.text))"
        )
        withoutRecords = true
      }
    }
    for spool in model.spools {
      guard let problem = spool.problem else { continue }
      let count = QuantityText.count(spool.unkeptRecords)
      StandardError.line(
        "perftop: spool \(spool.folder): \(problem); \(count) records were shown but not kept"
      )
    }
    for text in model.failedJoins {
      StandardError.line("perftop: \(text)")
      failed = true
    }
    return failed || (withoutRecords && !withRecords) ? ExitStatus.failed : ExitStatus.fine
  }
}

enum StandardInput {
  /// True when standard input is no terminal and gives at least one byte; waits for the first of a pipe.
  static var hasData: Bool {
    if isatty(STDIN_FILENO) == 1 { return false }
    var status = cp_file_status()
    guard cp_status_of_descriptor(STDIN_FILENO, &status) == 0 else { return false }
    if status.kind == CP_FILE_REGULAR { return status.size > 0 }
    if status.kind != CP_FILE_PIPE { return false }
    var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, -1) > 0 else { return false }
    var waiting: Int32 = 0
    guard cp_bytes_waiting(STDIN_FILENO, &waiting) == 0 else { return false }
    return waiting > 0
  }
}
