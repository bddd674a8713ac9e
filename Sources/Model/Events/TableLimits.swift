/// How many distinct things a run tells apart; what comes beyond is `other`, and is counted.
///
/// Records give way at the memory limit, these tables never do: together they may take three quarters of it.
package struct TableLimits: Equatable, Sendable {
  /// Bytes of all distinct texts, `textCost` of each included.
  package var textBytes: Int
  package var resources: Int
  /// Devices, ledgers included.
  package var streams: Int
  /// Names of screens, spans, classes and ledgers by signal and app.
  package var groups: Int

  /// Bytes that a text takes beside its own, which are there twice: for finding it and for showing it.
  package static let textCost = 96
  package static let resourceCost = 160
  package static let streamCost = 360
  package static let groupCost = 640

  /// Shares of a memory limit in bytes.
  package init(memory: Int = 512_000_000) {
    textBytes = memory / 3
    resources = memory / 5 / Self.resourceCost
    streams = memory / 8 / Self.streamCost
    groups = memory / 16 / Self.groupCost
  }

  package static func cost(ofText bytes: Int) -> Int { textCost + 2 * bytes }
}
