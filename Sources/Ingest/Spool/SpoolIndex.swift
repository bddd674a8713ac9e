import Model

/// Finds the bytes of records in the segments of a run; used by both threads.
final class SpoolIndex: Sendable {
  /// Bytes of a source between two entries: a frame is found by walking from the entry before it.
  private static let spacing: UInt64 = 64 << 10

  private struct Entry {
    /// In the source.
    var offset: UInt64
    var segment: UInt32
    /// Of the frame, in the segment.
    var position: UInt64
  }

  private struct Track {
    /// The source's number in the run.
    var number: UInt16
    /// By segment and position, so by offset too, but for what a segment repeats of the one before.
    var entries: [Entry] = []
  }

  private struct State {
    var folder = ""
    /// Keeps others from removing the segments while they are needed.
    var lock: SpoolLock?
    var lastSegment: UInt32 = 0
    var tracks: [SourceID: Track] = [:]
  }

  private let state = Guarded(State())

  /// Begins anew with the segments of a run.
  func begin(folder: String, lock: SpoolLock? = nil) {
    state.withLock { $0 = State(folder: folder, lock: lock) }
  }

  func addSource(_ source: SourceID, number: UInt16) {
    state.withLock { $0.tracks[source] = $0.tracks[source] ?? Track(number: number) }
  }

  func add(_ source: SourceID, offset: UInt64, segment: UInt32, position: UInt64) {
    state.withLock { state in
      state.lastSegment = max(state.lastSegment, segment)
      guard let track = state.tracks[source] else { return }
      if let last = track.entries.last, last.segment == segment,
        offset < last.offset + Self.spacing
      {
        return
      }
      let entry = Entry(offset: offset, segment: segment, position: position)
      state.tracks[source]?.entries.append(entry)
    }
  }

  /// Forgets the segments before one.
  func drop(before segment: UInt32) {
    remove { $0.segment < segment }
  }

  /// Forgets a segment and those after it.
  func drop(from segment: UInt32) {
    remove { $0.segment >= segment }
  }

  private func remove(_ isGone: (Entry) -> Bool) {
    state.withLock { state in
      for source in state.tracks.keys { state.tracks[source]?.entries.removeAll(where: isGone) }
    }
  }

  /// The bytes at a place; nil when they were never kept or are gone.
  func bytes(at place: RecordPlace) -> [UInt8]? {
    let found = state.withLock { state -> (folder: String, walk: Walk)? in
      guard let track = state.tracks[place.source],
        // Of two segments with the same bytes the later one stays longer.
        let entry = track.entries.last(where: { $0.offset <= place.offset })
      else { return nil }
      let walk = Walk(
        number: track.number,
        segment: entry.segment,
        lastSegment: state.lastSegment,
        position: entry.position
      )
      return (state.folder, walk)
    }
    guard var walk = found?.walk, let folder = found?.folder else { return nil }
    return walk.bytes(at: place, in: folder)
  }

  /// A way through frames from one that begins before the place.
  private struct Walk {
    let number: UInt16
    var segment: UInt32
    let lastSegment: UInt32
    var position: UInt64

    mutating func bytes(at place: RecordPlace, in folder: String) -> [UInt8]? {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(Int(place.length))
      while segment <= lastSegment {
        let path = "\(folder)/\(SpoolSegment.name(segment))"
        guard case .success(let file) = OpenFile.open(path) else { return nil }
        while let frame = frame(of: file) {
          let payload = position + UInt64(SpoolFrame.headSize)
          position = payload + UInt64(frame.length)
          let wanted = place.offset + UInt64(bytes.count)
          let end = frame.offset + UInt64(frame.length)
          guard frame.kind == .piece, frame.source == number, wanted < end else { continue }
          // What lies between is missing.
          guard frame.offset <= wanted else { return nil }
          let count = min(Int(place.length) - bytes.count, Int(end - wanted))
          bytes += file.bytes(at: payload + wanted - frame.offset, count: count)
          if bytes.count == Int(place.length) { return bytes }
        }
        segment += 1
        position = 0
      }
      return nil
    }

    private func frame(of file: OpenFile) -> SpoolFrame? {
      file.bytes(at: position, count: SpoolFrame.headSize).withUnsafeBytes { SpoolFrame($0) }
    }
  }
}
