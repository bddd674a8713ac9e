/// Which signals the records of a request are of.
struct RequestSignals {
  /// It has groups of records, and no dictionary, which only profiles have.
  private(set) var isTelemetry = false
  /// In the order in which their lines are written; traces for a request without records.
  var kinds: [ProtobufRecordKind] {
    let found = ([.span, .log, .metric] as [ProtobufRecordKind]).filter { has[$0.index] }
    return found.isEmpty ? [.span] : found
  }

  private var has = [false, false, false]

  /// Nil when the messages around records are malformed.
  init?(_ request: UnsafeRawBufferPointer) {
    var reader = ProtobufReader(request)
    var hasDictionary = false
    while let field = reader.next() {
      if field.matches(2, .bytes) { hasDictionary = true }
      guard field.matches(1, .bytes) else { continue }
      isTelemetry = true
      var group = GroupedScopes(field.bytes)
      while let scope = group.next() {
        if let kind = ProtobufRecordKind.ofRecords(in: scope) { has[kind.index] = true }
      }
      if group.isMalformed { return nil }
    }
    if reader.fault != nil { return nil }
    if hasDictionary { isTelemetry = false }
  }
}

/// The scopes of one resource's records: field 2, or field 1000 where there is none.
struct GroupedScopes {
  private let bytes: UnsafeRawBufferPointer
  private var reader: ProtobufReader
  private var number: UInt32 = 2
  private var hasFound = false
  private(set) var isMalformed = false

  init(_ group: UnsafeRawBufferPointer) {
    bytes = group
    reader = ProtobufReader(group)
  }

  mutating func next() -> UnsafeRawBufferPointer? {
    if let scope = reader.next(bytes: number) {
      hasFound = true
      return scope
    }
    isMalformed = reader.fault != nil
    guard !isMalformed, !hasFound, number == 2 else { return nil }
    number = 1000
    reader = ProtobufReader(bytes)
    return next()
  }
}

extension ProtobufRecordKind {
  fileprivate var index: Int {
    switch self {
    case .span: 0
    case .log: 1
    case .metric: 2
    }
  }

  var request: OTLPMessage {
    switch self {
    case .span: .tracesData
    case .log: .logsData
    case .metric: .metricsData
    }
  }

  /// Nil for a scope without records.
  static func ofRecords(in scope: UnsafeRawBufferPointer) -> ProtobufRecordKind? {
    var reader = ProtobufReader(scope)
    return reader.next(bytes: 2) == nil ? nil : of(scope: scope)
  }
}

extension ProtobufTranscoder {
  /// Whether a group of records belongs into another line.
  func isOfAnotherKind(_ message: OTLPMessage, _ bytes: UnsafeRawBufferPointer) -> Bool {
    switch message {
    case .resourceSpans, .resourceLogs, .resourceMetrics:
      var group = GroupedScopes(bytes)
      var hasRecords = false
      while let scope = group.next() {
        guard let kind = ProtobufRecordKind.ofRecords(in: scope) else { continue }
        if kind == onlyKind { return false }
        hasRecords = true
      }
      return hasRecords || !ownsEmptyScopes
    case .scopeSpans, .scopeLogs, .scopeMetrics:
      guard let kind = ProtobufRecordKind.ofRecords(in: bytes) else { return !ownsEmptyScopes }
      return kind != onlyKind
    default: return false
    }
  }
}
