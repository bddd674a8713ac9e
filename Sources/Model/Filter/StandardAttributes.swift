/// Attributes that have a place of their own in a row or its resource, by the keys that the data has for them.
package enum StandardAttribute: String, CaseIterable, Sendable {
  case serviceName = "service.name"
  case serviceVersion = "service.version"
  case deviceID = "device.id"
  case deviceModel = "device.model.identifier"
  case osName = "os.name"
  case osVersion = "os.version"
  case sessionID = "session.id"
  case hostSessionID = "app.session.id"
  case appState = "app.state"
  case screenName = "screen.name"
  case fragmentName = "fragment.name"
  case topScreen = "hang.top_screen"
  case className = "vc.class_name"
  case hangType = "hang.type"
  case duringStartup = "hang.during_startup"
  case prewarmed = "app.startup.prewarmed"
  case readyFallback = "screen.tti.ready_fallback"
  case customStart = "screen.tti.custom_start"
  case startupTotal = "app.startup.total_time.ms"
  case startupPremain = "app.startup.premain_time.ms"
  case startupMain = "app.startup.main_time.ms"
  case screenTTI = "screen.tti.ms"
  case screenTTFR = "screen.ttfr.ms"
  case fragmentTTI = "fragment.tti.ms"
  case fragmentTTFR = "fragment.ttfr.ms"
  case hangDuration = "hang.duration.ms"
  case memoryWarnings = "memory.warnings_count"
  case totalFrames = "rendering.total_frames"
  case droppedFrames = "rendering.dropped_frames"
  case slowFrames = "rendering.slow_frames"
  case freezeTime = "rendering.freeze_time.ms"
  case onScreenTime = "rendering.session_duration.ms"
  case sessionDuration = "app.session.duration.ms"

  /// What to ask for in the place of a key of which no row keeps the text; nil for all others.
  package static func replacement(for key: String) -> String? {
    key == "vc.identifier" ? "an instance's own text is not kept: ask for class" : nil
  }

  /// The signals whose number it is, and where rows keep it; nil for what is no number.
  private var number: (signals: [Signal], slot: Measurement)? {
    switch self {
    case .startupTotal: ([.appStartup], .primary)
    case .startupPremain: ([.appStartup], .secondary)
    case .startupMain: ([.appStartup], .tertiary)
    case .screenTTI: ([.screenTTI], .primary)
    case .screenTTFR: ([.screenTTI], .secondary)
    case .fragmentTTI: ([.fragmentTTI], .primary)
    case .fragmentTTFR: ([.fragmentTTI], .secondary)
    case .hangDuration: ([.appHang], .primary)
    case .memoryWarnings: ([.watchdogTermination], .primary)
    case .totalFrames: (Self.renderings, .totalFrames)
    case .droppedFrames: (Self.renderings, .droppedFrames)
    case .slowFrames: (Self.renderings, .slowFrames)
    case .freezeTime: (Self.renderings, .freezeTime)
    case .onScreenTime: (Self.renderings, .onScreenTime)
    case .sessionDuration: ([.appRendering], .sessionDuration)
    default: nil
    }
  }

  private static let renderings: [Signal] = [.screenRendering, .appRendering]

  /// Whether figures can be parted by it: it is a text of the record or its resource.
  package var isText: Bool { number == nil && flag == nil && self != .hangType }

  /// The signals that have it, and the flag that says yes; nil for what is no truth value.
  private var flag: (signals: [Signal], flag: RecordFlags)? {
    switch self {
    case .duringStartup: ([.appHang], .duringStartup)
    case .prewarmed: ([.appStartup, .leak], .prewarmed)
    case .readyFallback: ([.screenTTI], .readyFallback)
    case .customStart: ([.screenTTI], .customStart)
    default: nil
    }
  }

  /// The value in a row as the data had it; nil where the record has none.
  func value(in row: RecordRow, of model: SessionModel) -> String? {
    if let number {
      guard number.signals.contains(row.signal) else { return nil }
      let value: UInt32? =
        switch number.slot {
        case .primary: row.primaryValue
        case .secondary: model.store.secondary(of: row)
        default: model.store.extra(of: row).measurements[number.slot]
        }
      return value.map(String.init)
    }
    if let flag {
      // What was not sent reads as false: rows do not tell the two apart.
      return flag.signals.contains(row.signal) ? String(row.flags.contains(flag.flag)) : nil
    }
    if self == .hangType {
      guard row.signal == .appHang else { return nil }
      if row.flags.contains(.fatal) { return "fatal" }
      return row.flags.contains(.nonFatal) ? "non_fatal" : nil
    }
    let symbol = symbol(in: row, of: model)
    return symbol.isPresent ? model.text(symbol) : nil
  }

  /// The text in a row; `Symbol.none` where the record has none, and for numbers and truth values.
  func symbol(in row: RecordRow, of model: SessionModel) -> Symbol {
    switch self {
    case .screenName:
      row.signal == .screenTTI || row.signal == .screenRendering ? row.subject : .none
    case .fragmentName: row.signal == .fragmentTTI ? row.subject : .none
    case .topScreen: row.signal == .appHang ? row.subject : .none
    case .className: row.signal == .leak ? row.subject : .none
    case .sessionID: row.session
    case .hostSessionID: model.store.extra(of: row).hostSession
    case .appState: model.store.extra(of: row).appState
    // Ledger lines have no resource.
    default: row.signal.isLedger ? .none : symbol(in: model.resource(row.resource))
    }
  }

  private func symbol(in resource: Resource) -> Symbol {
    switch self {
    case .serviceName: resource.app
    case .serviceVersion: resource.version
    case .deviceID: resource.deviceID
    case .deviceModel: resource.deviceModel
    case .osName: resource.osName
    case .osVersion: resource.osVersion
    default: .none
    }
  }
}

extension SessionModel {
  /// The values of an attribute: those that the host added, those of the resource, and where rows keep it.
  func attributeValues(_ name: String, of row: RecordRow) -> [String] {
    let added = [row.attributes, resource(row.resource).attributes].flatMap { set in
      attributes(of: set).filter { text($0.key) == name }.map { text($0.value) }
    }
    guard let value = StandardAttribute(rawValue: name)?.value(in: row, of: self) else {
      return added
    }
    return added.contains(value) ? added : added + [value]
  }
}
