import CPlatform

/// Tells files apart, whatever their names.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
}

/// How a file stands, as `stat` tells it.
struct FileStatus: Equatable, Sendable {
  enum Kind: Sendable {
    case regular
    case directory
    /// A pipe, a terminal or another device that is read as a stream.
    case stream
    case other
  }

  var identity: FileIdentity
  var size: UInt64
  /// Nanoseconds since 1970.
  var modified: Int64
  /// Nanoseconds since 1970.
  var changed: Int64
  /// 0 when the file was deleted and is only held open.
  var links: UInt64
  var kind: Kind

  init(_ status: cp_file_status) {
    identity = FileIdentity(device: status.device, inode: status.inode)
    size = status.size
    modified = status.modified_ns
    changed = status.changed_ns
    links = status.links
    kind =
      switch status.kind {
      case CP_FILE_REGULAR: .regular
      case CP_FILE_DIRECTORY: .directory
      case CP_FILE_PIPE: .stream
      default: .other
      }
  }

  /// Follows symbolic links.
  static func ofPath(_ path: String) -> Result<FileStatus, SystemError> {
    var status = cp_file_status()
    let error = cp_status_of_path(path, &status)
    return error == 0 ? .success(FileStatus(status)) : .failure(SystemError(error))
  }
}

/// An error number of the system.
struct SystemError: Error, Equatable, Sendable {
  var number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  var isMissing: Bool { number == ENOENT || number == ENOTDIR }

  /// For people, in lower case as the system words it elsewhere.
  var text: String {
    switch number {
    case ENOENT, ENOTDIR: "no such file"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "is a directory"
    case ELOOP: "too many symbolic links"
    case EMFILE, ENFILE: "too many open files"
    case ENXIO: "is a socket, which cannot be opened as a file"
    case EIO: "the disk reports an error"
    default: String(cString: strerror(number)).lowercased()
    }
  }
}

/// A file that is open for reading, closed when nobody needs it any more.
final class OpenFile: Sendable {
  let descriptor: Int32
  private let isOwned: Bool

  private init(descriptor: Int32, isOwned: Bool) {
    self.descriptor = descriptor
    self.isOwned = isOwned
  }

  /// Somebody else's descriptor, such as standard input; it is never closed.
  convenience init(borrowing descriptor: Int32) {
    self.init(descriptor: descriptor, isOwned: false)
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  static func open(_ path: String) -> Result<OpenFile, SystemError> {
    let descriptor = cp_open_to_read(path)
    guard descriptor >= 0 else { return .failure(SystemError(-descriptor)) }
    return .success(OpenFile(descriptor: descriptor, isOwned: true))
  }

  func status() -> Result<FileStatus, SystemError> {
    var status = cp_file_status()
    let error = cp_status_of_descriptor(descriptor, &status)
    return error == 0 ? .success(FileStatus(status)) : .failure(SystemError(error))
  }

  /// Reads at an offset; 0 at the end of the file.
  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) -> Result<Int, SystemError> {
    guard let base = buffer.baseAddress else { return .success(0) }
    return result(cp_read_at(descriptor, base, buffer.count, offset))
  }

  /// Reads what comes next from a stream; 0 at its end, EAGAIN when there is nothing yet.
  func readNext(into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SystemError> {
    guard let base = buffer.baseAddress else { return .success(0) }
    return result(cp_read(descriptor, base, buffer.count))
  }

  private func result(_ count: Int64) -> Result<Int, SystemError> {
    count >= 0 ? .success(Int(count)) : .failure(SystemError(Int32(truncatingIfNeeded: -count)))
  }

  /// Up to `count` bytes at an offset, fewer at the end of the file or after an error.
  func bytes(at offset: UInt64, count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]
        )
        guard case .success(let got) = read(into: rest, at: offset + UInt64(filled)), got > 0 else {
          return
        }
        filled += got
      }
    }
  }
}
