import Model

/// Which part of the time the timeline shows, and where its cursor is.
package struct TimelineState: Sendable {
  package init() {}
}

extension AppState {
  mutating func updateTimeline() {}
  mutating func performOnTimeline(_ action: Action) {}
  mutating func moveOnTimeline(_ move: Action.Move) {}
  mutating func openOnTimeline() -> [Effect] { [] }
}
