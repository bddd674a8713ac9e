import CPlatform
import Ingest
import Model

/// The file of `--budgets`.
enum BudgetsOption {
  /// Nil when it cannot be read or is not right; said on standard error.
  static func budgets(_ path: String) -> [Budget]? {
    let descriptor = cp_open_to_read(path)
    guard descriptor >= 0 else { return complain(path, String(cString: strerror(-descriptor))) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = piece.withUnsafeMutableBytes { buffer -> Int64 in
        buffer.baseAddress.map { cp_read(descriptor, $0, buffer.count) } ?? 0
      }
      if count == 0 { break }
      if count > 0 {
        bytes += piece.prefix(Int(count))
      } else if count == -Int64(EAGAIN) {
        // A pipe whose writer is not ready yet.
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, -1)
      } else {
        return complain(path, String(cString: strerror(Int32(-count))))
      }
    }
    do throws(BudgetsFault) { return try BudgetsFile.budgets(bytes) } catch {
      StandardError.line("perftop: \(path):\(error.line):\(error.column): \(error.text)")
      return nil
    }
  }

  private static func complain(_ path: String, _ reason: String) -> [Budget]? {
    StandardError.line("perftop: --budgets \(path): \(reason)")
    return nil
  }
}
