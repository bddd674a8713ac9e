/// Summaries of streams that were derived while more was being read, for the overview at the end.
///
/// What has become outdated meanwhile is derived again: it may save time, and never changes a figure.
package struct EarlySummaries: Sendable {
  /// By the stream's number.
  fileprivate var summaries: [StreamSummary?] = []
  fileprivate var cursor = 0

  package init() {}

  subscript(stream: StreamID) -> StreamSummary? {
    let number = Int(stream.rawValue)
    return number < summaries.count ? summaries[number] : nil
  }
}

extension SessionModel {
  /// A stream is worth deriving early once everybody else is this far ahead, in nanoseconds.
  private static let quietTime: Int64 = 120_000_000_000
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
    while early.summaries.count < count { early.summaries.append(nil) }
    for _ in 0..<min(count, Self.earlyStreams) {
      if early.cursor >= count { early.cursor = 0 }
      let number = early.cursor
      early.cursor += 1
      guard isQuiet(number), !isCurrent(early.summaries[number]) else { continue }
      let id = StreamID(UInt32(number))
      var derivation = StreamDerivation(model: self, stream: id, ledgers: [], bound: store.count)
      early.summaries[number] = derivation.derive(repeated: [])
      return true
    }
    return false
  }

  /// True once a third of the newest source was read: before that, most streams will get more.
  private var isWellRead: Bool {
    guard let source = sources.last, let total = source.bytesTotal else { return true }
    return source.bytesRead >= total / 3
  }

  private func isQuiet(_ number: Int) -> Bool {
    let newest = streamTable.streams[number].newestEnd
    return newest != .min && newest < newestEnd - Self.quietTime
      && streamTable.streams[number].rows.count <= Self.earlyRows
      && !streamTable.streams[number].isLedger
  }

  private func isCurrent(_ summary: StreamSummary?) -> Bool {
    guard let summary else { return false }
    let number = Int(summary.stream.rawValue)
    return summary.revision == streamTable.streams[number].revision
      && summary.showsSessionSpans == streamTable.streams[number].showsSessionSpans
      && summary.hasTrustedTime == streamTable.streams[number].hasTrustedTime
  }
}
