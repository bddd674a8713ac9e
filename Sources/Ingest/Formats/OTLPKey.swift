#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The keys of OTLP's JSON that perftop reads, whatever object they stand in.
enum OTLPKey: UInt8 {
  case unknown
  case resourceSpans, resourceLogs, resourceMetrics, resourceProfiles
  /// Tempo's name for a list of resource spans.
  case batches
  /// The object that Tempo and Grafana wrap around `resourceSpans`.
  case trace
  /// Any list of scopes, whatever the signal and the age of its name.
  case scopes
  case resource, scope
  /// A list of records.
  case spans, logRecords, metrics, profiles
  case attributes, key, value, values
  case stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue
  case traceId, spanId, parentSpanId, traceState, flags, name, kind
  case startTimeUnixNano, endTimeUnixNano, timeUnixNano, observedTimeUnixNano
  case events, links, status, message, code
  case droppedAttributesCount, droppedEventsCount, droppedLinksCount
  case severityNumber, severityText, body, eventName
  case version, low, high
  /// The kinds of metrics, each an object with `dataPoints`.
  case metricData
  case dataPoints

  /// The key with these bytes, in camel case, snake case or with a capital first letter.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    let exact = Self.exact(bytes)
    self = exact == .unknown ? Self.tolerant(bytes) : exact
  }

  @inline(__always)
  private static func exact(_ bytes: UnsafeRawBufferPointer) -> OTLPKey {
    guard let start = bytes.baseAddress else { return .unknown }
    @inline(__always)
    func reads(_ word: StaticString) -> Bool {
      memcmp(start, word.utf8Start, word.utf8CodeUnitCount) == 0
    }
    switch bytes.count {
    case 3: return reads("key") ? .key : reads("low") ? .low : reads("sum") ? .metricData : .unknown
    case 4:
      if reads("name") { return .name }
      if reads("kind") { return .kind }
      if reads("code") { return .code }
      if reads("body") { return .body }
      if reads("high") { return .high }
      return reads("logs") ? .logRecords : .unknown
    case 5:
      if reads("value") { return .value }
      if reads("spans") { return .spans }
      if reads("scope") { return .scope }
      if reads("links") { return .links }
      if reads("flags") { return .flags }
      if reads("gauge") { return .metricData }
      return reads("trace") ? .trace : .unknown
    case 6:
      if reads("spanId") { return .spanId }
      if reads("status") { return .status }
      if reads("events") { return .events }
      return reads("values") ? .values : .unknown
    case 7:
      if reads("traceId") { return .traceId }
      if reads("version") { return .version }
      if reads("message") { return .message }
      if reads("metrics") { return .metrics }
      if reads("batches") { return .batches }
      return reads("summary") ? .metricData : .unknown
    case 8:
      if reads("intValue") { return .intValue }
      if reads("resource") { return .resource }
      return reads("profiles") ? .profiles : .unknown
    case 9:
      if reads("boolValue") { return .boolValue }
      if reads("scopeLogs") { return .scopes }
      if reads("eventName") { return .eventName }
      return reads("histogram") ? .metricData : .unknown
    default: return long(start, bytes.count)
    }
  }

  @inline(__always)
  private static func long(_ start: UnsafeRawPointer, _ count: Int) -> OTLPKey {
    @inline(__always)
    func reads(_ word: StaticString) -> Bool {
      memcmp(start, word.utf8Start, word.utf8CodeUnitCount) == 0
    }
    switch count {
    case 10:
      if reads("attributes") { return .attributes }
      if reads("scopeSpans") { return .scopes }
      if reads("logRecords") { return .logRecords }
      if reads("arrayValue") { return .arrayValue }
      if reads("bytesValue") { return .bytesValue }
      if reads("traceState") { return .traceState }
      return reads("dataPoints") ? .dataPoints : .unknown
    case 11:
      if reads("stringValue") { return .stringValue }
      if reads("doubleValue") { return .doubleValue }
      return reads("kvlistValue") ? .kvlistValue : .unknown
    case 12:
      if reads("parentSpanId") { return .parentSpanId }
      if reads("timeUnixNano") { return .timeUnixNano }
      if reads("resourceLogs") { return .resourceLogs }
      if reads("severityText") { return .severityText }
      return reads("scopeMetrics") ? .scopes : .unknown
    case 13:
      if reads("resourceSpans") { return .resourceSpans }
      return reads("scopeProfiles") ? .scopes : .unknown
    case 14: return reads("severityNumber") ? .severityNumber : .unknown
    case 15:
      if reads("endTimeUnixNano") { return .endTimeUnixNano }
      return reads("resourceMetrics") ? .resourceMetrics : .unknown
    case 16: return reads("resourceProfiles") ? .resourceProfiles : .unknown
    case 17:
      if reads("startTimeUnixNano") { return .startTimeUnixNano }
      return reads("droppedLinksCount") ? .droppedLinksCount : .unknown
    case 18: return reads("droppedEventsCount") ? .droppedEventsCount : .unknown
    case 19: return reads("deprecatedScopeLogs") ? .scopes : .unknown
    case 20:
      if reads("observedTimeUnixNano") { return .observedTimeUnixNano }
      if reads("instrumentationScope") { return .scope }
      if reads("deprecatedScopeSpans") { return .scopes }
      return reads("exponentialHistogram") ? .metricData : .unknown
    case 22:
      if reads("instrumentationLibrary") { return .scope }
      if reads("deprecatedScopeMetrics") { return .scopes }
      return reads("droppedAttributesCount") ? .droppedAttributesCount : .unknown
    case 26: return reads("instrumentationLibraryLogs") ? .scopes : .unknown
    case 27: return reads("instrumentationLibrarySpans") ? .scopes : .unknown
    case 29: return reads("instrumentationLibraryMetrics") ? .scopes : .unknown
    default: return .unknown
    }
  }

  /// Longest key in snake case.
  private static let longest = 32

  @inline(never)
  private static func tolerant(_ bytes: UnsafeRawBufferPointer) -> OTLPKey {
    guard let first = bytes.first, bytes.count <= longest else { return .unknown }
    let isCapital = first >= 0x41 && first <= 0x5A
    guard isCapital || bytes.contains(UInt8(ascii: "_")) else { return .unknown }
    return withUnsafeTemporaryAllocation(byteCount: longest, alignment: 8) { camel in
      var count = 0
      var isRaised = false
      for byte in bytes {
        if byte == UInt8(ascii: "_") {
          isRaised = count > 0
          continue
        }
        let isLower = byte >= 0x61 && byte <= 0x7A
        camel[count] = isRaised && isLower ? byte &- 0x20 : byte
        if count == 0, isCapital { camel[0] = byte | 0x20 }
        isRaised = false
        count += 1
      }
      return exact(UnsafeRawBufferPointer(rebasing: camel[..<count]))
    }
  }
}
