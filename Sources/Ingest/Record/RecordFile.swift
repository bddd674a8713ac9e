import CPlatform

/// Why a file cannot be recorded to, as the rest of a sentence that begins with its name.
package struct RecordFileFailure: Error, Equatable {
  package var text: String

  package init(text: String) {
    self.text = text
  }
}

/// What lines are recorded to: a file, a pipe or a device.
package final class RecordFile: Sendable {
  /// As the user named it; `standard output` for that.
  package let name: String
  package let isStandardOutput: Bool
  private let descriptor: Int32
  /// What is half written can be taken back.
  private let isRegular: Bool

  /// Standard output.
  package init() {
    name = "standard output"
    isStandardOutput = true
    descriptor = STDOUT_FILENO
    isRegular = Self.status(STDOUT_FILENO)?.kind == .regular
  }

  /// Opens a file, made where there is none; what it holds stays until `begin`.
  package init(path: String) throws(RecordFileFailure) {
    name = path
    isStandardOutput = false
    let opened = cp_open_to_write(path)
    guard opened >= 0 else {
      let number = -opened
      let text =
        number == ENOENT ? "there is no such folder" : "cannot be written: " + Self.text(number)
      throw RecordFileFailure(text: text)
    }
    descriptor = opened
    isRegular = Self.status(opened)?.kind == .regular
  }

  /// Makes sure that the file is empty; one that holds something is emptied only if it may be replaced.
  package func begin(replacing: Bool) throws(RecordFileFailure) {
    guard isRegular, !isStandardOutput, let size = Self.status(descriptor)?.size, size > 0 else {
      return
    }
    guard replacing else {
      throw RecordFileFailure(
        text: "is there already and holds \(size) bytes: name another file, or add --force"
      )
    }
    let error = cp_truncate(descriptor, 0)
    guard error == 0 else {
      throw RecordFileFailure(text: "cannot be emptied: " + Self.text(error))
    }
  }

  deinit {
    if !isStandardOutput { close(descriptor) }
  }

  /// Whether a source is this very file, or a folder with it inside.
  package func isRead(from path: String) -> Bool {
    guard isRegular, let own = Self.status(descriptor)?.identity else { return false }
    guard case .success(let status) = FileStatus.ofPath(path) else { return false }
    if status.kind == .directory {
      return DirectoryListing.files(in: path) { _, _ in }.contains { Self.identity(of: $0) == own }
    }
    return status.identity == own
  }

  /// Writes whole lines; where that fails, none is left half written in a file.
  ///
  /// Throws the error and how many bytes of whole lines were written before it.
  func write(_ lines: UnsafeRawBufferPointer) throws(RecordWriteFailure) {
    var written = 0
    while written < lines.count {
      let rest = UnsafeRawBufferPointer(rebasing: lines[written...])
      let count = Int(cp_write(descriptor, rest.baseAddress, rest.count))
      if count > 0 {
        written += count
        continue
      }
      let whole = (lines[..<written].lastIndex(of: 0x0A) ?? -1) + 1
      let error = count == 0 ? EIO : Int32(-count)
      takeBack(written - whole)
      throw RecordWriteFailure(error: SystemError(error), whole: whole)
    }
  }

  /// Shortens a file by what is no whole line.
  private func takeBack(_ count: Int) {
    guard isRegular, count > 0, let size = Self.status(descriptor)?.size else { return }
    _ = cp_truncate(descriptor, size - min(size, UInt64(count)))
  }

  private static func status(_ descriptor: Int32) -> FileStatus? {
    var status = cp_file_status()
    return cp_status_of_descriptor(descriptor, &status) == 0 ? FileStatus(status) : nil
  }

  private static func identity(of path: String) -> FileIdentity? {
    try? FileStatus.ofPath(path).get().identity
  }

  private static func text(_ number: Int32) -> String { SystemError(number).text }
}

/// Why lines were not written.
struct RecordWriteFailure: Error {
  var error: SystemError
  /// Bytes of whole lines that were.
  var whole: Int
}
