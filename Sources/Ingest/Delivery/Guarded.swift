import CPlatform

/// A value that threads share, one at a time, and can wait upon.
///
/// The one `@unchecked Sendable` of the program: the value is touched with the lock held only. A pthread
/// mutex rather than the standard library's, which makes the thread sanitizer report races on Linux that
/// are none.
final class Guarded<Value: ~Copyable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: consuming sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Calls `body` with the lock held, now and after every `wakeAll`, until it returns a value.
  func waitUntil<Result>(_ body: (inout Value) -> sending Result?) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Wakes every thread that waits; call it after a change that they may wait for.
  func wakeAll() {
    pthread_cond_broadcast(condition)
  }
}
