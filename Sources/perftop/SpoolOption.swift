import CPlatform
import Ingest

/// Where live runs are kept, and the last of them.
enum SpoolOption {
  /// Nil where the user wants no spool, or has no home for one.
  static func settings(_ arguments: Arguments) -> SpoolSettings? {
    guard arguments.usesSpool else { return nil }
    return folder.map { SpoolSettings(folder: $0) }
  }

  /// The folder of the newest finished run; says why there is none.
  static func lastRun() -> String? {
    guard let folder else {
      StandardError.line("perftop: --last: there is no home folder, so no run was kept")
      return nil
    }
    if let run = SpoolFolders.newestFinished(in: folder) { return run }
    if let running = SpoolFolders.newestRunning(in: folder) {
      StandardError.line(
        "perftop: --last: the only run is not finished; to look into it: perftop \(running)"
      )
    } else {
      StandardError.line(
        "perftop: --last: no live run was kept in \(folder); files and the demo are not"
      )
    }
    return nil
  }

  private static var folder: String? {
    let home = environment("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) }
    return SpoolSettings.folder(stateHome: environment("XDG_STATE_HOME"), home: home)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
