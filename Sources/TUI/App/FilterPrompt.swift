import Model

// What `&` lets through: asked at the bottom of the screen, applied when it is accepted.
extension AppState {
  mutating func openFilterPrompt() {
    promptPurpose = .filter
    prompt = Prompt(filter.text)
  }

  mutating func editFilter(_ key: Key) {
    guard var edited = prompt else { return }
    switch edited.handle(key) {
    case .accepted: accept(edited.text)
    case .cancelled: prompt = nil
    case .edited: prompt = edited
    case .ignored: break
    }
  }

  /// A filter that cannot be read stays in the prompt, and the last good one in force.
  private mutating func accept(_ text: String) {
    var changed = filter
    do throws(FilterError) { changed.expression = try FilterExpression(parsing: text) } catch {
      return
    }
    changed.text = changed.expression == nil ? "" : text
    prompt = nil
    ask(changed, groupBy: model.options.groupBy)
  }

  /// False where there was none.
  mutating func clearFilter() -> Bool {
    guard filter.expression != nil else { return false }
    var cleared = filter
    cleared.expression = nil
    cleared.text = ""
    ask(cleared, groupBy: model.options.groupBy)
    return true
  }

  /// What is wrong with the typed filter, where it can be read beside it; else that Enter applies it.
  var filterNote: StyledText {
    guard let problem = filterProblem else { return StyledText("Enter applies", .muted) }
    return needsProblemLine(problem) ? StyledText() : StyledText(problem, .warning)
  }

  /// What is wrong, where it needs the line above the prompt; nil where it does not.
  var filterProblemLine: StyledText? {
    guard promptPurpose == .filter, let problem = filterProblem, needsProblemLine(problem) else {
      return nil
    }
    return StyledText(DisplayText.cutAtEnd(problem, to: width), .warning)
  }

  /// The prompt gives a note half of its line at most.
  private func needsProblemLine(_ problem: String) -> Bool {
    TextWidth.columns(of: problem) > width / 2 - 1
  }

  private var filterProblem: String? {
    guard let prompt else { return nil }
    do throws(FilterError) {
      _ = try FilterExpression(parsing: prompt.text)
      return nil
    } catch {
      return error.sentence
    }
  }

  /// `& screen:Search  12 records`, for the footer; empty without a filter.
  ///
  /// Where that is too long, what was asked is cut and the number stays.
  func filterLabel(columns: Int) -> StyledText {
    guard !filter.isEmpty || asking != nil else { return StyledText() }
    var parts = filter.expression == nil ? [] : ["& " + filter.text]
    if let since = filter.since { parts.append("since \(boundText(since))") }
    if let until = filter.until { parts.append("until \(boundText(until))") }
    let count = overview.selection?.count ?? 0
    var records = "\(QuantityText.count(count)) record\(count == 1 ? "" : "s")"
    if let asking {
      let found = asking.hasHits ? records + " so far" : "looking"
      records = "\(found), \(Int(asking.share * 100))% · Esc cancels"
    } else if let note = overview.quality.note(on: filter) {
      records += ", " + note
    }
    let room = columns - TextWidth.columns(of: records) - 2
    let asked = DisplayText.cutAtEnd(parts.joined(separator: " "), to: max(0, room))
    return StyledText(asked.isEmpty ? "" : asked + "  ", .accent) + StyledText(records, .muted)
  }

  private func boundText(_ bound: RecordFilter.Bound) -> String {
    guard overview.now != .min else { return QuantityText.unknown }
    let time = Timestamp(nanoseconds: bound.resolved(now: overview.now))
    return "\(clock.date(time)) \(clock.time(time))\(clock.zoneSuffix(at: time))"
  }
}
