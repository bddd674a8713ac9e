import CPlatform
import Model

/// The program: arguments to a form, the form to an exit status.
@main
enum Perftop {
  static let version = "0.1.0"

  static func main() {
    cp_fill_standard_descriptors()
    // A reader that goes away is no error, a file that may not grow no end: writes report it instead.
    cp_ignore_write_signals()
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ words: [String]) -> Int32 {
    var arguments: Arguments
    do throws(UsageError) { arguments = try Arguments(words) } catch {
      StandardError.line("perftop: \(error.text)")
      return ExitStatus.failed
    }
    if let path = arguments.budgetsFile {
      guard let budgets = BudgetsOption.budgets(path) else { return ExitStatus.failed }
      arguments.model.budgets = budgets
    }
    if arguments.sources.contains(.lastRun), arguments.form != .help {
      guard let path = SpoolOption.lastRun() else { return ExitStatus.failed }
      arguments.sources = arguments.sources.map { $0 == .lastRun ? .path(path) : $0 }
    }
    if [.dashboard, .report, .record].contains(arguments.form) {
      guard ListenOption.open(&arguments) else { return ExitStatus.failed }
    }
    switch arguments.form {
    case .collectorConfiguration:
      return StandardOutput.write(ListenOption.collectorConfiguration(arguments))
    case .help: return StandardOutput.write(HelpText.text)
    case .version: return StandardOutput.write("perftop \(version)\n")
    case .dashboard:
      // Without a terminal the dashboard is the report.
      return isatty(STDOUT_FILENO) == 1
        ? Dashboard(arguments).run() : ReportCommand(arguments).run()
    case .report: return ReportCommand(arguments).run()
    case .record: return RecordCommand(arguments).run()
    case .screen: return ScreenCommand(arguments).run()
    }
  }
}

/// What the exit status says; the contract of the command line.
enum ExitStatus {
  static let fine: Int32 = 0
  static let failed: Int32 = 2
}
