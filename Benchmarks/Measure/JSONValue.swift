/// JSON as the simulator writes it, for turning it into protobuf.
enum JSONValue {
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])
  case text(String)
  case number(String)
  case bool(Bool)
  case null

  /// The value that the bytes are; of malformed bytes what can be made of them.
  init(_ bytes: [UInt8]) {
    var reader = JSONReader(bytes: bytes)
    self = reader.value()
  }

  /// Of a text or a number; empty for anything else.
  var characters: String {
    switch self {
    case .text(let text), .number(let text): text
    default: ""
    }
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skip() {
    while [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3A].contains(next) { position += 1 }
  }

  mutating func value() -> JSONValue {
    skip()
    switch next {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return array()
    case UInt8(ascii: "\""): return .text(text())
    default: return word()
    }
  }

  private mutating func object() -> JSONValue {
    var members: [(key: String, value: JSONValue)] = []
    position += 1
    skip()
    while next == UInt8(ascii: "\"") {
      let key = text()
      members.append((key, value()))
      skip()
    }
    position += 1
    return .object(members)
  }

  private mutating func array() -> JSONValue {
    var items: [JSONValue] = []
    position += 1
    skip()
    while position < bytes.count, next != UInt8(ascii: "]") {
      items.append(value())
      skip()
    }
    position += 1
    return .array(items)
  }

  private mutating func text() -> String {
    position += 1
    var result: [UInt8] = []
    while position < bytes.count, next != UInt8(ascii: "\"") {
      // Of escapes the simulator writes those of single characters only.
      if next == UInt8(ascii: "\\") { position += 1 }
      result.append(next)
      position += 1
    }
    position += 1
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func word() -> JSONValue {
    let start = position
    while position < bytes.count, ![0x2C, 0x5D, 0x7D, 0x20, 0x0A].contains(next) { position += 1 }
    if start == position { position += 1 }
    switch String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self) {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case let digits: return .number(digits)
    }
  }
}
