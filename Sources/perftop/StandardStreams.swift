import CPlatform

/// Standard output: the answer and nothing else.
enum StandardOutput {
  /// Writes all of the text; 0, also when the reader has gone, 2 when it cannot be written.
  static func write(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { bytes -> Int32 in
      var written = 0
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[written...])
        let count = CPlatform.write(STDOUT_FILENO, rest.baseAddress, rest.count)
        if count > 0 {
          written += count
        } else if cp_errno() == EPIPE {
          return ExitStatus.fine
        } else if cp_errno() != EINTR {
          StandardError.line(
            "perftop: cannot write the output: \(String(cString: strerror(cp_errno())))"
          )
          return ExitStatus.failed
        }
      }
      return ExitStatus.fine
    }
  }
}

/// Standard error: one line for each problem.
enum StandardError {
  static func line(_ text: String) {
    var text = text + "\n"
    text.withUTF8 { bytes in
      _ = CPlatform.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
