/// OTLP requests as length-prefixed protobuf, made from the same requests as JSON.
///
/// Field numbers are those of opentelemetry-proto 1.x.
enum ProtobufMessage {
  private indirect enum Field {
    case message(Int, [String: Field])
    case text(Int)
    case identifier(Int)
    case fixed64(Int)
    case varint(Int)
    case double(Int)
  }

  /// A request of spans or of logs, with its length before it as four bytes, the highest first.
  static func framed(_ request: JSONValue) -> [UInt8] {
    let message = encoded(request, requests)
    return (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (24 - $0 * 8)) } + message
  }

  private static let requests: [String: Field] = [
    "resourceSpans": .message(1, group("scopeSpans", ["spans": .message(2, span)])),
    "resourceLogs": .message(1, group("scopeLogs", ["logRecords": .message(2, log)])),
  ]

  private static func group(_ scopes: String, _ records: [String: Field]) -> [String: Field] {
    let scope: [String: Field] = ["name": .text(1), "version": .text(2)]
    return [
      "resource": .message(1, ["attributes": attribute]),
      scopes: .message(2, records.merging(["scope": .message(1, scope)]) { first, _ in first }),
    ]
  }

  private static let span: [String: Field] = [
    "traceId": .identifier(1), "spanId": .identifier(2), "parentSpanId": .identifier(4),
    "name": .text(5), "kind": .varint(6), "startTimeUnixNano": .fixed64(7),
    "endTimeUnixNano": .fixed64(8), "attributes": .message(9, attributes),
    "status": .message(15, ["message": .text(2), "code": .varint(3)]),
  ]

  private static let log: [String: Field] = [
    "timeUnixNano": .fixed64(1), "severityNumber": .varint(2), "severityText": .text(3),
    "body": .message(5, anyValue), "attributes": .message(6, attributes),
    "traceId": .identifier(9), "spanId": .identifier(10), "observedTimeUnixNano": .fixed64(11),
  ]

  private static let attribute = Field.message(1, attributes)
  private static let attributes: [String: Field] = [
    "key": .text(1), "value": .message(2, anyValue),
  ]
  private static let anyValue: [String: Field] = [
    "stringValue": .text(1), "boolValue": .varint(2), "intValue": .varint(3),
    "doubleValue": .double(4),
  ]

  private static func encoded(_ value: JSONValue, _ fields: [String: Field]) -> [UInt8] {
    guard case .object(let members) = value else { return [] }
    return members.flatMap { key, value in fields[key].map { encoded(value, $0) } ?? [] }
  }

  private static func encoded(_ value: JSONValue, _ field: Field) -> [UInt8] {
    if case .array(let items) = value { return items.flatMap { encoded($0, field) } }
    switch field {
    case .message(let number, let fields):
      return delimited(number, encoded(value, fields))
    case .text(let number):
      return delimited(number, Array(value.characters.utf8))
    case .identifier(let number):
      return delimited(number, bytes(ofHex: value.characters))
    case .fixed64(let number):
      return [tag(number, 1)] + littleEndian(UInt64(value.characters) ?? 0)
    case .double(let number):
      return [tag(number, 1)] + littleEndian((Double(value.characters) ?? 0).bitPattern)
    case .varint(let number):
      if case .bool(let flag) = value { return [tag(number, 0), flag ? 1 : 0] }
      return [tag(number, 0)] + varint(UInt64(bitPattern: Int64(value.characters) ?? 0))
    }
  }

  /// All field numbers here are below 16, so that a tag is one byte.
  private static func tag(_ number: Int, _ wire: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: number << 3 | wire)
  }

  private static func delimited(_ number: Int, _ content: [UInt8]) -> [UInt8] {
    [tag(number, 2)] + varint(UInt64(content.count)) + content
  }

  private static func littleEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var left = value
    var result: [UInt8] = []
    while left >= 0x80 {
      result.append(UInt8(truncatingIfNeeded: left) | 0x80)
      left >>= 7
    }
    return result + [UInt8(truncatingIfNeeded: left)]
  }

  private static func bytes(ofHex text: String) -> [UInt8] {
    let digits = text.utf8.map { $0 < 0x40 ? $0 - 0x30 : ($0 | 0x20) - 0x57 }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
