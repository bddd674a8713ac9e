/// What watching a path achieved.
struct Watching {
  /// True when every change of the path and of the open files wakes the descriptor.
  var isServed: Bool
  /// True when something is watched that was not before: what changed just before went unseen.
  var hasChanged: Bool
}
