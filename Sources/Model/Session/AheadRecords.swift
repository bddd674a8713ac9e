/// Records that began more than a day after everything that had arrived by then.
///
/// Whether a record is clock-suspect depends on the newest arrival of all, so a later arrival can clear
/// them; otherwise the order of arrival would show in the figures.
struct AheadRecords: Sendable {
  private struct Entry {
    var start: Int64
    var end: Int64
    var stream: StreamID
    /// Nil for what a copy spans that may have lost.
    var row: Int?
  }

  private static let most = 200_000
  private var entries: [Entry] = []
  private var earliest = Int64.max

  /// Keeps a row that was appended, if it is ahead.
  @inline(__always)
  mutating func note(_ row: RecordRow, number: Int) {
    guard row.flags.contains(.timeOutOfRange) else { return }
    keep(row, end: row.end, number: number)
  }

  /// Keeps what a record spans, if being ahead is all that is wrong with its times.
  mutating func note(_ row: RecordRow, _ options: ModelOptions) {
    var others = row.flags
    others.remove(.timeOutOfRange)
    guard row.flags.contains(.timeOutOfRange), !others.isClockSuspect else { return }
    keep(row, end: row.trueEnd(options), number: nil)
  }

  private mutating func keep(_ row: RecordRow, end: Int64, number: Int?) {
    // A limit, as these are outside of the memory limit: what is beyond keeps its suspect clock.
    guard row.isAhead, entries.count < Self.most else { return }
    entries.append(Entry(start: row.start, end: end, stream: row.stream, row: number))
    earliest = min(earliest, row.start)
  }

  /// Removes what is no longer ahead of a limit, and hands it over.
  mutating func clear(
    upTo latest: Int64,
    _ body: (_ stream: StreamID, _ start: Int64, _ end: Int64, _ row: Int?) -> Void
  ) {
    guard earliest <= latest else { return }
    var rest: [Entry] = []
    for entry in entries {
      if entry.start > latest {
        rest.append(entry)
      } else {
        body(entry.stream, entry.start, entry.end, entry.row)
      }
    }
    entries = rest
    earliest = rest.map(\.start).min() ?? .max
  }
}

extension SessionModel {
  mutating func arrive(_ time: Int64) {
    guard time > newestArrival else { return }
    newestArrival = time
    var waiting = AheadRecords()
    swap(&waiting, &ahead)
    waiting.clear(upTo: RecordRow.latestStart(newestArrival: time)) { stream, start, end, row in
      if let row {
        store.clearTimeOutOfRange(row)
        // Summaries of the stream are out of date.
        streamTable[stream].lostRows += 1
      } else {
        widen(stream, from: start, to: end)
      }
    }
    swap(&waiting, &ahead)
  }

  /// Takes the time of a trustworthy record into what its stream spans.
  mutating func widen(_ stream: StreamID, from start: Int64, to end: Int64) {
    streamTable[stream].newestEnd = max(streamTable[stream].newestEnd, end)
    streamTable[stream].oldestStart = min(streamTable[stream].oldestStart, start)
    newestEnd = max(newestEnd, end)
  }
}
