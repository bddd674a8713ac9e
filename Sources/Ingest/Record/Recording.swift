import CPlatform
import Model

/// What has been recorded, for the thread that tells it.
package struct RecordProgress: Equatable, Sendable {
  /// Bytes in the file, all of whole lines.
  package var bytes: UInt64 = 0
  package var lines = 0
  /// Fields of protobuf requests that OTLP's JSON has no place for.
  package var unknownFields = 0
  /// Ids of protobuf requests whose length no id has.
  package var uselessIDs = 0
  /// Places in texts that were not UTF-8 and are U+FFFD in the file.
  package var repairs = 0
  /// Why nothing more can be written; nil while all is well.
  package var problem: String?
  /// The reader of a pipe has gone.
  package var isClosed = false
}

/// A capture that is being written, as both threads know it.
package final class Recording: Sendable {
  package let file: RecordFile
  private let state = Guarded(RecordProgress())

  package init(_ file: RecordFile) {
    self.file = file
  }

  package var progress: RecordProgress { state.withLock { $0 } }

  func update(_ progress: RecordProgress) {
    state.withLock { $0 = progress }
  }
}

/// Writes every record as a line: JSON as it came, protobuf as OTLP JSON.
///
/// Belongs to the ingest thread. Lines are gathered until a flush, which precedes every acknowledgement.
final class RecordSink: TelemetrySink {
  /// Bytes that are gathered at most before they are written.
  private static let gathered = 256 << 10

  let name = "record"
  /// True when the run is over, and nothing more but what has been acknowledged belongs into the file.
  var isOver: () -> Bool = { false }
  private let recording: Recording
  /// Called once, when nothing more can be written.
  private let onFailure: () -> Void
  private var transcoder = ProtobufTranscoder()
  private var output = JSONOutput()
  private var progress = RecordProgress()
  private var isWithinWhole = false

  init(_ recording: Recording, onFailure: @escaping () -> Void) {
    self.recording = recording
    self.onFailure = onFailure
  }

  var hasFailed: Bool { progress.problem != nil }

  func receive(piece: RawPiece) throws(SinkError) {
    isWithinWhole = piece.isWhole
  }

  func receive(record: RawRecord) throws(SinkError) {
    if let problem = progress.problem { throw .failed(problem) }
    if isOver(), !isWithinWhole { return }
    switch record.bytes.first {
    case nil: return
    // In protobuf these bytes would begin groups, which no request has.
    case 0x7B, 0x5B: RecordLine.append(record.bytes, to: &output)
    default:
      _ = transcoder.transcode(record.bytes, into: &output)
      progress.unknownFields = transcoder.unknownFields
      progress.uselessIDs = transcoder.uselessIDs
    }
    progress.repairs = output.repairs
    if output.count >= Self.gathered { try write() }
  }

  func receive(event: TelemetryEvent) throws(SinkError) {}

  func receive(events: [TelemetryEvent]) -> Int { 0 }

  func flush() throws(SinkError) {
    if let problem = progress.problem { throw .failed(problem) }
    try write()
  }

  private func note(_ written: UnsafeRawBufferPointer) {
    progress.bytes += UInt64(written.count)
    guard let start = written.baseAddress else { return }
    let base = start.assumingMemoryBound(to: UInt8.self)
    var at = 0
    while let newline = JSONLineSearch.index(of: 0x0A, base, from: at, to: written.count) {
      progress.lines += 1
      at = newline + 1
    }
  }

  private func write() throws(SinkError) {
    guard output.count > 0 else { return }
    defer {
      output.removeAll()
      recording.update(progress)
    }
    do throws(RecordWriteFailure) {
      try recording.file.write(output.bytes)
      note(output.bytes)
    } catch {
      note(UnsafeRawBufferPointer(rebasing: output.bytes[..<error.whole]))
      progress.isClosed = error.error.number == EPIPE
      let text = error.error.number == EFBIG ? "the file may not grow further" : error.error.text
      progress.problem = text
      onFailure()
      throw .failed(text)
    }
  }
}

/// A JSON value as one line.
enum RecordLine {
  /// Appends the value with its newline: as it is, or without white space where it is of several lines.
  ///
  /// What is not UTF-8, as a Collector passes it on, becomes U+FFFD: most readers refuse a line for it.
  ///
  /// An empty object, which says nothing, is left out.
  static func append(_ value: UnsafeRawBufferPointer, to output: inout JSONOutput) {
    guard value.count > 2, let start = value.baseAddress else { return }
    let base = start.assumingMemoryBound(to: UInt8.self)
    let isOneLine =
      JSONLineSearch.index(of: 0x0A, base, from: 0, to: value.count) == nil
      && JSONLineSearch.index(of: 0x0D, base, from: 0, to: value.count) == nil
    if isOneLine { output.text(value) } else { compact(base, value.count, to: &output) }
    output.append(0x0A)
  }

  private static func compact(
    _ base: UnsafePointer<UInt8>,
    _ count: Int,
    to output: inout JSONOutput
  ) {
    var scanner = JSONScanner(base: base, position: 0, end: count)
    while scanner.position < count {
      switch base[scanner.position] {
      case 0x20, 0x09, 0x0A, 0x0D: scanner.position &+= 1
      case 0x22:
        let quote = scanner.position
        skipString(&scanner)
        output.text(scanner.bytes(from: quote, to: scanner.position))
      default:
        output.append(base[scanner.position])
        scanner.position &+= 1
      }
    }
  }

  /// Moves behind a string that is known to be whole.
  private static func skipString(_ scanner: inout JSONScanner) {
    scanner.position &+= 1
    while scanner.position < scanner.end {
      scanner.skipPlain()
      guard scanner.position < scanner.end else { return }
      let byte = scanner.base[scanner.position]
      scanner.position = min(scanner.end, scanner.position &+ (byte == 0x5C ? 2 : 1))
      if byte == 0x22 { return }
    }
  }
}
