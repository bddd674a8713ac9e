import Ingest
import Model
import TUI

/// `perftop screen`: any screen as text, without a terminal.
struct ScreenCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  func run() -> Int32 {
    guard let zone = Zone.offsets(arguments.zone ?? "utc") else {
      StandardError.line("perftop: no time zone '\(arguments.zone ?? "")'; try utc or +05:30")
      return ExitStatus.failed
    }
    let keys: [Key]
    do throws(UnknownKey) { keys = try Key.list(arguments.keys) } catch {
      StandardError.line(
        "perftop: no key '\(error.name)'; keys have tmux's names, such as Down or C-l"
      )
      return ExitStatus.failed
    }
    guard let screen = arguments.screenName.flatMap(Screen.init(name:)) else {
      return ExitStatus.failed
    }
    guard let run = Run(arguments, isDashboard: false) else { return Run.usage() }
    let mailbox = Mailbox()
    let thread = run.thread(mailbox: mailbox)
    var state = AppState(options: arguments.model)
    state.clock = ClockText(zone: zone)
    do throws(UsageError) { state.filter = try arguments.filter(in: zone) } catch {
      StandardError.line("perftop: \(error.text)")
      return ExitStatus.failed
    }
    state.resize(width: arguments.size.width, height: arguments.size.height)
    thread.start()
    while let batches = mailbox.waitAndTake() {
      for batch in batches { state.observe(batch.events) }
    }
    thread.join()
    state.refresh()
    state.show(screen)
    for key in keys {
      for effect in state.press(key) {
        if case .readDetails(let place) = effect {
          state.take(details: thread.details(at: place), of: place)
        }
      }
    }
    let status = Run.complain(about: state.model)
    return max(StandardOutput.write(text(Picture.draw(state))), status)
  }

  private func text(_ grid: Grid) -> String {
    let theme = arguments.theme.flatMap(Theme.named) ?? .dark
    switch arguments.format {
    case "ansi":
      let depth: ColorDepth = arguments.color == .never ? .none : .palette
      return GridText.ansi(grid, theme: theme, depth: depth, ascii: arguments.isASCII)
    case "svg": return GridSVG.document(grid, theme: theme)
    default: return GridText.plain(grid, ascii: arguments.isASCII)
    }
  }
}
