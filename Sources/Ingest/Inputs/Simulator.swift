package import Model

/// A piece of a simulated file: what one of the two writers appends at one time.
package struct SimulatorDelivery: Equatable, Sendable {
  /// Which of the two files grows.
  package enum Stream: Sendable {
    /// The collector's file, OTLP JSON lines.
    case otlp
    /// The phone's slow-event ledger.
    case ledger
  }

  package var time: Timestamp
  package var stream: Stream
  /// Whole lines with their line ends, but for a line of the ledger that is torn by the death of its
  /// writer: its line end comes with the next piece.
  package var bytes: [UInt8]
}

/// A shop app on four devices that is used, sends telemetry and keeps a ledger, for ever.
///
/// The same seed and start give the same bytes. The story lasts ten minutes and is told again with other
/// numbers. It holds: sessions that are clean (also one too long to have a duration), abandoned, detached,
/// rejected, open, stale, lost (a fatal hang, a watchdog termination) and unmeasured; a visit of two
/// sessions; a prewarmed launch; drawing at 30 Hz; cancelled, pending and unadopted measurements; hangs
/// of every type; a leak of one class again and again; live snapshots; a request sent twice; requests
/// and log records that are not PerformanceSuite's; every seam of the ledger, and a torn line in it.
package struct Simulator {
  /// Seconds that one telling of the story lasts.
  private static let episodeLength = 600.0

  private let start: Timestamp
  private var random: SimulatorRandom
  private let phone: SimulatorDevice
  private let tablet: SimulatorDevice
  private let olderPhone: SimulatorDevice
  private let clip: SimulatorDevice
  private var previousSessionID: String?
  private var episode = 0
  /// In rising order of time from `position` on.
  private var pending: [SimulatorDelivery] = []
  private var position = 0

  package init(seed: UInt64, start: Timestamp) {
    self.start = start
    random = SimulatorRandom(seed: seed)
    phone = .phone(&random)
    tablet = .tablet(&random)
    olderPhone = .olderPhone(&random)
    clip = .clip(&random)
  }

  /// The next piece; times never fall, and there is always one more.
  package mutating func next() -> SimulatorDelivery {
    // What an episode sends last may arrive after the next one has begun.
    while position == pending.count || pending[position].time >= time(ofEpisode: episode) {
      tell()
    }
    defer { position += 1 }
    return pending[position]
  }

  /// Everything that arrives in the first `seconds`, in order.
  package static func deliveries(
    seed: UInt64,
    start: Timestamp,
    seconds: Int64
  ) -> [SimulatorDelivery] {
    var simulator = Simulator(seed: seed, start: start)
    let end = start.advanced(byMilliseconds: seconds * 1000)
    var deliveries: [SimulatorDelivery] = []
    while true {
      let delivery = simulator.next()
      guard delivery.time < end else { return deliveries }
      deliveries.append(delivery)
    }
  }

  private func time(ofEpisode index: Int) -> Timestamp {
    start.advanced(byNanoseconds: Int64(Double(index) * Self.episodeLength * 1e9))
  }

  /// Adds the deliveries of the next ten minutes.
  private mutating func tell() {
    let origin = time(ofEpisode: episode)
    var story = SimulatorPhoneStory(
      device: phone,
      random: random.fork(),
      previousSessionID: previousSessionID
    )
    let phoneRuns = story.runs()
    previousSessionID = story.previousSessionID
    var others = SimulatorOtherStories(random: random.fork())
    let runs =
      phoneRuns + others.tablet(tablet) + others.olderPhone(olderPhone) + others.clip(clip)

    var told = Array(pending[position...])
    for (index, run) in runs.enumerated() {
      var exporter = SimulatorExporter(origin: origin, random: random.fork())
      // The answer to one request of the phone's third process is lost on the way back.
      told += exporter.deliveries(of: run, resendingAfter: index == 2 ? 390 : nil)
    }
    let ledger = SimulatorLedger(origin: origin)
    told += ledger.deliveries(of: phoneRuns.flatMap(\.ledger))
    // Equal times keep the order of the devices.
    pending = told.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    position = 0
    episode += 1
  }
}
