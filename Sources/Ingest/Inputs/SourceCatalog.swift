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

  /// Where reading of compressed files can begin.
  let restarts = RestartPoints()
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
    restarts.remove(source)
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
        ? CompressedPlace.bytes(
          of: file,
          at: place,
          from: restarts.nearest(to: place.offset, of: place.source)
        )
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
