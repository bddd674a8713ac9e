import Ingest
import Model

/// One option of the command line: the table feeds the parser and the help.
struct Option: Sendable {
  /// The name with its dashes.
  var name: String
  /// What the value is, as the help names it; nil for an option without one.
  var value: String?
  var help: String
  /// The value may be missing: the next word is it only where this says so.
  var claims: (@Sendable (String) -> Bool)?
  /// Reads the value; throws what is wrong with it.
  var apply: @Sendable (inout Arguments, String) throws(UsageError) -> Void

  static let all: [Option] =
    sourceOptions + outputOptions + selectionOptions + meaningOptions + generalOptions

  static let sourceOptions: [Option] = [
    Option(
      name: "--follow",
      value: "FILE",
      help: "a file that grows: rotation, truncation, not there yet"
    ) { arguments, value throws(UsageError) in
      arguments.sources.append(.follow(value))
    },
    Option(name: "--tail", value: "N", help: "followed files: only the last N lines") {
      arguments,
      value throws(UsageError) in
      arguments.tail = try number(value, of: "--tail", in: 0...1_000_000_000)
    },
    Option(
      name: "--listen",
      value: "[ADDRESS]",
      help: "receive OTLP over HTTP; :PORT, HOST:PORT, unix:PATH",
      claims: { $0.contains(":") }
    ) { arguments, value throws(UsageError) in
      guard !value.isEmpty else { return arguments.sources.append(.listen(nil)) }
      guard let address = ListenAddress(value) else {
        throw UsageError("--listen takes HOST:PORT, :PORT or unix:PATH, not '\(value)'")
      }
      arguments.sources.append(.listen(address))
    },
    AttachOption.option,
    Option(
      name: "--token",
      value: "SOURCE",
      help: "senders need it as a bearer token: file:PATH or env:NAME"
    ) { arguments, value throws(UsageError) in
      guard value.hasPrefix("file:") || value.hasPrefix("env:") else {
        throw UsageError(
          "--token takes file:PATH or env:NAME: on the command line everybody could read it"
        )
      }
      arguments.token = value
    },
    Option(name: "--max-body", value: "SIZE", help: "the largest request that is received, 64MiB") {
      arguments,
      value throws(UsageError) in
      arguments.maxBody = try SizeArgument.bytes(value, of: "--max-body", atLeast: 1_000)
    },
    Option(
      name: "--print-collector-config",
      value: nil,
      help: "with --listen: what a collector needs to send here"
    ) { arguments, _ throws(UsageError) in
      arguments.form = .collectorConfiguration
    },
    Option(name: "--demo", value: nil, help: "a simulated app; needs nothing") {
      arguments,
      _ throws(UsageError) in
      arguments.sources.append(.demo)
    },
    Option(name: "--seed", value: "N", help: "the demo's seed: the same seed, the same story") {
      arguments,
      value throws(UsageError) in
      guard let seed = UInt64(value) else {
        throw UsageError("--seed takes a whole number, not '\(value)'")
      }
      arguments.seed = seed
    },
    Option(name: "--last", value: nil, help: "what the newest finished live run received") {
      arguments,
      _ throws(UsageError) in
      arguments.sources.append(.lastRun)
    },
    Option(name: "--no-spool", value: nil, help: "live data leaves no file for --last") {
      arguments,
      _ throws(UsageError) in
      arguments.usesSpool = false
    },
    Option(
      name: "--for",
      value: "DURATION",
      help: "end live sources after a time, such as 60s"
    ) { arguments, value throws(UsageError) in
      arguments.ending.duration = try DurationArgument.nanoseconds(value, of: "--for")
    },
    Option(
      name: "--stop-at",
      value: "EXPR",
      help: "end live sources with a record that matches, as for --filter"
    ) { arguments, value throws(UsageError) in
      arguments.ending.record = try filterExpression(value, of: "--stop-at")
    },
    Option(
      name: "--max-spans",
      value: "N",
      help: "end live sources after so many spans"
    ) { arguments, value throws(UsageError) in
      arguments.ending.spans = try number(value, of: "--max-spans", in: 1...1_000_000_000_000)
    },
  ]

  static let outputOptions: [Option] = [
    Option(name: "--output", value: "FILE", help: "record: the capture to write; - is stdout") {
      arguments,
      value throws(UsageError) in
      arguments.output = value
    },
    Option(name: "--force", value: nil, help: "record: replace a file that is there") {
      arguments,
      _ throws(UsageError) in
      arguments.replacesOutput = true
    },
    Option(name: "--format", value: "FORMAT", help: "report: text, json; screen: text, ansi, svg") {
      arguments,
      value throws(UsageError) in
      arguments.format = value
    },
    Option(name: "--size", value: "WxH", help: "screen: columns and rows, 80x24") {
      arguments,
      value throws(UsageError) in
      let parts = value.split(separator: "x").compactMap { Int($0) }
      guard parts.count == 2, parts.allSatisfy({ (1...1000).contains($0) }) else {
        throw UsageError("--size takes columns and rows such as 120x40, not '\(value)'")
      }
      arguments.size = (parts[0], parts[1])
    },
    Option(name: "--keys", value: "'KEY …'", help: "screen: keys pressed first, by tmux's names") {
      arguments,
      value throws(UsageError) in
      arguments.keys = value
    },
    Option(name: "--color", value: "WHEN", help: "auto, always or never; NO_COLOR counts as never")
    {
      arguments,
      value throws(UsageError) in
      guard
        let color = ["auto": .auto, "always": .always, "never": .never][value]
          as Arguments.Color?
      else { throw UsageError("--color takes auto, always or never, not '\(value)'") }
      arguments.color = color
    },
    Option(name: "--ascii", value: nil, help: "draw with ASCII characters only") {
      arguments,
      _ throws(UsageError) in
      arguments.isASCII = true
    },
    Option(name: "--theme", value: "NAME", help: "dark, light, high-contrast or mono") {
      arguments,
      value throws(UsageError) in
      arguments.theme = value
    },
    Option(name: "--tz", value: "ZONE", help: "of times shown: local, utc, +05:30, Europe/Berlin") {
      arguments,
      value throws(UsageError) in
      arguments.zone = value
    },
  ]

  static let selectionOptions: [Option] = [
    Option(
      name: "--filter",
      value: "EXPR",
      help: "records to look at, such as 'screen:Search duration>500ms'"
    ) { arguments, value throws(UsageError) in
      arguments.filter.expression = try filterExpression(value, of: "--filter")
      arguments.filter.text = value
    },
    Option(name: "--since", value: "TIME", help: "2026-11-30T10:00, or 10m before the newest") {
      arguments,
      value throws(UsageError) in
      arguments.since = value
    },
    Option(name: "--until", value: "TIME", help: "the end of what to look at, as for --since") {
      arguments,
      value throws(UsageError) in
      arguments.until = value
    },
  ]

  static let meaningOptions: [Option] = [
    Option(
      name: "--group-by",
      value: "KEY",
      help: "screens and fragments parted by version, device, os or attr.NAME"
    ) { arguments, value throws(UsageError) in
      guard let grouping = Grouping(value) else {
        throw UsageError("--group-by takes version, device, os or attr.NAME, not '\(value)'")
      }
      if let objection = Grouping.objection(to: value) {
        throw UsageError("--group-by \(value): \(objection)")
      }
      arguments.model.groupBy = grouping
    },
    Option(
      name: "--budgets",
      value: "FILE",
      help: "limits of your own instead of the default rules"
    ) {
      arguments,
      value throws(UsageError) in
      arguments.budgetsFile = value
    },
    Option(
      name: "--join",
      value: "LEDGER=DEVICE",
      help: "a ledger belongs to a device, whatever their times"
    ) { arguments, value throws(UsageError) in
      guard let sign = value.lastIndex(of: "="), sign != value.startIndex,
        value.index(after: sign) != value.endIndex
      else { throw UsageError("--join takes LEDGER=DEVICE, not '\(value)'") }
      arguments.model.joins.append(
        LedgerJoin(
          ledger: String(value[..<sign]),
          device: String(value[value.index(after: sign)...])
        )
      )
    },
    Option(name: "--merge-gap", value: "DURATION", help: "shorter pauses split no visit, 10s") {
      arguments,
      value throws(UsageError) in
      arguments.model.mergeGap = try DurationArgument.nanoseconds(value, of: "--merge-gap")
    },
    Option(name: "--stale-after", value: "DURATION", help: "open sessions are stale then, 5m") {
      arguments,
      value throws(UsageError) in
      arguments.model.staleAfter = try DurationArgument.nanoseconds(value, of: "--stale-after")
    },
    Option(
      name: "--hang-threshold",
      value: "DURATION",
      help: "the app's hang detector's, which is not in the data, 2s"
    ) { arguments, value throws(UsageError) in
      arguments.model.hangThreshold = try DurationArgument.nanoseconds(
        value,
        of: "--hang-threshold"
      )
    },
    Option(
      name: "--max-memory",
      value: "SIZE",
      help: "then the oldest sessions are counted only, 512MB"
    ) { arguments, value throws(UsageError) in
      arguments.maxMemory = try SizeArgument.bytes(value, of: "--max-memory")
    },
    Option(
      name: "--hitch-scale",
      value: "SCALE",
      help: "freeze time is judged by: wwdc20, organizer"
    ) {
      arguments,
      value throws(UsageError) in
      guard let scale = Arguments.hitchScale(value) else {
        throw UsageError("--hitch-scale takes wwdc20 or organizer, not '\(value)'")
      }
      arguments.model.hitchScale = scale
    },
  ]

  static let generalOptions: [Option] = [
    Option(name: "--help", value: nil, help: "this text") { arguments, _ throws(UsageError) in
      arguments.form = .help
    },
    Option(name: "--version", value: nil, help: "the version") { arguments, _ throws(UsageError) in
      arguments.form = .version
    },
  ]

  /// Names of the command line's contract that this version does not have.
  static let unavailable: Set<String> = [
    "--with", "--junit",
    "--mouse", "--alert", "--replay", "--dsym", "--at",
  ]
}

private func filterExpression(
  _ text: String,
  of option: String
) throws(UsageError) -> FilterExpression? {
  do throws(FilterError) { return try FilterExpression(parsing: text) } catch {
    let advice = error.advice.isEmpty ? "" : "; " + error.advice
    throw UsageError("\(option) \(error.sentence)\(advice)")
  }
}

private func number(
  _ text: String,
  of option: String,
  in range: ClosedRange<Int>
) throws(UsageError) -> Int {
  guard let value = Int(text), range.contains(value) else {
    throw UsageError("\(option) takes a whole number, not '\(text)'")
  }
  return value
}
