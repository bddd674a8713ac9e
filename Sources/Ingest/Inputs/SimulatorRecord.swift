/// The value of one attribute, in the kinds that the simulated apps send.
enum SimulatorValue: Equatable {
  case string(String)
  case int(Int)
  case bool(Bool)
  case double(Double)
}

typealias SimulatorAttributes = [(key: String, value: SimulatorValue)]

/// Who wrote a record.
enum SimulatorScope: Hashable {
  /// PerformanceSuite's adapter, whose version is the host's to give; without one it is absent.
  case performanceSuite
  /// opentelemetry-swift's instrumentation of URLSession.
  case network
  /// The app itself.
  case app

  var name: String {
    switch self {
    case .performanceSuite: "perfsuite-ios"
    case .network: "NSURLSession"
    case .app: "shop.instrumentation"
    }
  }

  var version: String? {
    switch self {
    case .performanceSuite: nil
    case .network: "0.0.1"
    case .app: "8.42"
    }
  }
}

/// A span as an app hands it to its exporter; times are seconds from the story's beginning.
struct SimulatorSpan {
  /// OTLP's numbers for the kinds that occur.
  enum Kind: Int {
    case `internal` = 1
    case client = 3
  }

  enum Status: Equatable {
    case unset
    case ok
    case error(String?)
  }

  var scope = SimulatorScope.performanceSuite
  var traceID: String
  var spanID: String
  var parentID: String?
  var name: String
  var kind = Kind.internal
  var start: Double
  var end: Double
  var attributes: SimulatorAttributes = []
  /// opentelemetry-swift counts every overwritten attribute as dropped beyond its limit of 128.
  var droppedAttributes = 0
  var status = Status.unset
}

/// A log record as an app hands it to its exporter.
struct SimulatorLog {
  var scope = SimulatorScope.performanceSuite
  var time: Double
  var severity = 9
  var severityText = "INFO"
  var body: String?
  var attributes: SimulatorAttributes = []
  var eventName: String?
}

/// A record and the time at which its exporter got it.
struct SimulatorExport {
  enum Record {
    case span(SimulatorSpan)
    case log(SimulatorLog)
  }

  var record: Record
  var knownAt: Double
}

/// The counters of one stretch of drawing, by the arithmetic of PerformanceSuite's frame meter.
struct SimulatorFrames {
  var refreshRate = 60
  /// Frames that the display asked for: rendered and dropped ones.
  private(set) var expected = 0
  private(set) var dropped = 0
  private(set) var late = 0

  init(refreshRate: Int) {
    self.refreshRate = refreshRate
  }

  /// Counts so many seconds of drawing, in which `missed` frames were missed in a row, each time.
  ///
  /// A single missed frame is forgiven by the meter and counts as none.
  mutating func draw(seconds: Double, missed: [Int]) {
    expected += max(0, Int(seconds * Double(refreshRate)))
    for run in missed where run > 1 {
      dropped += run
      late += 1
    }
  }

  mutating func add(_ other: SimulatorFrames) {
    expected += other.expected
    dropped += other.dropped
    late += other.late
  }

  var total: Int { max(0, expected - dropped) }
  /// Below 59 Hz every frame takes 17 ms or longer, and so counts as slow.
  var slow: Int { refreshRate < 59 ? total : late }
  var freezeMilliseconds: Int { dropped * 1000 / refreshRate }
  var onScreenMilliseconds: Int { (total + dropped) * 1000 / refreshRate }

  var attributes: SimulatorAttributes {
    [
      ("rendering.total_frames", .int(total)),
      ("rendering.dropped_frames", .int(dropped)),
      ("rendering.slow_frames", .int(slow)),
      ("rendering.freeze_time.ms", .int(freezeMilliseconds)),
      ("rendering.session_duration.ms", .int(onScreenMilliseconds)),
    ]
  }
}
