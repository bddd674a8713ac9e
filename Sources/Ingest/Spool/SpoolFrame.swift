import CCompression
import Model

/// The head of one frame of a segment: what follows it, whose it is, when it came.
///
/// 44 bytes, little-endian: magic 4, kind 1, content 1, source 2, length 4, flags 4, arrival 8, offset 8,
/// checksum of the payload 4, checksum of the 40 bytes before it 4. Checksums are CRC-32.
struct SpoolFrame: Equatable {
  enum Kind: UInt8 {
    /// Bytes of a source as they came.
    case piece = 1
    /// `SpoolSource`: precedes the first piece of a source in each segment.
    case source
    /// `SpoolOpening`: the first frame of each segment.
    case opening
  }

  static let headSize = 44
  /// The version is its last byte.
  static let magic: [UInt8] = [0x50, 0x54, 0x53, 0x01]
  /// Longer payloads are damage.
  static let payloadLimit = 1 << 30

  var kind: Kind
  /// Of a piece.
  var content = PieceContent.json
  /// The source's number in its run.
  var source: UInt16 = 0
  /// A message of its own, which neither what precedes it nor what follows it belongs to.
  var isWhole = false
  /// The first of a stream: what precedes it has ended.
  var isBeginning = false
  var arrival = Timestamp(nanoseconds: 0)
  /// Of the first byte, in the source, decompressed.
  var offset: UInt64 = 0
  var length = 0
  var checksum: UInt32 = 0

  /// The head of a frame for a payload, whose checksum it takes.
  init(_ kind: Kind, payload: UnsafeRawBufferPointer) {
    self.kind = kind
    length = payload.count
    checksum = SpoolChecksum.of(payload)
  }

  /// Nil when the bytes are no head of a frame.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headSize, bytes.prefix(4).elementsEqual(Self.magic),
      let kind = Kind(rawValue: bytes[4]), let content = PieceContent(rawValue: bytes[5]),
      SpoolChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<40])) == bytes.number(at: 40)
    else { return nil }
    self.kind = kind
    self.content = content
    source = bytes.number(at: 6)
    length = Int(bytes.number(at: 8) as UInt32)
    let flags: UInt32 = bytes.number(at: 12)
    isWhole = flags & 1 != 0
    isBeginning = flags & 2 != 0
    arrival = Timestamp(nanoseconds: bytes.number(at: 16))
    offset = bytes.number(at: 24)
    checksum = bytes.number(at: 32)
    guard length <= Self.payloadLimit else { return nil }
  }

  /// Writes the head into a buffer of at least `headSize` bytes.
  func write(to buffer: UnsafeMutableRawBufferPointer) {
    buffer.copyBytes(from: Self.magic)
    buffer[4] = kind.rawValue
    buffer[5] = content.rawValue
    buffer.set(source, at: 6)
    buffer.set(UInt32(truncatingIfNeeded: length), at: 8)
    buffer.set(UInt32(isWhole ? 1 : 0) | UInt32(isBeginning ? 2 : 0), at: 12)
    buffer.set(arrival.nanoseconds, at: 16)
    buffer.set(offset, at: 24)
    buffer.set(checksum, at: 32)
    buffer.set(UInt32(0), at: 36)
    let covered = UnsafeRawBufferPointer(rebasing: buffer[..<40])
    buffer.set(SpoolChecksum.of(covered), at: 40)
  }

  /// Whether a file that begins with these bytes is a segment of a spool, perhaps a damaged one.
  static func isSegment(_ head: [UInt8]) -> Bool {
    head.withUnsafeBytes { firstHead($0, from: 0, to: head.count - headSize) != nil }
  }

  /// The first index at which the head of a frame begins, both ends included.
  static func firstHead(_ bytes: UnsafeRawBufferPointer, from: Int, to last: Int) -> Int? {
    var index = from
    while index <= last {
      if bytes[index] == magic[0],
        SpoolFrame(UnsafeRawBufferPointer(rebasing: bytes[index...])) != nil
      {
        return index
      }
      index += 1
    }
    return nil
  }
}

enum SpoolChecksum {
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let base = bytes.bindMemory(to: UInt8.self).baseAddress
    return UInt32(truncatingIfNeeded: crc32_z(0, base, bytes.count))
  }
}

/// What the first frame of a segment says of the run, so that earlier segments are not missed.
struct SpoolOpening: Equatable {
  /// Bytes of its payload.
  static let size = 20

  /// Counted from 1 within the run.
  var segment: UInt32
  /// Records in the segments before.
  var records: UInt64
  /// Records that could not be written since the run began.
  var unkeptRecords: UInt64

  init(segment: UInt32, records: UInt64, unkeptRecords: UInt64) {
    self.segment = segment
    self.records = records
    self.unkeptRecords = unkeptRecords
  }

  init?(_ payload: UnsafeRawBufferPointer) {
    guard payload.count >= Self.size else { return nil }
    segment = payload.number(at: 0)
    records = payload.number(at: 4)
    unkeptRecords = payload.number(at: 12)
  }

  var payload: [UInt8] {
    segment.littleEndianBytes + records.littleEndianBytes + unkeptRecords.littleEndianBytes
  }
}

/// A source of a run by its names.
struct SpoolSource: Equatable {
  var name: String
  var ledgerName: String

  init(name: String, ledgerName: String) {
    self.name = name
    self.ledgerName = ledgerName
  }

  init?(_ payload: UnsafeRawBufferPointer) {
    guard payload.count >= 4 else { return nil }
    let count = Int(payload.number(at: 0) as UInt32)
    guard count <= payload.count - 4 else { return nil }
    name = String(decoding: payload[4..<4 + count], as: UTF8.self)
    ledgerName = String(decoding: payload[(4 + count)...], as: UTF8.self)
  }

  var payload: [UInt8] {
    UInt32(name.utf8.count).littleEndianBytes + Array(name.utf8) + Array(ledgerName.utf8)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func set<Number: FixedWidthInteger & BitwiseCopyable>(
    _ number: Number,
    at offset: Int
  ) {
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] {
    Swift.withUnsafeBytes(of: littleEndian) { Array($0) }
  }
}
