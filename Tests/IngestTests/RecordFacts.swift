import Model
import TestSupport

extension RecordingSink {
  /// What a span says, apart from the numbers that a run gives to texts and resources.
  func spanFacts() -> [[String]] {
    let (symbols, resources) = (self.symbols, self.resources)
    var sets: [AttributeSetID: [String]] = [:]
    for case .attributes(let id, let attributes) in events {
      sets[id] = attributes.map { "\(symbols[$0.key] ?? "?")=\(symbols[$0.value] ?? "?")" }
    }
    return spans.map { span in
      let resource = resources[span.resource]
      let texts = [
        span.name, span.subject, span.sessionID, span.hostSessionID, span.appState,
        span.statusMessage, resource?.app ?? .none, resource?.version ?? .none,
        resource?.deviceID ?? .none, resource?.sessionID ?? .none,
      ].map { symbols[$0] ?? "-" }
      let numbers = [
        span.content, UInt64(span.attributeCount), UInt64(span.finalAttributeCount),
        UInt64(span.flags.rawValue), UInt64(span.signal.rawValue), UInt64(span.status.rawValue),
        span.traceHigh, span.traceLow, span.spanID, span.parentID, resource?.content ?? 0,
      ].map { String($0) }
      return texts + numbers + ["\(span.measurements)", "\(span.start) \(span.end)"]
        + (sets[span.attributes] ?? ["no set"])
        + (resource.flatMap { sets[$0.attributes] } ?? ["no set"])
    }
  }

  /// What a log record says, likewise.
  func logFacts() -> [[String]] {
    let (symbols, resources) = (self.symbols, self.resources)
    return logs.map { log in
      let texts = [log.subject, log.sessionID, resources[log.resource]?.app ?? .none]
      let numbers = [
        log.content, log.instance, UInt64(log.severity), UInt64(log.flags.rawValue),
        UInt64(log.signal.rawValue),
      ]
      return texts.map { symbols[$0] ?? "-" } + numbers.map { String($0) } + ["\(log.time)"]
    }
  }

  /// Problems and counts, with places counted from an offset on.
  func losses(from offset: UInt64 = 0) -> [String] {
    var result: [String] = []
    for case .problem(let problem) in events where problem.offset >= offset {
      result.append("\(problem.kind) \(problem.offset - offset) \(problem.text)")
    }
    return result
  }
}
