import Ingest
import Model
import TUI

/// What is wrong with the command line, as one sentence.
struct UsageError: Error {
  var text: String

  init(_ text: String) {
    self.text = text
  }
}

/// What the user typed, read without touching the system.
struct Arguments: Sendable {
  enum Form: String, CaseIterable, Sendable {
    case dashboard, report, screen, record, help, version
    case collectorConfiguration = "--print-collector-config"
  }

  enum Source: Equatable, Sendable {
    case path(String)
    case standardInput
    case follow(String)
    /// Nil for OTLP's own port.
    case listen(ListenAddress?)
    case attach(AttachAddress)
    case demo
    /// What the newest finished live run kept.
    case lastRun
  }

  enum Color: Sendable {
    case auto, always, never
  }

  var form = Form.dashboard
  var sources: [Source] = []
  var screenName: String?
  var format: String?
  var size: (width: Int, height: Int) = (80, 24)
  var keys = ""
  var color = Color.auto
  var isASCII = false
  var theme: String?
  var zone: String?
  var tail: Int?
  var seed: UInt64 = 1
  /// Live sources without a capture of their own are kept in the spool.
  var usesSpool = true
  /// Where the token of senders is: `file:PATH` or `env:NAME`.
  var token: String?
  /// Bytes of a request at most.
  var maxBody = 64 << 20
  /// The sockets of `--listen`: see `ListenOption`.
  var listening: Listening?
  /// What ends live sources.
  var ending = LiveLimits()
  /// Where `record` writes: a path, or `-`.
  var output: String?
  /// `record` may replace a file that holds something.
  var replacesOutput = false
  /// Read before anything else: see `BudgetsOption`.
  var budgetsFile: String?
  var model = ModelOptions()
  /// Bytes (`--max-memory`); the model is told its share once everything was read.
  var maxMemory = 512_000_000
  var filter = RecordFilter()
  /// Instants as typed: what they mean depends on the zone.
  var since: String?
  var until: String?

  /// Words of the contract that this version does not have as forms.
  private static let unavailableForms: Set<String> = ["check", "compare"]

  /// Forms that the first word names.
  private static let namedForms: Set<Form> = [.report, .screen, .record]

  static func hitchScale(_ name: String) -> HitchScale? { HitchScale(rawValue: name) }

  init(_ words: [String]) throws(UsageError) {
    var words = words[...]
    if let first = words.first {
      if let named = Form(rawValue: first), Self.namedForms.contains(named) {
        form = named
        words.removeFirst()
      } else if Self.unavailableForms.contains(first) {
        throw UsageError(
          "'\(first)' is not in this version; a file of that name is given as ./\(first)"
        )
      }
    }
    var takesOptions = true
    while let word = words.popFirst() {
      if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("-"), word != "-" {
        try takeOption(word, &words)
      } else if form == .screen, screenName == nil {
        screenName = word
      } else {
        sources.append(word == "-" && takesOptions ? .standardInput : .path(word))
      }
    }
    try check()
    model.memoryLimit = SizeArgument.modelShare(of: maxMemory)
    model.limits = TableLimits(memory: maxMemory)
    ending.model = model
  }

  private mutating func takeOption(
    _ word: String,
    _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = ["-h": "--help", "-V": "--version"][word] ?? String(parts[0])
    guard let option = Option.all.first(where: { $0.name == name }) else {
      throw Self.unknown(name)
    }
    guard let valueName = option.value else {
      guard parts.count == 1 else { throw UsageError("\(name) takes no value") }
      return try option.apply(&self, "")
    }
    if parts.count == 2 { return try option.apply(&self, String(parts[1])) }
    if let claims = option.claims, rest.first.map(claims) != true {
      return try option.apply(&self, "")
    }
    guard let value = rest.popFirst() else {
      throw UsageError("\(name) needs a value: \(name) \(valueName)")
    }
    try option.apply(&self, value)
  }

  private static func unknown(_ name: String) -> UsageError {
    if Option.unavailable.contains(name) {
      return UsageError("\(name) is not in this version; perftop --help lists what is")
    }
    let known = Option.all.map(\.name)
    let nearest = NearestName.of(name, among: known).map { "did you mean \($0)? " } ?? ""
    return UsageError("unknown option \(name): \(nearest)perftop --help lists all")
  }

  private func check() throws(UsageError) {
    guard form == .record || (output == nil && !replacesOutput) else {
      throw UsageError("--output and --force are for record: perftop record --output FILE")
    }
    switch form {
    case .record: try checkRecord()
    case .report, .dashboard:
      try check(format, among: ["text", "json"])
    case .screen:
      try check(format, among: ["text", "ansi", "svg"])
      guard let screenName else {
        throw UsageError("screen needs a name: \(Self.screenNames.joined(separator: ", "))")
      }
      guard Screen(name: screenName) != nil else {
        let nearest = NearestName.of(screenName, among: Self.screenNames)
        let hint = nearest.map { "did you mean \($0)? " } ?? ""
        throw UsageError(
          "no screen '\(screenName)': \(hint)there are \(Self.screenNames.joined(separator: ", "))"
        )
      }
    case .help, .version: break
    case .collectorConfiguration:
      let isListening = sources.contains { if case .listen = $0 { true } else { false } }
      guard isListening else {
        throw UsageError("--print-collector-config needs --listen: it is for that address")
      }
    }
    if let theme, Theme.named(theme) == nil {
      let names = Theme.all.map(\.name).joined(separator: ", ")
      throw UsageError("no theme '\(theme)': there are \(names)")
    }
  }

  private func checkRecord() throws(UsageError) {
    guard let output, !output.isEmpty else {
      throw UsageError("record needs a file: --output FILE, or --output - for standard output")
    }
    guard format == nil else {
      throw UsageError("--format is not for record: it writes OTLP JSON lines and ledger lines")
    }
    guard filter.expression == nil, since == nil, until == nil else {
      throw UsageError(
        "record writes everything it receives: give --filter, --since and --until when you look at it"
      )
    }
  }

  private static var screenNames: [String] { Screen.allCases.map(\.name) }

  private func check(_ format: String?, among formats: [String]) throws(UsageError) {
    guard let format, !formats.contains(format) else { return }
    throw UsageError("no format '\(format)' here: there are \(formats.joined(separator: ", "))")
  }
}

extension Arguments {
  /// The filter with its times, which are of `zone` where they name none.
  func filter(in zone: ZoneOffsets) throws(UsageError) -> RecordFilter {
    var filter = filter
    if let since { filter.since = try TimeArgument.bound(since, of: "--since", zone: zone) }
    if let until { filter.until = try TimeArgument.bound(until, of: "--until", zone: zone) }
    return filter
  }
}
