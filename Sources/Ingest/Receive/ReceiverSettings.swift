/// What a receiver asks of senders.
package struct ReceiverSettings: Sendable {
  /// Bytes of a request at most, as it came and without its compression: OTLP's recommendation.
  package var bodyLimit = 64 << 20
  /// What senders have to show as `Authorization: Bearer`; nil for nothing.
  package var token: String?
  var connectionLimit = 256
  /// Bytes of all requests that are still coming.
  var bodiesLimit = 256 << 20
  /// Nanoseconds until a request's head has come.
  var headPatience: Int64 = 10_000_000_000
  /// Nanoseconds without a byte of a request's body.
  var bodyPatience: Int64 = 30_000_000_000
  /// Nanoseconds for a request as a whole.
  var requestPatience: Int64 = 120_000_000_000
  /// Nanoseconds between two requests.
  var idlePatience: Int64 = 120_000_000_000
  /// Nanoseconds after which a request is slow, and a connection without one is idle for long.
  var slowAfter: Int64 = 1_000_000_000
  /// Nanoseconds in which the other side may read why its connection ends.
  var farewellPatience: Int64 = 1_000_000_000

  package init() {}
}

/// What a request brings, by its path or its service.
enum ReceivedSignal: String, CaseIterable {
  case traces, logs, metrics, profiles

  /// OTLP/HTTP's paths; a slash at the end makes another one.
  init?(path: String) {
    switch path {
    case "/v1/traces": self = .traces
    case "/v1/logs": self = .logs
    case "/v1/metrics": self = .metrics
    case "/v1development/profiles": self = .profiles
    default: return nil
    }
  }

  /// The member of `partialSuccess` that counts what was rejected.
  var rejectedMember: String {
    switch self {
    case .traces: "rejectedSpans"
    case .logs: "rejectedLogRecords"
    case .metrics: "rejectedDataPoints"
    case .profiles: "rejectedProfiles"
    }
  }
}
