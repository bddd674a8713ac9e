import CPlatform
import Model

/// What an attached source brings on its way to a decoder: a stream for each connection, or messages.
struct AttachIntake {
  let source: SourceID
  private let transport: SourceConnection.Transport
  /// One of the two is there; apart, so that they are changed where they are.
  private var feed: SourceFeed?
  private var messages: RequestIntake?
  private var isWithinStream = false
  private var grewAt: Timestamp?
  private var state = SourceProgress.State.awaited

  init(_ address: AttachAddress, context: IngestContext) {
    switch address {
    case .webSocket:
      let intake = RequestIntake(name: address.text, context: context)
      source = intake.source
      messages = intake
      transport = .tap
    case .unix, .tcp:
      source = context.openStream(name: address.text)
      feed = SourceFeed(source: source, bytesTotal: nil, isFile: false, context: context)
      transport = .stream
    }
  }

  /// When what a stream holds back is passed on.
  var deadline: Timestamp? { grewAt?.advanced(byNanoseconds: FollowedFile.calm) }

  /// A connection was made: what it brings begins anew, behind what came before.
  mutating func begin(context: IngestContext) {
    guard let before = feed else { return }
    isWithinStream = true
    feed = SourceFeed(
      source: source,
      offset: before.nextOffset,
      bytesTotal: nil,
      isFile: false,
      context: context
    )
  }

  /// The connection has ended: what it cut is counted.
  mutating func end(context: IngestContext) {
    guard isWithinStream else { return }
    isWithinStream = false
    grewAt = nil
    feed?.endStream(context: context)
  }

  /// Why the source cannot be read at all, if that is so.
  mutating func take(_ bytes: [UInt8], now: Timestamp, context: IngestContext) -> String? {
    bytes.withUnsafeBytes { bytes in
      feed?.take(bytes, context: context)
      messages?.take(bytes, as: Self.content(of: bytes), isSentAgain: false, context: context)
    }
    if feed != nil { grewAt = now }
    report(context: context)
    guard case .refused(let name) = feed?.content else { return nil }
    return "sends \(name), which perftop does not read"
  }

  /// JSON, whatever the kind of its frame; a message of protobuf never begins like it.
  private static func content(of message: UnsafeRawBufferPointer) -> PieceContent {
    let first = message.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .protobuf
  }

  /// Passes on what a stream holds back, once nothing more has come for a moment.
  mutating func settle(now: Timestamp, context: IngestContext) {
    guard let grown = grewAt, now.nanoseconds(since: grown) >= FollowedFile.calm else { return }
    grewAt = nil
    feed?.settle(context: context)
    report(context: context)
  }

  /// Counts what the transport lost.
  func lose(_ text: String, _ kind: ProblemKind, context: IngestContext) {
    messages?.complain(text, as: kind, context: context)
  }

  /// The source cannot be read.
  func fail(_ text: String, context: IngestContext) {
    context.observe(
      .problem(
        Problem(
          source: source,
          kind: .unreadable,
          offset: feed?.bytesRead ?? 0,
          line: 0,
          text: text
        )
      )
    )
  }

  /// Tells how the connection stands, and with it the source.
  mutating func tell(
    _ connection: SourceConnection.State,
    _ state: SourceProgress.State,
    context: IngestContext
  ) {
    self.state = state
    report(context: context)
    context.observe(
      .connection(SourceConnection(source: source, transport: transport, state: connection))
    )
  }

  private mutating func report(context: IngestContext) {
    feed?.report(state, context: context)
    messages?.report(state, context: context)
  }
}
