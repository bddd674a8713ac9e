import TUI

/// What `--help` prints, from the tables of options and screens.
enum HelpText {
  static var text: String {
    let groups: [(String, [Option])] = [
      ("Sources", Option.sourceOptions), ("Output", Option.outputOptions),
      ("What to look at", Option.selectionOptions),
      ("What is too slow, and how sessions are cut", Option.meaningOptions),
      ("General", Option.generalOptions),
    ]
    let options = groups.map { title, options in
      "\(title)\n" + options.map(line).joined(separator: "\n")
    }
    return """
      perftop shows live performance sessions of iOS and Mac apps in the terminal.

        perftop [SOURCE…] [OPTIONS]              the dashboard; without a terminal: the report
        perftop report  [SOURCE…] [--format text|json]
        perftop record  --output FILE [SOURCE…]  everything received, as a capture
        perftop screen  NAME [SOURCE…] [--size 120x40] [--format text|ansi|svg] [--keys 'KEY …']

      A SOURCE is a FILE, a DIR or - for standard input: OTLP JSON, OTLP protobuf, slow-event ledgers,
      also compressed with gzip or zstd. What a file is, is found from its content.
      NAME is one of \(Screen.allCases.map(\.name).joined(separator: ", ")).

      \(options.joined(separator: "\n\n"))

      A filter: free words match names; key:value contains, key=value, key!=value, key~regex, key>n, key<n
      (duration>500ms, freeze>5); and, or, not, ( ), quotes for spaces. Keys: signal, screen, fragment,
      class, app, version, device, os, session, state, type, name, duration, freeze, severity, source,
      attr.NAME.

      Exit status: 0 fine, 2 a source could not be read or the command line is wrong.

      """
  }

  private static func line(_ option: Option) -> String {
    let name = option.name + (option.value.map { " " + $0 } ?? "")
    let room = String(repeating: " ", count: max(1, 28 - name.count))
    return "  \(name)\(room)\(option.help)"
  }
}
