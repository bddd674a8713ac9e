import CPlatform

/// One piece of work at a time on a thread of its own, whose result waits to be taken.
package final class BackgroundWork<Output: Sendable>: Sendable {
  private enum State {
    case idle
    case working
    case done(Output)
  }

  private let state = Guarded(State.idle)

  package init() {}

  /// True when nothing is under way and no result waits.
  package var isIdle: Bool {
    state.withLock { if case .idle = $0 { true } else { false } }
  }

  /// Starts the work unless other work is under way or its result waits; false when it did not.
  ///
  /// The work gives way to other threads. `whenDone` is called on its thread once the result can be taken.
  /// Where the system has no thread to give, everything has happened when this returns.
  @discardableResult
  package func start(
    _ work: @escaping @Sendable () -> Output,
    whenDone: @escaping @Sendable () -> Void
  ) -> Bool {
    let isFree = state.withLock { state -> Bool in
      guard case .idle = state else { return false }
      state = .working
      return true
    }
    guard isFree else { return false }
    let body = Unmanaged.passRetained(
      Body { [state] in
        let output = work()
        state.withLock { $0 = .done(output) }
        whenDone()
      }
    )
    var thread: UInt = 0
    let error = cp_start_thread(
      &thread,
      {
        cp_give_way()
        Unmanaged<Body>.fromOpaque($0).takeRetainedValue().call()
      },
      body.toOpaque()
    )
    if error == 0 {
      cp_detach_thread(thread)
    } else {
      body.takeRetainedValue().call()
    }
    return true
  }

  /// The result, once: then other work may start.
  package func take() -> Output? {
    state.withLock { state in
      guard case .done(let output) = state else { return nil }
      state = .idle
      return output
    }
  }
}

private final class Body: Sendable {
  let call: @Sendable () -> Void

  init(_ call: @escaping @Sendable () -> Void) {
    self.call = call
  }
}
