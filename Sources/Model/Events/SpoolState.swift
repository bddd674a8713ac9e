/// How the capture of a run's live sources stands: its spool.
package struct SpoolState: Equatable, Sendable {
  /// The folder of the run, or that of all runs while there is none.
  package var folder = ""
  /// Bytes that all runs may take together; nil of a run that is read again.
  package var limit: UInt64?
  /// Bytes of this run on disk.
  package var bytes: UInt64 = 0
  /// Bytes and records that made room for newer ones.
  package var droppedBytes: UInt64 = 0
  package var droppedRecords = 0
  /// Bytes and records that could not be written.
  package var unkeptBytes: UInt64 = 0
  package var unkeptRecords = 0
  /// Why nothing is kept at present.
  package var problem: String?

  package init() {}

  /// Records that opening the run again does not show.
  package var missingRecords: Int { droppedRecords + unkeptRecords }
}
