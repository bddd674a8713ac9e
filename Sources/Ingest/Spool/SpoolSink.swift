import CPlatform
package import Model

/// Writes what live sources bring to the segments of a run before it is decoded.
///
/// Belongs to the ingest thread. A piece is kept once `write` has returned: nothing is synchronised, so a
/// crash of perftop loses nothing, one of the machine what the system had not written.
package final class SpoolSink: TelemetrySink {
  /// Bytes of a record that begins in a full segment and are repeated in the next at most, for each source.
  static let repeatLimit: UInt64 = 4 << 20

  package let name = "spool"
  /// Where the other thread finds the bytes of records.
  let index: SpoolIndex
  private(set) var state = SpoolState()

  private let settings: SpoolSettings
  private let fallback: RecentBytes?
  private let clock: @Sendable () -> Timestamp
  private var run: SpoolRun?
  private var segment: SpoolSegment?
  /// Segments that are there, oldest first.
  private var segments: [Segment] = []
  /// By number of the source; nil for those that are not kept.
  private var tracks: [SpoolTrack?] = []
  /// Records that were kept, and perhaps dropped since.
  private var records = 0
  /// On the monotonic clock; until then nothing is tried after a failure.
  private var retryAt: Timestamp?

  private struct Segment {
    var number: UInt32
    var path: String
    var size: UInt64
    /// Records in the segments before.
    var recordsBefore: Int
  }

  /// `fallback` takes the records that cannot be written, `clock` never jumps.
  init(
    settings: SpoolSettings,
    index: SpoolIndex = SpoolIndex(),
    fallback: RecentBytes? = nil,
    clock: @escaping @Sendable () -> Timestamp = { .monotonic }
  ) {
    self.settings = settings
    self.index = index
    self.fallback = fallback
    self.clock = clock
    state.folder = settings.folder
    state.limit = settings.limit
  }

  /// True while what comes is kept: the last write succeeded, or it may be tried again.
  var isKeeping: Bool { retryAt.map { clock() >= $0 } ?? true }

  /// Makes the pieces of a source worth keeping.
  func keep(_ source: SourceID, name: String, ledgerName: String) {
    let number = Int(source.rawValue)
    while tracks.count <= number { tracks.append(nil) }
    tracks[number] = SpoolTrack(names: SpoolSource(name: name, ledgerName: ledgerName))
    index.addSource(source, number: source.rawValue)
  }

  // MARK: - Sink

  package func receive(piece: RawPiece) throws(SinkError) {
    let number = Int(piece.source.rawValue)
    guard number < tracks.count, tracks[number] != nil else { return }
    do throws(SystemError) {
      guard isKeeping else { throw SystemError(EAGAIN) }
      try write(piece, of: number)
      tracks[number]?.isKept = true
      retryAt = nil
      state.problem = nil
    } catch {
      tracks[number]?.isKept = false
      state.unkeptBytes += UInt64(piece.bytes.count)
      if isKeeping {
        retryAt = clock().advanced(byNanoseconds: settings.patience)
        state.problem =
          error.number == ENOTDIR ? "a file is where a folder should be" : error.text
      }
      throw .failed(error.text)
    }
  }

  package func receive(record: RawRecord) throws(SinkError) {
    let number = Int(record.place.source.rawValue)
    guard number < tracks.count, let isKept = tracks[number]?.isKept else { return }
    tracks[number]?.recordEnd = record.place.offset + UInt64(record.place.length)
    if !isKept { fallback?.append(record) }
  }

  package func receive(event: TelemetryEvent) throws(SinkError) {
    count(event)
  }

  package func receive(events: [TelemetryEvent]) -> Int {
    guard !tracks.isEmpty else { return 0 }
    // Of an array each event would be copied out.
    events.withUnsafeBufferPointer { events in
      for index in events.indices { count(events[index]) }
    }
    return 0
  }

  private func count(_ event: TelemetryEvent) {
    let source: SourceID
    switch event {
    case .span(let span): source = span.place.source
    case .log(let log): source = log.place.source
    case .ledger(let line): source = line.place.source
    default: return
    }
    let number = Int(source.rawValue)
    guard number < tracks.count, let isKept = tracks[number]?.isKept else { return }
    if isKept { records += 1 } else { state.unkeptRecords += 1 }
  }

  /// Ends a segment that is nearly full: here everything that lies in it has been counted.
  package func flush() throws(SinkError) {
    let nearlyFull = settings.segmentSize - settings.segmentSize / 8
    if let segment, segment.size >= nearlyFull { close() }
  }

  // MARK: - Writing

  private func write(_ piece: RawPiece, of number: Int) throws(SystemError) {
    let needed = room(for: piece.bytes.count) + (tracks[number]?.announcement ?? 0)
    if let segment, segment.isBroken || segment.size + needed > settings.segmentSize { close() }
    let isFirst = segment == nil
    // What was cut before is not repeated together with it.
    if piece.isBeginning { tracks[number]?.recordEnd = piece.offset }
    if isFirst { try open(room: needed, at: piece.arrival) }
    do throws(SystemError) {
      try append(piece, of: number)
    } catch {
      // The system's limit of a file's size, which a fresh segment has not reached.
      guard error.number == EFBIG, !isFirst else { throw error }
      close()
      try open(room: needed, at: piece.arrival)
      try append(piece, of: number)
    }
    tracks[number]?.end = piece.offset + UInt64(piece.bytes.count)
    tracks[number]?.content = piece.content
    tracks[number]?.arrival = piece.arrival
  }

  /// Bytes of a frame with a payload.
  private func room(for payload: Int) -> UInt64 { UInt64(SpoolFrame.headSize + payload) }

  private func append(_ piece: RawPiece, of number: Int) throws(SystemError) {
    guard let names = tracks[number]?.names, let current = segment?.number else { return }
    if tracks[number]?.segment != current {
      try announce(names, of: number)
      tracks[number]?.segment = current
    }
    var frame = SpoolFrame(.piece, payload: piece.bytes)
    frame.source = piece.source.rawValue
    frame.content = piece.content
    frame.isWhole = piece.isWhole
    frame.isBeginning = piece.isBeginning
    frame.arrival = piece.arrival
    frame.offset = piece.offset
    let position = try append(frame, piece.bytes)
    index.add(piece.source, offset: piece.offset, segment: current, position: position)
  }

  private func announce(_ names: SpoolSource, of number: Int) throws(SystemError) {
    let payload = names.payload
    var frame = payload.withUnsafeBytes { SpoolFrame(.source, payload: $0) }
    frame.source = UInt16(truncatingIfNeeded: number)
    _ = try append(frame, payload)
  }

  private func append(_ frame: SpoolFrame, _ payload: [UInt8]) throws(SystemError) -> UInt64 {
    let appended = payload.withUnsafeBytes { bytes -> Result<UInt64, SystemError> in
      do throws(SystemError) { return .success(try append(frame, bytes)) } catch {
        return .failure(error)
      }
    }
    return try appended.get()
  }

  private func append(
    _ frame: SpoolFrame,
    _ payload: UnsafeRawBufferPointer
  ) throws(SystemError) -> UInt64 {
    guard let position = try segment?.append(frame, payload) else { throw SystemError(EBADF) }
    let grown = room(for: payload.count)
    segments[segments.count - 1].size += grown
    state.bytes += grown
    return position
  }

  // MARK: - Segments

  private func close() {
    segment = nil
  }

  /// Begins the next segment, in a new folder if there is none (any more).
  private func open(room: UInt64, at time: Timestamp) throws(SystemError) {
    if let run {
      do throws(SystemError) {
        return try openNext(in: run.folder, room: room)
      } catch {
        guard error.isMissing else { throw error }
        forget()
      }
    }
    let run = try SpoolRun(in: settings.folder, startedAt: time)
    let folder = run.folder
    self.run = run
    index.begin(folder: folder)
    for number in tracks.indices where tracks[number] != nil {
      tracks[number]?.segment = nil
      let number = UInt16(truncatingIfNeeded: number)
      index.addSource(SourceID(number), number: number)
    }
    state.folder = folder
    try openNext(in: folder, room: room)
  }

  /// Somebody has removed the folder: what was in it is dropped.
  private func forget() {
    run = nil
    segments = []
    state.bytes = 0
    state.droppedRecords = records
  }

  private func openNext(in folder: String, room: UInt64) throws(SystemError) {
    let held = heldBytes()
    let beginning = held.reduce(self.room(for: SpoolOpening.size)) { sum, piece in
      sum + self.room(for: piece.bytes.count) + (tracks[piece.number]?.announcement ?? 0)
    }
    makeRoom(max(settings.segmentSize, beginning + room), in: folder)
    let next = try SpoolSegment(
      number: (segments.last?.number ?? 0) + 1,
      folder: folder,
      write: settings.write
    )
    let number = next.number
    segments.append(Segment(number: number, path: next.path, size: 0, recordsBefore: records))
    segment = next
    do throws(SystemError) {
      let opening = SpoolOpening(
        segment: number,
        records: UInt64(records),
        unkeptRecords: UInt64(state.unkeptRecords)
      )
      let payload = opening.payload
      _ = try append(payload.withUnsafeBytes { SpoolFrame(.opening, payload: $0) }, payload)
      for piece in held { try repeatBytes(piece) }
    } catch {
      withdraw(number)
      throw error
    }
  }

  /// Removes the newest segment: without its beginning it is none.
  private func withdraw(_ number: UInt32) {
    close()
    index.drop(from: number)
    for source in tracks.indices where tracks[source]?.segment == number {
      tracks[source]?.segment = nil
    }
    guard let last = segments.popLast() else { return }
    state.bytes -= min(state.bytes, last.size)
    unlink(last.path)
  }

  private struct HeldBytes {
    var number: Int
    var offset: UInt64
    var bytes: [UInt8]
  }

  /// What each source has of a record that is not over: the next segment must not need this one.
  private func heldBytes() -> [HeldBytes] {
    tracks.enumerated().compactMap { number, track in
      guard let track, track.isKept, track.recordEnd < track.end,
        track.end - track.recordEnd <= Self.repeatLimit
      else { return nil }
      let place = RecordPlace(
        source: SourceID(UInt16(truncatingIfNeeded: number)),
        offset: track.recordEnd,
        length: UInt32(truncatingIfNeeded: track.end - track.recordEnd)
      )
      guard let bytes = index.bytes(at: place) else { return nil }
      return HeldBytes(number: number, offset: track.recordEnd, bytes: bytes)
    }
  }

  private func repeatBytes(_ held: HeldBytes) throws(SystemError) {
    guard let track = tracks[held.number] else { return }
    let repeated = held.bytes.withUnsafeBytes { bytes -> Result<Void, SystemError> in
      let piece = RawPiece(
        source: SourceID(UInt16(truncatingIfNeeded: held.number)),
        offset: held.offset,
        arrival: track.arrival,
        content: track.content,
        bytes: bytes
      )
      do throws(SystemError) { return .success(try append(piece, of: held.number)) } catch {
        return .failure(error)
      }
    }
    try repeated.get()
  }

  /// Removes the oldest segments, first of other runs and then of this one, until `room` fits the limit.
  private func makeRoom(_ room: UInt64, in folder: String) {
    let needed = min(room, settings.limit)
    let own = segments.reduce(0) { $0 + $1.size }
    let forOthers = settings.limit - min(settings.limit, own + needed)
    let others = SpoolFolders.shrink(settings.folder, to: forOthers, except: folder)
    let forOwn = settings.limit - min(settings.limit, others + needed)
    var size = own
    while size > forOwn, let oldest = segments.first {
      unlink(oldest.path)
      segments.removeFirst()
      size -= oldest.size
      state.droppedBytes += oldest.size
      state.droppedRecords = segments.first?.recordsBefore ?? records
    }
    state.bytes = size
    index.drop(before: segments.first?.number ?? .max)
  }
}

/// What the spool knows of a source that it keeps.
private struct SpoolTrack {
  let names: SpoolSource
  var content = PieceContent.json
  /// The segment in which the source was named last.
  var segment: UInt32?
  /// Of the bytes that were kept last, in the source.
  var end: UInt64 = 0
  /// Of the last record that was whole.
  var recordEnd: UInt64 = 0
  var arrival = Timestamp(nanoseconds: 0)
  /// Bytes of the frame that names it.
  let announcement: UInt64
  /// False while pieces of it cannot be written.
  var isKept = true

  init(names: SpoolSource) {
    self.names = names
    announcement = UInt64(SpoolFrame.headSize + names.payload.count)
  }
}
