import Model

/// Whether the figures may be believed: a row per source, what was lost and what is in doubt below.
enum QualityScreen: ListScreen {
  private enum Column: Int {
    case source, kind, state, records, lost, bytes
  }

  static let ascending: Set<Int> = [
    Column.source.rawValue, Column.kind.rawValue, Column.state.rawValue,
  ]

  static func columns(_ state: AppState) -> [TableColumn<Int>] {
    [
      TableColumn(
        Column.source.rawValue,
        "SOURCE",
        width: .flexible(minimum: 16, weight: 1),
        cut: .inMiddle
      ),
      TableColumn(Column.kind.rawValue, "HOLDS", width: .fixed(13), dropOrder: 2),
      TableColumn(Column.state.rawValue, "STATE", width: .fixed(12), dropOrder: 1),
      .number(Column.records, "RECORDS", 9),
      .number(Column.lost, "LOST", 7),
      .number(Column.bytes, "READ", 8, dropOrder: 3),
    ]
  }

  // MARK: - Rows

  static func entries(_ state: AppState, sort: TableSort<Int>?) -> [ListEntry] {
    let entries = state.digest.sources.indices.map { ListEntry(.source($0), $0) }
    guard let sort, let column = Column(rawValue: sort.column) else { return entries }
    return entries.sorted(isDescending: sort.isDescending) {
      value(of: state.digest.sources[$0.first], column)
    }
  }

  private static func value(of source: SourceState, _ column: Column) -> SortValue {
    switch column {
    case .source: .text(source.name)
    case .kind: .text(source.kind.word)
    case .state: .text(word(source).text)
    case .records: .count(source.records)
    case .lost: .count(source.problems)
    case .bytes: .number(Double(source.bytesRead))
    }
  }

  private static func source(_ entry: ListEntry?, _ state: AppState) -> SourceState? {
    guard let entry, state.digest.sources.indices.contains(entry.first) else { return nil }
    return state.digest.sources[entry.first]
  }

  static func cells(_ entry: ListEntry, _ shared: SharedState) -> (Int, Int) -> StyledText {
    let source = source(entry, shared.state)
    return { column, _ in
      guard let source, let column = Column(rawValue: column) else { return StyledText() }
      return cell(source, column)
    }
  }

  private static func cell(_ source: SourceState, _ column: Column) -> StyledText {
    switch column {
    case .source: StyledText(DisplayText.shown(source.name))
    case .kind:
      source.kind == .unknown
        ? StyledText(QuantityText.unknown, .muted) : StyledText(source.kind.word, .muted)
    case .state: StyledText(word(source).text, word(source).role)
    case .records: ListText.count(source.records)
    case .lost:
      source.problems == 0
        ? ListText.count(0) : StyledText(QuantityText.count(source.problems), .warning)
    case .bytes: StyledText(QuantityText.bytes(source.bytesRead), .muted)
    }
  }

  private static func word(_ source: SourceState) -> (text: String, role: Role) {
    switch source.connection?.state {
    case .connecting: return ("connecting", .accent)
    case .retrying: return ("reconnecting", .warning)
    case .refused: return ("refused", .warning)
    case .live, .closed, nil: break
    }
    switch source.state {
    case .reading:
      guard let total = source.bytesTotal, total > 0 else { return ("reading", .accent) }
      return ("reading \(min(100, source.bytesRead * 100 / total))%", .accent)
    case .live: return (source.endpoint == nil ? "live" : "listening", .accent)
    case .awaited: return ("awaited", .accent)
    case .ended: return ("read", .muted)
    case .stopped: return ("stopped", .warning)
    case .failed: return ("not readable", .warning)
    }
  }

  // MARK: - What a row stands for

  static func searchText(_ entry: ListEntry, _ state: AppState) -> String {
    source(entry, state).map { "\($0.name) \($0.kind.word)" } ?? ""
  }

  static func record(_ entry: ListEntry, _ state: AppState) -> Int? { nil }
  static func facts(_ entry: ListEntry, _ state: AppState) -> [DetailsState.Fact] { [] }
  static func emptyText(_ state: AppState) -> String { "no source was opened yet" }

  // MARK: - Evidence

  /// The sources are few as a rule: what they leave free is for the explanation.
  static func evidenceHeight(_ state: AppState, available: Int) -> Int {
    guard state.layout.sizeClass != .compact else { return 0 }
    return max(available / 2, available - state.digest.sources.count - 2)
  }

  static func drawEvidence(
    _ entry: ListEntry?,
    _ state: AppState,
    into grid: inout Grid,
    in area: Rect
  ) {
    let source = source(entry, state)
    EvidencePane.draw(
      title: StyledText(source.map { DisplayText.shown($0.name) } ?? "all sources", .heading),
      lines: { width in
        (source.map(lines) ?? []) + [StyledText()] + all(state, width: width)
      },
      into: &grid,
      in: area
    )
  }

  private static func lines(_ source: SourceState) -> [StyledText] {
    let loss = QualityText.firstLoss(source)
    let first = EvidencePane.line(
      "lost",
      loss.map { "first at \($0)" } ?? "nothing",
      loss == nil ? .muted : .warning
    )
    if let reason = reason(source) {
      return [EvidencePane.line("not there", DisplayText.shown(reason), .warning), first]
    }
    return [first] + (source.endpoint.map(lines) ?? [])
  }

  /// Why there is no connection to it at present.
  private static func reason(_ source: SourceState) -> String? {
    switch source.connection?.state {
    case .retrying(_, let reason), .refused(let reason): reason
    default: nil
    }
  }

  /// What apps are told to send here.
  private static func lines(_ endpoint: Endpoint) -> [StyledText] {
    var lines = [
      EvidencePane.line("send here", "OTEL_EXPORTER_OTLP_ENDPOINT=\(endpoint.url)"),
      EvidencePane.line("", "OTEL_EXPORTER_OTLP_PROTOCOL=\(endpoint.protocolName)"),
    ]
    if endpoint.needsToken {
      lines.append(
        EvidencePane.line("", "OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20TOKEN")
      )
    }
    if !endpoint.isLocal {
      let words =
        endpoint.needsToken
        ? "everybody who reaches this machine and has the token can send"
        : "everybody who reaches this machine can send; --token keeps strangers out"
      lines.append(
        EvidencePane.line("open", words, endpoint.needsToken ? .muted : .warning)
      )
    }
    return lines
  }

  private static func all(_ state: AppState, width: Int) -> [StyledText] {
    let quality = state.overview.quality
    let doubts = QualityText.doubts(quality)
    var lines = [EvidencePane.line("all", QualityText.received(quality))]
    if doubts.isEmpty {
      lines.append(EvidencePane.line("doubts", "none", .muted))
    }
    for (index, doubt) in doubts.enumerated() {
      let label = index == 0 ? "doubts" : ""
      lines.append(EvidencePane.line(label, doubt.text, doubt.isLoss ? .warning : .normal))
    }
    for (index, text) in state.model.spools.flatMap({ SpoolText.lines($0) }).enumerated() {
      lines.append(EvidencePane.line(index == 0 ? "kept" : "", text, .muted))
    }
    let hints = state.findings.list.filter { $0.judgement.missing != nil }
    guard !hints.isEmpty else { return lines }
    return lines + [StyledText()]
      + FindingLines.lines(hints, state, width: width, most: 8, namesSession: true)
  }
}

extension SourceState {
  fileprivate var endpoint: Endpoint? { opened.endpoint }
}
