import Model
import TestSupport

/// One record as senders write it, with the resource and scope around it.
struct WireRecord: Sendable {
  enum Kind: Sendable {
    case span
    case log
    case ledger
  }

  enum Status: Sendable {
    case unset
    case ok
    case error(String)
  }

  typealias Attributes = KeyValuePairs<String, WireValue>

  var kind = Kind.span
  var resource: [WirePair] = []
  /// Nil: no version.
  var scopeVersion: String?
  /// The span's name, the log's body or the ledger line's name.
  var name: String
  /// Of trace and span; 0: without identity.
  var id: UInt64 = 0
  /// As written; 0 is absent.
  var start: UInt64
  var end: UInt64
  var attributes: [WirePair] = []
  var status = Status.unset

  /// Nanoseconds since 1970 of a moment in seconds after 2026-01-01T00:00:00Z.
  static func time(_ seconds: Double) -> UInt64 {
    UInt64(bitPattern: TelemetryScript.time(seconds).nanoseconds)
  }

  /// Told again, it is the same record.
  var hasIdentity: Bool { kind == .log || (kind == .span && id != 0) }

  subscript(key: String) -> WireValue? {
    get { attributes.first { $0.key == key }?.value }
    set {
      attributes.removeAll { $0.key == key }
      if let newValue { attributes.append(WirePair(key: key, value: newValue)) }
    }
  }

  func with(_ more: Attributes) -> WireRecord {
    var copy = self
    for (key, value) in more { copy[key] = value }
    return copy
  }

  // MARK: - As text

  /// A request with this record alone, or a ledger line; without its line end.
  var line: String { Self.line([self]) }

  /// One request for records of one kind; ledger lines stand for themselves.
  static func line(_ records: [WireRecord]) -> String {
    guard let first = records.first else { return "" }
    if first.kind == .ledger { return records.map(\.ledgerLine).joined(separator: "\n") }
    let isLog = first.kind == .log
    let groups = records.map { record in
      #"{"resource":{"attributes":\#(record.resource.json)},"\#(isLog ? "scopeLogs" : "scopeSpans")":[{"#
        + #""scope":\#(record.scope),"\#(isLog ? "logRecords" : "spans")":[\#(record.json)]}]}"#
    }
    return #"{"\#(isLog ? "resourceLogs" : "resourceSpans")":[\#(groups.joined(separator: ","))]}"#
  }

  private var scope: String {
    let version = scopeVersion.map { #","version":\#($0.quoted)"# } ?? ""
    return #"{"name":"perfsuite-ios"\#(version)}"#
  }

  private var json: String { kind == .log ? logJSON : spanJSON }

  private var spanJSON: String {
    let ids =
      id == 0
      ? "" : #""traceId":"\#(hex(id &* 3, 32))","spanId":"\#(hex(id, 16))","#
    let state =
      switch status {
      case .unset: "{}"
      case .ok: #"{"code":1}"#
      case .error(let message): #"{"code":2,"message":\#(message.quoted)}"#
      }
    return #"{\#(ids)"name":\#(name.quoted),"kind":1,"startTimeUnixNano":"\#(start)","#
      + #""endTimeUnixNano":"\#(end)","attributes":\#(attributes.json),"status":\#(state)}"#
  }

  private var logJSON: String {
    #"{"timeUnixNano":"\#(start)","observedTimeUnixNano":"\#(start)","severityNumber":13,"#
      + #""severityText":"WARN","body":{"stringValue":\#(name.quoted)},"#
      + #""attributes":\#(attributes.json)}"#
  }

  private var ledgerLine: String {
    let length = end > start ? #","ms":\#((end - start) / 1_000_000)"# : ""
    return #"{"ts":\#(end),"name":\#(name.quoted)\#(length)}"#
  }

  private func hex(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }
}

/// The value of an attribute.
enum WireValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  case text(String)
  case int(Int)
  case bool(Bool)

  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int) { self = .int(number) }
  init(booleanLiteral flag: Bool) { self = .bool(flag) }

  var json: String {
    switch self {
    case .text(let text): #"{"stringValue":\#(text.quoted)}"#
    case .int(let number): #"{"intValue":"\#(number)"}"#
    case .bool(let flag): #"{"boolValue":\#(flag)}"#
    }
  }
}

struct WirePair: Sendable {
  var key: String
  var value: WireValue
}

extension [WirePair] {
  var json: String {
    "[" + map { #"{"key":\#($0.key.quoted),"value":\#($0.value.json)}"# }.joined(separator: ",")
      + "]"
  }
}

extension String {
  /// As a JSON string.
  var quoted: String {
    if !utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 == 0x0A }) { return "\"\(self)\"" }
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
