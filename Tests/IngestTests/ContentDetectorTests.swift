import Testing

@testable import Ingest

@Suite("Content is told")
struct ContentDetectorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var content: Content

    init(_ name: String, _ bytes: [UInt8], _ content: Content) {
      self.name = name
      self.bytes = bytes
      self.content = content
    }

    init(_ text: String, _ content: Content) {
      self.init(text, Array(text.utf8), content)
    }

    var testDescription: String { name }
  }

  /// A request with one resource: field 1 of 9 bytes, in it field 1 of 7 bytes.
  private static let request: [UInt8] = [
    0x0A, 0x09, 0x0A, 0x07, 0x0A, 0x05, 0x0A, 0x01, 0x6B, 0x12, 0x00,
  ]

  static let cases: [Case] = [
    Case("", .json), Case("{}", .json), Case("[{\"resourceSpans\":[]}]", .json),
    Case("\n\n\n{\"a\":1}", .json), Case("\n{\n  \"resourceSpans\": []}\n", .json),
    Case("\r\n\r\n{}", .json), Case("\n\n\n\n\n\n\n\n\n\n\n\n\n{}", .json),
    Case("[\n  {\"resourceSpans\": [", .json), Case("{\n  \"resourceSpans\": [", .json),
    Case("plain words", .json), Case("\u{FEFF}{\"a\":1}", .json), Case("\u{1E}{}", .json),
    Case("NULs before JSON", [UInt8](repeating: 0, count: 7) + Array("{\"a\":1}".utf8), .json),
    Case("NULs before pretty JSON", [0, 0, 0] + Array("{\n  \"a\": 1}\n      ".utf8), .json),
    Case("four KiB of NULs", [UInt8](repeating: 0, count: 4_096), .json),
    Case("bytes from 0 to 255", [UInt8](0...255), .json),
    Case("one request", request, .protobuf),
    Case("a request after its length", [0, 0, 0, 11] + request, .protobuf),
    Case("a zero length first", [0, 0, 0, 0, 0, 0, 0, 11] + request, .protobuf),
    Case("a length past the end", [0, 0, 0, 5, 0x0A, 0x7F, 0x61, 0x62, 0x63], .protobuf),
    Case("an exact frame with field 0", [0, 0, 0, 3, 2, 1, 0x61], .protobuf),
    Case("a request after a varint", [11] + request, .protobuf),
    Case("a frame of 16 MB", [1, 0, 0, 0, 0x0A, 0x80, 0x80, 0x80, 8, 0x0A, 5], .protobuf),
    Case("gzip", [0x1F, 0x8B, 8, 0, 0, 0], .gzip),
    Case("zstd", [0x28, 0xB5, 0x2F, 0xFD, 4, 0], .zstd),
    Case("the collector's zstd", [0, 0, 1, 0, 0x28, 0xB5, 0x2F, 0xFD, 4], .zstdFrames),
    Case("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0], .refused("xz")),
    Case("zip", [0x50, 0x4B, 3, 4, 20, 0], .refused("zip")),
    Case("BZh91AY&SY", .refused("bzip2")), Case("PAR1....", .refused("Parquet")),
    Case("SQLite format 3\0...", .refused("SQLite")),
    Case("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .refused("PNG")),
    Case("UTF-16LE with a mark", [0xFF, 0xFE, 0x7B, 0, 0x22, 0], .refused("UTF-16 text")),
    Case("UTF-16BE with a mark", [0xFE, 0xFF, 0, 0x7B, 0, 0x22], .refused("UTF-16 text")),
    Case("UTF-16LE without", [0x7B, 0, 0x22, 0], .refused("UTF-16 text")),
    Case("UTF-16BE without", [0, 0x7B, 0, 0x22], .refused("UTF-16 text")),
    Case("UTF-32", [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], .refused("UTF-32 text")),
    Case("P", .json), Case("SQL", .json), Case("half a gzip magic", [0x1F], .json),
  ]

  @Test("from a whole file", arguments: cases)
  func whole(example: Case) {
    #expect(ContentDetector.detect(example.bytes, isComplete: true) == example.content)
  }

  @Test("the same however little has come, or not yet", arguments: cases)
  func growing(example: Case) {
    for count in 0...example.bytes.count {
      let found = ContentDetector.detect(Array(example.bytes[..<count]), isComplete: false)
      #expect(found == nil || found == example.content, "after \(count) bytes")
    }
  }

  @Test("after at most sixteen bytes of text, so that a followed file is not held back")
  func early() {
    #expect(ContentDetector.detect(Array("{\"na".utf8), isComplete: false) == .json)
    #expect(ContentDetector.detect(Array("SQLi, he said".utf8), isComplete: false) == .json)
    let blank = Array("\n\n\n\n\n\n\n{\"name\":1}".utf8)
    #expect(ContentDetector.detect(blank, isComplete: false) == .json)
  }
}
