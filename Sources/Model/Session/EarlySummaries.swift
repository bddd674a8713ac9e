/// Summaries of streams that were derived while more was being read, for the overview at the end.
///
/// What has become outdated meanwhile is derived again: it may save time, and never changes a figure.
package struct EarlySummaries: Sendable {
  /// By the stream's number.
  fileprivate var summaries: [StreamSummary?] = []
  /// By the same number: what the summary was derived from.
  fileprivate var bases: [StreamBasis?] = []
  fileprivate var cursor = 0
  /// The newest end of the data from which on looking for quiet streams is worth while.
  fileprivate var nextLook = Int64.min
  fileprivate var room = StreamDerivation.Room()

  package init() {}

  /// Gives the summary away: whoever has it alone can change it in place.
  mutating func take(_ stream: StreamID) -> StreamSummary? {
    let number = Int(stream.rawValue)
    return number < summaries.count ? summaries[number].take() : nil
  }
}

extension SessionModel {
  /// A stream is worth deriving early once everybody else is this far ahead, in nanoseconds.
  private static let quietTime: Int64 = 120_000_000_000
  /// Nanoseconds of data between one look in vain and the next.
  private static let lookEvery: Int64 = 10_000_000_000
  /// Rows of a stream that is derived early: few, so that events never wait for long.
  private static let earlyRows = 1_024
  /// Streams that are looked at in one call.
  private static let earlyStreams = 4_096

  /// Derives the summary of one stream that nothing has come for lately.
  ///
  /// Returns false when there is none for now.
  package func deriveAhead(_ early: inout EarlySummaries) -> Bool {
    guard isWellRead else { return false }
    let count = streamTable.streams.count
    while early.summaries.count < count {
      early.summaries.append(nil)
      early.bases.append(nil)
    }
    // Who looked in vain looks again when the data has gone on.
    guard newestEnd >= early.nextLook else { return false }
    guard let number = nextQuiet(&early) else {
      early.nextLook = newestEnd + Self.lookEvery
      return false
    }
    let id = StreamID(UInt32(number))
    // Taken out for the time: what is shared would be copied.
    var room = StreamDerivation.Room()
    swap(&room, &early.room)
    var derivation = StreamDerivation(model: self, bound: store.count, room: consume room)
    early.summaries[number] = derivation.derive(id)
    early.room = derivation.room
    early.bases[number] = streamTable.streams.withUnsafeBufferPointer { StreamBasis($0, number) }
    return true
  }

  /// Gives up what has become outdated: an overview derives it again.
  package func dropOutdated(_ early: inout EarlySummaries) {
    streamTable.streams.withUnsafeBufferPointer { streams in
      for number in early.summaries.indices
      where early.bases[number] != StreamBasis(streams, number) {
        early.summaries[number] = nil
      }
    }
  }

  /// The next stream that is worth deriving and has changed since it was.
  private func nextQuiet(_ early: inout EarlySummaries) -> Int? {
    // Streams are looked at often and mostly in vain: a copy of each would cost more than deriving.
    streamTable.streams.withUnsafeBufferPointer { streams in
      for _ in 0..<min(streams.count, Self.earlyStreams) {
        if early.cursor >= streams.count { early.cursor = 0 }
        let number = early.cursor
        early.cursor += 1
        let newest = streams[number].newestEnd
        if newest != .min, newest < newestEnd - Self.quietTime,
          streams[number].rows.count <= Self.earlyRows, streams[number].key.kind != .ledger,
          early.bases[number] != StreamBasis(streams, number)
        {
          return number
        }
      }
      return nil
    }
  }

  /// True once a third of the newest source was read: before that, most streams will get more.
  private var isWellRead: Bool {
    guard let source = sources.last, let total = source.bytesTotal else { return true }
    return source.bytesRead >= total / 3
  }
}

/// What a summary of a stream is derived from: it differs where the summary may.
private struct StreamBasis: Equatable {
  var revision: Int
  var showsSessionSpans: Bool
  var hasTrustedTime: Bool

  /// By the stream's place and of what is stored of it alone.
  ///
  /// To hand a stream over, also to its own properties, copies it, and most are looked at in vain.
  @inline(__always)
  init(_ streams: UnsafeBufferPointer<DeviceStream>, _ number: Int) {
    revision = streams[number].rows.count + streams[number].lostRows
    showsSessionSpans = streams[number].showsSessionSpans
    hasTrustedTime = streams[number].oldestStart != .max
  }
}
