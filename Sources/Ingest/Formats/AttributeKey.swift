import Model

/// Attribute keys that perftop understands, by number.
enum AttributeKey: UInt8, CaseIterable {
  case startupTotal
  case screenTTI
  case fragmentTTI
  case hangDuration
  case memoryWarnings
  case startupPremain
  case screenTTFR
  case fragmentTTFR
  case startupMain
  case totalFrames
  case droppedFrames
  case slowFrames
  case freezeTime
  case onScreenTime
  case appSessionDuration
  // Numbers end here; `lastNumber` says so.
  case startupPrewarmed
  case readyFallback
  case customStart
  case duringStartup
  case inProgress
  case screenName
  case fragmentName
  case hangType
  case hangTopScreen
  case hostSessionID
  case sessionID
  case appState
  case className
  case instanceIdentifier
  case serviceName
  case serviceVersion
  case deviceID
  case deviceModel
  case osName
  case osVersion

  static let lastNumber = AttributeKey.appSessionDuration

  var text: StaticString {
    switch self {
    case .startupTotal: "app.startup.total_time.ms"
    case .screenTTI: "screen.tti.ms"
    case .fragmentTTI: "fragment.tti.ms"
    case .hangDuration: "hang.duration.ms"
    case .memoryWarnings: "memory.warnings_count"
    case .startupPremain: "app.startup.premain_time.ms"
    case .screenTTFR: "screen.ttfr.ms"
    case .fragmentTTFR: "fragment.ttfr.ms"
    case .startupMain: "app.startup.main_time.ms"
    case .totalFrames: "rendering.total_frames"
    case .droppedFrames: "rendering.dropped_frames"
    case .slowFrames: "rendering.slow_frames"
    case .freezeTime: "rendering.freeze_time.ms"
    case .onScreenTime: "rendering.session_duration.ms"
    case .appSessionDuration: "app.session.duration.ms"
    case .startupPrewarmed: "app.startup.prewarmed"
    case .readyFallback: "screen.tti.ready_fallback"
    case .customStart: "screen.tti.custom_start"
    case .duringStartup: "hang.during_startup"
    case .inProgress: "perftop.in_progress"
    case .screenName: "screen.name"
    case .fragmentName: "fragment.name"
    case .hangType: "hang.type"
    case .hangTopScreen: "hang.top_screen"
    case .hostSessionID: "app.session.id"
    case .sessionID: "session.id"
    case .appState: "app.state"
    case .className: "vc.class_name"
    case .instanceIdentifier: "vc.identifier"
    case .serviceName: "service.name"
    case .serviceVersion: "service.version"
    case .deviceID: "device.id"
    case .deviceModel: "device.model.identifier"
    case .osName: "os.name"
    case .osVersion: "os.version"
    }
  }

  /// The slot that the key's number goes to; nil for keys that are no numbers.
  var measurement: Measurement? {
    switch self {
    case .startupTotal, .screenTTI, .fragmentTTI, .hangDuration, .memoryWarnings: .primary
    case .startupPremain, .screenTTFR, .fragmentTTFR: .secondary
    case .startupMain: .tertiary
    case .totalFrames: .totalFrames
    case .droppedFrames: .droppedFrames
    case .slowFrames: .slowFrames
    case .freezeTime: .freezeTime
    case .onScreenTime: .onScreenTime
    case .appSessionDuration: .sessionDuration
    default: nil
    }
  }

  /// The flag that the key sets when its value is true.
  var flag: RecordFlags? {
    switch self {
    case .startupPrewarmed: .prewarmed
    case .readyFallback: .readyFallback
    case .customStart: .customStart
    case .duringStartup: .duringStartup
    case .inProgress: .inProgress
    default: nil
    }
  }
}

/// A set of attribute keys.
struct AttributeKeySet: OptionSet {
  var rawValue: UInt64

  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  @inline(__always)
  init(_ key: AttributeKey) {
    rawValue = 1 &<< UInt64(key.rawValue)
  }

  var count: Int { rawValue.nonzeroBitCount }

  private init(_ keys: AttributeKey...) {
    rawValue = keys.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  private static let rendering = AttributeKeySet(
    .totalFrames,
    .droppedFrames,
    .slowFrames,
    .freezeTime,
    .onScreenTime
  )

  /// The attributes that a signal gets only at its end.
  static func final(of signal: Signal) -> AttributeKeySet {
    switch signal {
    case .appStartup: .init(.startupTotal, .startupPremain, .startupMain, .startupPrewarmed)
    case .screenTTI: .init(.screenTTI, .screenTTFR, .readyFallback, .customStart)
    case .fragmentTTI: .init(.fragmentTTI, .fragmentTTFR)
    case .screenRendering: rendering
    case .appRendering: rendering.union(.init(.appSessionDuration))
    case .appHang: .init(.hangType, .hangDuration)
    default: .init(rawValue: 0)
    }
  }

  /// Keys that have a place of their own in every record.
  @inline(__always)
  static var handled: AttributeKeySet {
    AttributeKeySet(.sessionID).union(.init(.hostSessionID)).union(.init(.inProgress))
  }

  /// The keys that are a signal's own and so never the host's; signals of others have none.
  static func reserved(of signal: Signal) -> AttributeKeySet {
    let own: AttributeKeySet
    switch signal {
    case .appStartup, .appRendering: own = final(of: signal)
    case .screenTTI, .screenRendering: own = final(of: signal).union(.init(.screenName))
    case .fragmentTTI: own = final(of: signal).union(.init(.fragmentName))
    case .appHang: own = final(of: signal).union(.init(.duringStartup, .hangTopScreen))
    case .watchdogTermination: own = .init(.memoryWarnings)
    case .leak: own = .init(.className, .instanceIdentifier, .startupPrewarmed)
    default: own = .init(rawValue: 0)
    }
    return own.union(handled)
  }

  /// The keys whose numbers a signal prefers where several share a slot.
  static func own(of signal: Signal) -> AttributeKeySet {
    signal == .watchdogTermination ? .init(.memoryWarnings) : final(of: signal)
  }
}

/// Finds keys by their `ByteHash` and what they mean for signals, all by look-up.
///
/// That an unknown key has the same 64 bits as a known one is left to chance.
struct AttributeKeyTable: ~Copyable {
  private struct Slot {
    var hash: UInt64 = 0
    var key: AttributeKey?
  }

  private static let mask = 127
  private let slots: UnsafeMutablePointer<Slot>
  private struct SignalKeys {
    var final: AttributeKeySet
    var own: AttributeKeySet
    var reserved: AttributeKeySet
  }

  private let sets: UnsafeMutablePointer<SignalKeys>
  /// By number key: its slot.
  private let measurements: UnsafeMutablePointer<Measurement>

  init() {
    sets = .allocate(capacity: Signal.allCases.count)
    for (index, signal) in Signal.allCases.enumerated() {
      let keys = SignalKeys(
        final: .final(of: signal),
        own: .own(of: signal),
        reserved: .reserved(of: signal)
      )
      (sets + index).initialize(to: keys)
    }
    let numbers = AttributeKey.allCases.compactMap(\.measurement)
    measurements = .allocate(capacity: numbers.count)
    for (index, measurement) in numbers.enumerated() {
      (measurements + index).initialize(to: measurement)
    }
    slots = .allocate(capacity: Self.mask + 1)
    slots.initialize(repeating: Slot(), count: Self.mask + 1)
    for key in AttributeKey.allCases {
      let text = UnsafeRawBufferPointer(
        start: key.text.utf8Start,
        count: key.text.utf8CodeUnitCount
      )
      let hash = ByteHash.hash(text)
      var index = Int(truncatingIfNeeded: hash) & Self.mask
      while slots[index].key != nil { index = (index + 1) & Self.mask }
      slots[index] = Slot(hash: hash, key: key)
    }
  }

  deinit {
    slots.deallocate()
    sets.deallocate()
    measurements.deallocate()
  }

  /// The attributes that a signal gets only at its end.
  @inline(__always)
  func final(of signal: Signal) -> AttributeKeySet { sets[Int(signal.rawValue)].final }

  /// The keys whose numbers a signal prefers where several share a slot.
  @inline(__always)
  func own(of signal: Signal) -> AttributeKeySet { sets[Int(signal.rawValue)].own }

  /// The keys that are never the host's in a record of the signal.
  @inline(__always)
  func reserved(of signal: Signal) -> AttributeKeySet { sets[Int(signal.rawValue)].reserved }

  /// The slot of the key with this raw value, which must be a number's.
  @inline(__always)
  func slot(ofNumber number: Int) -> Measurement { measurements[number] }

  @inline(__always)
  func key(hash: UInt64) -> AttributeKey? {
    var index = Int(truncatingIfNeeded: hash) & Self.mask
    while let key = slots[index].key {
      if slots[index].hash == hash { return key }
      index = (index &+ 1) & Self.mask
    }
    return nil
  }
}
