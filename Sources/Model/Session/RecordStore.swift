/// The columns: every row ever appended, in chunks that never move.
///
/// A replacement appends a row and marks the old one, so a row count is a valid past: `isLive(row, upTo:)`
/// answers as it would have been answered when the store had that many rows.
package struct RecordStore: Sendable {
  var chunks: ContiguousArray<RowChunk> = []
  var extras = ExtraBytes()
  var identities = IdentityIndex()
  /// Every row that ever was; those that were dropped keep their numbers.
  package private(set) var count = 0
  /// Rows that there is room for in memory.
  var rowCapacity = 0
  /// Chunks of which enough was dropped to write them anew.
  var wasteful: [Int] = []

  package init() {}

  package subscript(row: Int) -> RecordRow {
    // Borrowed, not copied: most callers want one field of 80 bytes.
    @inline(__always)
    _read {
      precondition(row >= 0 && row < count)
      yield chunks[row >> RowChunk.shift].place(of: row & RowChunk.mask).pointee
    }
  }

  /// The span id of a row; nil for a record without identity.
  package func identifier(of row: Int) -> UInt64? {
    self[row].hasIdentity ? self[row].spanID : nil
  }

  package func extra(of row: RecordRow) -> RecordExtra {
    guard let place = row.extra else { return RecordExtra() }
    var extra = extras[place]
    extra.measurements[.primary] = row.primaryValue
    return extra
  }

  /// The second number of a row, wherever it lies; nil when absent.
  package func secondary(of row: RecordRow) -> UInt32? {
    row.extra.map { extras[$0].measurements[.secondary] } ?? row.secondaryValue
  }

  /// The trace of a row, also of one that was replaced.
  package func traceHash(of row: RecordRow) -> UInt64 {
    var row = row
    while row.isReplaced, row.hasIdentity { row = self[Int(row.supersededBy) - 1] }
    return row.traceHash
  }

  /// The same rows without the index that only `append` needs: what a reader on another thread keeps.
  package var withoutIndex: RecordStore {
    var copy = self
    copy.identities = IdentityIndex()
    return copy
  }

  /// True for a row that was there and not yet replaced when the store had `bound` rows.
  package func isLive(_ row: Int, upTo bound: Int) -> Bool {
    guard row < bound else { return false }
    let superseded = Int(self[row].supersededBy)
    return superseded == 0 || superseded > bound
  }

  /// Appends a row without looking for its identity; returns its number.
  @discardableResult
  mutating func append(_ row: RecordRow, extra: RecordExtra?) -> Int {
    var row = row
    if let extra { row.extra = extras.append(extra) }
    if count & RowChunk.mask == 0 {
      chunks.append(RowChunk(capacity: RowChunk.size))
      rowCapacity += RowChunk.size
    }
    own(chunks.count - 1)
    (chunks[chunks.count - 1].rows + (count & RowChunk.mask)).initialize(to: row)
    count += 1
    return count - 1
  }

  private mutating func own(_ number: Int) {
    chunks[number].own(min(RowChunk.size, count - number << RowChunk.shift))
  }

  /// The winning row of an identity, if one is known.
  func winner(traceHash: UInt64, spanID: UInt64) -> Int? {
    identities.find(traceHash: traceHash, spanID: spanID) { self[$0].isCopy(traceHash, spanID) }
  }

  mutating func write(_ row: Int, _ change: (inout RecordRow) -> Void) {
    let number = row >> RowChunk.shift
    guard holds(row) else { return }
    own(number)
    change(&chunks[number].place(of: row & RowChunk.mask).pointee)
  }

  /// Marks a row as replaced by a later one.
  mutating func supersede(_ old: Int, by row: Int) {
    write(old) { $0.supersede(by: row) }
  }

  /// Believes the time of a row after all.
  mutating func clearTimeOutOfRange(_ row: Int) {
    write(row) { $0.flags.remove(.timeOutOfRange) }
  }

  /// Makes a row the winner of its identity; `replacing` is the one that was it before.
  mutating func crown(_ row: Int, replacing old: Int?) {
    let winner = self[row]
    if let old {
      supersede(old, by: row)
      identities.replace(
        old,
        with: row,
        traceHash: winner.traceHash,
        spanID: winner.spanID
      )
    } else {
      identities.insert(row, traceHash: winner.traceHash, spanID: winner.spanID)
    }
  }
}

extension RecordRow {
  fileprivate func isCopy(_ traceHash: UInt64, _ spanID: UInt64) -> Bool {
    self.spanID == spanID && self.traceHash == traceHash
  }

  /// The total order over copies of one span: the greatest wins whole, whatever came first.
  ///
  /// Status before the rest, then a copy that does not say that it goes on, then what is only known at
  /// the end, then a format that has a status, then the later end, then more attributes; the hash of the
  /// canonical content decides between the remaining ones.
  func isGreaterCopy(than other: RecordRow) -> Bool {
    let ended = outcome != .normal
    let otherEnded = other.outcome != .normal
    if ended != otherEnded { return ended }
    let goesOn = flags.contains(.inProgress)
    if goesOn != other.flags.contains(.inProgress) { return !goesOn }
    if finalAttributeCount != other.finalAttributeCount {
      return finalAttributeCount > other.finalAttributeCount
    }
    let isUnknown = flags.contains(.statusUnknown)
    if isUnknown != other.flags.contains(.statusUnknown) { return !isUnknown }
    if end != other.end { return end > other.end }
    if attributeCount != other.attributeCount { return attributeCount > other.attributeCount }
    return content > other.content
  }
}
