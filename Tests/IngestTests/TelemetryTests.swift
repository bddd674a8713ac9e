import Model
import TestSupport
import Testing

@testable import Ingest

/// What several sinks received, in the order in which they received it.
private final class Journal {
  var entries: [String] = []
}

private final class JournalSink: TelemetrySink {
  let name: String
  private let journal: Journal
  private let fails: Bool

  init(_ name: String, _ journal: Journal, fails: Bool = false) {
    self.name = name
    self.journal = journal
    self.fails = fails
  }

  private func note(_ what: String) throws(SinkError) {
    journal.entries.append("\(name) \(what)")
    if fails { throw .failed("no") }
  }

  func receive(record: RawRecord) throws(SinkError) { try note("record") }
  func receive(event: TelemetryEvent) throws(SinkError) { try note("event") }
  func flush() throws(SinkError) { try note("flush") }
}

@Suite("Telemetry")
struct TelemetryTests {
  private let place = RecordPlace(source: SourceID(0), offset: 0, length: 1)

  @Test("passes everything to each sink in order")
  func order() {
    let journal = Journal()
    var telemetry = Telemetry(sinks: [JournalSink("a", journal), JournalSink("b", journal)])
    [UInt8(1)].withUnsafeBytes { telemetry.observe(record: RawRecord(place: place, bytes: $0)) }
    telemetry.observe(.arrival(.zero))
    telemetry.flush()
    #expect(
      journal.entries == ["a record", "b record", "a event", "b event", "a flush", "b flush"]
    )
  }

  @Test("counts a sink that throws, goes on calling it, and spares the others")
  func isolation() {
    let journal = Journal()
    var telemetry = Telemetry(sinks: [
      JournalSink("bad", journal, fails: true), JournalSink("good", journal),
    ])
    telemetry.observe(.arrival(.zero))
    telemetry.observe(.arrival(.zero))
    telemetry.flush()
    #expect(
      journal.entries == [
        "bad event", "good event", "bad event", "good event", "bad flush", "good flush",
      ]
    )
    #expect(telemetry.failures == [3, 0])
  }

  @Test("of a live run is wired with every sink, the capture before the mailbox")
  func wiring() {
    let mailbox = Mailbox()
    let recentBytes = RecentBytes(capacity: 16)
    let source = SourceID(3)
    recentBytes.keep(source)
    var telemetry = Telemetry.live(mailbox: MailboxSink(mailbox: mailbox), recentBytes: recentBytes)
    #expect(telemetry.sinkNames == ["capture", "mailbox"])
    let place = RecordPlace(source: source, offset: 10, length: 3)
    [UInt8]("abc".utf8).withUnsafeBytes {
      telemetry.observe(record: RawRecord(place: place, bytes: $0))
    }
    telemetry.observe(.arrival(.zero))
    telemetry.flush()
    #expect(recentBytes.bytes(at: place) == Array("abc".utf8))
    #expect(mailbox.take().map(\.events.count) == [1])
    let spool = SpoolSink(settings: SpoolSettings(folder: "/nowhere"))
    let spooled = Telemetry.live(
      mailbox: MailboxSink(mailbox: mailbox),
      recentBytes: recentBytes,
      spool: spool
    )
    #expect(spooled.sinkNames == ["spool", "capture", "mailbox"])
  }

  @Test("says whether a piece is kept: no, when any writer could not take it")
  func kept() {
    final class Full: TelemetrySink {
      let name = "full"
      func receive(piece: RawPiece) throws(SinkError) { throw .full }
      func receive(record: RawRecord) throws(SinkError) {}
      func receive(event: TelemetryEvent) throws(SinkError) {}
      func flush() throws(SinkError) {}
    }
    let piece = RawPiece(
      source: SourceID(0),
      offset: 0,
      arrival: .zero,
      content: .json,
      bytes: UnsafeRawBufferPointer(start: nil, count: 0)
    )
    var telemetry = Telemetry(sinks: [RecordingSink(), Full()])
    let isKept = telemetry.observe(piece: piece)
    #expect(!isKept)
    #expect(telemetry.failures == [0, 1])
    var others = Telemetry(sinks: [RecordingSink()])
    let isKeptByOthers = others.observe(piece: piece)
    #expect(isKeptByOthers)
  }

  @Test("keeps a record before its events are passed on, whatever the decoder")
  func captureBeforeEvents() {
    let journal = Journal()
    var assembler = RecordAssembler(
      telemetry: Telemetry(sinks: [JournalSink("capture", journal), JournalSink("mail", journal)])
    )
    // ExportTraceServiceRequest{ResourceSpans{ScopeSpans{Span{}}}}, written by hand.
    let request: [UInt8] = [0x0A, 0x04, 0x12, 0x02, 0x12, 0x00]
    var decoder = Decoders.make(content: .protobuf, source: SourceID(0), offset: 0)
    request.withUnsafeBytes { decoder.consume($0, into: &assembler) }
    decoder.finish(into: &assembler)
    #expect(journal.entries.prefix(2) == ["capture record", "mail record"])
    #expect(journal.entries.contains("mail event"))
  }
}

@Suite("Recent bytes")
struct RecentBytesTests {
  private func keep(_ text: String, at offset: UInt64, in recent: RecentBytes) throws {
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBytes { pointer throws in
      let place = RecordPlace(source: SourceID(0), offset: offset, length: UInt32(bytes.count))
      try recent.receive(record: RawRecord(place: place, bytes: pointer))
    }
  }

  private func text(_ recent: RecentBytes, _ offset: UInt64, _ length: UInt32) -> String? {
    let place = RecordPlace(source: SourceID(0), offset: offset, length: length)
    return recent.bytes(at: place).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("give a place inside a record, across records, and nothing beyond them")
  func places() throws {
    let recent = RecentBytes(capacity: 100)
    recent.keep(SourceID(0))
    try keep("abcdef", at: 0, in: recent)
    try keep("ghi", at: 6, in: recent)
    try keep("xyz", at: 20, in: recent)
    #expect(text(recent, 2, 3) == "cde")
    #expect(text(recent, 4, 4) == "efgh")
    #expect(text(recent, 21, 2) == "yz")
    #expect(text(recent, 8, 2) == nil)
    #expect(text(recent, 19, 2) == nil)
  }

  @Test("are the newest that fit; what has left is nil, not garbage")
  func bound() throws {
    let recent = RecentBytes(capacity: 10)
    recent.keep(SourceID(0))
    for start in 0..<7 { try keep("0123", at: UInt64(start * 4), in: recent) }
    #expect(text(recent, 24, 4) == "0123")
    #expect(text(recent, 18, 10) == "2301230123")
    #expect(text(recent, 17, 4) == nil)
    #expect(text(recent, 0, 4) == nil)
    try keep("a record that is longer than the ring", at: 28, in: recent)
    #expect(text(recent, 28 + 27, 10) == "n the ring")
    #expect(text(recent, 24, 4) == nil)
  }

  @Test("are not kept of a source that can be read again")
  func files() throws {
    let recent = RecentBytes(capacity: 100)
    try keep("abc", at: 0, in: recent)
    #expect(text(recent, 0, 3) == nil)
  }
}
