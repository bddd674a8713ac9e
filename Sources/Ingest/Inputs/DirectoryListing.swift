import CPlatform

/// The files of a folder that was given as a source.
enum DirectoryListing {
  /// Paths of regular files at any depth, sorted by their bytes; no symbolic links, no dotfiles.
  ///
  /// Folders that cannot be read are told to `unreadable` and left out.
  static func files(
    in directory: String,
    unreadable: (_ path: String, SystemError) -> Void
  ) -> [String] {
    var pending = [directory]
    var files: [String] = []
    while let folder = pending.popLast() {
      switch entries(of: folder) {
      case .failure(let error): unreadable(folder, error)
      case .success(let names):
        for name in names where !name.hasPrefix(".") {
          let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
          var status = cp_file_status()
          let error = cp_status_of_link(path, &status)
          guard error == 0 else {
            unreadable(path, SystemError(error))
            continue
          }
          switch status.kind {
          case CP_FILE_DIRECTORY: pending.append(path)
          case CP_FILE_REGULAR: files.append(path)
          default: continue
          }
        }
      }
    }
    return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Names of everything in a folder, in no order, `.` and `..` included.
  static func entries(of folder: String) -> Result<[String], SystemError> {
    guard let stream = opendir(folder) else { return .failure(SystemError(cp_errno())) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(String(cString: cp_entry_name(entry)))
    }
    return .success(names)
  }
}
