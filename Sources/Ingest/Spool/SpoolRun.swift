import CPlatform
import Model

/// The folder of one run, locked for as long as the run goes on.
final class SpoolRun {
  let folder: String
  private let lock: SpoolLock

  /// Makes a folder named by the time and the process.
  init(in folder: String, startedAt time: Timestamp) throws(SystemError) {
    try SpoolFolders.make(folder)
    let name = Self.name(time, process: getpid())
    // Other processes leave hidden folders alone: none may take it for one that is finished before it
    // is locked.
    let hidden = "\(folder)/.\(name)"
    let error = cp_make_folder(hidden)
    guard error == 0 || error == EEXIST else { throw SystemError(error) }
    do throws(SystemError) {
      lock = try SpoolLock(creating: "\(hidden)/\(SpoolLock.fileName)")
    } catch {
      rmdir(hidden)
      throw error
    }
    var path = "\(folder)/\(name)"
    var number = 2
    var status = cp_file_status()
    while cp_status_of_link(path, &status) == 0 {
      path = "\(folder)/\(name)-\(number)"
      number += 1
    }
    guard rename(hidden, path) == 0 else { throw SystemError(cp_errno()) }
    self.folder = path
  }

  /// `20261130T163634.123Z-4711`: names sort by time.
  private static func name(_ time: Timestamp, process: Int32) -> String {
    let civil = CivilTime(time)
    func digits(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
    return digits(civil.year, 4) + digits(civil.month, 2) + digits(civil.day, 2) + "T"
      + digits(civil.hour, 2) + digits(civil.minute, 2) + digits(civil.second, 2) + "."
      + digits(civil.nanosecond / 1_000_000, 3) + "Z-\(process)"
  }
}

/// A lock upon a run's folder, given up when nobody holds it any more, also when the process dies.
final class SpoolLock: Sendable {
  static let fileName = ".lock"

  private let descriptor: Int32

  /// Makes the file and locks it for the run that writes.
  init(creating path: String) throws(SystemError) {
    unlink(path)
    descriptor = cp_create_to_append(path)
    guard descriptor >= 0 else { throw SystemError(-descriptor) }
    // Where the file system has no locks, runs are told apart by their names only.
    _ = cp_lock_exclusive(descriptor)
  }

  /// Locks a finished run; nil while it is written, read (if `exclusive`) or being removed.
  init?(folder: String, exclusive: Bool) {
    let opened = cp_open_to_read("\(folder)/\(Self.fileName)")
    guard opened >= 0 else { return nil }
    descriptor = opened
    guard (exclusive ? cp_lock_exclusive(opened) : cp_lock_shared(opened)) == 0 else { return nil }
  }

  deinit { close(descriptor) }
}

/// The folders of all runs.
package enum SpoolFolders {
  /// Makes a folder and those above it, for the user only.
  static func make(_ path: String) throws(SystemError) {
    if case .success(let status) = FileStatus.ofPath(path) {
      guard status.kind == .directory else { throw SystemError(ENOTDIR) }
      return
    }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try make(String(path[..<slash]))
    }
    let error = cp_make_folder(path)
    guard error == 0 || error == EEXIST else { throw SystemError(error) }
  }

  /// The newest run that is finished: nobody writes it any more.
  package static func newestFinished(in folder: String) -> String? {
    runs(in: folder).last {
      SpoolLock(folder: $0, exclusive: false) != nil && !segments(in: $0).isEmpty
    }
  }

  /// The newest run that is still written.
  package static func newestRunning(in folder: String) -> String? {
    runs(in: folder).last { SpoolLock(folder: $0, exclusive: false) == nil }
  }

  /// Folders of runs, oldest first.
  static func runs(in folder: String) -> [String] {
    guard case .success(let names) = DirectoryListing.entries(of: folder) else { return [] }
    return names.filter { !$0.hasPrefix(".") }.sorted()
      .map { "\(folder)/\($0)" }
      .filter {
        guard case .success(let status) = FileStatus.ofPath($0) else { return false }
        return status.kind == .directory
      }
  }

  /// Segments of a run with their sizes, oldest first.
  static func segments(in run: String) -> [(path: String, size: UInt64)] {
    guard case .success(let names) = DirectoryListing.entries(of: run) else { return [] }
    return names.filter { SpoolSegment.number($0) != nil }.sorted().compactMap { name in
      let path = "\(run)/\(name)"
      guard case .success(let status) = FileStatus.ofPath(path) else { return nil }
      return (path, status.size)
    }
  }

  /// Removes the oldest segments of finished runs until those of all other runs have at most `limit` bytes.
  ///
  /// Runs that somebody writes or reads stay. Returns the bytes that are left.
  static func shrink(_ folder: String, to limit: UInt64, except own: String) -> UInt64 {
    let runs = runs(in: folder).filter { $0 != own }.map { ($0, segments(in: $0)) }
    var total = runs.reduce(0) { $0 + $1.1.reduce(0) { $0 + $1.size } }
    for (run, segments) in runs where total > limit || segments.isEmpty {
      guard let lock = SpoolLock(folder: run, exclusive: true) else { continue }
      var left = segments.count
      for segment in segments where total > limit {
        guard unlink(segment.path) == 0 else { continue }
        total -= min(total, segment.size)
        left -= 1
      }
      if left == 0, unlink("\(run)/\(SpoolLock.fileName)") == 0 { rmdir(run) }
      withExtendedLifetime(lock) {}
    }
    return total
  }
}
