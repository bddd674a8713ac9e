import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("What ends live sources", .timeLimit(.minutes(1)))
struct LiveGateTests {
  /// Reads the demo's ten minutes under limits.
  private func demo(
    _ set: (inout LiveLimits) throws -> Void
  ) rethrows -> (events: [TelemetryEvent], isOver: Bool) {
    var limits = LiveLimits()
    try set(&limits)
    var options = IngestOptions { Timestamp(nanoseconds: 0) }
    options.ending = limits
    let mailbox = Mailbox()
    let start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
    let thread = IngestThread(
      requests: [.demo(seed: 1, start: start, seconds: 600)],
      options: options,
      mailbox: mailbox
    )
    thread.start()
    var events: [TelemetryEvent] = []
    while let batches = mailbox.waitAndTake() { events += batches.flatMap(\.events) }
    thread.join()
    return (events, thread.isOver)
  }

  private func spans(_ events: [TelemetryEvent]) -> Int {
    events.count { if case .span = $0 { true } else { false } }
  }

  private func isRecord(_ event: TelemetryEvent) -> Bool {
    switch event {
    case .span, .log, .ledger: true
    default: false
    }
  }

  @Test("so many spans, exactly, and no record after the last", arguments: [1, 2, 25, 250])
  func count(most: Int) throws {
    let (events, isOver) = demo { $0.spans = most }
    #expect(spans(events) == most)
    #expect(isOver)
    let last = try #require(events.last(where: isRecord))
    guard case .span = last else {
      Issue.record("a record came after the last span")
      return
    }
  }

  @Test("a limit that is not reached changes nothing")
  func unreached() {
    let all = demo { _ in }
    let limited = demo { $0.spans = 1_000_000 }
    #expect(spans(limited.events) == spans(all.events))
    #expect(!limited.isOver && !all.isOver)
  }

  @Test(
    "the record that matches is the last",
    arguments: ["signal=leak", "app:shop name:app-hang"]
  )
  func match(text: String) throws {
    let expression = try FilterExpression(parsing: text)
    let (events, isOver) = demo { $0.record = expression }
    #expect(isOver)
    var model = SessionModel()
    var filter = RecordFilter()
    filter.expression = expression
    let last = try #require(events.lastIndex(where: isRecord))
    model.apply(Array(events[..<last]))
    #expect(model.overview(filter: filter).selection?.count == 0)
    model.apply([events[last]])
    #expect(model.overview(filter: filter).selection?.count == 1)
  }

  @Test("a session's state can be waited for")
  func session() throws {
    let expression = try FilterExpression(parsing: "state=clean")
    let (events, isOver) = demo { $0.record = expression }
    #expect(isOver)
    var model = SessionModel()
    model.apply(events)
    #expect(model.overview().streams.flatMap(\.sessions).contains { $0.state == .clean })
    #expect(spans(events) < spans(demo { _ in }.events))
  }

  @Test("captures are read to their end and count for nothing")
  func captures() throws {
    let folder = try TemporaryFolder()
    let lines: [UInt8] = (0..<50).flatMap { RequestBodies.json($0) + [UInt8(ascii: "\n")] }
    try folder.write(lines, to: "capture.jsonl")
    var options = IngestOptions { Timestamp(nanoseconds: 0) }
    options.ending = LiveLimits()
    options.ending?.spans = 3
    options.ending?.record = try FilterExpression(parsing: "work")
    let mailbox = Mailbox()
    let thread = IngestThread(
      requests: [.path(folder.path("capture.jsonl"))],
      options: options,
      mailbox: mailbox
    )
    thread.start()
    var events: [TelemetryEvent] = []
    while let batches = mailbox.waitAndTake() { events += batches.flatMap(\.events) }
    thread.join()
    #expect(spans(events) == 50)
    #expect(!thread.isOver)
  }

  @Test("a time ends what would never end by itself")
  func time() throws {
    let folder = try TemporaryFolder()
    var options = IngestOptions { .wallClock }
    options.ending = LiveLimits()
    options.ending?.duration = 1_000_000
    let mailbox = Mailbox()
    let request = SourceRequest.follow(path: folder.path("not there yet"), tail: nil)
    let thread = IngestThread(requests: [request], options: options, mailbox: mailbox)
    thread.start()
    while mailbox.waitAndTake() != nil {}
    thread.join()
    #expect(thread.isOver)
  }

  @Test("requests that come after the last span are told to try again")
  func refused() throws {
    var ending = LiveLimits()
    ending.spans = 1
    let probe = try ReceiverProbe(ending: ending)
    let client = try probe.client()
    client.post(RequestBodies.json(1))
    client.post(RequestBodies.json(2))
    #expect(client.answer()?.status == 200)
    #expect(client.answer()?.status != 200)
    probe.waitForEnd()
    #expect(probe.spanNames == 1)
  }
}
