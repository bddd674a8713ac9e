import Model

/// What the timeline says below its lanes.
enum TimelineEvidence {
  /// How many overlaps are told.
  private static let most = 5

  /// The items under the cursor, the selected one first, and what went on at the same time.
  static func lines(_ state: AppState, width: Int) -> [StyledText] {
    let timeline = state.timeline
    let items = timeline.items.items
    var indices = timeline.atCursor(width: width)
    if let selected = timeline.selected {
      let frames = visit(around: selected, state)
      indices.removeAll { $0 == selected || frames != nil && items[$0].freezeRate != nil }
      indices.insert(selected, at: 0)
      if let frames, frames != selected { indices.append(frames) }
    }
    var lines = indices.map { index in
      let item = items[index]
      let text = TimelineText(item, state)
      return line(item.freezeRate == nil ? text.noun : "frames", text.sentence)
    }
    if let selected = timeline.selected {
      lines += sameTime(selected, state).map { line("same time", $0) }
    }
    if let session = session(state) { lines.append(line("session", session)) }
    return lines
  }

  /// The line without its last remarks where they have no room.
  static func fitted(_ line: StyledText, to width: Int) -> StyledText {
    var fitted = line
    while fitted.columns > width, fitted.segments.count > 2, fitted.segments.last?.role == .muted {
      fitted.segments.removeLast()
    }
    return EvidencePane.cut(fitted, to: width)
  }

  /// The visit to a screen during which an item took place, for the most part.
  private static func visit(around index: Int, _ state: AppState) -> Int? {
    let item = state.timeline.items.items[index]
    guard item.freezeRate == nil else { return index }
    var best: (index: Int, covered: Int64)?
    state.timeline.items.forEach(from: item.start, to: item.end) { other, candidate in
      guard candidate.freezeRate != nil else { return }
      let covered = min(item.end, candidate.end) - max(item.start, candidate.start)
      if best.map({ covered > $0.covered }) ?? true { best = (other, covered) }
    }
    return best?.index
  }

  private static func line(_ label: String, _ text: StyledText) -> StyledText {
    StyledText(" ") + EvidencePane.line(label, text)
  }

  private static func session(_ state: AppState) -> StyledText? {
    let cursor = state.timeline.cursor
    guard let index = state.timeline.streamIndex(state),
      let session = state.overview.streams[index].sessions
        .last(where: { $0.start <= cursor && $0.end >= cursor })
    else { return nil }
    let text = StateText.text(session.state)
    return text + StyledText("  \(session.reason)", .muted)
  }

  /// What overlaps an item most, with how much of it is covered.
  static func sameTime(_ index: Int, _ state: AppState) -> [StyledText] {
    let items = state.timeline.items
    let noun = TimelineText(items.items[index], state).noun
    return items.atSameTime(as: index, most: most).map { overlap in
      let candidate = items.items[overlap.index]
      var text = StyledText(TimelineText(candidate, state).title)
      if let share = overlap.share, candidate.end > candidate.start {
        let percent = Int((share * 100).rounded())
        text.append("  covers \(percent == 0 ? "<1" : String(percent))% of the \(noun)", .muted)
      } else {
        let time = Timestamp(nanoseconds: candidate.start)
        let word = candidate.end > candidate.start ? "since" : "at"
        text.append("  \(word) \(state.clock.time(time, milliseconds: true))", .muted)
      }
      return text
    }
  }

  /// The items before and after the selected one, as the keys go through them.
  static func around(_ state: AppState, width: Int, height: Int) -> [StyledText] {
    let timeline = state.timeline
    let count = timeline.items.items.count
    guard count > 0, height > 1 else { return [] }
    let next = timeline.items.firstIndex(startingAfter: timeline.cursor)
    let center = timeline.selected ?? next
    let rows = height - 1
    let first = max(0, min(center - rows / 2, count - rows))
    var lines = [
      StyledText("items ", .heading)
        + StyledText(
          timeline.selected.map { "\(QuantityText.count($0 + 1)) of \(QuantityText.count(count))" }
            ?? QuantityText.count(count),
          .muted
        )
    ]
    for index in first..<min(count, first + rows) {
      let item = timeline.items.items[index]
      let text = TimelineText(item, state)
      let attributes: CellAttributes = index == timeline.selected ? .selected : []
      let time = state.clock.time(Timestamp(nanoseconds: item.start), milliseconds: true)
      lines.append(
        StyledText([
          Segment(time + "  ", .muted, attributes: attributes),
          Segment(
            DisplayText.field(text.noun, columns: 9) + " ",
            .muted,
            attributes: attributes
          ),
          Segment(
            named(text, width: width - 24),
            text.role,
            attributes: attributes
          ),
        ])
      )
    }
    return lines
  }

  /// Name and length; the name is cut where there is no room for both.
  private static func named(_ text: TimelineText, width: Int) -> String {
    let length = text.length
    guard !text.subject.isEmpty else { return length }
    guard !length.isEmpty else { return DisplayText.cutInMiddle(text.subject, to: width) }
    let room = max(1, width - TextWidth.columns(of: length) - 2)
    return DisplayText.cutInMiddle(text.subject, to: room) + "  " + length
  }
}
