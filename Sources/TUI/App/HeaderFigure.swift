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
    text.append(isShort ? shortValue : value, VerdictText.role(verdict))
    let mark = VerdictText.mark(verdict)
    text.append(isShort ? String(mark.drop { $0 == " " }) : mark, VerdictText.role(verdict))
    return text
  }

  static func all(_ state: AppState) -> [HeaderFigure] {
    let totals = state.overview.totals
    let startup = state.overview.startup.total
    // Of one launch the time, of several what most of them keep below.
    let isOne = startup.count <= 1
    let launch = isOne ? totals.lastLaunch.map(Double.init) : startup.quantile(0.9)
    let worstLeak = state.overview.leaks.map(\.mostInLaunch).max() ?? 0
    return [
      // One launch is judged by the thresholds of a percentile, for want of one.
      duration(
        isOne ? "launch" : "launch p90",
        "launch",
        launch,
        launch.map(state.rulebook.threshold(.startupSlow).verdict) ?? .insufficient
      ),
      duration(
        "TTI p90",
        "TTI",
        totals.ttiP90,
        state.rulebook.threshold(.ttiSlow).verdict(totals.ttiP90, sample: totals.ttiCount)
      ),
      freeze(totals, state), hangs(totals),
      count(
        "leaks",
        "leaks",
        totals.leaks,
        state.rulebook.threshold(.leakRepeated).verdict(Double(worstLeak))
      ),
      count(
        "watchdog",
        "killed",
        totals.terminations,
        totals.terminations > 0 ? .warning : .holds
      ),
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

  private static func freeze(_ totals: Totals, _ state: AppState) -> HeaderFigure {
    let rate = totals.frames?.freezeMillisecondsPerSecond
    let frames = totals.frames.map { $0.total + $0.dropped } ?? 0
    let text = QuantityText.ratio(rate)
    return HeaderFigure(
      name: "freeze",
      shortName: "freeze",
      value: rate == nil ? text : text + " ms/s",
      shortValue: rate == nil ? text : text + "ms/s",
      verdict: state.rulebook.threshold(.freezeRate).verdict(rate, sample: frames)
    )
  }

  private static func hangs(_ totals: Totals) -> HeaderFigure {
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
      verdict: totals.fatalHangs > 0 ? .critical : totals.hangs > 0 ? .warning : .holds
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
