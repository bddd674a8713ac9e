import CPlatform
import Ingest
import TUI

/// A picture that is being derived on a thread of its own.
struct PictureDerivation {
  /// A picture, nil when nobody wanted it any more, and how many nanoseconds it took.
  struct Outcome: Sendable {
    let picture: DerivedPicture?
    let cost: Int64
  }

  /// How much was looked at, 0 to 1, and what was found first.
  struct News: Sendable {
    let share: Double
    let firstHits: DerivedPicture?
  }

  let question: Int
  let work = BackgroundWork<Outcome, News>()

  /// Wakes whoever takes from the mailbox when there is something to take here.
  init(_ picture: PictureWork, _ mailbox: Mailbox) {
    question = picture.question
    work.start { progress in
      let start = cp_monotonic_nanoseconds()
      let watch = PictureWatch {
        progress.isCancelled
      } onProgress: { share, hits in
        progress.tell { $0 = News(share: share, firstHits: hits ?? $0?.firstHits) }
      }
      let derived = picture.derive(watch)
      return Outcome(picture: derived, cost: cp_monotonic_nanoseconds() - start)
    } wake: {
      mailbox.wakeConsumer()
    }
  }
}
