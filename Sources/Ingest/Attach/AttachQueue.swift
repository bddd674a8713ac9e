/// What the thread of a connection tells the ingest thread, in this order.
enum AttachNews: Sendable {
  case connecting
  case live
  /// Bytes of a stream, cut anywhere, or a message as a whole.
  case bytes([UInt8])
  /// The message that was on its way will not come whole.
  case cut(String)
  /// The other side broke the rules of its protocol.
  case broken(String)
  /// The connection has ended, or there was none; the next attempt is due after so many nanoseconds.
  case lost(String, delay: Int64)
  case refused(String)

  fileprivate var byteCount: Int {
    if case .bytes(let bytes) = self { bytes.count } else { 0 }
  }
}

/// Carries news from the thread of a connection to the ingest thread, within a bound.
final class AttachQueue: Sendable {
  enum Overflow: Sendable {
    /// The oldest bytes make room, and are counted: the sender must not be kept waiting.
    case dropsOldest
    /// The connection is not read until there is room.
    case waits
  }

  private struct State {
    /// What could not be dropped although what came after it was: it says how the connection stands.
    var standings: [AttachNews] = []
    var news: [AttachNews] = []
    /// Those before it were taken or dropped.
    var first = 0
    var byteCount = 0
    var dropped = 0
    var isClosed = false

    var isEmpty: Bool { standings.isEmpty && first == news.count }

    mutating func takeFirst() -> AttachNews {
      if !standings.isEmpty { return standings.removeFirst() }
      let next = news[first]
      news[first] = .connecting
      first += 1
      byteCount -= next.byteCount
      // Room that was used is given up a large part at a time.
      if first > 64, first * 2 > news.count {
        news.removeFirst(first)
        first = 0
      }
      return next
    }

    mutating func dropOldest(until room: Int) {
      var kept = standings
      standings = []
      while byteCount > max(0, room) {
        let oldest = takeFirst()
        if oldest.byteCount > 0 { dropped += 1 } else { kept.append(oldest) }
      }
      standings = kept
    }
  }

  let limit: Int
  private let overflow: Overflow
  private let state = Guarded(State())
  private let wakePipe = WakePipe()

  init(limit: Int, overflow: Overflow) {
    self.limit = limit
    self.overflow = overflow
  }

  /// Readable when there is something to take.
  var descriptor: Int32 { wakePipe.descriptor }

  /// False when nobody takes bytes any more; how the connection ended is wanted still.
  @discardableResult
  func put(_ news: AttachNews) -> Bool {
    let size = news.byteCount
    let limit = limit
    let overflow = overflow
    let isOpen = state.waitUntil { state -> Bool? in
      if state.isClosed, size > 0 { return false }
      if size > 0, state.byteCount > 0, state.byteCount + size > limit {
        guard overflow == .dropsOldest else { return nil }
        state.dropOldest(until: limit - size)
      }
      state.byteCount += size
      state.news.append(news)
      return true
    }
    wakePipe.wake()
    return isOpen
  }

  /// What came first, some of it, and how many messages made room since the last time.
  func take(upTo bytes: Int) -> (news: [AttachNews], dropped: Int, hasMore: Bool) {
    wakePipe.clear()
    let result = state.withLock { state in
      var taken: [AttachNews] = []
      var count = 0
      while !state.isEmpty, count < bytes {
        let next = state.takeFirst()
        count += next.byteCount
        taken.append(next)
      }
      defer { state.dropped = 0 }
      return (news: taken, dropped: state.dropped, hasMore: !state.isEmpty)
    }
    state.wakeAll()
    return result
  }

  /// Whoever puts or waits to put is told that nobody takes any more.
  func close() {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }
}
