import Model

/// One of the few figures that say at a glance how the app does.
struct HeaderFigure {
  enum Wording: CaseIterable {
    case roomy, plain, close, tight
  }

  private var name: String
  /// The name where every column counts.
  private var shortName: String
  private var value: String
  private var shortValue: String
  private var verdict: Verdict

  func text(_ wording: Wording) -> StyledText {
    let isShort = wording == .close || wording == .tight
    var text = StyledText((wording == .tight ? shortName : name) + " ", .muted)
    // The mark alone: it may be of one screen, while the number is of all.
    text.append(isShort ? shortValue : value)
    let mark = VerdictText.mark(verdict)
    text.append(isShort ? String(mark.drop { $0 == " " }) : mark, VerdictText.role(verdict))
    return text
  }

  /// Marks and colours are those of the worst finding of the figure's kind.
  static func all(_ state: AppState) -> [HeaderFigure] {
    let totals = state.overview.totals
    let findings = state.findings
    let startup = state.overview.startup.total
    // Of one launch the time, of several what most of them keep below.
    let isOne = startup.count <= 1
    let launch = isOne ? totals.lastLaunch.map(Double.init) : startup.quantile(0.9)
    return [
      duration(isOne ? "launch" : "launch p90", "launch", launch, findings.worst(.startup)),
      duration("TTI p90", "TTI", totals.ttiP90, findings.worst(.tti)),
      freeze(totals, findings.worst(.frames)),
      hangs(totals, findings.worst(.hangs)),
      count("leaks", "leaks", totals.leaks, findings.worst(.leaks)),
      count("watchdog", "killed", totals.terminations, findings.worst(.terminations)),
    ]
  }

  private static func duration(
    _ name: String,
    _ shortName: String,
    _ milliseconds: Double?,
    _ verdict: Verdict
  ) -> HeaderFigure {
    let value = QuantityText.duration(milliseconds: milliseconds)
    return HeaderFigure(
      name: name,
      shortName: shortName,
      value: value,
      shortValue: value.filter { $0 != " " },
      verdict: verdict
    )
  }

  private static func freeze(_ totals: Totals, _ verdict: Verdict) -> HeaderFigure {
    let rate = totals.frames?.freezeMillisecondsPerSecond
    let text = QuantityText.ratio(rate)
    return HeaderFigure(
      name: "freeze",
      shortName: "freeze",
      value: rate == nil ? text : text + " ms/s",
      shortValue: rate == nil ? text : text + "ms/s",
      verdict: verdict
    )
  }

  private static func hangs(_ totals: Totals, _ verdict: Verdict) -> HeaderFigure {
    let count = QuantityText.count(totals.hangs)
    var words: [String] = []
    var letters: [String] = []
    if totals.openHangs > 0 {
      words.append("\(totals.openHangs) open")
      letters.append("\(totals.openHangs)●")
    }
    if totals.fatalHangs > 0 {
      words.append("\(totals.fatalHangs) fatal")
      letters.append("\(totals.fatalHangs)F")
    }
    let some = !words.isEmpty
    return HeaderFigure(
      name: "hangs",
      shortName: "hangs",
      value: some ? "\(count) (\(words.joined(separator: ", ")))" : count,
      shortValue: some ? "\(count) (\(letters.joined(separator: " ")))" : count,
      verdict: verdict
    )
  }

  private static func count(
    _ name: String,
    _ shortName: String,
    _ count: Int,
    _ verdict: Verdict
  ) -> HeaderFigure {
    let value = QuantityText.count(count)
    return HeaderFigure(
      name: name,
      shortName: shortName,
      value: value,
      shortValue: value,
      verdict: verdict
    )
  }
}
