import Dispatch
import Testing

@testable import Ingest

@Suite("The queue between a connection and the ingest thread", .timeLimit(.minutes(1)))
struct AttachQueueTests {
  private func sizes(_ news: [AttachNews]) -> [Int] {
    news.compactMap { if case .bytes(let bytes) = $0 { bytes.count } else { nil } }
  }

  @Test("beyond its bytes the oldest messages go and are counted, how the connection stands stays")
  func dropsOldest() {
    let queue = AttachQueue(limit: 10, overflow: .dropsOldest)
    queue.put(.live)
    for size in [4, 5, 1] { queue.put(.bytes([UInt8](repeating: 0, count: size))) }
    queue.put(.bytes([1, 2, 3, 4, 5]))
    let (news, dropped, hasMore) = queue.take(upTo: .max)
    // 10 bytes are there: 4 and 5 have to go until 5 more have room.
    #expect(sizes(news) == [1, 5])
    #expect(dropped == 2)
    #expect(!hasMore)
    guard case .live = news.first else {
      Issue.record("how the connection stands was dropped")
      return
    }
    #expect(queue.take(upTo: .max).dropped == 0)
  }

  @Test("a message larger than the queue is taken when nothing else is there")
  func large() {
    let queue = AttachQueue(limit: 10, overflow: .dropsOldest)
    queue.put(.bytes([1]))
    queue.put(.bytes([UInt8](repeating: 0, count: 99)))
    let (news, dropped, _) = queue.take(upTo: .max)
    #expect(sizes(news) == [99])
    #expect(dropped == 1)
  }

  @Test("a part is taken at a time, in order")
  func parts() {
    let queue = AttachQueue(limit: 100, overflow: .dropsOldest)
    for size in 1...4 { queue.put(.bytes([UInt8](repeating: 0, count: size))) }
    let first = queue.take(upTo: 3)
    #expect(sizes(first.news) == [1, 2])
    #expect(first.hasMore)
    #expect(sizes(queue.take(upTo: .max).news) == [3, 4])
  }

  @Test("a stream waits for room, and for nothing once nobody takes any more")
  func waits() {
    let queue = AttachQueue(limit: 3, overflow: .waits)
    queue.put(.bytes([1, 2, 3]))
    let second = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      queue.put(.bytes([4, 5]))
      second.signal()
      // Nobody takes what would make room for these: the end of the queue ends the wait.
      let isWanted = queue.put(.bytes([6, 7]))
      #expect(!isWanted)
      done.signal()
    }
    #expect(sizes(queue.take(upTo: .max).news) == [3])
    second.wait()
    queue.close()
    done.wait()
    // How the connection ended is wanted even then.
    #expect(queue.put(.cut("x")))
  }
}
