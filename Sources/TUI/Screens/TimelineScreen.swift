import Model

enum TimelineScreen {
  static func draw(_ state: AppState, into grid: inout Grid, in area: Rect) {}
}
