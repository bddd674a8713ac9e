import Model

/// What a record lacks that was read before its resource or scope: JSON has them in any order.
struct WaitingRecord {
  /// Place of the record in the batch.
  var index: Int
  /// The sum of the hashes of what it says by itself.
  var content: UInt64
  var nameHash: UInt64
  /// Nil until its scope is known.
  var scope: (version: Symbol, hash: UInt64)?
}

extension RecordAssembler {
  /// Makes the record that is observed next wait for what is not known yet.
  mutating func wait(content: UInt64, nameHash: UInt64) {
    waiting.append(
      WaitingRecord(
        index: held.count,
        content: content,
        nameHash: nameHash,
        scope: lacksScope ? nil : (scopeVersion, scopeHash)
      )
    )
  }

  /// Gives the current scope to the records from an index of `waiting` on that have none.
  mutating func scopeWaiting(from first: Int) {
    for index in first..<waiting.count where waiting[index].scope == nil {
      waiting[index].scope = (scopeVersion, scopeHash)
    }
  }

  /// Gives the current resource to all records that wait.
  mutating func completeWaiting() {
    guard !waiting.isEmpty else { return }
    for record in waiting {
      let scope = record.scope ?? (Symbol.none, 0)
      let sum = record.content &+ resourceHash &+ scope.hash
      switch held[record.index] {
      case .span(var span):
        span.resource = currentResource
        span.scopeVersion = scope.version
        span.content = Self.content(of: span, sum, record.nameHash)
        held[record.index] = .span(span)
      case .log(var log):
        log.resource = currentResource
        log.content = Self.content(of: log, sum)
        held[record.index] = .log(log)
      default: break
      }
    }
    waiting.removeAll(keepingCapacity: true)
    if currentResource.rawValue == 0 { announceEmptyResource() }
  }
}
