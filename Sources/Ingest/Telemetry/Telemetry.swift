package import Model

/// The bytes of one record as they came, valid only during the call that passes them.
package struct RawRecord {
  package var place: RecordPlace
  package var bytes: UnsafeRawBufferPointer

  package init(place: RecordPlace, bytes: UnsafeRawBufferPointer) {
    self.place = place
    self.bytes = bytes
  }
}

/// Bytes of a source as they came, without their compression, valid only during the call that passes them.
package struct RawPiece {
  package var source: SourceID
  /// Of the first byte, in the source.
  package var offset: UInt64
  package var arrival: Timestamp
  package var content: PieceContent
  /// A message of its own, as in a request; else a part of a stream, cut anywhere.
  package var isWhole = false
  /// The first of a stream: nothing that came before belongs to it.
  package var isBeginning = false
  package var bytes: UnsafeRawBufferPointer

  package init(
    source: SourceID,
    offset: UInt64,
    arrival: Timestamp,
    content: PieceContent,
    isWhole: Bool = false,
    isBeginning: Bool = false,
    bytes: UnsafeRawBufferPointer
  ) {
    self.source = source
    self.offset = offset
    self.arrival = arrival
    self.content = content
    self.isWhole = isWhole
    self.isBeginning = isBeginning
    self.bytes = bytes
  }
}

/// Which decoder the bytes of a piece are for.
package enum PieceContent: UInt8, Sendable {
  case json
  case protobuf
}

/// Why a sink could not take what it was given.
package enum SinkError: Error, Equatable {
  case full
  case closed
  case failed(String)
}

/// One receiver of everything that is observed.
///
/// A sink that throws is counted and goes on receiving; what it throws never reaches another sink.
package protocol TelemetrySink: AnyObject {
  var name: String { get }
  /// Takes what came of a live source before it is decoded.
  func receive(piece: RawPiece) throws(SinkError)
  func receive(record: RawRecord) throws(SinkError)
  func receive(event: TelemetryEvent) throws(SinkError)
  /// Takes events that were observed one after the other; returns how often it threw.
  func receive(events: [TelemetryEvent]) -> Int
  /// Passes on what is held back; called when input pauses and at the end.
  func flush() throws(SinkError)
}

extension TelemetrySink {
  package func receive(piece: RawPiece) throws(SinkError) {}

  package func receive(events: [TelemetryEvent]) -> Int {
    var failures = 0
    for index in events.indices {
      do throws(SinkError) { try receive(event: events[index]) } catch { failures += 1 }
    }
    return failures
  }
}

/// The one entry for everything observed, which passes it to each sink in order.
///
/// Owned by the ingest thread; order therefore needs no lock. Writers come before readers: a capture
/// first, the mailbox after.
package struct Telemetry: ~Copyable {
  private let sinks: [any TelemetrySink]
  /// How often each sink threw, in the order of the sinks.
  package private(set) var failures: [Int]

  package init(sinks: [any TelemetrySink]) {
    self.sinks = sinks
    self.failures = Array(repeating: 0, count: sinks.count)
  }

  package var sinkNames: [String] { sinks.map { $0.name } }

  /// False when a sink could not take the piece: then it is not kept.
  @discardableResult
  package mutating func observe(piece: RawPiece) -> Bool {
    var isKept = true
    for index in sinks.indices {
      do throws(SinkError) { try sinks[index].receive(piece: piece) } catch {
        failures[index] += 1
        isKept = false
      }
    }
    return isKept
  }

  package mutating func observe(record: RawRecord) {
    for index in sinks.indices {
      do throws(SinkError) { try sinks[index].receive(record: record) } catch {
        failures[index] += 1
      }
    }
  }

  package mutating func observe(_ event: TelemetryEvent) {
    for index in sinks.indices {
      do throws(SinkError) { try sinks[index].receive(event: event) } catch {
        failures[index] += 1
      }
    }
  }

  package mutating func observe(_ events: [TelemetryEvent]) {
    for index in sinks.indices { failures[index] += sinks[index].receive(events: events) }
  }

  package mutating func flush() {
    for index in sinks.indices {
      do throws(SinkError) { try sinks[index].flush() } catch { failures[index] += 1 }
    }
  }
}
