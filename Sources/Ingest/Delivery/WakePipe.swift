import CPlatform

/// Wakes a thread that sleeps in `poll`.
///
/// The descriptor is readable from a `wake` until the next `clear`.
package final class WakePipe: Sendable {
  /// The end to pass to `poll`; -1 when the system had no descriptors left.
  package let descriptor: Int32
  private let writeEnd: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = cp_set_nonblocking(end)
        _ = cp_set_close_on_exec(end)
      }
    }
    descriptor = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if writeEnd >= 0 { close(writeEnd) }
  }

  package func wake() {
    var byte: UInt8 = 1
    // A full pipe is as readable as one with a single byte, so a failed write loses nothing.
    _ = write(writeEnd, &byte, 1)
  }

  package func clear() {
    var sixteen: (UInt64, UInt64) = (0, 0)
    while cp_read(descriptor, &sixteen, 16) == 16 {}
  }
}
