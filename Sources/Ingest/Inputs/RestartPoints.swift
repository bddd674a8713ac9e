import Model

/// A place in compressed data from which it can be decompressed without what precedes it.
struct RestartPoint: Sendable {
  enum Container: Sendable {
    /// At the header of a member.
    case gzipMember
    /// Between two blocks of a member: bits of the byte before `input` that belong to the next block, what
    /// came out last, and how many bytes follow the member's last block.
    case gzipBlock(bits: Int32, window: [UInt8], trailer: Int)
    /// At the header of a frame.
    case zstdFrame
    /// At the length of a message.
    case collectorFrame(CollectorFrames.Framing)
  }

  /// Of the first byte to decompress, in the file.
  var input: UInt64
  /// Of the first byte that comes out, in the source.
  var output: UInt64
  var container: Container

  /// Bytes of memory.
  var cost: Int {
    if case .gzipBlock(_, let window, _) = container { window.count + 64 } else { 64 }
  }
}

/// Restart points of all compressed files of a run; used by both threads.
///
/// Those of a file lie a megabyte apart at first. Where they become too many, every second one goes and the
/// distance doubles: a record of a small file costs a megabyte of decompression, of any file at most a part
/// in 32 of it.
final class RestartPoints: Sendable {
  /// Points of one file; one in gzip data holds 32 KB.
  static let fileLimit = 64
  /// Points of all files.
  static let limit = 512
  static let spacing: UInt64 = 1 << 20

  private struct Track {
    var points: [RestartPoint] = []
    var spacing = RestartPoints.spacing

    mutating func thin() {
      spacing *= 2
      points = points.indices.filter { $0 % 2 == 1 }.map { points[$0] }
    }

    var nextDue: UInt64 { (points.last?.output ?? 0) + spacing }
  }

  private let tracks = Guarded<[SourceID: Track]>([:])

  /// Adds a point behind those of the source; returns the output at which the next one is worth having.
  func add(_ point: RestartPoint, of source: SourceID) -> UInt64 {
    tracks.withLock { tracks in
      tracks[source, default: Track()].points.append(point)
      if let count = tracks[source]?.points.count, count > Self.fileLimit { tracks[source]?.thin() }
      if tracks.values.reduce(0, { $0 + $1.points.count }) > Self.limit,
        let largest = tracks.max(by: { $0.value.points.count < $1.value.points.count })
      {
        tracks[largest.key]?.thin()
      }
      return tracks[source]?.nextDue ?? .max
    }
  }

  /// The last point of the source at or before an output; nil where only the beginning is.
  func nearest(to output: UInt64, of source: SourceID) -> RestartPoint? {
    tracks.withLock { $0[source]?.points.last { $0.output <= output } }
  }

  func remove(_ source: SourceID) {
    tracks.withLock { _ = $0.removeValue(forKey: source) }
  }

  /// Bytes of memory that the points take.
  var cost: Int {
    tracks.withLock { $0.values.reduce(0) { $0 + $1.points.reduce(0) { $0 + $1.cost } } }
  }
}

/// Collects the restart points of one source while it is decompressed.
struct RestartRecorder {
  private let points: RestartPoints
  private let source: SourceID
  private var due = RestartPoints.spacing

  init(_ points: RestartPoints, _ source: SourceID) {
    self.points = points
    self.source = source
  }

  func isDue(at output: UInt64) -> Bool { output >= due }

  mutating func add(_ point: RestartPoint) {
    due = points.add(point, of: source)
  }
}
