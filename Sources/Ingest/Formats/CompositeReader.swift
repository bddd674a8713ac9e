import Model

/// What a value is, as far as its own level goes.
enum CompositeContent {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case text(String)
  case bytes([UInt8])
  case array(CompositeSource)
  case pairs(CompositeSource)

  /// The value of an attribute that holds no others; of one that does, null.
  init(_ value: AttributeValue?) {
    switch value {
    case .string(let bytes): self = .text(Self.text(bytes))
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(number)
    case .double(let number): self = .double(number)
    case .composite, .empty, nil: self = .null
    }
  }

  /// Repaired UTF-8, as far as it can show.
  static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    // A scalar has 4 bytes at most, and so has what becomes one U+FFFD.
    String(decoding: bytes.prefix((SymbolTable.scalarLimit + 2) * 4), as: UTF8.self)
  }
}

/// Elements of an array as far as they can show: each takes two scalars at least, with its comma.
struct CompositeElements {
  static let limit = SymbolTable.scalarLimit / 2 + 1

  private(set) var values: [CompositeSource] = []

  var isFull: Bool { values.count == Self.limit }

  mutating func add(_ value: CompositeSource) {
    if !isFull { values.append(value) }
  }
}

/// Pairs in the order of their keys' bytes, then of the data, as far as they can show.
struct CompositePairs {
  private(set) var values: [(key: String, value: CompositeSource)] = []

  mutating func add(_ key: UnsafeRawBufferPointer, _ value: CompositeSource) {
    let key = CompositeContent.text(key)
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      if key.utf8.lexicographicallyPrecedes(values[middle].key.utf8) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard low < CompositeElements.limit else { return }
    if values.count == CompositeElements.limit { values.removeLast() }
    values.insert((key, value), at: low)
  }
}

/// Reads values of records again, one level at a time, whatever their encoding.
///
/// What the decoders took as absent or dropped is null.
struct CompositeReader {
  private var otlp = OTLPJSONDecoder(source: SourceID(0))
  private var swift = SwiftExportDecoder(source: SourceID(0))

  mutating func content(of source: CompositeSource) -> CompositeContent {
    switch source.form {
    case .protobufValue: return protobufContent(of: source.bytes)
    case .protobufBytes: return .bytes(Array(source.bytes))
    case .protobufArray, .jsonArray: return .array(source)
    case .protobufPairs, .jsonPairs: return .pairs(source)
    case .swiftList(let tag): return tag == .set ? .pairs(source) : .array(source)
    case .jsonValue, .jsonBytes:
      guard var scanner = source.scanner else { return .null }
      if case .jsonValue = source.form { return (try? otlp.content(&scanner)) ?? .null }
      return (try? otlp.bytesContent(&scanner)) ?? .null
    case .swiftValue, .swiftElement:
      guard var scanner = source.scanner else { return .null }
      if case .swiftElement(let tag) = source.form {
        return CompositeContent((try? swift.element(&scanner, of: tag, 0)) ?? nil)
      }
      return (try? swift.content(&scanner)) ?? .null
    }
  }

  /// The elements of an array in their order.
  mutating func elements(of source: CompositeSource) -> [CompositeSource] {
    var elements = CompositeElements()
    switch source.form {
    case .protobufArray:
      var reader = ProtobufReader(source.bytes)
      while !elements.isFull, let field = reader.next() {
        if field.matches(1, .bytes) { elements.add(CompositeSource(field.bytes, .protobufValue)) }
      }
    case .jsonArray:
      if var scanner = source.scanner { try? otlp.elements(&scanner, into: &elements) }
    case .swiftList(let tag):
      if var scanner = source.scanner { try? swift.elements(&scanner, of: tag, into: &elements) }
    default: break
    }
    return elements.values
  }

  /// The members of a list of pairs in the order of their keys.
  mutating func pairs(of source: CompositeSource) -> [(key: String, value: CompositeSource)] {
    var pairs = CompositePairs()
    switch source.form {
    case .protobufPairs:
      var reader = ProtobufReader(source.bytes)
      while let field = reader.next() {
        if field.matches(1, .bytes) { addPair(field.bytes, to: &pairs) }
      }
    case .jsonPairs:
      if var scanner = source.scanner { try? otlp.pairs(&scanner, into: &pairs) }
    case .swiftList:
      if var scanner = source.scanner { try? swift.labels(&scanner, into: &pairs) }
    default: break
    }
    return pairs.values
  }

  // MARK: - Protobuf

  private func protobufContent(of bytes: UnsafeRawBufferPointer) -> CompositeContent {
    switch ProtobufValue.read(bytes) {
    case .scalar(let value): CompositeContent(value)
    case .bytes(let bytes): .bytes(Array(bytes))
    case .array(let bytes): .array(CompositeSource(bytes, .protobufArray))
    case .pairs(let bytes): .pairs(CompositeSource(bytes, .protobufPairs))
    case nil: .null
    }
  }

  private func addPair(_ bytes: UnsafeRawBufferPointer, to pairs: inout CompositePairs) {
    var reader = ProtobufReader(bytes)
    var key = UnsafeRawBufferPointer(start: nil, count: 0)
    var value = key
    while let field = reader.next() {
      if field.matches(1, .bytes) { key = field.bytes }
      if field.matches(2, .bytes) { value = field.bytes }
    }
    pairs.add(key, CompositeSource(value, .protobufValue))
  }
}
