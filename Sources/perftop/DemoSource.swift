import Ingest
import Model

/// One of the demo's two files as a source.
struct DemoSource: GeneratedSource {
  private var simulator: Simulator
  private let stream: SimulatorDelivery.Stream
  /// Where the story ends; nil for one that goes on.
  private let end: Timestamp?
  /// Everything is due at once.
  private let isImmediate: Bool
  private var pending: SimulatorDelivery?

  /// Ten simulated minutes, at once.
  static let reportStart = Timestamp(seconds: 1_767_225_600)
  private static let reportLength: Int64 = 600_000

  init(seed: UInt64, stream: SimulatorDelivery.Stream, liveFrom start: Timestamp?) {
    simulator = Simulator(seed: seed, start: start ?? Self.reportStart)
    self.stream = stream
    isImmediate = start == nil
    end = start == nil ? Self.reportStart.advanced(byMilliseconds: Self.reportLength) : nil
    pending = nextOfStream()
  }

  var nextDue: Timestamp? {
    isImmediate ? pending.map { _ in .distantPast } : pending?.time
  }

  mutating func next(until now: Timestamp) -> GeneratedPiece? {
    guard let due = pending, isImmediate || due.time <= now else { return nil }
    pending = nextOfStream()
    return GeneratedPiece(bytes: due.bytes, arrival: due.time)
  }

  private mutating func nextOfStream() -> SimulatorDelivery? {
    while true {
      let delivery = simulator.next()
      if let end, delivery.time >= end { return nil }
      if delivery.stream == stream { return delivery }
    }
  }
}
