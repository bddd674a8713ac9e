import Model

/// Reads a place of a compressed file by decompressing from before it.
enum CompressedPlace {
  /// The bytes at the place, fewer where the file does not hold them (any more); from the beginning
  /// where there is no point.
  static func bytes(
    of file: OpenFile,
    at place: RecordPlace,
    from point: RestartPoint?
  ) -> [UInt8] {
    guard let point else { return bytes(of: file, at: place) }
    let window = Window(place: place)
    var output = point.output
    func pass(_ piece: UnsafeRawBufferPointer) {
      window.pass(piece, offset: output)
      output += UInt64(piece.count)
    }
    let feed: (UnsafeRawBufferPointer) throws(DecompressionFailure) -> Void
    switch point.container {
    case .gzipMember:
      let gzip = GzipDecompressor()
      feed = { bytes throws(DecompressionFailure) in try gzip.decompress(bytes, pass) }
    case .gzipBlock(let bits, let dictionary, let trailer):
      let previous = bits > 0 ? file.bytes(at: point.input - 1, count: 1).first ?? 0 : 0
      let gzip = GzipDecompressor(
        bits: bits,
        previous: previous,
        window: dictionary,
        trailer: trailer
      )
      feed = { bytes throws(DecompressionFailure) in try gzip.decompress(bytes, pass) }
    case .zstdFrame:
      let zstd = ZstdDecompressor()
      feed = { bytes throws(DecompressionFailure) in try zstd.decompress(bytes, pass) }
    case .collectorFrame(let framing):
      let frames = CollectorFrames(framing: framing)
      feed = { bytes throws(DecompressionFailure) in try frames.decompress(bytes, pass) }
    }
    read(file, from: point.input, until: { window.isComplete }, feed)
    return window.bytes
  }

  /// Feeds a file from an offset, up to its end, to damage or until there is enough.
  private static func read(
    _ file: OpenFile,
    from start: UInt64,
    until isEnough: () -> Bool,
    _ feed: (UnsafeRawBufferPointer) throws(DecompressionFailure) -> Void
  ) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var offset = start
    while !isEnough(), case .success(let count) = file.read(into: buffer, at: offset), count > 0 {
      do throws(DecompressionFailure) {
        try feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } catch { return }
      offset += UInt64(count)
    }
  }

  private static func bytes(of file: OpenFile, at place: RecordPlace) -> [UInt8] {
    let window = Window(place: place)
    var assembler = RecordAssembler(telemetry: Telemetry(sinks: []))
    var stream = ContentStream(source: place.source) { _, _, offset in
      WindowDecoder(window: window, offset: offset)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var offset: UInt64 = 0
    while !window.isComplete, !stream.hasFailed,
      case .success(let count) = file.read(into: buffer, at: offset), count > 0
    {
      stream.consume(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &assembler)
      offset += UInt64(count)
    }
    return window.bytes
  }

  /// The bytes of a place, gathered as they pass.
  private final class Window: Sendable {
    private let place: RecordPlace
    private let gathered = Guarded<[UInt8]>([])

    init(place: RecordPlace) {
      self.place = place
    }

    var bytes: [UInt8] { gathered.withLock { $0 } }
    var isComplete: Bool { gathered.withLock { $0.count } == Int(place.length) }

    func pass(_ piece: UnsafeRawBufferPointer, offset: UInt64) {
      let start = max(offset, place.offset)
      let end = min(offset + UInt64(piece.count), place.offset + UInt64(place.length))
      guard start < end else { return }
      gathered.withLock {
        $0.append(contentsOf: piece[Int(start - offset)..<Int(end - offset)])
      }
    }
  }

  /// Stands where a decoder would, and looks for one place only.
  private struct WindowDecoder: StreamDecoder {
    let window: Window
    var offset: UInt64

    mutating func consume(
      _ bytes: UnsafeRawBufferPointer,
      into assembler: inout RecordAssembler
    ) {
      window.pass(bytes, offset: offset)
      offset += UInt64(bytes.count)
    }

    mutating func settle(into assembler: inout RecordAssembler) {}
    mutating func finish(into assembler: inout RecordAssembler) {}
    mutating func takeKind() -> SourceKind { .unknown }
  }
}
