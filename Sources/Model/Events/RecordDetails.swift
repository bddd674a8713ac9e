/// A record read again in full for the detail pane: what the row does not keep.
package struct RecordDetails: Equatable, Sendable {
  /// One line of the pane; `depth` indents members of objects and arrays.
  package struct Field: Equatable, Sendable {
    package var depth: Int
    package var key: String
    package var value: String

    package init(depth: Int, key: String, value: String) {
      self.depth = depth
      self.key = key
      self.value = value
    }
  }

  package var fields: [Field]
  /// Fields beyond the limit that were left out; 0 when all are there.
  package var omitted: Int

  package init(fields: [Field], omitted: Int = 0) {
    self.fields = fields
    self.omitted = omitted
  }
}

/// Why a record cannot be read again.
package enum DetailsUnavailable: Error, Equatable, Sendable {
  /// It came from a pipe or the demo and has left the ring of recent bytes.
  case noLongerKept
  /// It has made room for newer ones in the spool, or could not be written.
  case notInSpool
  /// The file has changed since it was read.
  case sourceChanged
  /// The file cannot be opened or read; the text says why.
  case unreadable(String)
}
