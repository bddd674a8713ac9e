import Model
import TestSupport

/// An app on a device that sends what PerformanceSuite measures; times are seconds after 2026-01-01.
struct WireDevice: Sendable {
  var app: String? = "Shop"
  var version: String? = "8.42.1 (842103)"
  var id: String? = "DEVICE-1"
  var model: String? = "iPhone15,2"
  var system: String? = "18.5.0"
  /// As the library's documentation suggests to set it; nil: not set.
  var scopeVersion: String? = "1.11.2"
  /// What goes before each span's name, with its dot.
  var prefix = ""
  /// Stamped on every record as `session.id`.
  var session: String?
  private var nextID: UInt64

  /// Devices of one test have different first ids.
  init(firstID: UInt64 = 0x1000) {
    nextID = firstID
  }

  private var resource: [WirePair] {
    let pairs: [(String, String?)] = [
      ("service.name", app), ("service.version", version), ("device.id", id),
      ("device.model.identifier", model), ("os.name", system == nil ? nil : "iOS"),
      ("os.version", system),
    ]
    return pairs.compactMap { key, value in
      value.map { WirePair(key: key, value: .text($0)) }
    }
  }

  mutating func span(
    _ stem: String,
    at start: Double,
    seconds: Double,
    _ attributes: WireRecord.Attributes = [:],
    error: String? = nil,
    copyOf other: WireRecord? = nil
  ) -> WireRecord {
    nextID += 1
    var record = WireRecord(
      name: prefix + stem,
      start: WireRecord.time(start),
      end: WireRecord.time(start + seconds)
    )
    record.id = other?.id ?? nextID
    record.resource = resource
    record.scopeVersion = scopeVersion
    record.attributes = attributes.map { WirePair(key: $0.key, value: $0.value) }
    if let session, record["session.id"] == nil { record["session.id"] = .text(session) }
    if let error { record.status = .error(error) }
    return record
  }

  mutating func startup(
    at start: Double,
    total: Int = 1200,
    _ more: WireRecord.Attributes = [:],
    prewarmed: Bool = false
  ) -> WireRecord {
    span(
      "app-startup",
      at: start,
      seconds: Double(total) / 1000,
      ["app.startup.total_time.ms": .int(total), "app.startup.prewarmed": .bool(prewarmed)]
    ).with(more)
  }

  mutating func tti(_ screen: String, at start: Double, _ tti: Int = 500, ttfr: Int = 100)
    -> WireRecord
  {
    span(
      "screen-tti." + screen,
      at: start,
      seconds: Double(tti) / 1000,
      ["screen.name": .text(screen), "screen.tti.ms": .int(tti), "screen.ttfr.ms": .int(ttfr)]
    )
  }

  /// The five counters.
  static func counters(
    _ total: Int,
    _ dropped: Int,
    slow: Int = 0,
    freeze: Int = 0,
    shown: Int
  ) -> WireRecord.Attributes {
    [
      "rendering.total_frames": .int(total), "rendering.dropped_frames": .int(dropped),
      "rendering.slow_frames": .int(slow), "rendering.freeze_time.ms": .int(freeze),
      "rendering.session_duration.ms": .int(shown),
    ]
  }

  /// An app-rendering span with counters, and with its duration where it ended cleanly.
  mutating func session(
    at start: Double,
    seconds: Double,
    _ total: Int,
    _ dropped: Int,
    slow: Int = 0,
    freeze: Int = 0,
    shown: Int? = nil,
    withDuration: Bool = true,
    error: String? = nil,
    copyOf other: WireRecord? = nil
  ) -> WireRecord {
    let milliseconds = Int((seconds * 1000).rounded())
    var record = span(
      "app-rendering",
      at: start,
      seconds: seconds,
      Self.counters(total, dropped, slow: slow, freeze: freeze, shown: shown ?? milliseconds),
      error: error,
      copyOf: other
    )
    if withDuration { record["app.session.duration.ms"] = .int(milliseconds) }
    return record
  }

  mutating func rendering(
    _ screen: String,
    at start: Double,
    seconds: Double,
    _ total: Int,
    _ dropped: Int,
    freeze: Int = 0
  ) -> WireRecord {
    span(
      "screen-rendering." + screen,
      at: start,
      seconds: seconds,
      Self.counters(total, dropped, freeze: freeze, shown: Int((seconds * 1000).rounded()))
    ).with(["screen.name": .text(screen)])
  }

  /// A hang as reported: `at` is the reported start.
  mutating func hang(
    at start: Double,
    _ milliseconds: Int,
    fatal: Bool = false,
    _ more: WireRecord.Attributes = [:]
  ) -> WireRecord {
    span(
      "app-hang",
      at: start,
      seconds: Double(milliseconds) / 1000,
      [
        "hang.type": fatal ? "fatal" : "non_fatal", "hang.duration.ms": .int(milliseconds),
        "hang.during_startup": false,
      ]
    ).with(more)
  }

  mutating func watchdog(at time: Double, _ attributes: WireRecord.Attributes = [:]) -> WireRecord {
    span("app-watchdog-termination", at: time, seconds: 0, attributes)
  }

  func leak(_ className: String, _ instance: String, at time: Double) -> WireRecord {
    log(
      "view_controller_leak",
      at: time,
      [
        "vc.class_name": .text(className), "vc.identifier": .text(instance),
        "app.startup.prewarmed": false,
      ]
    )
  }

  func log(_ body: String, at time: Double, _ attributes: WireRecord.Attributes = [:])
    -> WireRecord
  {
    var record = WireRecord(
      name: body,
      start: WireRecord.time(time),
      end: WireRecord.time(time)
    )
    record.kind = .log
    record.resource = resource
    record.attributes = attributes.map { WirePair(key: $0.key, value: $0.value) }
    if let session { record["session.id"] = .text(session) }
    return record
  }
}
