/// What to look at: records that an expression matches, within a stretch of time.
package struct RecordFilter: Sendable {
  /// An instant that a user gave.
  package enum Bound: Equatable, Sendable {
    /// Nanoseconds since 1970.
    case instant(Int64)
    /// Nanoseconds before now of the view.
    case beforeNow(Int64)

    /// Nanoseconds since 1970.
    package func resolved(now: Int64) -> Int64 {
      switch self {
      case .instant(let time): time
      case .beforeNow(let age): now == .min ? now : now &- age
      }
    }
  }

  /// Nil asks nothing.
  package var expression: FilterExpression?
  /// The expression as it was typed.
  package var text = ""
  /// Records that end before are left out.
  package var since: Bound?
  /// Records that start later are left out.
  package var until: Bound?

  package init() {}

  package var isEmpty: Bool { expression == nil && since == nil && until == nil }
}

/// The rows that a filter lets through, a bit for each.
package struct RowSelection: Sendable {
  private var words: [UInt64]
  package private(set) var count = 0

  init(rows: Int) {
    words = [UInt64](repeating: 0, count: (rows + 63) / 64)
  }

  mutating func insert(_ row: Int) {
    guard !contains(row) else { return }
    words[row >> 6] |= 1 << UInt64(row & 63)
    count += 1
  }

  /// Whether there is one in a stretch that begins and ends with a multiple of 64.
  func containsAny(of rows: Range<Int>) -> Bool {
    let range = (rows.lowerBound >> 6..<rows.upperBound >> 6).clamped(to: words.indices)
    return words[range].contains { $0 != 0 }
  }

  /// The bits of 64 rows.
  func word(_ index: Int) -> UInt64 { index < words.count ? words[index] : 0 }

  /// Calls with every selected row, in order.
  func forEach(_ body: (Int) -> Void) {
    for (index, word) in words.enumerated() {
      var left = word
      while left != 0 {
        body(index << 6 + left.trailingZeroBitCount)
        left &= left - 1
      }
    }
  }

  /// False for rows that came after the selection was made.
  package func contains(_ row: Int) -> Bool {
    row >> 6 < words.count && words[row >> 6] & 1 << UInt64(row & 63) != 0
  }
}

/// Which rows figures are made of.
package struct RowView: Sendable {
  /// Rows from here on are not there yet.
  package let bound: Int
  /// Nil takes them all.
  package let selection: RowSelection?
  fileprivate let isWhole: Bool

  package init(bound: Int, selection: RowSelection? = nil) {
    self.bound = bound
    self.selection = selection
    isWhole = selection == nil
  }
}

extension RecordStore {
  /// True for a row that is live and selected; only live ones are ever selected.
  @inline(__always)
  package func isLive(_ row: Int, in view: RowView) -> Bool {
    view.isWhole ? isLive(row, upTo: view.bound) : view.selection?.contains(row) == true
  }
}
