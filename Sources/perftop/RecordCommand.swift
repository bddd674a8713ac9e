import CPlatform
import Ingest
import Model
import TUI

/// `perftop record`: writes everything received as a capture.
struct RecordCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  func run() -> Int32 {
    guard let run = Run(arguments, isDashboard: false) else { return Run.usage() }
    guard let file = openFile() else { return ExitStatus.failed }
    let recording = Recording(file)
    let mailbox = Mailbox()
    let thread = run.thread(mailbox: mailbox, recording: recording)
    var tally = RecordTally()
    let line = ProgressLine()
    var announcements = AttachOption.Announcements()
    let ending = LiveEnding()
    thread.start()
    while !mailbox.isDrained {
      if ending.wait(for: mailbox.descriptor, milliseconds: line.interval) { thread.stop() }
      for batch in mailbox.take() {
        tally.take(batch.events)
        mailbox.recycle(batch)
      }
      announcements.tell(of: tally.model)
      line.show { "\(file.name): \(tally.text), \(Self.bytes(recording.progress.bytes))" }
    }
    thread.join()
    cp_let_signals_end()
    line.clear()
    return end(recording, tally)
  }

  /// Says what is in the file, and what is not; the status that this asks for.
  private func end(_ recording: Recording, _ tally: RecordTally) -> Int32 {
    let progress = recording.progress
    let name = recording.file.name
    var status = Run.complain(about: tally.model)
    if let problem = progress.problem {
      let isAllowed = progress.isClosed && recording.file.isStandardOutput
      if !isAllowed { status = ExitStatus.failed }
      let reason = progress.isClosed ? "the reader has gone" : problem
      let advice =
        progress.isClosed ? "" : "; make room, then record what follows into another file"
      StandardError.line(
        "perftop: \(name): \(reason): the recording ends with \(Self.lines(progress.lines))"
          + ", \(Self.bytes(progress.bytes)), all of them whole\(advice)"
      )
      return status
    }
    let left = tally.leftOut(progress)
    StandardError.line(
      "perftop: \(name): \(tally.text), \(Self.bytes(progress.bytes))"
        + (left.isEmpty ? "" : "; " + left.joined(separator: ", "))
    )
    return status
  }

  private static func bytes(_ count: UInt64) -> String {
    counted(Int(clamping: count), "byte")
  }

  private static func lines(_ count: Int) -> String { counted(count, "line") }

  /// Opens what is to be written; nil, said on standard error, where that must not or cannot be.
  private func openFile() -> RecordFile? {
    let output = arguments.output ?? "-"
    do throws(RecordFileFailure) {
      let file = output == "-" ? RecordFile() : try RecordFile(path: output)
      for path in paths where file.isRead(from: path) {
        throw RecordFileFailure(text: "is read by this very run, from \(path): name another file")
      }
      try file.begin(replacing: arguments.replacesOutput)
      return file
    } catch {
      StandardError.line("perftop: --output \(output) \(error.text)")
      return nil
    }
  }

  private var paths: [String] {
    arguments.sources.compactMap { source in
      switch source {
      case .path(let path), .follow(let path): path
      default: nil
      }
    }
  }
}

/// How much a run has brought, without keeping any of it.
struct RecordTally {
  /// The sources with their problems.
  private(set) var model = SessionModel()
  private var spans = 0
  private var logs = 0
  private var ledgerEvents = 0
  private var payloads = 0
  private var metricPoints = 0
  private var profiles = 0
  private var malformed = 0

  mutating func take(_ events: [TelemetryEvent]) {
    for event in events {
      switch event {
      case .span: spans += 1
      case .log: logs += 1
      case .ledger: ledgerEvents += 1
      case .counted(.metricPoints, let count, _): metricPoints += count
      case .counted(.profiles, let count, _): profiles += count
      case .counted(.metricPayloads, let count, _), .counted(.diagnosticPayloads, let count, _):
        payloads += count
      case .problem(let problem):
        if problem.kind == .malformed { malformed += 1 }
        model.apply(event)
      case .source, .progress, .spool, .connection: model.apply(event)
      default: break
      }
    }
  }

  var text: String {
    var parts = [
      counted(spans, "span"), counted(logs, "log"), counted(ledgerEvents, "ledger event"),
    ]
    if metricPoints > 0 { parts.append(counted(metricPoints, "metric point")) }
    if payloads > 0 { parts.append(counted(payloads, "MetricKit payload")) }
    return parts.joined(separator: ", ")
  }

  /// What came and is not in the file as it came.
  func leftOut(_ progress: RecordProgress) -> [String] {
    let counts: [(Int, String)] = [
      (malformed, "malformed"), (progress.unknownFields, "unknown fields left out"),
      (progress.uselessIDs, "ids of a wrong length left out"),
      (progress.repairs, "places that were not UTF-8 replaced"), (profiles, "profiles left out"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\(QuantityText.count($0.0)) \($0.1)" }
  }
}

private func counted(_ count: Int, _ noun: String) -> String {
  "\(QuantityText.count(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// One line on a terminal's standard error that is written over while things go on.
final class ProgressLine {
  private static let period: Int64 = 500_000_000

  private let isShown = isatty(STDERR_FILENO) == 1
  private var shown = ""
  private var next: Int64 = 0

  /// Milliseconds after which it wants to be shown again; -1 for never.
  var interval: Int32 { isShown ? Int32(Self.period / 1_000_000) : -1 }

  func show(_ text: () -> String) {
    guard isShown, cp_monotonic_nanoseconds() >= next else { return }
    next = cp_monotonic_nanoseconds() + Self.period
    let line = DisplayText.cutAtEnd(text(), to: 79)
    guard line != shown else { return }
    shown = line
    StandardError.write("\r\(line)\u{1B}[K")
  }

  func clear() {
    if !shown.isEmpty { StandardError.write("\r\u{1B}[K") }
  }
}
