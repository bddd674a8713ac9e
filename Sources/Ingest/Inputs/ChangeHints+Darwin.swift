#if canImport(Darwin)
/// Wakes nobody: on macOS followed files are looked at once a second.
final class ChangeHints {
  /// nil where the system gives no hints.
  let descriptor: Int32? = nil

  func watch(path: String, descriptors: [Int32]) -> Watching {
    Watching(isServed: false, hasChanged: false)
  }

  func clear() {}
}
#endif
