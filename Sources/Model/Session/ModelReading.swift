extension SessionModel {
  /// The model as it is, for reading only: without the tables that tell copies apart.
  ///
  /// Cheap to take, and this model goes on without copying what it holds: for deriving an overview on
  /// another thread.
  package var reading: SessionModel {
    var copy = self
    copy.store = store.withoutIndex
    copy.equalCopies = [:]
    copy.renamedSpans = []
    copy.seenLogs = [:]
    return copy
  }
}
