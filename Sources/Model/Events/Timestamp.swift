/// An instant in nanoseconds since 1970-01-01T00:00:00Z.
///
/// Covers the years 1678 to 2262. OTLP's unsigned times beyond that range are not timestamps: decoders
/// report such a time as absent.
package struct Timestamp: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Seconds since 1970 with a fraction of nanoseconds.
  package init(seconds: Int64, nanoseconds: Int64 = 0) {
    self.nanoseconds = seconds &* 1_000_000_000 &+ nanoseconds
  }

  package static let zero = Timestamp(nanoseconds: 0)
  package static let distantPast = Timestamp(nanoseconds: .min)
  package static let distantFuture = Timestamp(nanoseconds: .max)

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Saturates at the ends of the range instead of trapping.
  package func advanced(byNanoseconds delta: Int64) -> Timestamp {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
    guard overflow else { return Timestamp(nanoseconds: sum) }
    return delta > 0 ? .distantFuture : .distantPast
  }

  package func advanced(byMilliseconds delta: Int64) -> Timestamp {
    let (product, overflow) = delta.multipliedReportingOverflow(by: 1_000_000)
    guard overflow else { return advanced(byNanoseconds: product) }
    return delta > 0 ? .distantFuture : .distantPast
  }

  /// Nanoseconds from `other` to this instant, saturated.
  package func nanoseconds(since other: Timestamp) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    guard overflow else { return difference }
    return nanoseconds > other.nanoseconds ? .max : .min
  }
}
