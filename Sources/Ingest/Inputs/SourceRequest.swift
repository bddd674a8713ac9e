package import Model

/// A source as the command line names it.
package enum SourceRequest: Sendable {
  /// A file that is read to its end; a folder is read file by file, a pipe until its writer closes it.
  case path(String)
  /// A pipe, or a file that standard input was redirected from.
  case standardInput
  /// A file that grows, from its beginning or its last `tail` lines.
  case follow(path: String, tail: Int?)
  /// What senders bring to these sockets.
  case listen(Listening)
  /// A client of somebody else's socket.
  case attach(AttachAddress, AttachSettings)
  /// The simulated app: for ever in step with the clock, or its first `seconds` at once.
  case demo(seed: UInt64, start: Timestamp, seconds: Int64?)
  /// Bytes that are made rather than read, a source for each name.
  case generated(names: [String], make: @Sendable () -> any GeneratedSource)
}

/// Bytes that a simulation makes, due at instants of its own clock.
package protocol GeneratedSource {
  /// The next bytes that are due at `now`, with the instant at which they count as arrived.
  ///
  /// Nil when nothing (more) is due yet; called again until then. Pieces may end anywhere.
  mutating func next(until now: Timestamp) -> GeneratedPiece?
  /// When the next bytes are due; nil when the source has ended.
  var nextDue: Timestamp? { get }
}

package struct GeneratedPiece: Sendable {
  /// Which of the request's names it belongs to, from 0.
  package var stream: Int
  package var bytes: [UInt8]
  package var arrival: Timestamp

  package init(stream: Int = 0, bytes: [UInt8], arrival: Timestamp) {
    self.stream = stream
    self.bytes = bytes
    self.arrival = arrival
  }
}

/// The simulated app as a source: what its collector writes, and its ledger.
struct DemoSource: GeneratedSource {
  static let names = ["demo", "demo ledger"]

  private var simulator: Simulator
  private var pending: SimulatorDelivery
  /// The instant at which the demo ends; nil for one that is endless and in step with the clock.
  private let end: Timestamp?

  init(seed: UInt64, start: Timestamp, seconds: Int64?) {
    simulator = Simulator(seed: seed, start: start)
    pending = simulator.next()
    end = seconds.map { start.advanced(byMilliseconds: $0 * 1_000) }
  }

  var nextDue: Timestamp? {
    guard let end else { return pending.time }
    return pending.time < end ? .distantPast : nil
  }

  mutating func next(until now: Timestamp) -> GeneratedPiece? {
    guard pending.time < end ?? now.advanced(byNanoseconds: 1) else { return nil }
    let delivery = pending
    pending = simulator.next()
    let stream = delivery.stream == .otlp ? 0 : 1
    return GeneratedPiece(stream: stream, bytes: delivery.bytes, arrival: delivery.time)
  }
}

/// Names of the ledgers that files belong to.
enum LedgerName {
  /// The path without the suffixes of compression and rotation.
  ///
  /// The folder stays, since ledgers of two devices often have the same file name.
  static func of(_ path: String) -> String {
    var name = path[...]
    for suffix in [".gz", ".zst", ".zstd"] where name.hasSuffix(suffix) {
      name = name.dropLast(suffix.count)
    }
    if name.hasSuffix(".prev") { return String(name.dropLast(5)) }
    if let dot = name.lastIndex(of: ".") {
      let suffix = name[name.index(after: dot)...]
      if !suffix.isEmpty, suffix.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        return String(name[..<dot])
      }
      if name[..<dot].hasSuffix(".prev") { return "\(name[..<dot].dropLast(5))\(name[dot...])" }
    }
    return String(name)
  }
}
