/// Where a run's live sources are kept, and how much of them.
package struct SpoolSettings: Sendable {
  /// The folder with a folder for each run.
  package var folder: String
  /// Bytes of all runs together.
  package var limit: UInt64
  /// Bytes after which a segment is full; what is dropped is dropped by segments.
  var segmentSize: UInt64
  /// Nanoseconds until what failed is tried again.
  var patience: Int64 = 1_000_000_000
  var write = SpoolSegment.systemWrite

  package init(folder: String, limit: UInt64 = 512_000_000) {
    self.folder = folder
    self.limit = limit
    segmentSize = min(16_000_000, max(1, limit / 32))
  }

  /// `perftop` in the user's state folder; nil where there is none.
  ///
  /// `stateHome` is `XDG_STATE_HOME`, which counts only if it is absolute.
  package static func folder(stateHome: String?, home: String?) -> String? {
    if let stateHome, stateHome.hasPrefix("/") { return stateHome + "/perftop" }
    guard let home, home.hasPrefix("/") else { return nil }
    return home + "/.local/state/perftop"
  }
}
