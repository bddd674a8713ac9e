import Model

/// Ids, times and words as reports print them.
struct ReportIdentifiers {
  let model: SessionModel
  let overview: Overview

  /// 16 hex digits of the app-rendering span's id; of another form for implicit sessions.
  func session(_ summary: borrowing StreamSummary, _ index: Int) -> String {
    let session = summary.sessions[index]
    if let row = session.renderingRows.first, let id = span(model.store[Int(row)]) { return id }
    return "implicit-\(stream(summary.stream))-\(session.start)"
  }

  func launch(_ summary: borrowing StreamSummary, _ index: Int) -> String {
    let launch = summary.launches[index]
    if let row = launch.row, let id = span(model.store[row]) { return id }
    return "launch-\(stream(summary.stream))-\(launch.start)"
  }

  /// 16 hex digits; nil for a record without identity.
  func span(_ row: RecordRow) -> String? {
    guard row.hasIdentity else { return nil }
    return String(unsafeUninitializedCapacity: 16) { buffer in
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: row.spanID >> UInt64(60 - index * 4)) & 15
        buffer[index] = digit < 10 ? 48 + digit : 87 + digit
      }
      return 16
    }
  }

  func present(_ symbol: Symbol) -> String? {
    symbol.isPresent ? model.text(symbol) : nil
  }

  /// As in `iOS 18.5.0`; nil when the resource says neither.
  func system(_ id: ResourceID) -> String? {
    let resource = model.resource(id)
    let parts = [resource.osName, resource.osVersion].compactMap(present)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Tells streams apart whatever the order in which they came: FNV-1a over what identifies them.
  private func stream(_ id: StreamID) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in model.identity(of: id).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 36)
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
