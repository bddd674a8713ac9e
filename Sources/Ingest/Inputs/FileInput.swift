import Model

/// Reads a file, or every file of a folder, to its end.
struct FileInput {
  let context: IngestContext
  /// Asked between two pieces; true ends the reading, and of files that follow only the size is told.
  let isStopped: () -> Bool

  /// Reads a path; returns the stream to read along with other live inputs if it names one.
  func read(_ path: String) -> StreamInput? {
    switch FileStatus.ofPath(path) {
    case .failure(let error):
      context.refuse(path, error.text)
    case .success(let status):
      switch status.kind {
      case .regular:
        var replay: SpoolReplay?
        readFile(path, &replay)
        replay?.finish()
      case .directory: readFolder(path)
      case .stream: return openStream(path)
      case .other: context.refuse(path, "is neither a file nor a folder")
      }
    }
    return nil
  }

  private func readFolder(_ path: String) {
    var hasProblem = false
    let files = DirectoryListing.files(in: path) { folder, error in
      hasProblem = true
      context.refuse(folder, error.text)
    }
    if files.isEmpty, !hasProblem { context.refuse(path, "the folder holds no files") }
    var replay: SpoolReplay?
    for file in files { readFile(file, &replay) }
    replay?.finish()
  }

  /// Reads a file; segments of one folder belong to one run, which `replay` reads.
  private func readFile(_ path: String, _ replay: inout SpoolReplay?) {
    switch OpenFile.open(path) {
    case .failure(let error): context.refuse(path, error.text)
    case .success(let file):
      let head = file.bytes(at: 0, count: ContentDetector.headSize)
      guard SpoolFrame.isSegment(head) else { return readFile(file, path: path, name: path) }
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      if replay?.folder != folder {
        replay?.finish()
        replay = SpoolReplay(folder: folder, context: context, isStopped: isStopped)
      }
      replay?.read(file, path: path)
    }
  }

  /// Reads an open file from its beginning to its end.
  func readFile(_ file: OpenFile, path: String, name: String) {
    guard case .success(let status) = file.status() else { return }
    let source = context.openSource(name: name, isLive: false)
    context.catalog.addFile(source, path: path, identity: status.identity, file: file)
    var feed = SourceFeed(
      source: source,
      bytesTotal: status.size,
      context: context
    )
    feed.report(.reading, context: context)
    while !isStopped() {
      switch file.read(into: context.buffer, at: feed.bytesRead) {
      case .failure(let error):
        feed.fail(error.text, context: context)
        return
      case .success(0):
        feed.finish(context: context)
        return
      case .success(let count):
        feed.take(UnsafeRawBufferPointer(rebasing: context.buffer[..<count]), context: context)
      }
      if feed.hasFailed { return feed.finish(context: context) }
    }
    // All bytes may have been read just before.
    if feed.bytesRead < status.size {
      feed.stop(context: context)
    } else {
      feed.finish(context: context)
    }
  }

  private func openStream(_ path: String) -> StreamInput? {
    switch OpenFile.open(path) {
    case .failure(let error):
      context.refuse(path, error.text)
      return nil
    case .success(let file):
      return StreamInput(file: file, name: path, context: context)
    }
  }
}
