import Model

enum ScreensScreen: ListScreen {
  static let columns: [TableColumn<Int>] = []
  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry] { [] }
  static func cell(_ entry: ListEntry, _ column: Int, _ state: AppState) -> StyledText {
    StyledText()
  }
  static func searchText(_ entry: ListEntry, _ state: AppState) -> String { "" }
  static func record(_ entry: ListEntry, _ state: AppState) -> Int? { nil }
  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] { [] }
  static func emptyText(_ state: AppState) -> String { "" }
}
