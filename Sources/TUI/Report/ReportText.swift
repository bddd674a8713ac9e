package import Model

/// The report for people: the answer first, then figures by screen, then what may be doubted.
package struct ReportText {
  private let model: SessionModel
  private let overview: Overview
  private let filter: RecordFilter
  private let findings: Findings
  private let clock: ClockText
  private let hasSeveralApps: Bool

  /// `filter` is what the overview was made with, to be named.
  package init(
    model: SessionModel,
    overview: Overview,
    findings: Findings? = nil,
    filter: RecordFilter = RecordFilter(),
    clock: ClockText
  ) {
    self.model = model
    self.overview = overview
    self.filter = filter
    self.findings = findings ?? model.findings(overview)
    self.clock = clock
    hasSeveralApps = overview.hasSeveralApps(model)
  }

  package var text: String {
    guard !overview.isEmpty else {
      return ([emptyText] + qualityLines).joined(separator: "\n") + "\n"
    }
    let found = FindingsText(model, overview, findings)
    let sections = [
      filterLines, [found.verdict] + summaryLines, found.lines, startupLines, screenLines,
      hangLines, leakLines, ledgerLines, spanLines, qualityLines,
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var emptyText: String {
    model.quality.lost == 0 ? "no telemetry yet" : "no telemetry in this data"
  }

  // MARK: - Sections

  /// What everything below but the quality is restricted to.
  private var filterLines: [String] {
    guard !filter.isEmpty else { return [] }
    var parts = filter.expression == nil ? [] : [filter.text]
    if let since = filter.since {
      parts.append("since \(dateTime(since.resolved(now: overview.now)))")
    }
    if let until = filter.until {
      parts.append("until \(dateTime(until.resolved(now: overview.now)))")
    }
    let count = counted(overview.selection?.count ?? 0, "record")
    let told = [count] + [overview.quality.note(on: filter)].compactMap { $0 }
    return ["filter   \(parts.joined(separator: ", ")): \(told.joined(separator: ", "))"]
  }

  private var summaryLines: [String] {
    var states = overview.selection == nil ? overview.folded.states : [:]
    for summary in overview.streams {
      for session in summary.sessions { states[session.state, default: 0] += 1 }
    }
    let words = SessionState.allCases.compactMap { state in
      states[state].map { "\(QuantityText.count($0)) \(state.rawValue)" }
    }
    if overview.selection?.count == 0 { return [] }
    let totals = overview.totals
    let period =
      overview.now == .min
      ? [] : ["\(dateTime(overview.earliest)) to \(dateTime(overview.now))"]
    let frames = totals.frames
    return [
      "\(counted(totals.sessions, "session")) on "
        + counted(devices, "device") + (words.isEmpty ? "" : ": " + words.joined(separator: ", "))
    ] + period + [
      "frames   \(QuantityText.count(frames?.total)) rendered, "
        + "\(QuantityText.percent(frames?.droppedRatio)) dropped, freeze "
        + "\(QuantityText.ratio(frames?.freezeMillisecondsPerSecond)) ms/s",
      "hangs    \(QuantityText.count(totals.hangs)), \(QuantityText.count(totals.fatalHangs)) fatal",
      "leaks    \(QuantityText.count(totals.leaks))",
      "watchdog \(QuantityText.count(totals.terminations))",
    ]
  }

  /// Streams of records from devices; ledgers that joined none are not counted.
  private var devices: Int {
    overview.streams.count { model.streams[Int($0.stream.rawValue)].ledgerName == nil }
      + (overview.selection == nil ? overview.folded.devices : 0)
  }

  private var startupLines: [String] {
    let startup = overview.startup
    guard startup.total.count + startup.prewarmed + startup.cancelled + startup.rejected > 0 else {
      return []
    }
    return [
      "startup  " + percentiles(startup.total)
        + "; \(startup.prewarmed) prewarmed, \(startup.cancelled) cancelled"
        + (startup.suspect > 0 ? ", \(startup.suspect) over 60 s: prewarmed?" : "")
    ]
  }

  private var screenLines: [String] {
    let figures =
      overview.screens.map { (name($0), $0) }
      + overview.fragments.map { (name($0) + " (fragment)", $0) }
    let lines = table(
      ["SCREEN", "N", "P50", "P90", "P99", "MAX", "TTFR P90", "CANCELLED", "FREEZE ms/s"],
      figures.map { name, figure in
        [
          name, QuantityText.count(figure.tti.count), ms(figure.tti.quantile(0.5)),
          ms(figure.tti.quantile(0.9)), ms(figure.tti.quantile(0.99)), ms(figure.tti.maximum),
          ms(figure.ttfr.quantile(0.9)), QuantityText.count(figure.cancelled),
          QuantityText.ratio(figure.frames?.freezeMillisecondsPerSecond),
        ]
      }
    )
    guard !lines.isEmpty, let grouping = model.options.groupBy,
      let note = overview.quality.note(on: grouping)
    else { return lines }
    return lines + ["grouped by \(DisplayText.shown(grouping.word)): \(note)"]
  }

  private func name(_ figure: ScreenFigures) -> String {
    var name = figure.isOverflow ? "other" : model.text(figure.name)
    if figure.group != nil { name += " · " + model.groupLabel(figure) }
    return hasSeveralApps ? "\(name) (\(model.text(figure.app)))" : name
  }

  private var hangLines: [String] {
    let hangs = overview.streams.flatMap(\.hangs).filter { $0.type != .cancelled }
      .sorted { ($0.duration ?? 0, $0.start) > ($1.duration ?? 0, $1.start) }
    let shown = hangs.prefix(20)
    var lines = table(
      ["HANG", "TYPE", "STARTED", "SCREEN"] + (hasSeveralApps ? ["APP"] : []),
      shown.map { hang in
        let row = model.store[hang.row]
        return [
          ms(hang.duration.map(Double.init)), hang.type.rawValue,
          row.isTimed ? dateTime(hang.trueStart) : QuantityText.unknown,
          hang.origin == .otlp ? model.text(row.subject) : QuantityText.unknown,
        ] + app(model.resource(row.resource).app)
      },
      leftColumns: [1, 2, 3, 4]
    )
    if hangs.count > shown.count {
      lines.append("… and \(QuantityText.count(hangs.count - shown.count)) shorter ones")
    }
    return lines
  }

  private var leakLines: [String] {
    table(
      ["LEAK", "COUNT", "INSTANCES", "LAST SEEN"] + (hasSeveralApps ? ["APP"] : []),
      overview.leaks.sorted { $0.count > $1.count }.map { leak in
        [
          model.text(leak.className), QuantityText.count(leak.count),
          QuantityText.count(leak.instances),
          leak.lastSeen == .min ? QuantityText.unknown : dateTime(leak.lastSeen),
        ] + app(leak.app)
      },
      leftColumns: [0, 4]
    )
  }

  /// The last cell of a row where there are several apps.
  private func app(_ symbol: Symbol) -> [String] {
    guard hasSeveralApps else { return [] }
    return [symbol.isPresent ? model.text(symbol) : QuantityText.unknown]
  }

  private var ledgerLines: [String] {
    let lines = table(
      ["LEDGER", "COUNT", "P50", "P90", "MAX", "BUDGET"],
      overview.ledger.map { figure in
        [
          model.text(figure.name), QuantityText.count(figure.count),
          ms(figure.duration.quantile(0.5)), ms(figure.duration.quantile(0.9)),
          ms(figure.duration.maximum), ms(figure.budget.map(Double.init)),
        ]
      }
    )
    guard overview.ledger.contains(where: \.isCensored) else { return lines }
    return lines + [
      "only events over their budget are recorded: counts and tails mean something, medians do not"
    ]
  }

  private var spanLines: [String] {
    table(
      ["OTHER SPAN", "COUNT", "P50", "P90", "MAX", "ERRORS"],
      overview.spans.sorted { $0.count > $1.count }.prefix(20).map { figure in
        [
          figure.isOverflow ? "other" : model.text(figure.name), QuantityText.count(figure.count),
          ms(figure.duration.quantile(0.5)), ms(figure.duration.quantile(0.9)),
          ms(figure.duration.maximum), QuantityText.count(figure.errors),
        ]
      }
    )
  }

  private var qualityLines: [String] {
    let quality = overview.quality
    let doubts = QualityText.doubts(quality).map(\.text)
    let first = model.sources.compactMap { source -> String? in
      QualityText.firstLoss(source).map { "first in \(DisplayText.shown(source.name)), \($0)" }
    }
    let spools = model.spools.flatMap { SpoolText.lines($0) }
    let kept =
      quality.foldedRecords == 0
      ? [] : ["memory limit: " + Self.notKept(quality) + " counted, but no longer listed"]
    return [QualityText.received(quality)]
      + (doubts.isEmpty ? [] : [doubts.joined(separator: ", ")]) + kept + first + spools
  }

  private static func notKept(_ quality: Quality) -> String {
    let counts = [
      (quality.foldedRecords, "records"), (quality.foldedSessions, "sessions"),
      (quality.foldedLaunches, "launches"), (quality.foldedHangs, "hangs"),
    ]
    return counts.map { "\(QuantityText.count($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  // MARK: - Forms

  private func percentiles(_ distribution: Distribution) -> String {
    "\(counted(distribution.count, "launch", "launches")), P50 \(ms(distribution.quantile(0.5))), "
      + "P90 \(ms(distribution.quantile(0.9))), max \(ms(distribution.maximum))"
  }

  private func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(QuantityText.count(count)) \(count == 1 ? one : many ?? one + "s")"
  }

  private func ms(_ milliseconds: Double?) -> String {
    QuantityText.duration(milliseconds: milliseconds)
  }

  private func dateTime(_ nanoseconds: Int64) -> String {
    let instant = Timestamp(nanoseconds: nanoseconds)
    return "\(clock.date(instant)) \(clock.time(instant))\(clock.zoneSuffix(at: instant))"
  }

  /// Aligned columns: the first to the left, numbers to the right; nothing without rows.
  private func table(
    _ titles: [String],
    _ rows: [[String]],
    leftColumns: Set<Int> = [0]
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    let all = [titles] + rows.map { row in row.map { DisplayText.cutInMiddle($0, to: 48) } }
    let widths = titles.indices.map { column in
      all.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
    return all.map { row in
      let line = row.indices.map { column in
        DisplayText.field(
          row[column],
          columns: widths[column],
          alignment: leftColumns.contains(column) ? .left : .right
        )
      }
      let joined = line.joined(separator: "  ")
      return String(joined.reversed().drop { $0 == " " }.reversed())
    }
  }
}
