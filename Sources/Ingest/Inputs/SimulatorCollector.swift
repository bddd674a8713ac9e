import Model

/// Writes requests as the OpenTelemetry Collector's file exporter does: one JSON object per line.
///
/// Fields stand in the order of the .proto files; `resource`, `scope`, `status`, `body` and `value` are
/// always there, everything else is left out when empty; 64-bit integers are decimal strings.
struct SimulatorCollector {
  /// Where second 0 of the story lies.
  let origin: Timestamp

  /// A request of spans with its line end.
  func line(spans: [SimulatorSpan], resource: SimulatorAttributes) -> [UInt8] {
    var out = #"{"resourceSpans":["#
    write(
      resource: resource,
      scopes: grouped(spans) { $0.scope },
      list: "scopeSpans",
      items: "spans",
      to: &out,
      item: write
    )
    out += "]}\n"
    return Array(out.utf8)
  }

  /// A request of log records with its line end.
  func line(logs: [SimulatorLog], resource: SimulatorAttributes) -> [UInt8] {
    var out = #"{"resourceLogs":["#
    write(
      resource: resource,
      scopes: grouped(logs) { $0.scope },
      list: "scopeLogs",
      items: "logRecords",
      to: &out,
      item: write
    )
    out += "]}\n"
    return Array(out.utf8)
  }

  /// Nanoseconds since 1970 as an app that keeps seconds in a double can give them.
  func nanoseconds(_ seconds: Double) -> Int64 {
    let exact = origin.advanced(byNanoseconds: Int64(seconds * 1e9)).nanoseconds
    return exact & ~0xFF
  }

  private func grouped<Item>(
    _ items: [Item],
    by scope: (Item) -> SimulatorScope
  ) -> [(SimulatorScope, [Item])] {
    var groups: [(SimulatorScope, [Item])] = []
    for item in items {
      if let index = groups.firstIndex(where: { $0.0 == scope(item) }) {
        groups[index].1.append(item)
      } else {
        groups.append((scope(item), [item]))
      }
    }
    return groups
  }

  private func write<Item>(
    resource: SimulatorAttributes,
    scopes: [(SimulatorScope, [Item])],
    list: String,
    items: String,
    to out: inout String,
    item write: (Item, inout String) -> Void
  ) {
    out += #"{"resource":{"#
    self.write(attributes: resource, leadingComma: false, to: &out)
    out += #"},"\#(list)":["#
    for (index, (scope, group)) in scopes.enumerated() {
      out += index > 0 ? "," : ""
      out += #"{"scope":{"name":"#
      out += JSONQuote.quoted(scope.name)
      if let version = scope.version {
        out += #","version":"#
        out += JSONQuote.quoted(version)
      }
      out += #"},"\#(items)":["#
      for (position, item) in group.enumerated() {
        out += position > 0 ? "," : ""
        write(item, &out)
      }
      out += "]}"
    }
    out += "]}"
  }

  private func write(_ span: SimulatorSpan, to out: inout String) {
    out += #"{"traceId":"\#(span.traceID)","spanId":"\#(span.spanID)""#
    if let parent = span.parentID { out += #","parentSpanId":"\#(parent)""# }
    out += #","name":"#
    out += JSONQuote.quoted(span.name)
    out += #","kind":\#(span.kind.rawValue)"#
    out += #","startTimeUnixNano":"\#(nanoseconds(span.start))""#
    out += #","endTimeUnixNano":"\#(nanoseconds(span.end))""#
    write(attributes: span.attributes, leadingComma: true, to: &out)
    if span.droppedAttributes > 0 {
      out += #","droppedAttributesCount":\#(span.droppedAttributes)"#
    }
    switch span.status {
    case .unset: out += #","status":{}}"#
    case .ok: out += #","status":{"code":1}}"#
    case .error(nil): out += #","status":{"code":2}}"#
    case .error(let message?):
      out += #","status":{"message":"#
      out += JSONQuote.quoted(message)
      out += #","code":2}}"#
    }
  }

  private func write(_ log: SimulatorLog, to out: inout String) {
    let time = nanoseconds(log.time)
    out += #"{"timeUnixNano":"\#(time)","observedTimeUnixNano":"\#(time)""#
    out += #","severityNumber":\#(log.severity),"severityText":"#
    out += JSONQuote.quoted(log.severityText)
    out += #","body":{"#
    if let body = log.body {
      out += #""stringValue":"#
      out += JSONQuote.quoted(body)
    }
    out += "}"
    write(attributes: log.attributes, leadingComma: true, to: &out)
    if let name = log.eventName {
      out += #","eventName":"#
      out += JSONQuote.quoted(name)
    }
    out += "}"
  }

  private func write(
    attributes: SimulatorAttributes,
    leadingComma: Bool,
    to out: inout String
  ) {
    guard !attributes.isEmpty else { return }
    out += leadingComma ? #","attributes":["# : #""attributes":["#
    for (index, attribute) in attributes.enumerated() {
      out += index > 0 ? #",{"key":"# : #"{"key":"#
      out += JSONQuote.quoted(attribute.key)
      out += #","value":{"#
      switch attribute.value {
      case .string(let text):
        out += #""stringValue":"#
        out += JSONQuote.quoted(text)
      case .int(let number): out += #""intValue":"\#(number)""#
      case .bool(let flag): out += #""boolValue":\#(flag)"#
      case .double(let number):
        // A whole number is written without a fraction.
        let text = String(number)
        out += #""doubleValue":\#(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)"#
      }
      out += "}}"
    }
    out += "]"
  }
}
