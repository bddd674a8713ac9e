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
    let text = StateText.text(session.state, parts: 1)
    return text + StyledText("  \(session.reason)", .muted)
  }

  /// What overlaps an item most, with how much of it is covered.
  ///
  /// Visits to screens are left out: they last throughout, and their frames have a line of their own.
  static func sameTime(_ index: Int, _ state: AppState) -> [StyledText] {
    let items = state.timeline.items
    let item = items.items[index]
    let length = item.end - item.start
    var best: [(index: Int, covered: Int64)] = []
    items.forEach(from: item.start, to: item.end) { other, candidate in
      guard other != index, candidate.freezeRate == nil else { return }
      let covered = min(item.end, candidate.end) - max(item.start, candidate.start)
      // Touching is not overlapping, but an instant can lie within.
      guard covered > 0 || candidate.start == candidate.end || length == 0 else { return }
      let place = best.firstIndex { $0.covered < covered } ?? best.count
      guard place < most else { return }
      best.insert((other, covered), at: place)
      if best.count > most { best.removeLast() }
    }
    let noun = TimelineText(item, state).noun
    return best.map { other, covered in
      let candidate = items.items[other]
      var text = StyledText(TimelineText(candidate, state).title)
      if length > 0, candidate.end > candidate.start {
        let share = Int((Double(covered) * 100 / Double(length)).rounded())
        text.append("  covers \(share == 0 ? "<1" : String(share))% of the \(noun)", .muted)
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
