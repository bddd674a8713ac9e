import Model

/// The rows or items that a search has found so far; of many it goes on in steps, so that no key waits.
///
/// It begins at the cursor and goes round, so that what is found first is what is gone to first.
struct HitScan: Sendable {
  /// What the hits are of; anything else is another scan.
  struct Basis: Equatable, Sendable {
    var pattern: SearchPattern
    var screen: Screen
    var pane: LedgerPane
    var picture: Int
    var sort: TableSort<Int>?
    /// Whose rows they are: the stream of a timeline, the ledger name of events.
    var subject: RowKey?
    var count: Int
  }

  /// Where the cursor is to go as soon as it is known.
  enum Jump: Sendable {
    case forward(includingSelected: Bool)
    case backward
  }

  let basis: Basis
  private let anchor: Int
  private var examined = 0
  private var fromAnchor: [Int] = []
  private var beforeAnchor: [Int] = []
  var jump: Jump?

  init(_ basis: Basis, from anchor: Int) {
    self.basis = basis
    self.anchor = basis.count > 0 ? max(0, min(anchor, basis.count - 1)) : 0
  }

  var isDone: Bool { examined >= basis.count }
  /// In the order of the rows.
  var hits: [Int] { beforeAnchor + fromAnchor }
  var count: Int { beforeAnchor.count + fromAnchor.count }
  /// The part of the rows that was looked at, 0 to 1.
  var share: Double { basis.count == 0 ? 1 : Double(examined) / Double(basis.count) }

  mutating func examine(rows: Int, _ isHit: (Int) -> Bool) {
    let end = min(basis.count, rows > basis.count - examined ? basis.count : examined + rows)
    while examined < end {
      let row = (anchor + examined) % basis.count
      if isHit(row) {
        if row >= anchor { fromAnchor.append(row) } else { beforeAnchor.append(row) }
      }
      examined += 1
    }
  }

  /// Where the jump leads; nil while that is not known, or when there is no hit.
  func target(of jump: Jump, selected: Int) -> Int? {
    switch jump {
    case .forward(let includingSelected):
      let isAhead = { (row: Int) in includingSelected ? row >= selected : row > selected }
      if isDone { return hits.first(where: isAhead) ?? hits.first }
      // Rows are known without a gap from the anchor on, and from the first row on.
      guard selected >= anchor || anchor == 0 else { return beforeAnchor.first(where: isAhead) }
      let hasGoneRound = examined > basis.count - anchor
      return fromAnchor.first(where: isAhead) ?? (hasGoneRound ? beforeAnchor.first : nil)
    case .backward:
      return isDone ? hits.last { $0 < selected } ?? hits.last : nil
    }
  }

  /// The number of a hit among all, from 1 on; nil for a row that is none.
  func number(of row: Int) -> Int? {
    let isAhead = row >= anchor
    let part = isAhead ? fromAnchor : beforeAnchor
    let index = part.firstIndex(atLeast: row)
    guard index < part.count, part[index] == row else { return nil }
    return index + 1 + (isAhead ? beforeAnchor.count : 0)
  }
}

extension [Int] {
  /// Of sorted numbers, the index of the first that is at least as great; the count where none is.
  fileprivate func firstIndex(atLeast number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
