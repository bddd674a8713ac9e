/// How patient and how greedy a client of somebody else's sockets is.
package struct AttachSettings: Sendable {
  /// Bytes that wait to be decoded; beyond it a tap's oldest make room, and a stream's sender waits.
  var queueLimit = 64 << 20
  /// Bytes of a message at most.
  var messageLimit = 64 << 20
  /// Nanoseconds before the second attempt; each wait is twice the one before, up to the longest.
  var firstDelay: Int64 = 1_000_000_000
  var longestDelay: Int64 = 30_000_000_000
  /// The part of a wait that is left out, 0 to 1, so that clients of one server do not come at once.
  var jitter: @Sendable () -> Double = { Double.random(in: 0...0.2) }
  /// Nanoseconds for a connection, and for its handshake.
  var connectPatience: Int64 = 10_000_000_000
  /// Where the addresses of a host are asked for; nil for the system's resolver.
  var resolve: (@Sendable (_ host: String) -> String)?

  package init() {}
}

/// How long to wait before the next attempt.
struct Backoff {
  private let settings: AttachSettings
  private var next: Int64

  init(_ settings: AttachSettings) {
    self.settings = settings
    next = settings.firstDelay
  }

  /// Nanoseconds to wait now.
  mutating func takeDelay() -> Int64 {
    defer { next = min(next &* 2, settings.longestDelay) }
    return Int64(Double(min(next, settings.longestDelay)) * (1 - settings.jitter()))
  }

  /// The connection was of use.
  mutating func reset() { next = settings.firstDelay }
}
