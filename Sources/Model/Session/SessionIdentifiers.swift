// Ids of what has no span of its own, as reports print them and filters ask for them.
extension SessionModel {
  /// The id of a session without an app-rendering span.
  package func implicitIdentifier(of session: Session, in stream: StreamID) -> String {
    "implicit-\(identifierText(of: stream))-\(session.start)"
  }

  /// Tells streams apart whatever the order in which they came: FNV-1a over what identifies them.
  package func identifierText(of stream: StreamID) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in identityParts(of: stream) {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return String(hash, radix: 36)
  }
}
