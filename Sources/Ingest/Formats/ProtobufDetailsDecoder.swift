import Model

/// Shows everything that one `Span` or `LogRecord` message says, for the detail pane.
///
/// Fields come in the order of the bytes under the names of OTLP's JSON; an attribute is one field with
/// its own key, members of lists have `[0]`, `[1]` … as keys.
struct ProtobufDetailsDecoder {
  /// Fields that are shown; further ones are counted as omitted.
  static let fieldLimit = 2_000
  /// Levels of nesting that are shown.
  static let depthLimit = 64

  /// A message whose fields are being shown.
  private struct Level {
    enum Content {
      case message(ProtobufSchema)
      case array
      case pairs
    }

    var reader: ProtobufReader
    var content: Content
    var depth: Int
    /// Elements shown so far of each list field, or under 1 of the array.
    var counts: [UInt32: Int] = [:]
    /// The list field that was shown last, whose heading need not come again.
    var list: UInt32 = 0

    /// The key of the next element of a list.
    mutating func nextKey(_ number: UInt32) -> String {
      let index = counts[number, default: 0]
      counts[number] = index + 1
      return "[\(index)]"
    }
  }

  private var fields: [RecordDetails.Field] = []
  private var omitted = 0
  private var levels: [Level] = []

  private init() {}

  /// The details of a record from the bytes at its place.
  ///
  /// Bytes that are malformed end the list with a field that says so.
  static func details(of bytes: UnsafeRawBufferPointer, isLog: Bool) -> RecordDetails {
    var decoder = ProtobufDetailsDecoder()
    let schema = isLog ? ProtobufSchema.logRecord : .span
    decoder.enter(bytes, .message(schema), depth: 0)
    decoder.run()
    return RecordDetails(fields: decoder.fields, omitted: decoder.omitted)
  }

  private mutating func run() {
    while let level = levels.last {
      let top = levels.count - 1
      guard let field = levels[top].reader.next() else {
        if let fault = levels[top].reader.fault {
          fail(fault)
          return
        }
        levels.removeLast()
        continue
      }
      let isSound: Bool
      switch level.content {
      case .message(let schema): isSound = show(field, schema: schema, at: top)
      case .array: isSound = showElement(field, at: top)
      case .pairs:
        isSound = !field.matches(1, .bytes) || showPair(field.bytes, depth: level.depth)
      }
      if !isSound {
        fail(.badAttribute)
        return
      }
    }
  }

  private mutating func fail(_ fault: ProtobufFault) {
    // Said even where the limit has been reached.
    fields.append(RecordDetails.Field(depth: 0, key: "malformed", value: "\(fault.text)"))
  }

  private mutating func add(_ depth: Int, _ key: String, _ value: String) {
    guard fields.count < Self.fieldLimit else {
      omitted += 1
      return
    }
    fields.append(RecordDetails.Field(depth: depth, key: key, value: value))
  }

  private mutating func enter(
    _ bytes: UnsafeRawBufferPointer,
    _ content: Level.Content,
    depth: Int
  ) {
    levels.append(Level(reader: ProtobufReader(bytes), content: content, depth: depth))
  }

  private mutating func show(_ field: ProtobufField, schema: ProtobufSchema, at top: Int) -> Bool {
    guard let (name, form) = schema.field(field) else { return true }
    let depth = levels[top].depth
    switch form {
    case .text: add(depth, name, DetailsText.text(field.bytes))
    case .identifier:
      if field.bytes.count > 0 { add(depth, name, DetailsText.hex(field.bytes)) }
    case .number: add(depth, name, String(field.value))
    case .signedNumber: add(depth, name, String(Int64(bitPattern: field.value)))
    case .attributes:
      head(name, field.number, at: top)
      return showPair(field.bytes, depth: depth + 1)
    case .value:
      guard let value = ProtobufValue.read(field.bytes) else { return false }
      show(value, key: name, depth: depth)
    case .message(let schema):
      add(depth, name, "")
      enter(field.bytes, .message(schema), depth: depth + 1)
    case .list(let schema):
      head(name, field.number, at: top)
      let key = levels[top].nextKey(field.number)
      add(depth + 1, key, "")
      enter(field.bytes, .message(schema), depth: depth + 2)
    }
    return true
  }

  /// The heading of a list, once for elements that follow each other.
  private mutating func head(_ name: String, _ number: UInt32, at top: Int) {
    guard levels[top].list != number else { return }
    levels[top].list = number
    add(levels[top].depth, name, "")
  }

  private mutating func showElement(_ field: ProtobufField, at top: Int) -> Bool {
    guard field.matches(1, .bytes) else { return true }
    guard let value = ProtobufValue.read(field.bytes) else { return false }
    show(value, key: levels[top].nextKey(field.number), depth: levels[top].depth)
    return true
  }

  private mutating func showPair(_ bytes: UnsafeRawBufferPointer, depth: Int) -> Bool {
    guard let pair = ProtobufPair.read(bytes) else { return false }
    show(pair.value, key: DetailsText.text(pair.key), depth: depth)
    return true
  }

  private mutating func show(_ value: ProtobufValue, key: String, depth: Int) {
    switch value {
    case .scalar(.string(let bytes)): add(depth, key, DetailsText.text(bytes))
    case .scalar(.bool(let flag)): add(depth, key, flag ? "true" : "false")
    case .scalar(.int(let number)): add(depth, key, String(number))
    case .scalar(.double(let number)): add(depth, key, String(number))
    case .scalar(.composite), .scalar(.empty): add(depth, key, "")
    case .bytes(let bytes): add(depth, key, DetailsText.base64(bytes))
    case .array(let bytes): open(bytes, .array, key: key, depth: depth)
    case .pairs(let bytes): open(bytes, .pairs, key: key, depth: depth)
    }
  }

  private mutating func open(
    _ bytes: UnsafeRawBufferPointer,
    _ content: Level.Content,
    key: String,
    depth: Int
  ) {
    guard depth < Self.depthLimit else {
      add(depth, key, "…")
      return
    }
    add(depth, key, "")
    enter(bytes, content, depth: depth + 1)
  }
}
