/// Answers a filter's expression for the rows of one model.
///
/// What depends on a name, a resource or a source alone is answered once for each of them.
struct FilterMatcher {
  private indirect enum Node {
    case leaf(Int)
    case not(Node)
    case all([Node])
    case any([Node])
  }

  private struct Leaf {
    /// Nil for a free word.
    var key: FilterKey?
    var test: FilterTest
    var attribute = ""
    /// Answers by number: 0 is not asked yet, 1 yes, 2 no.
    var known: [UInt8] = []
  }

  private let model: SessionModel
  private let sessions: SessionsOfRows?
  private var leaves: [Leaf] = []
  private var root = Node.all([])

  /// `sessions` is needed for expressions that ask for them.
  init(_ expression: FilterExpression, model: SessionModel, sessions: SessionsOfRows?) {
    self.model = model
    self.sessions = sessions
    root = compile(expression)
  }

  mutating func matches(_ row: Int) -> Bool { answer(root, model.store[row], row) }

  private mutating func compile(_ expression: FilterExpression) -> Node {
    switch expression {
    case .word(let text): return leaf(Leaf(key: nil, test: .contains(text)))
    case .term(let term):
      return leaf(Leaf(key: term.key, test: term.test, attribute: term.attribute))
    case .not(let inner): return .not(compile(inner))
    case .all(let parts):
      var nodes: [Node] = []
      for part in parts { nodes.append(compile(part)) }
      return .all(nodes)
    case .any(let parts):
      var nodes: [Node] = []
      for part in parts { nodes.append(compile(part)) }
      return .any(nodes)
    }
  }

  private mutating func leaf(_ leaf: Leaf) -> Node {
    leaves.append(leaf)
    return .leaf(leaves.count - 1)
  }

  private mutating func answer(_ node: Node, _ row: RecordRow, _ number: Int) -> Bool {
    switch node {
    case .leaf(let index): return answer(leaf: index, row, number)
    case .not(let inner): return !answer(inner, row, number)
    case .all(let parts):
      for part in parts where !answer(part, row, number) { return false }
      return true
    case .any(let parts):
      for part in parts where answer(part, row, number) { return true }
      return false
    }
  }

  // MARK: - One question

  private mutating func answer(leaf index: Int, _ row: RecordRow, _ number: Int) -> Bool {
    guard let key = leaves[index].key else {
      return named(index, row.name) || (row.subject != row.name && named(index, row.subject))
    }
    switch key {
    case .name: return named(index, row.name)
    case .screen: return named(index, row.screen)
    case .fragment: return named(index, row.signal == .fragmentTTI ? row.subject : .none)
    case .class: return named(index, row.signal == .leak ? row.subject : .none)
    case .app: return named(index, model.resource(row.resource).app)
    case .version: return named(index, model.resource(row.resource).version)
    case .device:
      return remembered(index, Int(row.stream.rawValue)) { model in
        let resource = model.resource(row.resource)
        return [resource.deviceModel, resource.deviceID].filter(\.isPresent).map(model.text)
          + [model.ledgerName(of: row.stream)].compactMap { $0 }
      }
    case .os:
      return remembered(index, Int(row.resource.rawValue)) { model in
        let resource = model.resource(row.resource)
        let words = [resource.osName, resource.osVersion].filter(\.isPresent).map(model.text)
        return words + (words.count == 2 ? [words.joined(separator: " ")] : [])
      }
    case .source:
      return remembered(index, Int(row.place.source.rawValue)) { model in
        let source = Int(row.place.source.rawValue)
        return source < model.sources.count ? [model.sources[source].name] : []
      }
    case .signal: return remembered(index, Int(row.signal.rawValue)) { _ in row.signal.words }
    case .type: return holds(index, [row.type].compactMap { $0 })
    case .severity: return holds(index, [row.severity(model)])
    case .state:
      let state = sessions?.session(of: number)?.state
      return holds(index, state.map { [$0.rawValue] } ?? [])
    case .session:
      let own = row.session.isPresent ? [model.text(row.session)] : []
      return holds(index, (sessions?.identifiers(of: number, model) ?? []) + own)
    case .duration: return compares(index, row.measuredMilliseconds)
    case .freeze:
      let frames = FrameFigures(model.store.extra(of: row).measurements)
      return compares(index, frames?.freezeMillisecondsPerSecond)
    case .attribute: return holds(index, model.attributeValues(leaves[index].attribute, of: row))
    }
  }

  private mutating func named(_ index: Int, _ symbol: Symbol) -> Bool {
    remembered(index, Int(symbol.rawValue)) { model in
      symbol.isPresent ? [model.text(symbol)] : []
    }
  }

  private mutating func remembered(
    _ index: Int,
    _ number: Int,
    _ texts: (SessionModel) -> [String]
  ) -> Bool {
    if number < leaves[index].known.count, leaves[index].known[number] != 0 {
      return leaves[index].known[number] == 1
    }
    let answer = holds(index, texts(model))
    let missing = number + 1 - leaves[index].known.count
    if missing > 0 {
      leaves[index].known.append(contentsOf: repeatElement(0, count: max(missing, 256)))
    }
    leaves[index].known[number] = answer ? 1 : 2
    return answer
  }

  /// True when one of the texts passes the test; an absent value differs from every value.
  private func holds(_ index: Int, _ texts: [String]) -> Bool {
    let isWord = leaves[index].key?.isWord ?? false
    switch leaves[index].test {
    case .contains(let part): return texts.contains { $0.lowercased().contains(part) }
    case .equals(let whole):
      return texts.contains { isWord ? $0.lowercased() == whole : $0 == whole }
    case .differs(let whole):
      return !texts.contains { isWord ? $0.lowercased() == whole : $0 == whole }
    case .matches(let pattern): return texts.contains { pattern.isFound(in: $0) }
    case .compares: return texts.contains { compares(index, Double($0)) }
    }
  }

  /// An absent number compares with nothing.
  private func compares(_ index: Int, _ value: Double?) -> Bool {
    guard let value, case .compares(let comparison, let limit) = leaves[index].test else {
      return false
    }
    return comparison.holds(value, limit)
  }
}

/// The sessions that rows belong to.
struct SessionsOfRows {
  private let summaries: [StreamSummary]
  /// By row: the summary's index above, the session's below 32 bits; -1 for rows without a session.
  private var places: [Int]

  init(_ summaries: [StreamSummary], rows: Int) {
    self.summaries = summaries
    places = [Int](repeating: -1, count: rows)
    for summary in summaries.indices {
      for session in summaries[summary].sessions.indices {
        let place = summary << 32 | session
        for row in summaries[summary].sessions[session].renderingRows { places[Int(row)] = place }
        for row in summaries[summary].sessions[session].items { places[Int(row)] = place }
      }
      for termination in summaries[summary].terminations {
        if let session = termination.session { places[termination.row] = summary << 32 | session }
      }
    }
  }

  func session(of row: Int) -> Session? {
    guard row < places.count, places[row] >= 0 else { return nil }
    return summaries[places[row] >> 32].sessions[places[row] & 0xFFFF_FFFF]
  }

  /// The session's `session.id`, and its own id as reports print it.
  func identifiers(of row: Int, _ model: SessionModel) -> [String] {
    guard row < places.count, places[row] >= 0 else { return [] }
    let summary = summaries[places[row] >> 32]
    let session = summary.sessions[places[row] & 0xFFFF_FFFF]
    let spans = session.renderingRows.compactMap { model.store.identifier(of: Int($0))?.hexDigits }
    let own = spans.isEmpty ? [model.implicitIdentifier(of: session, in: summary.stream)] : spans
    return own + (session.sessionID.isPresent ? [model.text(session.sessionID)] : [])
  }
}
