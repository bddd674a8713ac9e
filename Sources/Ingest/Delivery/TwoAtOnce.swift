import CPlatform

/// Runs two pieces of work at once, the second on a thread of its own; returns when both are done.
///
/// One after the other where the system has no thread to give.
package func runAtOnce(_ first: () -> Void, _ second: @Sendable () -> Void) {
  withoutActuallyEscaping(second) { second in
    let work = Unmanaged.passRetained(Work(second))
    var thread: UInt = 0
    let error = cp_start_thread(
      &thread,
      { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() },
      work.toOpaque()
    )
    first()
    if error == 0 {
      cp_join_thread(thread)
    } else {
      work.release()
      second()
    }
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
