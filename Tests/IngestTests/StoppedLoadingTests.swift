import Model
import Testing

@testable import Ingest

@Suite("Loading that the user stops", .timeLimit(.minutes(1)))
struct StoppedLoadingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func progress(_ events: [TelemetryEvent], _ source: UInt16) -> SourceProgress? {
    var last: SourceProgress?
    for case .progress(let progress) in events where progress.source.rawValue == source {
      last = progress
    }
    return last
  }

  @Test("what was read stays, the rest is counted by its size, and nothing is called torn")
  func stopped() throws {
    let line = String(repeating: "x", count: 63) + "\n"
    let text = String(repeating: line, count: 10_000)
    for name in ["a", "b"] { try folder.write(text, to: name) }
    let mailbox = Mailbox(limit: 64)
    var options = IngestOptions { .wallClock }
    options.makeDecoder = LineCounter.factory
    let requests = ["a", "b"].map { SourceRequest.path(folder.path($0)) }
    let thread = IngestThread(requests: requests, options: options, mailbox: mailbox)
    thread.start()
    // The mailbox is full long before the first file has been read.
    var events = mailbox.waitAndTake()?.flatMap(\.events) ?? []
    thread.stopLoading()
    while let batches = mailbox.waitAndTake() { events += batches.flatMap(\.events) }
    thread.join()
    let first = try #require(progress(events, 0))
    #expect(first.state == .stopped)
    #expect(first.bytesTotal == 640_000)
    #expect(first.bytesRead > 0 && first.bytesRead < 640_000)
    let second = try #require(progress(events, 1))
    #expect(second.state == .stopped)
    #expect(second.bytesRead == 0 && second.bytesTotal == 640_000)
    let isTorn = events.contains {
      if case .problem(let problem) = $0 { problem.kind == .incomplete } else { false }
    }
    #expect(!isTorn)
  }

  @Test("work in the background is done once, one at a time, and its result is taken once")
  func background() {
    let work = BackgroundWork<Int, Never>()
    let done = Guarded(false)
    let gate = Guarded(false)
    let first = work.start { _ in
      gate.waitUntil { $0 ? 7 : nil }
    } wake: {
      done.withLock { $0 = true }
      done.wakeAll()
    }
    #expect(first)
    #expect(!work.isIdle)
    #expect(work.take() == nil)
    let second = work.start({ _ in 8 }, wake: {})
    #expect(!second)
    gate.withLock { $0 = true }
    gate.wakeAll()
    _ = done.waitUntil { $0 ? true : nil }
    #expect(work.take() == 7)
    #expect(work.take() == nil)
    #expect(work.isIdle)
  }

  @Test("work in the background tells news, which are taken once, and hears that nobody wants it")
  func news() {
    let work = BackgroundWork<Int, [Int]>()
    let step = Guarded(0)
    let wakes = Guarded(0)
    work.start { progress in
      progress.tell { $0 = ($0 ?? []) + [1] }
      progress.tell { $0 = ($0 ?? []) + [2] }
      _ = step.waitUntil { $0 == 1 ? true : nil }
      return progress.isCancelled ? -1 : 1
    } wake: {
      wakes.withLock { $0 += 1 }
      wakes.wakeAll()
    }
    _ = wakes.waitUntil { $0 == 2 ? true : nil }
    #expect(work.takeNews() == [1, 2])
    #expect(work.takeNews() == nil)
    work.cancel()
    step.withLock { $0 = 1 }
    step.wakeAll()
    _ = wakes.waitUntil { $0 == 3 ? true : nil }
    #expect(work.take() == -1)
    // The next piece of work is wanted.
    work.start {
      $0.isCancelled ? -1 : 2
    } wake: {
      wakes.withLock { $0 += 1 }
      wakes.wakeAll()
    }
    _ = wakes.waitUntil { $0 == 4 ? true : nil }
    #expect(work.take() == 2)
  }
}
