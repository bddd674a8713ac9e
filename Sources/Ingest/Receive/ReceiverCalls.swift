/// What a server asks of the receiver whose connections it serves.
struct ReceiverCalls {
  /// Nothing can be taken now: senders are told to try again before their bodies are read.
  let isBusy: () -> Bool
  /// Keeps, decodes and shows the body of a request, without its compression.
  let take: (_ body: [UInt8], PieceContent, _ listener: Int) -> Receipt
  /// Something that a sender did wrong.
  let complain: (_ listener: Int, String) -> Void
}

/// A connection of which it is known what it speaks.
protocol OpenConnection: AnyObject {
  /// Since when it has been without a request, on the monotonic clock; nil while there is one.
  var idleSince: Int64? { get }
  /// Since when the oldest of its requests has been coming; nil while there is none.
  var requestSince: Int64? { get }
  /// Ends it; its server notices later.
  func end()
}

/// The bytes of all requests that are still coming, of which there may only be so many.
final class BodyRoom {
  private let limit: Int
  private var held = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// False when there is no room for so many bytes more.
  func take(_ count: Int) -> Bool {
    guard held + count <= limit else { return false }
    held += count
    return true
  }

  func giveBack(_ count: Int) {
    held -= count
  }
}
