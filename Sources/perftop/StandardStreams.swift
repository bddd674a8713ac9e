import CPlatform

/// Standard output: the answer and nothing else.
enum StandardOutput {
  enum Outcome {
    case written
    /// The reader has gone, which is no error.
    case closed
    /// Said on standard error.
    case failed
  }

  /// Writes all of the text; 0, also when the reader has gone, 2 when it cannot be written.
  static func write(_ text: String) -> Int32 {
    var text = text
    let outcome = text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    return outcome == .failed ? ExitStatus.failed : ExitStatus.fine
  }

  static func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = CPlatform.write(STDOUT_FILENO, rest.baseAddress, rest.count)
      if count > 0 {
        written += count
      } else if cp_errno() == EPIPE {
        return .closed
      } else if cp_errno() != EINTR {
        StandardError.line(
          "perftop: cannot write the output: \(String(cString: strerror(cp_errno())))"
        )
        return .failed
      }
    }
    return .written
  }
}

/// Standard error: one line for each problem.
enum StandardError {
  static func line(_ text: String) { write(text + "\n") }

  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      _ = CPlatform.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
