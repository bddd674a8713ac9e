import Model

/// Where the bytes of each source can be read again; used by both threads.
final class SourceCatalog: Sendable {
  /// Files that stay open, so that their records can be read after a rotation too.
  static let openLimit = 16
  /// Bytes of the largest record that is read again.
  static let recordLimit = 256 << 20

  private enum Origin {
    case file(path: String, identity: FileIdentity)
    case recentBytes
    /// Beside the ring, which holds what could not be written.
    case spool(SpoolIndex)
    case overwritten
  }

  private struct State {
    var origins: [SourceID: Origin] = [:]
    var compressed: Set<SourceID> = []
    /// Newest last.
    var open: [(source: SourceID, file: OpenFile)] = []
  }

  private let state = Guarded(State())
  private let recentBytes: RecentBytes

  init(recentBytes: RecentBytes) {
    self.recentBytes = recentBytes
  }

  func addFile(_ source: SourceID, path: String, identity: FileIdentity, file: OpenFile) {
    state.withLock {
      $0.origins[source] = .file(path: path, identity: identity)
      $0.open.append((source, file))
      if $0.open.count > Self.openLimit { $0.open.removeFirst() }
    }
  }

  /// Adds a source that cannot be read again but from the ring.
  func addStream(_ source: SourceID) {
    state.withLock { $0.origins[source] = .recentBytes }
    recentBytes.keep(source)
  }

  /// Adds a source whose bytes lie in the segments of a run; what is missing there is looked for in the ring.
  func addSpooled(_ source: SourceID, in index: SpoolIndex) {
    state.withLock { $0.origins[source] = .spool(index) }
  }

  /// Places of the source count decompressed bytes.
  func markCompressed(_ source: SourceID) {
    state.withLock { _ = $0.compressed.insert(source) }
  }

  /// The bytes of the source are gone: its file was written anew.
  func markOverwritten(_ source: SourceID) {
    state.withLock {
      $0.origins[source] = .overwritten
      $0.open.removeAll { $0.source == source }
    }
  }

  /// Reads the bytes of a record again.
  func bytes(at place: RecordPlace) -> Result<[UInt8], DetailsUnavailable> {
    guard place.length > 0, place.length <= Self.recordLimit else {
      return .failure(.unreadable("the record has no place of its own"))
    }
    let (origin, kept, isCompressed) = state.withLock { state in
      (
        state.origins[place.source],
        state.open.last { $0.source == place.source }?.file,
        state.compressed.contains(place.source)
      )
    }
    switch origin {
    case nil, .recentBytes:
      return recentBytes.bytes(at: place).map { .success($0) } ?? .failure(.noLongerKept)
    case .spool(let index):
      let bytes = index.bytes(at: place) ?? recentBytes.bytes(at: place)
      return bytes.map { .success($0) } ?? .failure(.notInSpool)
    case .overwritten: return .failure(.sourceChanged)
    case .file(let path, let identity):
      let file: OpenFile
      if let kept {
        file = kept
      } else {
        switch reopen(path, identity: identity) {
        case .success(let opened): file = opened
        case .failure(let reason): return .failure(reason)
        }
      }
      let bytes =
        isCompressed
        ? CompressedPlace.bytes(of: file, at: place)
        : file.bytes(at: place.offset, count: Int(place.length))
      return bytes.count == Int(place.length) ? .success(bytes) : .failure(.sourceChanged)
    }
  }

  private func reopen(
    _ path: String,
    identity: FileIdentity
  ) -> Result<OpenFile, DetailsUnavailable> {
    switch OpenFile.open(path) {
    case .failure(let error):
      return .failure(error.isMissing ? .sourceChanged : .unreadable(error.text))
    case .success(let file):
      guard case .success(let status) = file.status(), status.identity == identity else {
        return .failure(.sourceChanged)
      }
      return .success(file)
    }
  }
}

/// Reads a place of a compressed file by decompressing from its beginning.
private enum CompressedPlace {
  static func bytes(of file: OpenFile, at place: RecordPlace) -> [UInt8] {
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
