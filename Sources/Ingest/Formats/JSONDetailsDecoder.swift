import Model

/// Reads one record's JSON object again in full, for the detail pane.
///
/// Keys and order are the data's own. Attributes show as key and value, whatever nesting OTLP writes them
/// in; members of arrays and lists of pairs follow one level deeper.
struct JSONDetailsDecoder {
  static let fieldLimit = 2_000
  static let depthLimit = 64
  static let textLimit = 4_096

  enum Frame {
    /// Members are fields of their own.
    case object(depth: Int, isFirst: Bool)
    /// Members stand for the value of the field named, as in `{"stringValue":"x"}`.
    case value(key: String, depth: Int, isFirst: Bool)
    case array(depth: Int, index: Int)
    /// A list of `{"key":…,"value":…}`.
    case pairs(depth: Int, isFirst: Bool)
    /// Goes on behind a pair whose value has been read.
    case jump(Int)
  }

  var scanner: JSONScanner
  var frames: [Frame] = []
  private var details = RecordDetails(fields: [])
  let text = JSONTextBuffer()
  private var isSwiftExport = false

  /// The fields of the record; of one that is no JSON to its end, those before the fault.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> RecordDetails {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return RecordDetails(fields: []) }
    let base = start.assumingMemoryBound(to: UInt8.self)
    var decoder = JSONDetailsDecoder(
      scanner: JSONScanner(base: base, position: 0, end: bytes.count)
    )
    decoder.isSwiftExport = isSwiftExport(decoder.scanner)
    do throws(JSONFault) { try decoder.run() } catch {
      decoder.add("(unreadable)", error.text, 0)
    }
    return decoder.details
  }

  private init(scanner: JSONScanner) {
    self.scanner = scanner
  }

  private mutating func run() throws(JSONFault) {
    if try scanner.take(UInt8(ascii: "{")) {
      frames.append(.object(depth: 0, isFirst: true))
    } else {
      try field("value", 0)
    }
    while let top = frames.popLast() {
      switch top {
      case .jump(let position): scanner.position = position
      case .object(let depth, var isFirst):
        guard let key = try scanner.nextKey(&isFirst) else { continue }
        frames.append(.object(depth: depth, isFirst: isFirst))
        try field(string(key), depth)
      case .value(let name, let depth, var isFirst):
        guard let key = try scanner.nextKey(&isFirst) else { continue }
        frames.append(.value(key: name, depth: depth, isFirst: isFirst))
        try member(OTLPKey(text.plain(key, of: scanner)), of: name, depth)
      case .array(let depth, let index):
        var isFirst = index == 0
        guard try scanner.nextElement(&isFirst) else { continue }
        frames.append(.array(depth: depth, index: index + 1))
        try field("[\(index)]", depth)
      case .pairs(let depth, var isFirst):
        guard try scanner.nextElement(&isFirst) else { continue }
        frames.append(.pairs(depth: depth, isFirst: isFirst))
        try pair(depth)
      }
    }
  }

  // MARK: - Fields

  /// Reads the value that comes next as the field of that name.
  mutating func field(_ key: String, _ depth: Int) throws(JSONFault) {
    guard depth < Self.depthLimit else {
      add(key, "…", depth)
      return try scanner.skipValue()
    }
    switch try scanner.peek() {
    case UInt8(ascii: "{"): try object(key, depth)
    case UInt8(ascii: "["):
      scanner.position += 1
      add(key, "", depth)
      let isPairs = try holdsPairs()
      frames.append(
        isPairs ? .pairs(depth: depth + 1, isFirst: true) : .array(depth: depth + 1, index: 0)
      )
    default: add(key, try scalar(), depth)
    }
  }

  private mutating func object(_ key: String, _ depth: Int) throws(JSONFault) {
    if isSwiftExport, try swiftExport(key, depth) { return }
    scanner.position += 1
    var ahead = scanner
    var isFirst = true
    let first = try ahead.nextKey(&isFirst)
    if let first, Self.isValueKind(OTLPKey(text.plain(first, of: ahead))) {
      frames.append(.value(key: key, depth: depth, isFirst: true))
    } else {
      add(key, "", depth)
      frames.append(.object(depth: depth + 1, isFirst: true))
    }
  }

  private static func isValueKind(_ key: OTLPKey) -> Bool {
    switch key {
    case .stringValue, .boolValue, .intValue, .doubleValue, .arrayValue, .kvlistValue, .bytesValue:
      true
    default: false
    }
  }

  /// One member of a value's object; lists hide the two levels that OTLP puts around them.
  private mutating func member(
    _ member: OTLPKey,
    of key: String,
    _ depth: Int
  ) throws(JSONFault) {
    switch member {
    case .arrayValue, .kvlistValue:
      guard try scanner.take(UInt8(ascii: "{")) else { return try field(key, depth) }
      frames.append(.value(key: key, depth: depth, isFirst: true))
    default: try field(key, depth)
    }
  }

  /// Whether the list, whose bracket was consumed, begins with an object that has `key` and `value`.
  private func holdsPairs() throws(JSONFault) -> Bool {
    var ahead = scanner
    guard try ahead.take(UInt8(ascii: "{")) else { return false }
    var isFirst = true
    guard let key = try ahead.nextKey(&isFirst) else { return false }
    let known = OTLPKey(text.plain(key, of: ahead))
    return known == .key || known == .value
  }

  private mutating func pair(_ depth: Int) throws(JSONFault) {
    guard try scanner.take(UInt8(ascii: "{")) else { return try scanner.skipValue() }
    var key: JSONText?
    var value: Int?
    var isFirst = true
    while let member = try scanner.nextKey(&isFirst) {
      switch OTLPKey(text.plain(member, of: scanner)) {
      case .key where try scanner.peek() == UInt8(ascii: "\""): key = try scanner.string()
      case .value:
        value = scanner.position
        try scanner.skipValue()
      default: try scanner.skipValue()
      }
    }
    let name = key.map { string($0) } ?? ""
    guard let value else { return add(name, "", depth) }
    frames.append(.jump(scanner.position))
    scanner.position = value
    try field(name, depth)
  }

  // MARK: - Text

  private mutating func scalar() throws(JSONFault) -> String {
    if try scanner.peek() == UInt8(ascii: "\"") { return string(try scanner.string()) }
    let start = scanner.position
    try scanner.skipValue()
    return cut(scanner.bytes(from: start, to: scanner.position))
  }

  private func string(_ text: JSONText) -> String {
    cut(self.text.plain(text, of: scanner))
  }

  private func cut(_ bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.count > Self.textLimit else { return String(decoding: bytes, as: UTF8.self) }
    // A scalar has four bytes at most.
    let front = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.textLimit * 4))
    let scalars = String(decoding: front, as: UTF8.self).unicodeScalars
    guard scalars.count > Self.textLimit || front.count < bytes.count else {
      return String(scalars)
    }
    let kept = String(String.UnicodeScalarView(scalars.prefix(Self.textLimit)))
    return "\(kept)… (\(bytes.count) bytes)"
  }

  mutating func add(_ key: String, _ value: String, _ depth: Int) {
    guard details.fields.count < Self.fieldLimit else {
      details.omitted += 1
      return
    }
    details.fields.append(RecordDetails.Field(depth: depth, key: key, value: value))
  }
}
