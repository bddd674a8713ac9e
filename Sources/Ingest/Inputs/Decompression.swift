import CCompression

/// Why compressed data cannot be read further; what came before it was passed on.
enum DecompressionFailure: Error, Equatable, Sendable {
  /// It ends in the middle.
  case cut(String)
  case damaged(String)
}

/// Turns compressed bytes, fed in pieces split anywhere, into what they hold.
///
/// Memory is constant whatever the ratio: the output comes in pieces of at most 64 KB.
protocol Decompressor: AnyObject {
  /// Passes on what the bytes hold; after a failure nothing more can be fed.
  func decompress(
    _ bytes: UnsafeRawBufferPointer,
    _ output: (UnsafeRawBufferPointer) -> Void
  ) throws(DecompressionFailure)
  /// Says whether the data may end here.
  func finish() throws(DecompressionFailure)
}

/// gzip and zlib streams, any number of them one after the other.
final class GzipDecompressor: Decompressor {
  private static let outputSize = 64 << 10
  private static let windowSize = 32 << 10

  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: outputSize, alignment: 16)
  private var isInsideMember = false
  private var recorder: RestartRecorder?
  /// Bytes that came before the ones that are being decompressed.
  private var fed: UInt64 = 0
  private var produced: UInt64 = 0
  /// Bytes that follow the last block of the member.
  private var trailer = 0
  /// Bytes to be passed over before the next member.
  private var skipped = 0
  /// The member was entered in its middle, so that its checksum cannot be told.
  private var isRaw = false

  init(recorder: RestartRecorder? = nil) {
    self.recorder = recorder
    stream.initialize(to: z_stream())
    _ = cz_inflate_init_auto(stream)
  }

  /// Goes on between two blocks; `previous` is the byte before the next one to be fed.
  init(bits: Int32, previous: UInt8, window: [UInt8], trailer: Int) {
    stream.initialize(to: z_stream())
    _ = cz_inflate_init_raw(stream)
    if bits > 0 { inflatePrime(stream, bits, Int32(previous) >> (8 - bits)) }
    if !window.isEmpty { inflateSetDictionary(stream, window, UInt32(window.count)) }
    self.trailer = trailer
    isInsideMember = true
    isRaw = true
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  func decompress(
    _ bytes: UnsafeRawBufferPointer,
    _ output: (UnsafeRawBufferPointer) -> Void
  ) throws(DecompressionFailure) {
    var rest = bytes.bindMemory(to: UInt8.self)[...]
    defer { fed += UInt64(bytes.count) }
    while !rest.isEmpty {
      if !isInsideMember {
        let passed = min(skipped, rest.count)
        skipped -= passed
        // Tapes and block devices pad with zeros between and after members.
        rest = rest.dropFirst(passed).drop { $0 == 0 }
        guard let first = rest.first else { return }
        begin(first, at: fed + UInt64(rest.startIndex))
      }
      let start = fed + UInt64(rest.startIndex)
      let used = try inflateOnce(UnsafeBufferPointer(rebasing: rest), at: start, output)
      rest = rest.dropFirst(used)
    }
  }

  private func begin(_ first: UInt8, at input: UInt64) {
    cz_inflate_reset_auto(stream)
    isInsideMember = true
    isRaw = false
    // CRC and size; of zlib a checksum only.
    trailer = first == 0x1F ? 8 : 4
    guard recorder?.isDue(at: produced) == true else { return }
    recorder?.add(RestartPoint(input: input, output: produced, container: .gzipMember))
  }

  /// Inflates until the input is used up or the member ends, and returns how much was used.
  private func inflateOnce(
    _ input: UnsafeBufferPointer<UInt8>,
    at start: UInt64,
    _ output: (UnsafeRawBufferPointer) -> Void
  ) throws(DecompressionFailure) -> Int {
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    while true {
      stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(buffer.count)
      // Stopping at every block costs time, so only where a point is due.
      let isDue = recorder?.isDue(at: produced) == true
      let status = inflate(stream, isDue ? Z_BLOCK : Z_NO_FLUSH)
      let count = buffer.count - Int(stream.pointee.avail_out)
      if count > 0 { output(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      produced += UInt64(count)
      let used = input.count - Int(stream.pointee.avail_in)
      if isDue, status == Z_OK { addPoint(at: start + UInt64(used)) }
      switch status {
      case Z_STREAM_END:
        isInsideMember = false
        skipped = isRaw ? trailer : 0
        return used
      case Z_OK where stream.pointee.avail_out == 0 || stream.pointee.avail_in > 0:
        continue
      case Z_OK, Z_BUF_ERROR:
        return used
      default:
        let reason = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
        throw .damaged("damaged gzip data: \(reason)")
      }
    }
  }

  /// Adds a restart point if the stream stands between two blocks, neither before the first nor after the last.
  private func addPoint(at input: UInt64) {
    let state = stream.pointee.data_type
    guard state & 128 != 0, state & 64 == 0 else { return }
    let window = [UInt8](unsafeUninitializedCapacity: Self.windowSize) { buffer, filled in
      var count: UInt32 = 0
      inflateGetDictionary(stream, buffer.baseAddress, &count)
      filled = Int(count)
    }
    let container = RestartPoint.Container.gzipBlock(
      bits: state & 7,
      window: window,
      trailer: trailer
    )
    recorder?.add(RestartPoint(input: input, output: produced, container: container))
  }

  func finish() throws(DecompressionFailure) {
    if isInsideMember { throw .cut("the gzip data ends in the middle") }
  }
}

/// zstd frames, any number of them one after the other.
final class ZstdDecompressor: Decompressor {
  private let context = ZSTD_createDCtx()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  private var isInsideFrame = false
  private var recorder: RestartRecorder?
  /// Bytes that came before the ones that are being decompressed.
  private var fed: UInt64 = 0
  private var produced: UInt64 = 0

  init(recorder: RestartRecorder? = nil) {
    self.recorder = recorder
  }

  deinit {
    ZSTD_freeDCtx(context)
    buffer.deallocate()
  }

  func decompress(
    _ bytes: UnsafeRawBufferPointer,
    _ output: (UnsafeRawBufferPointer) -> Void
  ) throws(DecompressionFailure) {
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var mayHoldMore = false
    defer { fed += UInt64(bytes.count) }
    while input.pos < input.size || mayHoldMore {
      if !isInsideFrame, recorder?.isDue(at: produced) == true {
        let start = fed + UInt64(input.pos)
        recorder?.add(RestartPoint(input: start, output: produced, container: .zstdFrame))
      }
      var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
      let status = ZSTD_decompressStream(context, &target, &input)
      if target.pos > 0 { output(UnsafeRawBufferPointer(rebasing: buffer[..<target.pos])) }
      produced += UInt64(target.pos)
      if ZSTD_isError(status) != 0 {
        throw .damaged("damaged zstd data: \(String(cString: ZSTD_getErrorName(status)))")
      }
      isInsideFrame = status != 0
      mayHoldMore = isInsideFrame && target.pos == target.size
    }
  }

  func finish() throws(DecompressionFailure) {
    if isInsideFrame { throw .cut("the zstd data ends in the middle of a frame") }
  }

  /// Forgets a damaged frame, so that the next one can be read.
  func reset() {
    ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    isInsideFrame = false
  }
}
