import CNcurses
import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Why there is no screen.
package enum TerminalError: Error, Equatable, Sendable {
  /// Neither standard output nor `/dev/tty` is a terminal.
  case noTerminal
  /// Neither the named kind of terminal nor xterm-256color can be driven.
  case unknownKind(String)

  /// What is wrong, and what to do.
  package var text: String {
    switch self {
    case .noTerminal:
      "neither standard output nor /dev/tty is one; perftop report prints the figures"
    case .unknownKind(let kind): "the kind '\(kind)' is not known; set TERM, such as xterm-256color"
    }
  }
}

/// The terminal, driven by ncurses; the only place that writes to it.
///
/// One at a time, on one thread. Whatever way the process ends, the terminal is given back: by `restore`,
/// by `deinit`, or by the signal handlers of `TerminalGuard`.
package final class CursesTerminal: TerminalScreen {
  package let inputDescriptor: Int32
  package let signalDescriptor: Int32
  package let level: DrawingLevel
  package private(set) var size: (width: Int, height: Int)

  private let theme: Theme
  private let outputDescriptor: Int32
  private var screen: OpaquePointer?
  private var streams: [UnsafeMutablePointer<FILE>] = []
  private var shown: Grid?
  private var pairs: [ColorPair: Int16] = [:]
  private var assembler = KeyAssembler()
  private var isRestored = false

  private struct ColorPair: Hashable {
    var foreground: Int16
    var background: Int16
  }

  /// Takes the terminal: alternate screen, raw keys, no cursor.
  package init(options: DrawingOptions) throws(TerminalError) {
    setlocale(LC_ALL, "")
    guard let (input, output) = Self.openTerminal() else { throw .noTerminal }
    inputDescriptor = input
    outputDescriptor = output
    _ = tg_save(output)
    let kind = getenv("TERM").map { String(cString: $0) } ?? ""
    guard let reading = fdopen(input, "r"), let writing = fdopen(output, "w") else {
      throw .noTerminal
    }
    streams = [reading, writing]
    // Before ncurses, which then leaves these signals alone.
    signalDescriptor = tg_install()
    // A dumb terminal has no way to place the cursor; vt100 is what emulators that say so understand.
    let kinds = kind == "dumb" ? ["vt100"] : [kind, "xterm-256color"].filter { !$0.isEmpty }
    screen = kinds.lazy.compactMap { newterm($0, writing, reading) }.first
    guard let screen else {
      tg_uninstall()
      throw .unknownKind(kind)
    }
    set_term(screen)
    if start_color() == OK { use_default_colors() }
    level = options.level(
      colors: has_colors() ? Int(nc_colors()) : 0,
      // What calls itself so knows no other characters, whatever the locale says.
      codeset: ["dumb", "vt100", "vt220"].contains(kind) ? "" : String(cString: nc_codeset()),
      noColor: getenv("NO_COLOR").map { String(cString: $0) }
    )
    theme = level.depth == .none ? .mono : options.theme
    size = (Int(nc_columns()), Int(nc_lines()))
    Self.setLeaveSequence()
    enterModes()
    _ = updateSize()
    tg_set_active(1)
  }

  deinit {
    restore()
    if let screen { delscreen(screen) }
    for stream in streams { fclose(stream) }
  }

  /// Gives the terminal back as it was; may be called more than once.
  package func restore() {
    guard !isRestored else { return }
    isRestored = true
    endwin()
    tg_restore_settings()
    tg_set_active(0)
    tg_uninstall()
  }

  package func readKeys() -> [Key] {
    var keys: [Key] = []
    while let input = readInput() {
      if let key = assembler.take(input) { keys.append(key) }
    }
    if let key = assembler.finish() { keys.append(key) }
    return keys
  }

  package func readSignals() -> [Int32] {
    guard signalDescriptor >= 0 else { return [] }
    var numbers = [UInt8](repeating: 0, count: 64)
    let count = read(signalDescriptor, &numbers, numbers.count)
    return count > 0 ? numbers.prefix(count).map(Int32.init) : []
  }

  package func updateSize() -> Bool {
    var rows: Int32 = 0
    var columns: Int32 = 0
    guard tg_size(outputDescriptor, &rows, &columns) == 0, rows > 0, columns > 0,
      size != (Int(columns), Int(rows))
    else { return false }
    size = (Int(columns), Int(rows))
    resizeterm(rows, columns)
    invalidate()
    return true
  }

  package func show(_ grid: Grid) {
    guard !isRestored, let window = nc_stdscr() else { return }
    if shown == nil {
      werase(window)
      clearok(window, true)
    }
    let runs = GridDiff.runs(from: shown, to: grid)
    for run in runs {
      for x in run.columns where !grid[x, run.y].glyph.isContinuation {
        put(grid[x, run.y], x: x, y: run.y, window: window)
      }
    }
    if shown == nil || !runs.isEmpty { wrefresh(window) }
    shown = grid
  }

  package func invalidate() { shown = nil }

  package func suspend() {
    endwin()
    tg_restore_settings()
    tg_set_active(0)
    tg_stop()
    resume()
  }

  package func resume() {
    // The settings of before the start stay the saved ones: those of now may be our own.
    if !isendwin() { endwin() }
    reset_prog_mode()
    enterModes()
    _ = updateSize()
    tg_set_active(1)
    invalidate()
  }

  private func enterModes() {
    guard let window = nc_stdscr() else { return }
    raw()
    noecho()
    nonl()
    set_escdelay(25)
    keypad(window, true)
    nodelay(window, true)
    scrollok(window, false)
    leaveok(window, true)
    curs_set(0)
  }

  private func put(_ cell: Cell, x: Int, y: Int, window: UnsafeMutablePointer<WINDOW>) {
    var glyph = level.isASCII ? AsciiFallback.glyph(for: cell.glyph) : cell.glyph
    // ncurses asks the C library for widths; where that disagrees, the columns matter more.
    if nc_width(wchar_t(glyph.base)) != Int32(glyph.columns) {
      glyph = level.isASCII ? Glyph("?") : .replacement
    }
    var text: [wchar_t] = []
    glyph.forEachScalar { text.append(wchar_t($0.value)) }
    text.append(0)
    let style = theme.style(of: cell, depth: level.depth)
    var attributes: attr_t = 0
    if style.bold { attributes |= NC_A_BOLD }
    if style.dim { attributes |= NC_A_DIM }
    if style.underline { attributes |= NC_A_UNDERLINE }
    if style.reverse { attributes |= NC_A_REVERSE }
    nc_put(window, Int32(y), Int32(x), text, attributes, pair(for: style, &attributes))
    guard cell.glyph.isWide, !glyph.isWide else { return }
    text = [wchar_t(glyph.base), 0]
    nc_put(window, Int32(y), Int32(x + 1), text, attributes, pair(for: style, &attributes))
  }

  /// The number of a pair of colours; terminals with eight show the bright ones as bold.
  private func pair(for style: TerminalStyle, _ attributes: inout attr_t) -> Int16 {
    var pair = ColorPair(
      foreground: style.foreground.map(Int16.init) ?? -1,
      background: style.background.map(Int16.init) ?? -1
    )
    if nc_colors() < 16, pair.foreground >= 8 {
      pair.foreground -= 8
      attributes |= NC_A_BOLD
    }
    if pair.foreground < 0, pair.background < 0 { return 0 }
    if let number = pairs[pair] { return number }
    let number = Int16(pairs.count + 1)
    guard init_pair(number, pair.foreground, pair.background) == OK else { return 0 }
    pairs[pair] = number
    return number
  }

  private func readInput() -> RawInput? {
    guard let window = nc_stdscr() else { return nil }
    var code: wint_t = 0
    let status = wget_wch(window, &code)
    if status == OK { return .scalar(UInt32(code)) }
    guard status == KEY_CODE_YES else { return nil }
    return Self.key(Int32(bitPattern: UInt32(code))).map(RawInput.key) ?? .nothing
  }

  private static func key(_ code: Int32) -> Key? {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_LEFT: .left
    case KEY_RIGHT: .right
    case KEY_HOME: .home
    case KEY_END: .end
    case KEY_PPAGE: .pageUp
    case KEY_NPAGE: .pageDown
    case KEY_ENTER: .enter
    case KEY_BACKSPACE: .backspace
    case KEY_DC: .delete
    case KEY_IC: .insert
    case KEY_BTAB: .backTab
    case KEY_F0 + 1...KEY_F0 + 20: .function(Int(code - KEY_F0))
    default: nil
    }
  }

  /// Descriptors of our own: standard input and output where they are terminals, else the terminal by name.
  private static func openTerminal() -> (input: Int32, output: Int32)? {
    // macOS cannot poll /dev/tty, so it comes last.
    let byName = { () -> Int32 in
      let name = [STDOUT_FILENO, STDERR_FILENO].lazy.compactMap { ttyname($0) }.first
      if let name, case let opened = open(name, O_RDWR | O_CLOEXEC), opened >= 0 { return opened }
      return open("/dev/tty", O_RDWR | O_CLOEXEC)
    }
    let own = { (descriptor: Int32) -> Int32 in
      isatty(descriptor) == 1 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : byName()
    }
    let input = own(STDIN_FILENO)
    let output = own(STDOUT_FILENO)
    guard input >= 0, output >= 0 else {
      for descriptor in [input, output] where descriptor >= 0 { close(descriptor) }
      return nil
    }
    return (input, output)
  }

  /// Keeps what a crash has to write: plain look, cursor, keypad, main screen.
  private static func setLeaveSequence() {
    var bytes: [CChar] = []
    for name in ["sgr0", "op", "cnorm", "rmkx", "rmcup"] {
      guard let value = nc_capability(name) else { continue }
      bytes += withoutPadding(UnsafeBufferPointer(start: value, count: strlen(value)))
    }
    tg_set_leave(bytes, bytes.count)
  }

  /// Leaves out delays such as `$<5/>`, which only ancient hardware needs.
  private static func withoutPadding(_ bytes: UnsafeBufferPointer<CChar>) -> [CChar] {
    var result: [CChar] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x24, index + 1 < bytes.count, bytes[index + 1] == 0x3C {
        while index < bytes.count, bytes[index] != 0x3E { index += 1 }
      } else {
        result.append(bytes[index])
      }
      index += 1
    }
    return result
  }
}
