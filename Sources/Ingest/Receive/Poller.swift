import CNetwork
import CPlatform

/// Watches any number of descriptors behind a single one.
final class Poller {
  /// Readable when one of the watched descriptors has something new.
  let descriptor: Int32

  init() {
    descriptor = cn_poller_open()
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// `repeats` tells of bytes until they are read, else of new ones only; false when the system refuses.
  @discardableResult
  func watch(_ watched: Int32, key: UInt64, repeats: Bool) -> Bool {
    cn_poller_watch(descriptor, watched, key, repeats ? 1 : 0) == 0
  }

  /// Tells of room to send as well, or no longer, for what is watched with `repeats`.
  func awaitRoom(_ watched: Int32, key: UInt64, _ awaits: Bool) {
    cn_poller_await_room(descriptor, watched, key, awaits ? 1 : 0)
  }

  func forget(_ watched: Int32) {
    cn_poller_forget(descriptor, watched)
  }

  /// The keys of some of the descriptors with something new, without waiting.
  func take() -> [UInt64] {
    [UInt64](unsafeUninitializedCapacity: 64) { keys, count in
      guard let base = keys.baseAddress else { return }
      count = Int(cn_poller_take(descriptor, base, 64))
    }
  }
}
