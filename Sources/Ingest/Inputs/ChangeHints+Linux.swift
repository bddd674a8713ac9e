#if os(Linux)
import CPlatform
import Glibc

/// Wakes the poll loop when followed files may have changed: inotify on their folders and on themselves.
///
/// A hint only; what has changed is found with `stat`.
final class ChangeHints {
  /// Changes of names in a folder; growth of files is seen at the files themselves, so that other files
  /// in a busy folder wake nobody.
  private static let folderMask = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR
  )
  private static let fileMask = UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)

  /// nil where the system gives no hints.
  let descriptor: Int32?
  private var watched: [String: Set<Int32>] = [:]

  init() {
    let opened = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
    descriptor = opened >= 0 ? opened : nil
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Watches a path and the files that were opened behind it, and forgets what it watched for the path
  /// before.
  func watch(path: String, descriptors: [Int32]) -> Watching {
    guard let descriptor else { return Watching(isServed: false, hasChanged: false) }
    var watches: Set<Int32> = []
    var isServed = true
    for folder in folders(of: path) {
      let watch = inotify_add_watch(descriptor, folder, Self.folderMask)
      if watch >= 0 { watches.insert(watch) } else { isServed = false }
      if isRemote(folder) { isServed = false }
    }
    for file in descriptors {
      let watch = inotify_add_watch(descriptor, "/proc/self/fd/\(file)", Self.fileMask)
      if watch >= 0 { watches.insert(watch) } else { isServed = false }
      if cp_is_remote_file_system(file) != 0 { isServed = false }
    }
    if !hasPlainFolder(path) { isServed = false }
    let old = watched[path] ?? []
    watched[path] = watches
    for gone in old where !watched.values.contains(where: { $0.contains(gone) }) {
      inotify_rm_watch(descriptor, gone)
    }
    return Watching(isServed: isServed, hasChanged: !watches.isSubset(of: old))
  }

  /// Forgets the hints that woke the loop.
  func clear() {
    guard let descriptor else { return }
    let events = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 8)
    defer { events.deallocate() }
    while let base = events.baseAddress, cp_read(descriptor, base, events.count) > 0 {}
  }

  /// The folder that holds the path, and the one that holds what a symbolic link there points to.
  private func folders(of path: String) -> [String] {
    var folders = [folder(of: path)]
    var status = cp_file_status()
    if cp_status_of_link(path, &status) == 0, status.kind == CP_FILE_LINK, let real = real(path) {
      folders.append(folder(of: real))
    }
    return folders
  }

  private func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether no symbolic link leads to the folder: one that is pointed elsewhere wakes nobody.
  private func hasPlainFolder(_ path: String) -> Bool {
    let folder = folder(of: path)
    if folder.hasPrefix("/") { return real(folder) == folder }
    guard let base = real(".") else { return false }
    return real(folder) == (folder == "." ? base : "\(base)/\(folder)")
  }

  private func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func isRemote(_ folder: String) -> Bool {
    guard case .success(let opened) = OpenFile.open(folder) else { return true }
    return cp_is_remote_file_system(opened.descriptor) != 0
  }
}
#endif
