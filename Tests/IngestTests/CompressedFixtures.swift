import CCompression
import Foundation

/// Compressed data for tests, made by the libraries themselves.
enum CompressedFixtures {
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard cz_deflate_init_gzip(&stream) == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
    var input = bytes
    let written = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        deflate(&stream, Z_FINISH)
        return target.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<written])
  }

  static func zstd(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let written = ZSTD_compress(&output, output.count, bytes, bytes.count, 3)
    return Array(output[..<written])
  }

  /// A message as the collector's file exporter writes it: its compressed length, then its frame.
  static func collectorFrame(_ message: [UInt8]) -> [UInt8] {
    let frame = zstd(message)
    return length(frame.count) + frame
  }

  static func length(_ count: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  /// Bytes that do not compress well, the same for the same seed.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }
}
