/// How the connection to a source that perftop attached itself to stands.
package struct SourceConnection: Equatable, Sendable {
  package enum Transport: Sendable {
    /// Bytes without an end, as of a pipe.
    case stream
    /// A collector's remote tap, which sends a part of what passes.
    case tap
  }

  package enum State: Equatable, Sendable {
    case connecting
    case live(since: Timestamp)
    /// Lost, or not to be had; tried again at an instant of the wall clock.
    case retrying(at: Timestamp, reason: String)
    /// For good.
    case refused(reason: String)
    /// The run has ended.
    case closed
  }

  package var source: SourceID
  package var transport: Transport
  package var state: State

  package init(source: SourceID, transport: Transport, state: State) {
    self.source = source
    self.transport = transport
    self.state = state
  }
}
