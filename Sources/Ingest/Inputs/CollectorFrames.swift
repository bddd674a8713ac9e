/// The collector's compressed files: each message one zstd frame after its length.
///
/// Passes on whole messages, since a protobuf message needs its length in front again. A damaged frame
/// costs itself only: its length says where the next begins.
final class CollectorFrames {
  /// What a message holds is told by the first one.
  enum Framing: Sendable {
    case undecided
    case lines
    case lengths
  }

  /// The largest message that is kept, compressed or not.
  static let messageLimit = 256 << 20

  private let zstd = ZstdDecompressor()
  private var framing: Framing
  private var recorder: RestartRecorder?
  private var fed: UInt64 = 0
  private var produced: UInt64 = 0
  private var header: [UInt8] = []
  private var remaining = 0
  private var message: [UInt8] = []
  private var damage: DecompressionFailure?
  /// Frames that were lost, and why the first was; taken by the owner.
  private(set) var losses: [String] = []

  /// `framing` is known where the first message has been read before.
  init(framing: Framing = .undecided, recorder: RestartRecorder? = nil) {
    self.framing = framing
    self.recorder = recorder
  }

  func takeLosses() -> [String] {
    defer { losses = [] }
    return losses
  }

  func decompress(
    _ bytes: UnsafeRawBufferPointer,
    _ output: (UnsafeRawBufferPointer) -> Void
  ) throws(DecompressionFailure) {
    var rest = bytes[...]
    defer { fed += UInt64(bytes.count) }
    while !rest.isEmpty {
      if remaining == 0 {
        if header.isEmpty { addPoint(at: fed + UInt64(rest.startIndex)) }
        let missing = rest.prefix(4 - header.count)
        header.append(contentsOf: missing)
        rest = rest.dropFirst(missing.count)
        guard header.count == 4 else { return }
        remaining = header.reduce(0) { $0 << 8 | Int($1) }
        header = []
        guard remaining <= Self.messageLimit else {
          throw .damaged("a frame claims a length of \(remaining) bytes")
        }
        continue
      }
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(remaining))
      rest = rest.dropFirst(piece.count)
      remaining -= piece.count
      take(piece)
      if remaining == 0 { emit(output) }
    }
  }

  private func addPoint(at input: UInt64) {
    guard framing != .undecided, recorder?.isDue(at: produced) == true else { return }
    let container = RestartPoint.Container.collectorFrame(framing)
    recorder?.add(RestartPoint(input: input, output: produced, container: container))
  }

  private func take(_ piece: UnsafeRawBufferPointer) {
    guard damage == nil else { return }
    do {
      try zstd.decompress(piece) { part in
        if message.count + part.count <= Self.messageLimit { message.append(contentsOf: part) }
      }
    } catch { damage = error }
  }

  private func emit(_ output: (UnsafeRawBufferPointer) -> Void) {
    defer {
      message.removeAll(keepingCapacity: message.count < 1 << 20)
      damage = nil
    }
    if damage == nil {
      do { try zstd.finish() } catch { damage = error }
    }
    if let damage {
      zstd.reset()
      losses.append(damage.text)
      return
    }
    if framing == .undecided {
      let content = ContentDetector.detect(message, isComplete: true)
      framing = content == .protobuf && message.first == 0x0A ? .lengths : .lines
    }
    if framing == .lines {
      message.append(0x0A)
    } else {
      let count = message.count
      let prefix = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
      message.insert(contentsOf: prefix, at: 0)
    }
    message.withUnsafeBytes { output($0) }
    produced += UInt64(message.count)
  }

  func finish() throws(DecompressionFailure) {
    if remaining > 0 || !header.isEmpty { throw .cut("the last frame is cut") }
  }
}

extension DecompressionFailure {
  /// For people.
  var text: String {
    switch self {
    case .cut(let text), .damaged(let text): text
    }
  }
}
