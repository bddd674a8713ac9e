package import Model

/// What a row of a list stands for, the same through inserts, sorts and replaced records.
package enum RowKey: Hashable, Sendable {
  /// The head of a group of rows; never under the cursor.
  case head(StreamID)
  /// The head of a part of a list, such as the fragments; never under the cursor.
  case section(Int)
  /// A visit by its launch and its place in it, so that an open session keeps its row when its span lands.
  case visit(StreamID, launch: Int64, ordinal: Int)
  /// A screen, a fragment or a leaked class.
  case group(GroupKey)
  /// A part of a screen's or fragment's records, by the value that they share.
  case part(GroupKey, Symbol, Symbol)
  /// A ledger name.
  case name(Symbol)
  /// A source, by its place among those that the user named.
  case source(Int)
  /// A single record, by its identity or else its row.
  case record(UInt64)
}

/// One row of a list: its key and where it is in the overview.
package struct ListEntry: Hashable, Sendable {
  package var key: RowKey
  package var first: Int
  package var second: Int

  package init(_ key: RowKey, _ first: Int, _ second: Int = 0) {
    self.key = key
    self.first = first
    self.second = second
  }

  package var isHead: Bool {
    switch key {
    case .head, .section: true
    default: false
    }
  }
}

/// Where one list stands: its rows, the row under the cursor, the order.
package struct ListState: Sendable {
  package var entries: [ListEntry] = []
  package var position = ScrollPosition()
  package var sort: TableSort<Int>?
  /// Which picture the rows are of, and in which order; nil before the first.
  var basis: ListBasis?
  private var selectedKey: RowKey?

  package init() {}

  package var selected: ListEntry? {
    entries.indices.contains(position.selected) ? entries[position.selected] : nil
  }

  /// Takes new rows; the cursor stays on its record, or near its place when the record is gone.
  mutating func take(_ new: [ListEntry], height: Int, toNewest: Bool) {
    entries = new
    if toNewest {
      position.move(.top, rowCount: new.count, height: height)
    } else if let key = selectedKey, let row = new.firstIndex(where: { $0.key == key }) {
      position.follow(to: row, rowCount: new.count, height: height)
    } else {
      position = position.revealed(rowCount: new.count, height: height)
    }
    skipHeads(forward: true, height: height)
  }

  mutating func move(_ move: ScrollPosition.Move, height: Int) {
    let before = position.selected
    position.move(move, rowCount: entries.count, height: height)
    skipHeads(forward: position.selected >= before, height: height)
  }

  mutating func select(_ row: Int, height: Int) {
    position.follow(to: row, rowCount: entries.count, height: height)
    skipHeads(forward: true, height: height)
  }

  /// Heads are read over: the cursor goes on to the next row in its direction, else back.
  private mutating func skipHeads(forward: Bool, height: Int) {
    guard entries.contains(where: { !$0.isHead }) else {
      selectedKey = nil
      return
    }
    var row = position.selected
    var step = forward ? 1 : -1
    while entries.indices.contains(row), entries[row].isHead {
      row += step
      if !entries.indices.contains(row) {
        step = -step
        row += step
      }
    }
    position.selected = row
    position = position.revealed(rowCount: entries.count, height: height)
    // The head above the first row shows with it.
    if position.top > 0, position.top == row, entries[row - 1].isHead { position.top -= 1 }
    selectedKey = entries[row].key
  }
}

/// What the rows of a list depend on.
struct ListBasis: Equatable, Sendable {
  var picture: Int
  var sort: TableSort<Int>?
}

/// A screen that is a table: what its rows are and what stands in them.
///
/// Everything is a function of the state; the order of rows is that of `entries`.
protocol ListScreen {
  /// The columns of this state: some exist only where they tell rows apart.
  static func columns(_ state: AppState) -> [TableColumn<Int>]
  /// Columns that rows cannot be ordered by, such as charts.
  static var unsortable: Set<Int> { get }
  /// Columns whose order begins with the least: names; numbers, times and verdicts begin with the greatest.
  static var ascending: Set<Int> { get }
  /// The order before the user chooses one; nil for the natural order of `entries`.
  static var defaultSort: TableSort<Int>? { get }
  /// The natural order is by time, the newest first, so that following keeps the cursor on the first row.
  static var isNewestFirst: Bool { get }
  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry]
  /// The cells of one row by their columns and widths; what they have in common is made once.
  static func cells(
    _ entry: ListEntry,
    _ state: SharedState
  ) -> (_ column: Int, _ width: Int) -> StyledText
  static func head(_ entry: ListEntry, _ state: AppState) -> StyledText?
  /// A line above the list that never scrolls away; nil for none.
  static func banner(_ state: AppState) -> StyledText?
  /// What `/` looks through.
  static func searchText(_ entry: ListEntry, _ state: AppState) -> String
  /// The record that Enter opens; nil where there is none.
  static func record(_ entry: ListEntry, _ state: AppState) -> Int?
  /// Facts about the row that the detail pane shows above the record's own fields.
  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact]
  /// Rows beside the list that explain the selected one; 0 for none.
  static func evidenceHeight(_ state: AppState, available: Int) -> Int
  /// The evidence stands above the list instead of below it.
  static var evidenceIsAbove: Bool { get }
  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  )
  /// What an empty list says.
  static func emptyText(_ state: AppState) -> String
}

extension TableColumn<Int> {
  /// A column of numbers, which stand to the right.
  static func number(
    _ id: some RawRepresentable<Int>,
    _ title: String,
    _ width: Int,
    dropOrder: Int = 0
  ) -> TableColumn {
    TableColumn(
      id.rawValue,
      title,
      width: .fixed(width),
      alignment: .right,
      dropOrder: dropOrder
    )
  }
}

extension ListScreen {
  static var unsortable: Set<Int> { [] }
  static var ascending: Set<Int> { [] }
  static var defaultSort: TableSort<Int>? { nil }
  static var isNewestFirst: Bool { false }
  static func head(_ entry: ListEntry, _ state: AppState) -> StyledText? { nil }
  static func banner(_ state: AppState) -> StyledText? { nil }
  static func evidenceHeight(_ state: AppState, available: Int) -> Int {
    EvidencePane.height(state, available: available)
  }
  static var evidenceIsAbove: Bool { false }
  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {}
}

/// What a row is ordered by.
enum SortValue: Comparable, Sendable {
  case number(Double)
  case text(String)

  /// Nil stays nil: unknown is not zero.
  static func known(_ value: Double?) -> SortValue? { value.map { .number($0) } }
  static func count(_ value: Int) -> SortValue { .number(Double(value)) }
}

extension [ListEntry] {
  /// Ordered by a value; equal rows keep their order, unknown ones go last in either direction.
  func sorted(isDescending: Bool, by value: (ListEntry) -> SortValue?) -> [ListEntry] {
    let keyed = map { (entry: $0, value: value($0)) }
    return keyed.enumerated().sorted { left, right in
      guard let a = left.element.value else {
        return right.element.value == nil && left.offset < right.offset
      }
      guard let b = right.element.value else { return true }
      if a == b { return left.offset < right.offset }
      return isDescending ? a > b : a < b
    }
    .map(\.element.entry)
  }
}
