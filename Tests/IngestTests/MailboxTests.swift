import CPlatform
import Foundation
import Model
import Testing

@testable import Ingest

/// Runs a closure on a thread of its own; `join` waits for its end.
private final class TestThread: Sendable {
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let done = done
    Thread.detachNewThread {
      body()
      done.signal()
    }
  }

  func join() { done.wait() }
}

private func batch(_ numbers: Range<Int>) -> EventBatch {
  EventBatch(events: numbers.map { .arrival(Timestamp(nanoseconds: Int64($0))) })
}

private func numbers(_ batches: [EventBatch]) -> [Int] {
  batches.flatMap(\.events).compactMap {
    if case .arrival(let time) = $0 { Int(time.nanoseconds) } else { nil }
  }
}

private func isReadable(_ mailbox: Mailbox) -> Bool {
  var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&entry, 1, 0) == 1
}

@Suite("A mailbox", .timeLimit(.minutes(1)))
struct MailboxTests {
  @Test("gives all batches at once, in the order in which they were posted")
  func order() {
    let mailbox = Mailbox()
    mailbox.post(batch(0..<3))
    mailbox.post(batch(3..<5))
    #expect(numbers(mailbox.take()) == [0, 1, 2, 3, 4])
    #expect(mailbox.take().isEmpty)
  }

  @Test("a full mailbox makes the producer wait and loses nothing", arguments: [1, 10, 1_000])
  func backPressure(limit: Int) {
    let mailbox = Mailbox(limit: limit)
    let producer = TestThread {
      for start in stride(from: 0, to: 20_000, by: 7) {
        mailbox.post(batch(start..<min(start + 7, 20_000)))
      }
      mailbox.finish()
    }
    var taken: [Int] = []
    var most = 0
    while let batches = mailbox.waitAndTake() {
      most = max(most, batches.reduce(0) { $0 + $1.events.count })
      taken += numbers(batches)
    }
    producer.join()
    #expect(taken == Array(0..<20_000))
    #expect(most <= limit + 6, "a batch is accepted whole while fewer than the limit wait")
  }

  @Test("takes a batch that is larger than its limit when it is empty")
  func largeBatch() {
    let mailbox = Mailbox(limit: 2)
    #expect(mailbox.post(batch(0..<100)))
    #expect(numbers(mailbox.take()).count == 100)
  }

  @Test("is readable for poll while batches wait, and once more when it is finished")
  func wakes() {
    let mailbox = Mailbox()
    #expect(!isReadable(mailbox))
    mailbox.post(batch(0..<1))
    mailbox.post(batch(1..<2))
    #expect(isReadable(mailbox))
    _ = mailbox.take()
    #expect(!isReadable(mailbox))
    mailbox.post(batch(2..<3))
    mailbox.finish()
    #expect(!mailbox.isDrained)
    #expect(numbers(mailbox.take()) == [2])
    #expect(mailbox.isDrained)
    #expect(!isReadable(mailbox), "a consumer that sleeps in poll must not spin")
  }

  @Test("wakes a consumer that has taken everything when it is finished")
  func wakesAtTheEnd() {
    let mailbox = Mailbox()
    mailbox.post(batch(0..<1))
    _ = mailbox.take()
    #expect(!isReadable(mailbox))
    mailbox.finish()
    #expect(isReadable(mailbox))
    #expect(mailbox.isDrained)
  }

  @Test("that its consumer cancels lets a waiting producer go, and tells it that nobody listens")
  func cancel() {
    let mailbox = Mailbox(limit: 1)
    mailbox.post(batch(0..<1))
    let refused = Guarded(false)
    let producer = TestThread {
      let isTaken = mailbox.post(batch(1..<2))
      refused.withLock { $0 = !isTaken }
    }
    mailbox.cancel()
    producer.join()
    #expect(refused.withLock { $0 })
    #expect(mailbox.waitAndTake() == nil)
  }

  @Test("takes nothing more after it was finished")
  func finished() {
    let mailbox = Mailbox()
    mailbox.finish()
    #expect(!mailbox.post(batch(0..<1)))
    #expect(mailbox.waitAndTake() == nil)
  }

  @Test("the sink gathers 1,024 events into a batch and passes on the rest when flushed")
  func sink() throws {
    let mailbox = Mailbox()
    let sink = MailboxSink(mailbox: mailbox)
    for number in 0..<1_500 {
      try sink.receive(event: .arrival(Timestamp(nanoseconds: Int64(number))))
    }
    let first = mailbox.take()
    #expect(first.map(\.events.count) == [1_024])
    first.forEach { mailbox.recycle($0) }
    try sink.flush()
    try sink.flush()
    let rest = mailbox.take()
    #expect(rest.map(\.events.count) == [476])
    #expect(numbers(first + rest) == Array(0..<1_500))
  }

  @Test("the sink says so when nobody listens any more")
  func closedSink() {
    let mailbox = Mailbox()
    let sink = MailboxSink(mailbox: mailbox)
    mailbox.cancel()
    #expect(throws: SinkError.closed) {
      try sink.receive(event: .arrival(.zero))
      try sink.flush()
    }
  }
}
