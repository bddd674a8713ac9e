import Model

/// Splits a stream of OTLP protobuf into messages and decodes them.
///
/// Three framings are told apart by the first bytes: the collector's 4-byte big-endian lengths, bare
/// requests (concatenated ones merge, so each `ResourceSpans` is decoded as it completes), and the
/// varint lengths of protobuf's `writeDelimitedTo`.
struct ProtobufStreamDecoder: StreamDecoder {
  private enum Framing {
    case undecided
    case lengthPrefixed
    case bare
    case varintPrefixed
    /// The stream makes no sense any more; the rest is ignored.
    case lost
  }

  /// Bytes of a message at most.
  static let messageLimit = 128 << 20
  /// A buffer beyond this is given back when it has been used.
  private static let keptCapacity = 1 << 20

  private let source: SourceID
  private var decoder: OTLPProtobufDecoder
  private var framing = Framing.undecided
  /// Bytes that do not make a whole message yet.
  private var held: [UInt8] = []
  /// Bytes that `held` must have before another look at it is worth while.
  private var needed = 0
  /// Where the next byte to be decoded lies in the source.
  private var offset: UInt64
  private var kind = SourceKind.unknown

  /// `offset` is where in the source the stream begins.
  init(source: SourceID, offset: UInt64 = 0) {
    self.source = source
    self.offset = offset
    decoder = OTLPProtobufDecoder(source: source)
  }

  mutating func consume(_ bytes: UnsafeRawBufferPointer, into assembler: inout RecordAssembler) {
    var rest = bytes
    while !held.isEmpty, !rest.isEmpty, framing != .lost {
      let take = min(max(needed - held.count, 1), rest.count)
      held.append(contentsOf: rest[..<take])
      rest = UnsafeRawBufferPointer(rebasing: rest[take...])
      guard held.count >= needed else { return }
      var own: [UInt8] = []
      swap(&own, &held)
      let used = own.withUnsafeBytes { decode($0, into: &assembler) }
      if used < own.count, framing != .lost {
        own.removeFirst(used)
        held = own
      } else if own.capacity <= Self.keptCapacity {
        own.removeAll(keepingCapacity: true)
        held = own
      }
    }
    guard !rest.isEmpty, framing != .lost else { return }
    let used = decode(rest, into: &assembler)
    if framing != .lost { held.append(contentsOf: rest[used...]) }
  }

  mutating func settle(into assembler: inout RecordAssembler) {}

  mutating func finish(into assembler: inout RecordAssembler) {
    if !held.isEmpty, framing != .lost {
      let text = "cut: \(held.count) bytes of a protobuf message that is longer"
      report(.incomplete, text, into: &assembler)
    }
    held = []
    framing = .lost
  }

  mutating func takeKind() -> SourceKind {
    defer { kind = .unknown }
    return kind
  }

  /// Decodes one whole request whose bytes begin at `offset` of the source.
  mutating func consumeMessage(
    _ bytes: UnsafeRawBufferPointer,
    at offset: UInt64,
    into assembler: inout RecordAssembler
  ) {
    guard bytes.count > 0 else { return }
    let place = RecordPlace(source: source, offset: offset, length: UInt32(clamping: bytes.count))
    assembler.telemetry.observe(record: RawRecord(place: place, bytes: bytes))
    assembler.line = 0
    switch decoder.decode(bytes, at: offset, into: &assembler) {
    case .decoded: kind = .otlpProtobuf
    case .notTelemetry:
      let text = "protobuf message of \(bytes.count) bytes without spans, logs or metrics"
      report(.notTelemetry, text, at: offset, into: &assembler)
    case .malformed(let fault):
      let text = "malformed protobuf message of \(bytes.count) bytes: \(fault.text)"
      report(.malformed, text, at: offset, into: &assembler)
    }
  }

  /// Decodes the messages that are whole and returns how many bytes they took.
  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer,
    into assembler: inout RecordAssembler
  ) -> Int {
    var position = 0
    while position < bytes.count, framing != .lost {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      if framing == .undecided {
        guard let found = Self.framing(of: rest) else {
          needed = rest.count + 1
          break
        }
        framing = found
      }
      switch frame(rest) {
      case .needs(let count):
        needed = count
        return position
      case .invalid(let text):
        report(.malformed, text, into: &assembler)
        framing = .lost
      case .message(let range, let isSkipped):
        let message = UnsafeRawBufferPointer(rebasing: rest[range])
        let start = offset + UInt64(range.lowerBound)
        if !isSkipped { consumeMessage(message, at: start, into: &assembler) }
        position += range.upperBound
        offset += UInt64(range.upperBound)
      }
    }
    return position
  }

  private func report(
    _ kind: ProblemKind,
    _ text: String,
    at place: UInt64? = nil,
    into assembler: inout RecordAssembler
  ) {
    assembler.lose(kind, of: source, at: place ?? offset, text)
  }
}

// MARK: - Framing

extension ProtobufStreamDecoder {
  private enum Frame {
    /// The bytes of a message that are decoded, at the end of what it takes.
    case message(Range<Int>, isSkipped: Bool)
    /// So many bytes are needed to say more.
    case needs(Int)
    case invalid(String)
  }

  /// The framing of a stream that begins with these bytes; nil when they are too few to say.
  private static func framing(of bytes: UnsafeRawBufferPointer) -> Framing? {
    // A length with this first byte would be beyond the limit.
    if bytes[0] == 0x0a { return .bare }
    if bytes[0] < 0x08 { return .lengthPrefixed }
    switch varint(bytes, at: 0) {
    case .needs: return nil
    case .invalid: return .lengthPrefixed
    case .value(let length, let end):
      guard length <= UInt64(messageLimit) else { return .lengthPrefixed }
      guard end < bytes.count else { return nil }
      return bytes[end] == 0x0a ? .varintPrefixed : .lengthPrefixed
    }
  }

  private enum Varint {
    case value(UInt64, end: Int)
    case needs(Int)
    case invalid
  }

  private static func varint(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Varint {
    var result: UInt64 = 0
    for index in start..<(start + 10) {
      guard index < bytes.count else { return .needs(index + 1) }
      result |= UInt64(bytes[index] & 0x7f) << UInt64(7 * (index - start))
      if bytes[index] < 0x80 { return .value(result, end: index + 1) }
    }
    return .invalid
  }

  private func frame(_ bytes: UnsafeRawBufferPointer) -> Frame {
    switch framing {
    case .undecided, .lost: return .invalid("no framing")
    case .lengthPrefixed:
      guard bytes.count >= 4 else { return .needs(4) }
      let length = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
      return whole(bytes, start: 0, body: 4, length: UInt64(length), isSkipped: length == 0)
    case .varintPrefixed:
      switch Self.varint(bytes, at: 0) {
      case .needs(let count): return .needs(count)
      case .invalid: return .invalid("malformed length of a protobuf message")
      case .value(let length, let end):
        return whole(bytes, start: 0, body: end, length: length, isSkipped: length == 0)
      }
    case .bare: return bareField(bytes)
    }
  }

  /// One field of a bare request; with its tag it is a whole request itself.
  private func bareField(_ bytes: UnsafeRawBufferPointer) -> Frame {
    switch Self.varint(bytes, at: 0) {
    case .needs(let count): return .needs(count)
    case .invalid: return .invalid("protobuf: \(ProtobufFault.varintTooLong.text)")
    case .value(let tag, let end):
      guard tag >> 3 != 0, tag <= UInt64(UInt32.max) else {
        return .invalid("protobuf: \(ProtobufFault.fieldZero.text)")
      }
      switch tag & 7 {
      case 0:
        switch Self.varint(bytes, at: end) {
        case .needs(let count): return .needs(count)
        case .invalid: return .invalid("protobuf: \(ProtobufFault.varintTooLong.text)")
        case .value(_, let end):
          return whole(bytes, start: 0, body: end, length: 0, isSkipped: true)
        }
      case 1: return whole(bytes, start: 0, body: end, length: 8, isSkipped: true)
      case 5: return whole(bytes, start: 0, body: end, length: 4, isSkipped: true)
      case 2:
        switch Self.varint(bytes, at: end) {
        case .needs(let count): return .needs(count)
        case .invalid: return .invalid("protobuf: \(ProtobufFault.varintTooLong.text)")
        case .value(let length, let end):
          return whole(bytes, start: 0, body: end, length: length, isSkipped: tag != 0x0a)
        }
      default: return .invalid("protobuf: \(ProtobufFault.unknownWireType.text)")
      }
    }
  }

  private func whole(
    _ bytes: UnsafeRawBufferPointer,
    start: Int,
    body: Int,
    length: UInt64,
    isSkipped: Bool
  ) -> Frame {
    guard length <= UInt64(Self.messageLimit) else {
      return .invalid("protobuf message of \(length) bytes is beyond \(Self.messageLimit)")
    }
    let end = body + Int(length)
    guard end <= bytes.count else { return .needs(end) }
    let first = framing == .bare ? start : body
    return .message(first..<end, isSkipped: isSkipped)
  }
}
