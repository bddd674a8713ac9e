// What is asked of the streams of a model.
extension SessionModel {
  /// The name of the ledger that a stream is; nil for one of OTLP records.
  package func ledgerName(of stream: StreamID) -> String? {
    streamTable.streams[Int(stream.rawValue)].ledgerName
  }

  /// All rows of a stream, and its revision.
  func rows(of stream: StreamID) -> (rows: ContiguousArray<UInt32>, revision: Int) {
    let number = Int(stream.rawValue)
    return (streamTable.streams[number].rows, streamTable.streams[number].revision)
  }

  func hasTrustedTime(_ stream: StreamID) -> Bool {
    streamTable.streams[Int(stream.rawValue)].hasTrustedTime
  }

  /// What was folded of a stream.
  func cut(of stream: StreamID) -> StreamCut { streamTable.streams[Int(stream.rawValue)].cut }

  func showsSessionSpans(_ stream: StreamID) -> Bool {
    streamTable.streams[Int(stream.rawValue)].showsSessionSpans
  }

  /// What tells a stream from the others, as text: the app and its device, or the ledger's name.
  package func identity(of stream: StreamID) -> String { identityParts(of: stream).joined() }

  func identityParts(of stream: StreamID) -> [String] {
    let number = Int(stream.rawValue)
    if let ledger = streamTable.streams[number].ledgerName { return ["ledger ", ledger] }
    let key = streamTable.streams[number].key
    return [key.kind.word, " ", text(key.app), "\0", text(key.first), "\0", text(key.second)]
  }
}
