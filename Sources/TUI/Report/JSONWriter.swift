import Model

/// Writes one JSON value as UTF-8; the caller keeps objects and arrays balanced.
///
/// What is written goes to `sink` in pieces, so that a report of any size takes little memory.
///
/// Elements of an array that is a member of the outermost object go on lines of their own, so that a
/// report can be read and compared with line tools.
struct JSONWriter: ~Copyable {
  /// Enough for few calls of the sink, little enough to stay in the cache.
  private static let pieceSize = 1 << 16

  private var buffer = ByteBuffer(capacity: 2 * JSONWriter.pieceSize)
  private let sink: (UnsafeBufferPointer<UInt8>) -> Void
  private var depth: Int
  private var needsComma: Bool
  /// Of the last time: most come in order.
  private var day = DayText()
  /// Bytes of sets of members, and where those of each set are.
  private var sets: [UInt8] = []
  private var setPlaces: [Range<Int>] = []
  private static let mostOfSets = 4 << 20

  /// `depth` and `needsComma` continue what another writer began.
  init(
    depth: Int = 0,
    needsComma: Bool = false,
    sink: @escaping (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    self.depth = depth
    self.needsComma = needsComma
    self.sink = sink
  }

  /// Writes members that many objects have alike once more, behind another one; false before `keepMembers`.
  mutating func copyMembers(_ set: Int) -> Bool {
    guard set < setPlaces.count, !setPlaces[set].isEmpty else { return false }
    let place = setPlaces[set]
    sets.withUnsafeBufferPointer { buffer.append(UnsafeBufferPointer(rebasing: $0[place])) }
    return true
  }

  /// Where the next member begins, for `keepMembers`.
  var position: Int { buffer.count }

  /// Keeps the members written since a position as a set; sets have numbers from 0 on without large gaps.
  mutating func keepMembers(from position: Int, as set: Int) {
    guard sets.count < Self.mostOfSets else { return }
    while setPlaces.count <= set { setPlaces.append(0..<0) }
    let place = sets.count
    buffer.withBytes(from: position) { sets.append(contentsOf: $0) }
    setPlaces[set] = place..<sets.count
  }

  /// Passes on the rest.
  mutating func finish() {
    buffer.drain(sink)
  }

  @inline(__always)
  mutating func object(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
    begin(key)
    open("{")
    body(&self)
    close("}")
  }

  /// An element of an array or the outermost value.
  @inline(__always)
  mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    close("}")
  }

  /// An element of an array or the outermost value; `object` in two halves.
  mutating func beginObject() {
    beginElement()
    open("{")
  }

  mutating func endObject() { close("}") }

  mutating func beginArray(_ key: StaticString) {
    begin(key)
    open("[")
  }

  mutating func endArray() { close("]") }

  mutating func array(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
    beginArray(key)
    body(&self)
    endArray()
  }

  mutating func array<Element>(
    _ key: StaticString,
    _ elements: some Sequence<Element>,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    beginArray(key)
    for element in elements { body(&self, element) }
    endArray()
  }

  @inline(__always)
  mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    begin(key)
    quote(value)
  }

  @inline(__always)
  mutating func member(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    begin(key)
    add(value)
  }

  /// Two texts with a space between them.
  @inline(__always)
  mutating func member(_ key: StaticString, _ first: String, _ second: String) {
    begin(key)
    quote(first, second)
  }

  /// A member whose name comes from the user.
  mutating func member(name: String, _ value: Int) {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = true
    quote(name)
    buffer.append(UInt8(ascii: ":"))
    add(value)
  }

  /// An instant in UTC with nanoseconds.
  @inline(__always)
  mutating func member(_ key: StaticString, time nanoseconds: Int64) {
    begin(key)
    add(time: nanoseconds)
  }

  /// 16 hex digits as a string.
  @inline(__always)
  mutating func member(_ key: StaticString, hex value: UInt64) {
    begin(key)
    add(hex: value)
  }

  @inline(__always)
  mutating func member(_ key: StaticString, _ value: Bool) {
    begin(key)
    add(value)
  }

  /// A value that is not finite is left out: JSON has no word for it.
  @inline(__always)
  mutating func member(_ key: StaticString, _ value: Double?) {
    guard let value, value.isFinite else { return }
    begin(key)
    add(value)
  }

  // MARK: - Structure

  private mutating func open(_ bracket: Unicode.Scalar) {
    buffer.append(UInt8(truncatingIfNeeded: bracket.value))
    depth += 1
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    depth -= 1
    buffer.append(UInt8(truncatingIfNeeded: bracket.value))
    needsComma = true
    if buffer.count > Self.pieceSize { buffer.drain(sink) }
  }

  private mutating func beginElement() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    if depth == 2 { buffer.append(UInt8(ascii: "\n")) }
  }

  /// Inlined like its callers: with the key known, copying it takes a few stores.
  @inline(__always)
  private mutating func begin(_ key: StaticString) {
    let (needsComma, isOutermost) = (needsComma, depth == 1)
    buffer.append(upTo: key.utf8CodeUnitCount &+ 5) { place in
      if needsComma { place.put(UInt8(ascii: ",")) }
      if isOutermost { place.put(UInt8(ascii: "\n")) }
      // Keys are plain ASCII words of the schema.
      place.put(UInt8(ascii: "\""))
      place.put(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
      place.put(UInt8(ascii: "\""))
      place.put(UInt8(ascii: ":"))
    }
    self.needsComma = true
  }

  // MARK: - Values

  @inline(never)
  private mutating func add(_ value: Int) {
    buffer.append(value)
  }

  @inline(never)
  private mutating func add(_ value: Double) {
    if value == value.rounded(), abs(value) < 1e15 {
      buffer.append(Int(value))
    } else {
      buffer.append(value)
    }
  }

  @inline(never)
  private mutating func add(_ value: Bool) {
    add(value ? "true" : "false")
  }

  @inline(never)
  private mutating func add(time nanoseconds: Int64) {
    buffer.append(upTo: DayText.length) { day.put(nanoseconds, at: &$0) }
  }

  @inline(never)
  private mutating func add(hex value: UInt64) {
    buffer.append(upTo: 18) { place in
      place.put(UInt8(ascii: "\""))
      place.put(hex: value)
      place.put(UInt8(ascii: "\""))
    }
  }

  private mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { buffer.append($0) }
  }

  @inline(never)
  private mutating func quote(_ value: String) {
    let isPlain = value.utf8.withContiguousStorageIfAvailable { buffer.append(quoted: $0) }
    if isPlain != true { escape(value) }
  }

  @inline(never)
  private mutating func quote(_ first: String, _ second: String) {
    let isPlain = first.utf8.withContiguousStorageIfAvailable { first in
      second.utf8.withContiguousStorageIfAvailable { buffer.append(quoted: first, $0) }
    }
    if isPlain != true { escape(first + " " + second) }
  }

  private mutating func escape(_ value: String) {
    buffer.append(UInt8(ascii: "\""))
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": add("\\\"")
      case "\\": add("\\\\")
      case "\n": add("\\n")
      case "\r": add("\\r")
      case "\t": add("\\t")
      // The report may be printed on a terminal: nothing in it may act as a control sequence.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        add("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
      default: add(String(scalar))
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }
}
