import Model

/// Screens whose TTI breaks its rule, for cells about what was measured of them.
struct SlowScreens: Sendable {
  private struct Name: Hashable, Sendable {
    var app: Symbol
    var name: Symbol
  }

  private var judgements: [Name: Judgement] = [:]

  var isEmpty: Bool { judgements.isEmpty }

  init() {}

  init(_ overview: Overview, _ findings: Findings) {
    // The worst come first; parts of a screen share its name.
    for finding in findings.elsewhere where finding.judgement.rule == .ttiSlow {
      guard case .screen(let index) = finding.subject else { continue }
      let name = Name(app: overview.screens[index].app, name: overview.screens[index].name)
      if judgements[name] == nil { judgements[name] = finding.judgement }
    }
  }

  /// How far a value stands out: no further than the screen's own.
  func verdict(_ milliseconds: Double, app: Symbol, name: Symbol) -> Verdict {
    guard let judgement = judgements[Name(app: app, name: name)] else { return .insufficient }
    return min(judgement.verdict, judgement.threshold.verdict(milliseconds))
  }
}
