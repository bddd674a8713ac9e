import CPlatform

/// SIGINT and SIGTERM while live sources are read without a terminal: they end the run, not the process.
struct LiveEnding {
  init() {
    cp_catch_end_signals()
  }

  /// Waits for input, or so many milliseconds; true when the run has to end.
  func wait(for descriptor: Int32, milliseconds: Int32 = -1) -> Bool {
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: cp_end_signal_descriptor(), events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&entries, 2, milliseconds)
    return entries[1].revents != 0
  }
}
