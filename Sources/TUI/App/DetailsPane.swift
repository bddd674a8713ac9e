import Model

/// One record in full: what the model makes of it, then every field as the record says it.
enum DetailsPane {
  struct Line {
    var text: StyledText
  }

  static func lines(_ details: DetailsState, width: Int) -> [StyledText] {
    var lines = details.facts.flatMap { fact($0, width: width) }
    switch details.content {
    case .none: break
    case .reading:
      lines.append(StyledText())
      lines.append(StyledText("reading the record …", .muted))
    case .unavailable(let reason):
      lines.append(StyledText())
      lines.append(StyledText(text(reason), .warning))
    case .record(let record):
      lines.append(StyledText())
      lines.append(StyledText("record", .heading))
      for field in record.fields { lines += line(field, width: width) }
      if record.omitted > 0 {
        let count = QuantityText.count(record.omitted)
        lines.append(StyledText("… \(count) more fields are not shown", .muted))
      }
    }
    return lines
  }

  static func draw(_ details: DetailsState, into grid: inout Grid, in area: Rect) {
    var rest = area
    let title = DisplayText.cutInMiddle(details.title, to: max(0, area.width - 6))
    grid.rule(rest.takeTop(1), title: StyledText(title, .title))
    LongText.draw(lines(details, width: area.width), top: details.top, into: &grid, in: rest)
  }

  private static func fact(_ fact: DetailsState.Fact, width: Int) -> [StyledText] {
    let name = DisplayText.field(fact.name, columns: min(18, width / 3))
    return LongText.lines(StyledText(name + "  ", .muted), fact.value, width: width)
  }

  private static func line(_ field: RecordDetails.Field, width: Int) -> [StyledText] {
    let indent = String(repeating: "  ", count: min(field.depth, 20, width / 8))
    guard !field.value.isEmpty else { return [StyledText(indent + field.key, .muted)] }
    let key = DisplayText.cutInMiddle(field.key, to: max(8, width / 2))
    return LongText.lines(StyledText(indent + key + "  ", .muted), field.value, width: width)
  }

  private static func text(_ reason: DetailsUnavailable) -> String {
    switch reason {
    case .noLongerKept:
      "no longer kept: it came from a pipe or the demo, of which the last 64 MB are kept"
    case .notInSpool:
      "not in the spool: it made room for newer records, or could not be written"
    case .sourceChanged: "the file has changed since the record was read"
    case .unreadable(let why): "cannot be read again: \(why)"
    }
  }
}

/// What the model knows of a record, as facts of the detail pane.
enum RecordFacts {
  static func facts(_ number: Int, _ state: AppState) -> [DetailsState.Fact] {
    let row = state.model.store[number]
    var facts: [DetailsState.Fact] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { facts.append(DetailsState.Fact(name, value)) }
    }
    let model = state.model
    let resource = model.resource(row.resource)
    add("kind", row.signal.word)
    add("name", model.text(row.name))
    if row.isTimed {
      add("start", state.clock.dateTime(row.startTime))
      if row.end != row.start {
        add("end", state.clock.dateTime(row.endTime))
        add("length", QuantityText.duration(nanoseconds: row.end - row.start))
      }
    } else {
      add("start", "unknown")
    }
    if row.flags.isClockSuspect { add("clock", "suspect: do not trust these times") }
    add("app", [resource.app, resource.version].map(model.text).joined(separator: " "))
    add("device", [resource.deviceModel, resource.deviceID].map(model.text).joined(separator: " "))
    add("session.id", model.text(row.session))
    let place = row.place
    let source = Int(place.source.rawValue)
    if source < model.sources.count {
      add(
        "place",
        "\(model.sources[source].name) at byte \(QuantityText.count(Int(clamping: place.offset))), "
          + "\(QuantityText.count(Int(place.length))) bytes"
      )
    }
    return facts
  }
}

extension ClockText {
  /// `2026-11-30 12:04:31.250Z`: date, time and the zone's offset.
  func dateTime(_ instant: Timestamp) -> String {
    "\(date(instant)) \(time(instant, milliseconds: true))\(zoneSuffix(at: instant))"
  }
}
