/// Everything that the ingest side tells the model, in the order of observation.
///
/// Definitions (`source`, `symbol`, `resource`, `attributes`) come before the first event that uses them.
package enum TelemetryEvent: Sendable {
  case source(SourceOpened)
  case symbol(Symbol, String)
  case resource(ResourceID, Resource)
  /// A set of host attributes by the text of their keys, each key once.
  case attributes(AttributeSetID, [HostAttribute])
  /// The wall clock at which the events that follow arrived.
  case arrival(Timestamp)
  case span(SpanRecord)
  case log(LogRecord)
  case ledger(LedgerEvent)
  /// Something that is counted but not kept.
  case counted(Counted, count: Int, source: SourceID)
  case problem(Problem)
  case progress(SourceProgress)
  case connection(SourceConnection)
  /// How the spool stands; of one folder the last counts.
  case spool(SpoolState)
}

/// Records that are counted without being kept, and values that were cut.
package enum Counted: UInt8, CaseIterable, Sendable {
  case metricPoints
  case profiles
  case metricPayloads
  case diagnosticPayloads
  case truncatedValues
  /// Texts and resources beyond `TableLimits`; one that comes again may count again.
  case otherTexts
  case otherResources
  /// Messages of a remote tap that made room for newer ones, since they came too fast.
  case droppedMessages
}

/// A source that was opened (or is awaited).
package struct SourceOpened: Sendable {
  package var id: SourceID
  /// As the user named it, or the path inside a folder that was given.
  package var name: String
  /// Which ledger its ledger lines belong to: the file name without `.prev`, `.1` and compression
  /// suffixes, so that a ledger and its rotated part are one device stream.
  package var ledgerName: String
  /// True while more may come: a followed file, the demo, an open pipe.
  package var isLive: Bool
  /// It is read again from what an earlier run kept.
  package var isSpooled: Bool
  /// Where senders reach it; nil where there are none.
  package var endpoint: Endpoint?

  package init(
    id: SourceID,
    name: String,
    ledgerName: String,
    isLive: Bool,
    isSpooled: Bool = false,
    endpoint: Endpoint? = nil
  ) {
    self.id = id
    self.name = name
    self.ledgerName = ledgerName
    self.isLive = isLive
    self.isSpooled = isSpooled
    self.endpoint = endpoint
  }
}

/// Where apps and collectors send what a source receives.
package struct Endpoint: Equatable, Sendable {
  /// As `OTEL_EXPORTER_OTLP_ENDPOINT` has it.
  package var url: String
  /// As `OTEL_EXPORTER_OTLP_PROTOCOL` has it.
  package var protocolName: String
  package var needsToken: Bool
  /// Only this machine reaches it.
  package var isLocal: Bool

  package init(url: String, protocolName: String, needsToken: Bool, isLocal: Bool) {
    self.url = url
    self.protocolName = protocolName
    self.needsToken = needsToken
    self.isLocal = isLocal
  }
}

/// What a source was found to hold, by content.
package enum SourceKind: UInt8, CaseIterable, Sendable {
  case unknown
  case otlpJSON
  case otlpProtobuf
  case ledger
  case metricKit
  case report
  case spool
  case mixed
}

/// Why bytes of a source did not become a record.
package enum ProblemKind: UInt8, CaseIterable, Sendable {
  /// Lost to syntax.
  case malformed
  /// A complete value or line of another kind.
  case notTelemetry
  /// Cut at the end of input.
  case incomplete
  /// The source itself cannot be read further (unreadable, unsupported container).
  case unreadable
}

/// One loss, with its place; the text is for people and may quote the data as it is.
package struct Problem: Sendable {
  package var source: SourceID
  package var kind: ProblemKind
  /// Bytes from the source's beginning, decompressed.
  package var offset: UInt64
  /// Counted from 1; 0 where lines mean nothing (protobuf, compressed frames).
  package var line: UInt64
  package var text: String

  package init(
    source: SourceID,
    kind: ProblemKind,
    offset: UInt64,
    line: UInt64,
    text: String
  ) {
    self.source = source
    self.kind = kind
    self.offset = offset
    self.line = line
    self.text = text
  }
}

/// How far a source has been read, and how it stands.
package struct SourceProgress: Sendable {
  package enum State: Equatable, Sendable {
    case reading
    /// Everything that is there has been read; more may come.
    case live
    /// A followed file that does not exist yet, or no longer.
    case awaited
    case ended
    /// The user stopped the reading before its end.
    case stopped
    case failed
  }

  package var source: SourceID
  /// Bytes read so far, as stored (compressed bytes of a compressed source).
  package var bytesRead: UInt64
  /// Bytes there are to read, where known.
  package var bytesTotal: UInt64?
  package var state: State
  /// Kinds of content that were found since the last progress of this source.
  package var kind: SourceKind

  package init(
    source: SourceID,
    bytesRead: UInt64,
    bytesTotal: UInt64?,
    state: State,
    kind: SourceKind
  ) {
    self.source = source
    self.bytesRead = bytesRead
    self.bytesTotal = bytesTotal
    self.state = state
    self.kind = kind
  }
}
