/// How much of what asks for work but brings no data a connection may send.
///
/// A bucket of tokens: a frame of control costs one, a request that is taken back ten; data and time bring some.
/// Clients that measure the line with a ping for each piece of data stay far below.
struct Calm {
  static let burst = 1_000
  private static let resetCost = 10
  private static let contentGain = 2
  private static let nanosecondsPerToken: Int64 = 10_000_000

  private var tokens = Calm.burst
  private var filledAt: Int64

  init(now: Int64) {
    filledAt = now
  }

  mutating func content() {
    tokens = min(tokens + Self.contentGain, Self.burst)
  }

  /// False when it was too much.
  mutating func control(now: Int64) -> Bool { spend(1, now) }

  /// False when it was too much.
  mutating func reset(now: Int64) -> Bool { spend(Self.resetCost, now) }

  private mutating func spend(_ cost: Int, _ now: Int64) -> Bool {
    let gained = (now - filledAt) / Self.nanosecondsPerToken
    if gained > 0 {
      tokens = Int(min(Int64(tokens) + gained, Int64(Self.burst)))
      filledAt += gained * Self.nanosecondsPerToken
    }
    tokens -= cost
    return tokens >= 0
  }
}
