/// How the body of a request is compressed.
enum ContentCoding: Equatable {
  case identity
  case gzip
  /// With zlib's header or, as opentelemetry-swift sends it, without.
  case deflate
  case zstd

  enum Failure: Error, Equatable {
    /// More than the limit comes out.
    case tooLarge
    case damaged(String)
  }

  /// Bytes that are decompressed between two looks at the limit.
  private static let step = 4 << 10

  /// Nil for a coding that is not read, several one on the other included.
  init?(_ name: String) {
    switch name.lowercased() {
    case "", "identity": self = .identity
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    case "zstd": self = .zstd
    default: return nil
    }
  }

  /// What the bytes hold, at most `limit` bytes.
  func decoded(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    switch self {
    case .identity:
      guard bytes.count <= limit else { throw .tooLarge }
      return bytes
    case .gzip:
      guard bytes.starts(with: [0x1F, 0x8B]) else { throw .damaged("the body is not gzip") }
      return try Self.decompress(bytes, GzipDecompressor(), limit)
    case .zstd:
      guard bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else {
        throw .damaged("the body is not zstd")
      }
      return try Self.decompress(bytes, ZstdDecompressor(), limit)
    case .deflate:
      return try Self.decompress(
        bytes,
        Self.hasZlibHeader(bytes)
          ? GzipDecompressor() : GzipDecompressor(bits: 0, previous: 0, window: [], trailer: 0),
        limit
      )
    }
  }

  /// RFC 1950: method 8, and the two bytes are a multiple of 31.
  private static func hasZlibHeader(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2 else { return false }
    return bytes[0] & 0x0F == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
  }

  private static func decompress(
    _ bytes: [UInt8],
    _ decompressor: any Decompressor,
    _ limit: Int
  ) throws(Failure) -> [UInt8] {
    var result: [UInt8] = []
    var isTooLarge = false
    do throws(DecompressionFailure) {
      var start = 0
      while start < bytes.count, !isTooLarge {
        let end = min(bytes.count, start + step)
        try feed(bytes, start..<end, decompressor) { piece in
          guard result.count + piece.count <= limit else {
            isTooLarge = true
            return
          }
          result.append(contentsOf: piece)
        }
        start = end
      }
      if !isTooLarge { try decompressor.finish() }
    } catch {
      switch error {
      case .cut(let text), .damaged(let text): throw .damaged(text)
      }
    }
    if isTooLarge { throw .tooLarge }
    return result
  }

  private static func feed(
    _ bytes: [UInt8],
    _ range: Range<Int>,
    _ decompressor: any Decompressor,
    _ output: (UnsafeRawBufferPointer) -> Void
  ) throws(DecompressionFailure) {
    let outcome = bytes.withUnsafeBytes { buffer -> Result<Void, DecompressionFailure> in
      do throws(DecompressionFailure) {
        return .success(
          try decompressor.decompress(UnsafeRawBufferPointer(rebasing: buffer[range]), output)
        )
      } catch { return .failure(error) }
    }
    try outcome.get()
  }
}
