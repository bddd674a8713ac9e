import CPlatform
import Ingest
import TUI

/// A picture that is being derived on a thread of its own.
final class PictureDerivation: Sendable {
  /// A picture, nil when nobody wanted it any more, and how many nanoseconds it took.
  struct Outcome: Sendable {
    let picture: DerivedPicture?
    let cost: Int64
  }

  private struct Progress {
    var isCancelled = false
    var share = 0.0
    var firstHits: DerivedPicture?
    var isNew = false
  }

  let question: Int
  private let work = BackgroundWork<Outcome>()
  private let progress = Guarded(Progress())

  /// Wakes whoever takes from the mailbox when there is something to take here.
  init(_ picture: PictureWork, _ mailbox: Mailbox) {
    question = picture.question
    let progress = progress
    let watch = PictureWatch {
      progress.withLock { $0.isCancelled }
    } onProgress: { share, hits in
      progress.withLock {
        $0.share = share
        if let hits { $0.firstHits = hits }
        $0.isNew = true
      }
      mailbox.wakeConsumer()
    }
    work.start {
      let start = cp_monotonic_nanoseconds()
      let derived = picture.derive(watch)
      return Outcome(picture: derived, cost: cp_monotonic_nanoseconds() - start)
    } whenDone: {
      mailbox.wakeConsumer()
    }
  }

  /// The answer is not wanted any more; the thread ends when it notices.
  func cancel() {
    progress.withLock { $0.isCancelled = true }
  }

  /// How far it has come since the last call, 0 to 1, and what was found first; nil without news.
  func takeProgress() -> (share: Double, firstHits: DerivedPicture?)? {
    progress.withLock { progress in
      guard progress.isNew else { return nil }
      progress.isNew = false
      defer { progress.firstHits = nil }
      return (progress.share, progress.firstHits)
    }
  }

  /// The outcome, once it is there.
  func take() -> Outcome? { work.take() }
}
