/// The files that rotation leaves beside a followed path.
enum Backups {
  struct Backup {
    var path: String
    var file: OpenFile
    var status: FileStatus
  }

  /// `FILE.prev`, its variant before the suffix, and `FILE.1`, as far as they exist, oldest first.
  static func present(of path: String) -> [Backup] {
    (previous(of: path) + ["\(path).1"])
      .compactMap(open)
      .sorted { $0.status.modified < $1.status.modified }
  }

  /// Backups of files that were never read, oldest first.
  ///
  /// Numbered backups are looked at up to the first that is missing or known, since all behind it are
  /// older.
  static func missed(of path: String, isKnown: (Backup) -> Bool) -> [Backup] {
    var missed = previous(of: path).compactMap(open).filter { !isKnown($0) }
    for number in 1...99 {
      guard let backup = open("\(path).\(number)"), !isKnown(backup) else { break }
      missed.insert(backup, at: 0)
    }
    return missed
  }

  /// `events.jsonl.prev` and `events.prev.jsonl`.
  private static func previous(of path: String) -> [String] {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return ["\(path).prev"] }
    let folder = path.dropLast(name.count)
    return ["\(path).prev", "\(folder)\(name[..<dot]).prev\(name[dot...])"]
  }

  private static func open(_ path: String) -> Backup? {
    guard case .success(let found) = FileStatus.ofPath(path), found.kind == .regular,
      case .success(let file) = OpenFile.open(path),
      case .success(let status) = file.status()
    else { return nil }
    return Backup(path: path, file: file, status: status)
  }
}

/// Where the last lines of a file begin.
enum TailStart {
  /// The offset of the last `lines` lines; a last line without its end counts as one.
  ///
  /// 0 for compressed and protobuf files, which have no lines.
  static func offset(of file: OpenFile, size: UInt64, lines: Int) -> UInt64 {
    let head = file.bytes(at: 0, count: ContentDetector.headSize)
    guard ContentDetector.detect(head, isComplete: true) == .json else { return 0 }
    var wanted = max(0, lines)
    var end = size
    var isLast = true
    while end > 0 {
      let count = min(end, 64 << 10)
      let piece = file.bytes(at: end - count, count: Int(count))
      for index in piece.indices.reversed() where piece[index] == 0x0A {
        let position = end - count + UInt64(index)
        // The line end at the very end of the file closes the last line and opens none.
        if isLast, position == size - 1, lines > 0 {
          isLast = false
          continue
        }
        isLast = false
        if wanted <= 1 { return position + 1 }
        wanted -= 1
      }
      end -= count
    }
    return 0
  }
}
