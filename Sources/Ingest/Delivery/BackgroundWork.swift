import CPlatform

/// One piece of work at a time on a thread of its own, whose news and result wait to be taken.
package final class BackgroundWork<Output: Sendable, News: Sendable>: Sendable {
  fileprivate enum State {
    case idle
    case working
    case done(Output)
  }

  fileprivate struct Shared {
    var state = State.idle
    var news: News?
    var isCancelled = false
  }

  private let shared = Guarded(Shared())

  package init() {}

  /// True when nothing is under way and no result waits.
  package var isIdle: Bool {
    shared.withLock { if case .idle = $0.state { true } else { false } }
  }

  /// Starts the work unless other work is under way or its result waits; false when it did not.
  ///
  /// The work gives way to other threads. `wake` is called on its thread when there is news or the result to
  /// take. Where the system has no thread to give, everything has happened when this returns.
  @discardableResult
  package func start(
    _ work: @escaping @Sendable (WorkProgress<Output, News>) -> Output,
    wake: @escaping @Sendable () -> Void
  ) -> Bool {
    let isFree = shared.withLock { shared -> Bool in
      guard case .idle = shared.state else { return false }
      shared = Shared(state: .working)
      return true
    }
    guard isFree else { return false }
    let progress = WorkProgress(shared: shared, wake: wake)
    let body = Unmanaged.passRetained(
      Body { [shared] in
        let output = work(progress)
        shared.withLock { $0.state = .done(output) }
        wake()
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

  /// Says that the result is not wanted any more; the work ends when it notices.
  package func cancel() {
    shared.withLock { $0.isCancelled = true }
  }

  /// What was told since the last call; nil without news.
  package func takeNews() -> News? {
    shared.withLock { shared in
      defer { shared.news = nil }
      return shared.news
    }
  }

  /// The result, once: then other work may start.
  package func take() -> Output? {
    shared.withLock { shared in
      guard case .done(let output) = shared.state else { return nil }
      shared.state = .idle
      return output
    }
  }
}

/// What work in the background knows of whoever waits for it.
package struct WorkProgress<Output: Sendable, News: Sendable>: Sendable {
  fileprivate let shared: Guarded<BackgroundWork<Output, News>.Shared>
  fileprivate let wake: @Sendable () -> Void

  package var isCancelled: Bool { shared.withLock { $0.isCancelled } }

  /// Changes the news that wait to be taken, nil when none do.
  package func tell(_ change: (inout News?) -> Void) {
    shared.withLock { change(&$0.news) }
    wake()
  }
}

private final class Body: Sendable {
  let call: @Sendable () -> Void

  init(_ call: @escaping @Sendable () -> Void) {
    self.call = call
  }
}
