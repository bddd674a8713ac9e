/// Where the data has a value that may hold others, so that its text can be made when it is asked for.
///
/// Valid as long as the record is being read.
struct CompositeSource {
  enum Form {
    /// The bytes of an `AnyValue`, `ArrayValue` or `KeyValueList` message, or of a `bytes_value`.
    case protobufValue, protobufArray, protobufPairs, protobufBytes
    /// The JSON of an `AnyValue`, of what is in its `arrayValue`, `kvlistValue` or `bytesValue`.
    case jsonValue, jsonArray, jsonPairs, jsonBytes
    /// The JSON of opentelemetry-swift's `AttributeValue`.
    case swiftValue
    /// What is in such a value that is a list or labels.
    case swiftList(SwiftExportDecoder.Tag)
    /// An element without a tag of a list of the kind.
    case swiftElement(SwiftExportDecoder.Tag)
  }

  private let start: UnsafeRawPointer?
  /// Far more than a text shows, should a value be longer.
  private let count: UInt32
  let form: Form

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, _ form: Form) {
    start = bytes.baseAddress
    count = UInt32(clamping: bytes.count)
    self.form = form
  }

  /// From a position to the end of what the scanner reads.
  @inline(__always)
  init(_ scanner: JSONScanner, from position: Int, _ form: Form) {
    self.init(scanner.bytes(from: position, to: scanner.end), form)
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Int(count)) }

  /// A reader of the bytes as JSON; nil when there are none.
  var scanner: JSONScanner? {
    guard let start, count > 0 else { return nil }
    return JSONScanner(
      base: start.assumingMemoryBound(to: UInt8.self),
      position: 0,
      end: Int(count)
    )
  }
}
