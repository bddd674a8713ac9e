extension SessionModel {
  /// The model as it is, for reading only: without the tables that tell copies apart.
  ///
  /// Cheap to take, and this model goes on without copying what it holds: for deriving an overview on
  /// another thread.
  package var reading: SessionModel {
    var copy = self
    copy.endArrivals()
    return copy
  }

  /// Gives up the tables that tell copies apart: no record may be applied any more.
  package mutating func endArrivals() {
    store = store.withoutIndex
    equalCopies = CopyCounts()
    renamedSpans = []
    seenLogs = [:]
  }
}
