import Foundation
import Model

@testable import Ingest

/// A run that is attached to one address, whose events are taken as they come.
final class AttachProbe {
  let thread: IngestThread
  let mailbox: Mailbox
  private(set) var events: [TelemetryEvent] = []
  private var isJoined = false

  /// Waits between attempts are too short to notice; `change` alters the rest.
  init(
    _ address: AttachAddress,
    mailbox: Mailbox = Mailbox(),
    spool: SpoolSettings? = nil,
    _ change: (inout AttachSettings) -> Void = { _ in }
  ) {
    var settings = AttachSettings()
    settings.firstDelay = 1_000_000
    settings.longestDelay = 4_000_000
    settings.jitter = { 0 }
    change(&settings)
    var options = IngestOptions { .wallClock }
    options.spool = spool
    self.mailbox = mailbox
    thread = IngestThread(
      requests: [.attach(address, settings)],
      options: options,
      mailbox: mailbox
    )
    thread.start()
  }

  deinit {
    mailbox.cancel()
    thread.stop()
    thread.join()
  }

  /// Takes events until they hold what is asked for; false when the run ended without it.
  func wait(for condition: (AttachProbe) -> Bool) -> Bool {
    while !condition(self) {
      guard let batches = mailbox.waitAndTake() else { return condition(self) }
      events += batches.flatMap(\.events)
    }
    return true
  }

  /// Ends the run, and takes what is left.
  func end() {
    thread.stop()
    while let batches = mailbox.waitAndTake() { events += batches.flatMap(\.events) }
    thread.join()
  }

  var spans: [SpanRecord] {
    events.compactMap { if case .span(let span) = $0 { span } else { nil } }
  }
  var logs: Int { events.count { if case .log = $0 { true } else { false } } }
  var ledger: Int { events.count { if case .ledger = $0 { true } else { false } } }

  var states: [SourceConnection.State] {
    events.compactMap { if case .connection(let connection) = $0 { connection.state } else { nil } }
  }

  /// Why connections ended, or were not to be had.
  var reasons: [String] {
    states.compactMap { if case .retrying(_, let reason) = $0 { reason } else { nil } }
  }

  var refusal: String? {
    states.compactMap { if case .refused(let reason) = $0 { reason } else { nil } }.first
  }

  var isLive: Bool { if case .live = states.last { true } else { false } }

  func problems(_ kind: ProblemKind) -> [String] {
    events.compactMap { event in
      guard case .problem(let problem) = event, problem.kind == kind else { return nil }
      return problem.text
    }
  }

  func count(of counted: Counted) -> Int {
    events.reduce(0) { sum, event in
      if case .counted(counted, let count, _) = event { sum + count } else { sum }
    }
  }

  var sources: Int { events.count { if case .source = $0 { true } else { false } } }
}
