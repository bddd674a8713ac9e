import Foundation
import Model
import TestSupport

@testable import Ingest

/// A live run that is fed by hand, with a spool and without threads.
final class SpoolProbe {
  let sink: SpoolSink
  /// What the run shows.
  let shown = RecordingSink()
  private var assembler: RecordAssembler
  private var streams: [SourceID: ContentStream] = [:]
  private let decoder: DecoderFactory

  init(
    _ settings: SpoolSettings,
    fallback: RecentBytes? = nil,
    decoder: @escaping DecoderFactory = LineCounter.factory,
    clock: @escaping @Sendable () -> Timestamp = { .zero }
  ) {
    sink = SpoolSink(settings: settings, fallback: fallback, clock: clock)
    assembler = RecordAssembler(telemetry: Telemetry(sinks: [sink, shown]))
    self.decoder = decoder
  }

  func open(_ number: UInt16, name: String) {
    sink.keep(SourceID(number), name: name, ledgerName: name)
    streams[SourceID(number)] = ContentStream(source: SourceID(number), makeDecoder: decoder)
  }

  func receive(_ text: String, of number: UInt16 = 0, at seconds: Int64 = 1_800_000_000) {
    receive(Array(text.utf8), of: number, at: seconds)
  }

  /// One read of the ingest loop.
  func receive(_ bytes: [UInt8], of number: UInt16 = 0, at seconds: Int64 = 1_800_000_000) {
    if streams[SourceID(number)] == nil { open(number, name: "source \(number)") }
    streams[SourceID(number)]?.arrival = Timestamp(seconds: seconds)
    bytes.withUnsafeBytes { streams[SourceID(number)]?.consume($0, into: &assembler) }
    assembler.flush()
  }

  var folder: String { sink.state.folder }
}

/// Opens what a run kept, as `perftop FOLDER` does.
enum SpoolReading {
  static func open(_ path: String, decoder: @escaping DecoderFactory = LineCounter.factory)
    -> RecordingSink
  {
    let sink = RecordingSink()
    var options = IngestOptions { .zero }
    options.makeDecoder = decoder
    var loop = IngestLoop(
      requests: [.path(path)],
      options: options,
      telemetry: Telemetry(sinks: [sink])
    )
    loop.runToEnd()
    return sink
  }
}

extension RecordingSink {
  /// What `LineCounter` made of whole lines.
  var lines: [String] { problems.filter { $0.kind == .malformed && $0.line > 0 }.map(\.text) }

  /// How the spool stood last.
  var spool: SpoolState? {
    events.compactMap { if case .spool(let state) = $0 { state } else { nil } }.last
  }
}

extension TemporaryFolder {
  func contents(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// Permissions of a file or folder, as `chmod` takes them.
  static func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return attributes[.posixPermissions] as? Int ?? -1
  }
}
