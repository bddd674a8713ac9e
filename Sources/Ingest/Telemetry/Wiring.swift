extension Telemetry {
  /// The sinks of a live run, writers before readers: bytes are kept before anybody sees their events.
  package static func live(mailbox: Mailbox, recentBytes: RecentBytes) -> Telemetry {
    Telemetry(sinks: [recentBytes, MailboxSink(mailbox: mailbox)])
  }
}
