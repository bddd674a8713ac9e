import Model

/// Tells MetricKit's families of JSON by their keys.
struct MetricKitSniffer {
  private var hasMetrics = false
  private var hasTime = false
  private var hasDiagnostics = false
  private var hasReportMetrics = false
  private var hasEnvironment = false
  private var hasReportDiagnostic = false
  private var hasTree = false
  private var hasMetaData = false
  private var hasStacks = false

  private static let metrics: Set<String> = [
    "metaData", "cpuMetrics", "gpuMetrics", "cellularConditionMetrics", "applicationTimeMetrics",
    "locationActivityMetrics", "networkTransferMetrics", "applicationLaunchMetrics",
    "applicationResponsivenessMetrics", "diskIOMetrics", "memoryMetrics", "displayMetrics",
    "animationMetrics", "applicationExitMetrics", "diskSpaceUsageMetrics", "signpostMetrics",
  ]
  private static let diagnostics: Set<String> = [
    "crashDiagnostics", "hangDiagnostics", "cpuExceptionDiagnostics",
    "diskWriteExceptionDiagnostics", "appLaunchDiagnostics",
  ]
  private static let reportDiagnostics: Set<String> = [
    "crashDiagnostic", "hangDiagnostic", "cpuExceptionDiagnostic", "diskWriteExceptionDiagnostic",
    "appLaunchDiagnostic", "memoryExceptionDiagnostic",
  ]

  mutating func see(_ key: UnsafeRawBufferPointer) {
    guard key.count >= 8, key.count <= 32 else { return }
    let text = String(decoding: key, as: UTF8.self)
    if Self.metrics.contains(text) { hasMetrics = true }
    if Self.diagnostics.contains(text) { hasDiagnostics = true }
    if Self.reportDiagnostics.contains(text) { hasReportDiagnostic = true }
    switch text {
    case "timeStampBegin": hasTime = true
    case "intervalEntries", "stateEntries": hasReportMetrics = true
    case "environment": hasEnvironment = true
    case "callStackTree": hasTree = true
    case "diagnosticMetaData": hasMetaData = true
    case "callStacks", "callStackFrames": hasStacks = true
    default: break
    }
  }

  /// What the payload counts as; nil when the keys are no payload's.
  var finding: Counted? {
    if hasDiagnostics || hasStacks || hasTree && hasMetaData { return .diagnosticPayloads }
    if hasEnvironment && hasReportDiagnostic { return .diagnosticPayloads }
    return hasMetrics && hasTime || hasReportMetrics ? .metricPayloads : nil
  }
}

/// Keys that tell what else an object may be, for a helpful word to the user.
enum ForeignMark: Int {
  case none
  case structuredLog, containerLog, report, dataList, chromeTrace, zipkin, jaeger, spanList
  case consoleSpan
  case swiftStdout

  /// Takes a key into account; the mark of the higher number wins.
  mutating func see(_ key: UnsafeRawBufferPointer) {
    guard key.count <= 24, let mark = Self.marks[String(decoding: key, as: UTF8.self)],
      mark.rawValue > rawValue
    else { return }
    self = mark
  }

  private static let marks: [String: ForeignMark] = [
    "msg": .structuredLog, "message": .structuredLog, "level": .structuredLog,
    "@timestamp": .structuredLog, "severity": .structuredLog, "logger": .structuredLog,
    "log": .containerLog, "stream": .containerLog,
    "ledger": .report, "metricKit": .report, "payloads": .report, "events": .report,
    "traceEvents": .chromeTrace,
    "localEndpoint": .zipkin,
    "data": .dataList, "traceID": .jaeger, "operationName": .jaeger,
    "traceId": .spanList, "trace_id": .spanList, "spanId": .spanList, "span_id": .spanList,
    "context": .consoleSpan, "start_time": .consoleSpan,
    "spanKind": .swiftStdout,
  ]

  /// True when an object with such a key is another tool's span and no line of a ledger.
  var excludesLedger: Bool { rawValue >= Self.zipkin.rawValue }

  /// For people.
  var guess: String {
    switch self {
    case .none: "a JSON object that holds no telemetry"
    case .structuredLog: "a structured log line, not telemetry"
    case .containerLog: "a container's log line around other text: pass the text inside of \"log\""
    case .report: "a report whose events perftop does not know"
    case .dataList: "looks like a Jaeger export, not OTLP"
    case .chromeTrace: "a Chrome trace, not OTLP"
    case .zipkin: "a Zipkin span, not OTLP"
    case .jaeger: "part of a Jaeger export, not OTLP"
    case .spanList: "a span of another format, not OTLP"
    case .consoleSpan: "output of an SDK's console exporter, not OTLP"
    case .swiftStdout: "output of opentelemetry-swift's stdout exporter, without ids or times"
    }
  }
}
