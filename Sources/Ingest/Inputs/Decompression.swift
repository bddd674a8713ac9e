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

  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: outputSize, alignment: 16)
  private var isInsideMember = false

  init() {
    stream.initialize(to: z_stream())
    _ = cz_inflate_init_auto(stream)
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
    while !rest.isEmpty {
      if !isInsideMember {
        // Tapes and block devices pad with zeros between and after members.
        rest = rest.drop { $0 == 0 }
        guard !rest.isEmpty else { return }
        inflateReset(stream)
        isInsideMember = true
      }
      let used = try inflateOnce(UnsafeBufferPointer(rebasing: rest), output)
      rest = rest.dropFirst(used)
    }
  }

  /// Inflates until the input is used up or the member ends, and returns how much was used.
  private func inflateOnce(
    _ input: UnsafeBufferPointer<UInt8>,
    _ output: (UnsafeRawBufferPointer) -> Void
  ) throws(DecompressionFailure) -> Int {
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    while true {
      stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(buffer.count)
      let status = inflate(stream, Z_NO_FLUSH)
      let produced = buffer.count - Int(stream.pointee.avail_out)
      if produced > 0 { output(UnsafeRawBufferPointer(rebasing: buffer[..<produced])) }
      switch status {
      case Z_STREAM_END:
        isInsideMember = false
        return input.count - Int(stream.pointee.avail_in)
      case Z_OK where stream.pointee.avail_out == 0:
        continue
      case Z_OK, Z_BUF_ERROR:
        return input.count - Int(stream.pointee.avail_in)
      default:
        let reason = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
        throw .damaged("damaged gzip data: \(reason)")
      }
    }
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
    while input.pos < input.size || mayHoldMore {
      var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
      let status = ZSTD_decompressStream(context, &target, &input)
      if target.pos > 0 { output(UnsafeRawBufferPointer(rebasing: buffer[..<target.pos])) }
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
