/// A state that many rows look at: to copy all its parts for each of them would cost more than the rows.
final class SharedState: Sendable {
  let state: AppState

  init(_ state: AppState) {
    self.state = state
  }
}
