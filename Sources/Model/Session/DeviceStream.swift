/// What tells one device stream from another.
struct StreamKey: Hashable, Sendable {
  enum Kind: UInt8 {
    case device
    case session
    case model
    case unknown
    case ledger
    /// Everything beyond the limit of streams.
    case other

    /// Part of what identifies a stream: ids in reports are made of it.
    var word: String {
      switch self {
      case .device: "device"
      case .session: "session"
      case .model: "model"
      case .unknown: "unknown"
      case .ledger: "ledger"
      case .other: "other"
      }
    }
  }

  var app: Symbol
  var kind: Kind
  var first = Symbol.none
  var second = Symbol.none
}

/// The records of one app on one device, or of one ledger.
package struct DeviceStream: Sendable {
  let key: StreamKey
  /// Every row of the stream in order of arrival, replaced ones included.
  package var rows: ContiguousArray<UInt32> = []
  /// How many of its rows gave way to a row of another stream.
  var lostRows = 0
  /// The newest end among its trustworthy records; `Int64.min` before the first.
  package var newestEnd = Int64.min
  /// The earliest start among the same; `Int64.max` before the first.
  package var oldestStart = Int64.max
  /// It showed PerformanceSuite 1.9 or later: the session duration, a live copy, or a scope version.
  var showsSessionSpans = false
  /// What was folded of it.
  var cut = StreamCut()
  /// Records so far that can tell of a launch.
  var launchMarks = 0
  /// The same when there was nothing to fold but what may go on.
  var unfoldableMarks = -1
  /// False while every record's clock is suspect.
  var hasTrustedTime: Bool { oldestStart != .max }
  /// The ledger's own name; nil for streams of OTLP records.
  package let ledgerName: String?

  init(key: StreamKey, ledgerName: String?) {
    self.key = key
    self.ledgerName = ledgerName
  }

  /// Nothing is left of it but what was counted.
  var isFoldedWhole: Bool { rows.isEmpty && cut.exit != nil }

  /// Differs whenever other rows of the stream are live; `StreamBasis` adds them up as well.
  var revision: Int { rows.count + lostRows }

  package var isLedger: Bool { key.kind == .ledger }
}

/// Which device stream a record belongs to: app, then the first of device id, session id, model and system.
struct StreamTable: Sendable {
  private(set) var streams: [DeviceStream] = []
  private var numbers: [StreamKey: StreamID] = [:]
  /// Streams of resources that name their device: no session needed.
  private var byResource: [StreamID?] = []
  private var byLedger: [String: StreamID] = [:]
  private(set) var other: StreamID?
  private let limit: Int

  /// Beyond `limit` streams, new ones are one.
  init(limit: Int = .max) {
    self.limit = limit
  }

  subscript(id: StreamID) -> DeviceStream {
    get { streams[Int(id.rawValue)] }
    _modify { yield &streams[Int(id.rawValue)] }
  }

  var hasLedgers: Bool { !byLedger.isEmpty }

  mutating func stream(resource: Resource, id: ResourceID, session: Symbol) -> StreamID {
    let number = Int(id.rawValue)
    if number < byResource.count, let known = byResource[number] { return known }
    let key: StreamKey
    if resource.deviceID.isPresent {
      key = StreamKey(app: resource.app, kind: .device, first: resource.deviceID)
    } else if session.isPresent {
      return numbered(StreamKey(app: resource.app, kind: .session, first: session))
    } else if resource.deviceModel.isPresent || resource.osVersion.isPresent {
      return numbered(
        StreamKey(
          app: resource.app,
          kind: .model,
          first: resource.deviceModel,
          second: resource.osVersion
        )
      )
    } else {
      return numbered(StreamKey(app: resource.app, kind: .unknown))
    }
    let stream = numbered(key)
    while byResource.count <= number { byResource.append(nil) }
    byResource[number] = stream
    return stream
  }

  mutating func ledger(named name: String) -> StreamID {
    if let known = byLedger[name] { return known }
    let id = StreamID(UInt32(streams.count))
    streams.append(DeviceStream(key: StreamKey(app: .none, kind: .ledger), ledgerName: name))
    byLedger[name] = id
    return id
  }

  private mutating func numbered(_ key: StreamKey) -> StreamID {
    if let known = numbers[key] { return known }
    if let other { return other }
    let id = StreamID(UInt32(streams.count))
    guard streams.count < limit else {
      streams.append(DeviceStream(key: StreamKey(app: .none, kind: .other), ledgerName: nil))
      other = id
      return id
    }
    streams.append(DeviceStream(key: key, ledgerName: nil))
    numbers[key] = id
    return id
  }
}

extension RecordRow {
  /// `StreamDerivation` may make a launch of it.
  var canTellLaunch: Bool {
    switch signal {
    case .appStartup, .watchdogTermination, .ledgerSpan: true
    case .appHang: isFatalHang
    default: false
    }
  }
}
