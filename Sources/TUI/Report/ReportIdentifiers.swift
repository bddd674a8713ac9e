import Model

/// Ids, times and words as reports print them.
struct ReportIdentifiers {
  let model: SessionModel
  let overview: Overview

  /// 16 hex digits of the app-rendering span's id; of another form for implicit sessions.
  func session(
    _ json: inout JSONWriter,
    _ key: StaticString,
    _ summary: borrowing StreamSummary,
    _ index: Int
  ) {
    if let row = summary.sessions[index].renderingRows.first,
      let id = model.store.identifier(of: Int(row))
    {
      return json.member(key, hex: id)
    }
    json.member(key, model.implicitIdentifier(of: summary.sessions[index], in: summary.stream))
  }

  /// The same by place, which copies nothing of the summary.
  func session(_ json: inout JSONWriter, _ key: StaticString, stream: Int, _ index: Int) {
    if let row = overview.streams[stream].sessions[index].renderingRows.first,
      let id = model.store.identifier(of: Int(row))
    {
      return json.member(key, hex: id)
    }
    session(&json, key, overview.streams[stream], index)
  }

  /// 16 hex digits of the app-startup span's id; of another form where none tells of the launch.
  func launch(
    _ json: inout JSONWriter,
    _ key: StaticString,
    _ summary: borrowing StreamSummary,
    _ index: Int
  ) {
    if let row = summary.launches[index].row, let id = model.store.identifier(of: row) {
      return json.member(key, hex: id)
    }
    let start = summary.launches[index].start
    json.member(key, "launch-\(model.identifierText(of: summary.stream))-\(start)")
  }

  /// What tells hangs without an identity of their own apart, but for equal ones.
  struct HangKey: Hashable {
    fileprivate var stream: StreamID
    fileprivate var content: UInt64
  }

  /// 16 hex digits of the hang's span id; of another form for those of ledgers and without an id.
  ///
  /// It is of what the record says and of its stream; equal records of a stream are numbered, from 2 on.
  func hang(
    _ json: inout JSONWriter,
    _ key: StaticString,
    _ row: RecordRow,
    _ occurrences: inout [HangKey: Int]
  ) {
    if row.hasIdentity { return json.member(key, hex: row.spanID) }
    let same = HangKey(stream: row.stream, content: row.content)
    let number = occurrences[same, default: 0] + 1
    occurrences[same] = number
    let id = "hang-\(model.identifierText(of: row.stream))-\(String(row.content, radix: 36))"
    json.member(key, number == 1 ? id : "\(id)-\(number)")
  }

  /// App, version, device and its id.
  @inline(never)
  func identity(_ json: inout JSONWriter, _ id: ResourceID, _ stream: StreamID) {
    if json.copyMembers(Int(id.rawValue)) { return }
    let position = json.position
    let resource = model.resource(id)
    json.member("app", present(resource.app) ?? "unknown_service")
    json.member("version", present(resource.version))
    json.member("device", present(resource.deviceModel))
    json.member("deviceId", present(resource.deviceID) ?? model.ledgerName(of: stream))
    // Without its own id the device is another in another stream.
    if resource.deviceID.isPresent { json.keepMembers(from: position, as: Int(id.rawValue)) }
  }

  func present(_ symbol: Symbol) -> String? {
    symbol.isPresent ? model.text(symbol) : nil
  }

  /// As in `iOS 18.5.0`; absent when the resource says neither.
  func system(_ json: inout JSONWriter, _ id: ResourceID) {
    let resource = model.resource(id)
    if resource.osName.isPresent, resource.osVersion.isPresent {
      json.member("os", model.text(resource.osName), model.text(resource.osVersion))
    } else {
      json.member("os", present(resource.osName) ?? present(resource.osVersion))
    }
  }
}

extension SourceKind {
  /// The kind as reports and screens name it.
  package var word: String {
    switch self {
    case .unknown: "unknown"
    case .otlpJSON: "otlp-json"
    case .otlpProtobuf: "otlp-protobuf"
    case .ledger: "ledger"
    case .metricKit: "metrickit"
    case .report: "report"
    case .spool: "spool"
    case .mixed: "mixed"
    }
  }
}

extension Signal {
  /// The signal's span name without prefix and screen.
  package var word: String {
    switch self {
    case .appStartup: "app-startup"
    case .screenTTI: "screen-tti"
    case .fragmentTTI: "fragment-tti"
    case .screenRendering: "screen-rendering"
    case .appRendering: "app-rendering"
    case .appHang: "app-hang"
    case .watchdogTermination: "app-watchdog-termination"
    case .otherSpan: "other"
    case .leak: "view_controller_leak"
    case .otherLog: "log"
    case .ledgerSpan, .ledgerHang, .ledgerHitch, .ledgerNote, .ledgerPayload: "ledger \(ledgerKind)"
    }
  }

  /// The kind of a ledger line as reports name it.
  package var ledgerKind: String {
    switch self {
    case .ledgerHang: "hang"
    case .ledgerHitch: "hitch"
    case .ledgerNote: "note"
    case .ledgerPayload: "payload"
    default: "span"
    }
  }
}
