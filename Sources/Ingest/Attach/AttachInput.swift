import CPlatform
import Model

/// A source that perftop attached itself to: what its connections bring is one source.
struct AttachInput: LiveInput {
  /// Bytes that are decoded before another input has its turn.
  private static let bytesAtOnce = 1 << 20

  private let attachment: Attachment
  private var intake: AttachIntake
  private var hasLived = false
  /// Why there was no connection.
  private var reason: String?

  init(_ address: AttachAddress, _ settings: AttachSettings, context: IngestContext) {
    attachment = Attachment(address, settings)
    intake = AttachIntake(address, context: context)
    intake.tell(.connecting, .awaited, context: context)
    if !attachment.start() { reason = "the system has no thread to give" }
  }

  var descriptor: Int32? { attachment.queue.descriptor }
  var deadline: Timestamp? { intake.deadline }

  mutating func step(now: Timestamp, isReadable: Bool, context: IngestContext) -> InputStep {
    let (news, dropped, hasMore) = attachment.queue.take(upTo: Self.bytesAtOnce)
    if dropped > 0 {
      context.observe(.counted(.droppedMessages, count: dropped, source: intake.source))
    }
    for piece in news {
      guard take(piece, now: now, context: context) else {
        attachment.end()
        return .ended
      }
    }
    intake.settle(now: now, context: context)
    return hasMore ? .more : .waiting
  }

  /// False when no more will come.
  private mutating func take(_ news: AttachNews, now: Timestamp, context: IngestContext) -> Bool {
    switch news {
    case .connecting: intake.tell(.connecting, .awaited, context: context)
    case .live:
      hasLived = true
      intake.begin(context: context)
      intake.tell(.live(since: context.options.clock()), .live, context: context)
    case .bytes(let bytes):
      guard let refusal = intake.take(bytes, now: now, context: context) else { return true }
      return refuse(refusal, context: context)
    case .cut(let text): intake.lose(text, .incomplete, context: context)
    case .broken(let text): intake.lose(text, .malformed, context: context)
    case .lost(let text, let delay):
      reason = text
      intake.end(context: context)
      let next = context.options.clock().advanced(byNanoseconds: delay)
      intake.tell(.retrying(at: next, reason: text), .awaited, context: context)
    case .refused(let text): return refuse(text, context: context)
    }
    return true
  }

  private mutating func refuse(_ reason: String, context: IngestContext) -> Bool {
    intake.end(context: context)
    intake.fail(reason, context: context)
    intake.tell(.refused(reason: reason), .failed, context: context)
    return false
  }

  mutating func finish(context: IngestContext) {
    attachment.end()
    // What came before the end is part of it.
    while true {
      let (news, dropped, hasMore) = attachment.queue.take(upTo: .max)
      if dropped > 0 {
        context.observe(.counted(.droppedMessages, count: dropped, source: intake.source))
      }
      for piece in news {
        guard take(piece, now: .monotonic, context: context) else { return }
      }
      if !hasMore { break }
    }
    intake.end(context: context)
    if hasLived {
      intake.tell(.closed, .ended, context: context)
    } else {
      intake.fail(reason ?? "no connection yet", context: context)
      intake.tell(.closed, .failed, context: context)
    }
  }
}
