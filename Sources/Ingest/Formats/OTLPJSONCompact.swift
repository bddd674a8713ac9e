import Model

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Short cuts for OTLP JSON as the collector writes it: without white space and in a fixed order.
///
/// Each reads what it expects to the last byte or consumes nothing, so that the general way can take over.
extension OTLPJSONDecoder {
  private enum Word {
    /// `{"key":"`.
    static let key: UInt64 = 0x223A_2279_656B_227B
    /// `"value":`.
    static let value: UInt64 = 0x3A22_6575_6C61_7622
    /// `{"string`, the beginning of a text.
    static let string: UInt64 = 0x676E_6972_7473_227B
    /// `{"intVal`, the beginning of an integer.
    static let int: UInt64 = 0x6C61_5674_6E69_227B
    /// `Value":"`, the end of both.
    static let opening: UInt64 = 0x223A_2265_756C_6156
    /// `,"kind":`.
    static let kind: UInt64 = 0x3A22_646E_696B_222C
    /// `,"startT`.
    static let start: UInt64 = 0x5474_7261_7473_222C
  }

  // MARK: - Attributes

  /// Reads `{"key":"…","value":{…}}`; nil, with nothing consumed, when it is written otherwise.
  @inline(__always)
  mutating func compactPair(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> (key: UnsafeRawBufferPointer, value: AttributeValue)? {
    let start = scanner.position
    guard start &+ 8 <= scanner.end, scanner.word(at: start) == Word.key else { return nil }
    scanner.position = start &+ 7
    let key = try scanner.string()
    let next = scanner.position
    guard !key.isEscaped, next &+ 9 <= scanner.end, scanner.base[next] == UInt8(ascii: ","),
      scanner.word(at: next &+ 1) == Word.value
    else {
      scanner.position = start
      return nil
    }
    scanner.position = next &+ 9
    if let value = try compactValue(&scanner) { return (scanner.bytes(of: key), value) }
    guard let value = try anyValue(&scanner), try scanner.take(UInt8(ascii: "}")) else {
      scanner.position = start
      return nil
    }
    return (scanner.bytes(of: key), value)
  }

  /// Reads a text or a short integer with the brackets that close it and its pair.
  @inline(__always)
  private mutating func compactValue(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> AttributeValue? {
    let start = scanner.position
    guard start &+ 16 <= scanner.end else { return nil }
    let first = scanner.word(at: start)
    if first == Word.string {
      guard scanner.word(at: start &+ 8) == Word.opening else { return nil }
      scanner.position = start &+ 15
      let text = try scanner.string()
      if closesPair(&scanner) { return .string(valueText.plain(text, of: scanner)) }
    } else if first == Word.int {
      guard scanner.word(at: start &+ 5) == Word.opening else { return nil }
      var index = start &+ 13
      let limit = min(index &+ 18, scanner.end)
      var number: Int64 = 0
      while index < limit, scanner.base[index] &- 0x30 < 10 {
        number = number &* 10 &+ Int64(scanner.base[index] &- 0x30)
        index &+= 1
      }
      if index > start &+ 13, index < scanner.end, scanner.base[index] == UInt8(ascii: "\"") {
        scanner.position = index &+ 1
        if closesPair(&scanner) { return .int(number) }
      }
    }
    scanner.position = start
    return nil
  }

  /// Consumes `}}`.
  @inline(__always)
  private func closesPair(_ scanner: inout JSONScanner) -> Bool {
    let next = scanner.position
    guard next &+ 2 <= scanner.end, scanner.base[next] == UInt8(ascii: "}"),
      scanner.base[next &+ 1] == UInt8(ascii: "}")
    else { return false }
    scanner.position = next &+ 2
    return true
  }

  // MARK: - Spans

  /// Reads `{"traceId":"…","spanId":"…"` with both ids in hexadecimal; false, with nothing consumed, otherwise.
  @inline(__always)
  func compactIdentity(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) -> Bool {
    let start = scanner.position
    guard start &+ 73 <= scanner.end, scanner.reads("{\"traceId\":\"", at: start),
      scanner.reads("\",\"spanId\":\"", at: start &+ 44),
      scanner.base[start &+ 72] == UInt8(ascii: "\"")
    else { return false }
    let bytes = UnsafeRawPointer(scanner.base + start)
    guard let high = Digits.hex16(bytes + 12), let low = Digits.hex16(bytes + 28),
      let span = Digits.hex16(bytes + 56)
    else { return false }
    assembler.span.traceHigh = high
    assembler.span.traceLow = low
    assembler.span.spanID = span
    scanner.position = start &+ 73
    return true
  }

  /// Reads `,"parentSpanId":"…"`, `,"name":"…"` and `,"kind":…` as far as they come next, in this order.
  @inline(__always)
  mutating func compactBeginning(
    _ scanner: inout JSONScanner,
    into assembler: inout RecordAssembler
  ) throws(JSONFault) {
    var start = scanner.position
    guard start &+ 64 <= scanner.end else { return }
    if scanner.reads(",\"parentSpanId\":\"", at: start) {
      if scanner.base[start &+ 17] == UInt8(ascii: "\"") {
        scanner.position = start &+ 18
      } else if scanner.base[start &+ 33] == UInt8(ascii: "\""),
        let parent = Digits.hex16(UnsafeRawPointer(scanner.base + start + 17))
      {
        assembler.span.parentID = parent
        scanner.position = start &+ 34
      }
    }
    if scanner.reads(",\"name\":\"", at: scanner.position) {
      scanner.position &+= 8
      assembler.spanName(valueText.plain(try scanner.string(), of: scanner))
    }
    start = scanner.position
    if start &+ 10 <= scanner.end, scanner.word(at: start) == Word.kind,
      scanner.base[start &+ 8] &- 0x30 < 10, scanner.base[start &+ 9] == UInt8(ascii: ",")
    {
      let kind = UInt64(scanner.base[start &+ 8] &- 0x30)
      assembler.spanContent(CanonicalHash.number(field: 6, kind))
      scanner.position = start &+ 9
    }
  }

  /// Reads `,"startTimeUnixNano":"…","endTimeUnixNano":"…"` with 19 digits each, the years 2001 to 2262.
  @inline(__always)
  func compactTimes(_ scanner: inout JSONScanner) -> (start: UInt64, end: UInt64)? {
    let start = scanner.position
    guard start &+ 82 <= scanner.end, scanner.word(at: start) == Word.start,
      scanner.reads(",\"startTimeUnixNano\":\"", at: start),
      scanner.reads("\",\"endTimeUnixNano\":\"", at: start &+ 41),
      scanner.base[start &+ 81] == UInt8(ascii: "\""),
      let first = Digits.unsigned(scanner.bytes(from: start &+ 22, to: start &+ 41)),
      let second = Digits.unsigned(scanner.bytes(from: start &+ 62, to: start &+ 81))
    else { return nil }
    scanner.position = start &+ 82
    return (first, second)
  }
}

/// Resources that were read lately, by their bytes, so that one that comes again needs no scanning.
final class RecentResources {
  private struct Entry {
    var bytes: [UInt8] = []
    var id = ResourceID.empty
    var content: UInt64 = 0
  }

  /// Bytes that choose the place of a resource; shorter resources are not kept.
  private static let prefix = 320
  private static let longest = 8_192
  private static let mask = 1_023
  private var entries = [Entry](repeating: Entry(), count: mask + 1)

  /// The resource that comes next and how many bytes it has, when it is one that was read lately.
  @inline(__always)
  func find(_ scanner: JSONScanner) -> (count: Int, id: ResourceID, content: UInt64)? {
    let left = scanner.end &- scanner.position
    guard left >= Self.prefix else { return nil }
    let place = place(scanner)
    let count = entries[place].bytes.withUnsafeBytes { known in
      guard let start = known.baseAddress, known.count <= left,
        memcmp(start, scanner.base + scanner.position, known.count) == 0
      else { return 0 }
      return known.count
    }
    return count == 0 ? nil : (count, entries[place].id, entries[place].content)
  }

  /// Keeps a whole resource, the bytes before the scanner's position from an index on.
  func remember(from start: Int, _ scanner: JSONScanner, id: ResourceID, content: UInt64) {
    let count = scanner.position &- start
    guard count >= Self.prefix, count <= Self.longest, id != .empty else { return }
    var begin = scanner
    begin.position = start
    let bytes = scanner.bytes(from: start, to: scanner.position)
    let place = place(begin)
    entries[place].bytes.removeAll(keepingCapacity: true)
    entries[place].bytes.append(contentsOf: bytes)
    entries[place].id = id
    entries[place].content = content
  }

  @inline(__always)
  private func place(_ scanner: JSONScanner) -> Int {
    let bytes = scanner.bytes(from: scanner.position, to: scanner.position &+ Self.prefix)
    return Int(truncatingIfNeeded: ByteHash.hash(bytes)) & Self.mask
  }
}

/// The scope that was read last, by its bytes: most data has but one.
struct RecentScope {
  private static let longest = 512

  private(set) var version = Symbol.none
  private(set) var hash: UInt64 = 0
  private var bytes: [UInt8] = []

  /// How many bytes the scope has that comes next; nil when it is not the last one.
  @inline(__always)
  func count(_ scanner: JSONScanner) -> Int? {
    let count = bytes.count
    guard count > 0, count <= scanner.end &- scanner.position else { return nil }
    let isSame = bytes.withUnsafeBytes {
      $0.baseAddress.map { memcmp($0, scanner.base + scanner.position, count) == 0 } ?? false
    }
    return isSame ? count : nil
  }

  /// Keeps a whole scope, the bytes before the scanner's position from an index on.
  mutating func remember(from start: Int, _ scanner: JSONScanner, version: Symbol, hash: UInt64) {
    bytes.removeAll(keepingCapacity: true)
    guard scanner.position &- start <= Self.longest else { return }
    bytes.append(contentsOf: scanner.bytes(from: start, to: scanner.position))
    self.version = version
    self.hash = hash
  }
}
