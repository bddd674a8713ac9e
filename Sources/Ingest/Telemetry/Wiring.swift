extension Telemetry {
  /// The sinks of a live run, writers before readers: bytes are kept before anybody sees their events.
  static func live(
    mailbox: MailboxSink,
    recentBytes: RecentBytes,
    spool: SpoolSink? = nil,
    record: RecordSink? = nil
  ) -> Telemetry {
    let writers: [any TelemetrySink] =
      (spool.map { [$0] } ?? []) + (record.map { [$0] } ?? []) + [recentBytes]
    return Telemetry(sinks: writers + [mailbox])
  }
}
