package import Model

/// What a run of ingest needs beside its sources.
package struct IngestOptions: Sendable {
  /// The wall clock, for the arrival of bytes.
  package var clock: @Sendable () -> Timestamp
  /// Bytes of the demo, and of live sources without a spool, that are kept for reading records again.
  package var recentBytesCapacity = 64 << 20
  package var limits = TableLimits()
  /// Where live sources are kept; nil keeps the newest of their bytes in memory.
  package var spool: SpoolSettings?
  /// Where everything received is recorded; nil for nowhere.
  package var recording: Recording?
  /// What ends live sources; nil for nothing but a signal.
  package var ending: LiveLimits?
  var makeDecoder: DecoderFactory = Decoders.make
  /// Decodes the bytes of one record in full; nil when they are no record.
  var decodeDetails: @Sendable (_ bytes: [UInt8]) -> RecordDetails? = Decoders.details

  package init(clock: @escaping @Sendable () -> Timestamp) {
    self.clock = clock
  }
}
