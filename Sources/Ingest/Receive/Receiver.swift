import CNetwork
import CPlatform
import Model

/// An OTLP receiver: accepts connections, finds out what they speak, and hands them on.
///
/// Everything happens on the ingest thread. A connection is the receiver's until its first bytes have come.
struct ReceiverInput: LiveInput {
  private let receiver: Receiver

  init(_ listening: Listening, context: IngestContext) {
    receiver = Receiver(listening, context: context)
  }

  var descriptor: Int32? { receiver.poller.descriptor }
  var deadline: Timestamp? { receiver.deadline.map { Timestamp(nanoseconds: $0) } }

  mutating func step(now: Timestamp, isReadable: Bool, context: IngestContext) -> InputStep {
    receiver.step(now: now.nanoseconds, context: context) ? .more : .waiting
  }

  mutating func finish(context: IngestContext) {
    // What has been taken is still answered.
    _ = receiver.step(now: Timestamp.monotonic.nanoseconds, context: context)
    receiver.finish(context: context)
  }
}

/// The sockets of a receiver, open since before the run began, and what it asks of senders.
package struct Listening: Sendable {
  package let sockets: [ListenSocket]
  package let settings: ReceiverSettings

  /// Opens a socket for each address; throws for the first that cannot be had, and without the libraries.
  package init(
    _ addresses: [ListenAddress],
    settings: ReceiverSettings = ReceiverSettings()
  ) throws(ListenFailure) {
    if let problem = cn_http_load() ?? cn_h2_load() {
      throw ListenFailure(text: String(cString: problem))
    }
    var sockets: [ListenSocket] = []
    for address in addresses { sockets.append(try ListenSocket(address)) }
    self.sockets = sockets
    self.settings = settings
  }
}

/// A connection of which nothing has come.
private struct Newcomer {
  let listener: Int
  let acceptedAt: Int64
}

/// See `ReceiverInput`, whose state it is.
private final class Receiver {
  /// Connections that are accepted before anything else has its turn.
  private static let acceptedAtOnce = 64
  /// Nanoseconds to wait where the system has no descriptor left.
  private static let pause: Int64 = 100_000_000
  private static let httpKey = UInt64.max
  private static let newcomerBit: UInt64 = 1 << 32

  let poller = Poller()
  /// When `step` has to be called at the latest, on the monotonic clock.
  private(set) var deadline: Int64?
  private let settings: ReceiverSettings
  private let sockets: [ListenSocket]
  private var intakes: [RequestIntake] = []
  private var newcomers: [Int32: Newcomer] = [:]
  private var http: HTTPServer?
  private let grpc: GRPCServer
  private var room = IntakeRoom()
  private var pausedUntil: Int64?
  /// Room for the first bytes of a connection.
  private var first = [UInt8](repeating: 0, count: 8 << 10)

  init(_ listening: Listening, context: IngestContext) {
    settings = listening.settings
    sockets = listening.sockets
    let bodies = BodyRoom(limit: max(settings.bodiesLimit, settings.bodyLimit))
    grpc = GRPCServer(settings, poller: poller, room: bodies)
    intakes = sockets.map { socket in
      RequestIntake(
        name: "\(socket.address.isForGRPC ? "grpc" : "http") \(socket.address.text)",
        endpoint: socket.address.endpoint(needsToken: listening.settings.token != nil),
        context: context
      )
    }
    for (index, socket) in sockets.enumerated() {
      poller.watch(socket.descriptor, key: UInt64(index), repeats: true)
    }
    do throws(ListenFailure) {
      let server = try HTTPServer(settings, room: bodies)
      http = server
      if let descriptor = server.descriptor {
        poller.watch(descriptor, key: Self.httpKey, repeats: true)
      }
    } catch {
      for intake in intakes { intake.complain(error.text, context: context) }
    }
  }

  deinit {
    for socket in newcomers.keys { close(socket) }
  }

  /// True when there is more to do at once.
  func step(now: Int64, context: IngestContext) -> Bool {
    context.mailbox?.waits = false
    defer {
      context.assembler.flush()
      context.mailbox?.waits = true
    }
    let calls = calls(context)
    for key in poller.take() {
      switch key {
      case Self.httpKey: break
      case GRPCServer.keyBit...: grpc.run(Int32(truncatingIfNeeded: key), now: now, calls)
      case Self.newcomerBit...: look(at: Int32(truncatingIfNeeded: key), now, context)
      default: accept(Int(key), now)
      }
    }
    if let paused = pausedUntil, paused <= now { resume() }
    let hasMore = http?.run(now: now, calls) ?? false
    endOverdue(now)
    for index in intakes.indices { intakes[index].report(.live, context: context) }
    return hasMore
  }

  func finish(context: IngestContext) {
    for index in intakes.indices { intakes[index].report(.ended, context: context) }
    grpc.finish()
    for socket in sockets { socket.withdraw() }
  }

  // MARK: - Connections

  private func accept(_ listener: Int, _ now: Int64) {
    for _ in 0..<Self.acceptedAtOnce {
      let socket = cn_accept(sockets[listener].descriptor)
      guard socket >= 0 else {
        // Without a descriptor to give, the waiting connection would wake this thread again and again.
        if [-EMFILE, -ENFILE, -ENOBUFS, -ENOMEM].contains(socket) { pause(now) }
        return
      }
      guard makeRoom(now) else {
        HTTPConnection.say("503 Service Unavailable", to: socket)
        close(socket)
        continue
      }
      newcomers[socket] = Newcomer(listener: listener, acceptedAt: now)
      // Bytes that are only looked at would be told of without end.
      poller.watch(
        socket,
        key: Self.newcomerBit | UInt64(UInt32(bitPattern: socket)),
        repeats: false
      )
    }
  }

  private func pause(_ now: Int64) {
    guard pausedUntil == nil else { return }
    pausedUntil = now + Self.pause
    for socket in sockets { poller.forget(socket.descriptor) }
  }

  private func resume() {
    pausedUntil = nil
    for (index, socket) in sockets.enumerated() {
      poller.watch(socket.descriptor, key: UInt64(index), repeats: true)
    }
  }

  /// Ends the connection that has been without a request for the longest if there are as many as may be.
  ///
  /// Where none has been so for long, it is that of the slowest request, so that slow senders neither keep others
  /// out nor push them aside between two of their requests; false where all requests are young.
  private func makeRoom(_ now: Int64) -> Bool {
    let open: [any OpenConnection] = (http?.open ?? []) + grpc.open
    guard newcomers.count + open.count >= settings.connectionLimit else { return true }
    let newcomer = newcomers.min { $0.value.acceptedAt < $1.value.acceptedAt }
    let idle = open.min { $0.idleSince ?? .max < $1.idleSince ?? .max }
    let slow = open.min { $0.requestSince ?? .max < $1.requestSince ?? .max }
    let silence = newcomer?.value.acceptedAt ?? .max
    let idleness = idle?.idleSince ?? .max
    let long = now - settings.slowAfter
    if min(silence, idleness) > long, let slow, slow.requestSince ?? .max <= long {
      slow.end()
    } else if let idle, idle.idleSince != nil, idleness <= silence {
      idle.end()
    } else if let newcomer {
      drop(newcomer.key)
    } else {
      return false
    }
    return true
  }

  private func drop(_ socket: Int32) {
    newcomers.removeValue(forKey: socket)
    close(socket)
  }

  /// Finds out what a connection speaks as soon as enough of it has come.
  private func look(at socket: Int32, _ now: Int64, _ context: IngestContext) {
    guard let newcomer = newcomers[socket] else { return }
    let count = Int(cn_peek(socket, &first, first.count))
    guard count > 0 else {
      if count != Int(-EAGAIN) { drop(socket) }
      return
    }
    switch Greeting(first[..<count]) {
    case nil: return
    case .http where Greeting.hasNULInHead(first[..<count]):
      complain(newcomer.listener, "a request with a NUL in its head", context)
      HTTPConnection.say("400 Bad Request", to: socket)
      drop(socket)
    case .http where sockets[newcomer.listener].address.isForGRPC:
      let hint = "gRPC is received at this port; OTLP/HTTP goes to port 4318"
      complain(newcomer.listener, "an HTTP/1 client: \(hint)", context)
      HTTPConnection.say("400 Bad Request", hint, to: socket)
      drop(socket)
    case .http: hand(socket, newcomer, now)
    case .http2:
      newcomers.removeValue(forKey: socket)
      poller.forget(socket)
      grpc.add(socket, listener: newcomer.listener, now: now)
    case .tls:
      complain(newcomer.listener, "an https client: TLS is not spoken here, use http://", context)
      drop(socket)
    case .other:
      complain(newcomer.listener, "a client that does not speak HTTP", context)
      HTTPConnection.say("400 Bad Request", to: socket)
      drop(socket)
    }
  }

  private func hand(_ socket: Int32, _ newcomer: Newcomer, _ now: Int64) {
    newcomers.removeValue(forKey: socket)
    poller.forget(socket)
    guard let http else { return _ = close(socket) }
    if http.descriptor == nil { poller.watch(socket, key: Self.httpKey, repeats: true) }
    http.add(
      HTTPConnection(
        socket: socket,
        listener: newcomer.listener,
        isLoopback: sockets[newcomer.listener].address.isLoopback,
        acceptedAt: newcomer.acceptedAt
      )
    )
  }

  private func endOverdue(_ now: Int64) {
    var next = pausedUntil
    for (socket, newcomer) in newcomers {
      let patience = newcomer.acceptedAt + settings.headPatience
      if patience <= now {
        HTTPConnection.say("408 Request Timeout", to: socket)
        drop(socket)
      } else {
        next = min(next ?? patience, patience)
      }
    }
    for first in [http?.endOverdue(now: now), grpc.endOverdue(now: now)].compactMap({ $0 }) {
      next = min(next ?? first, first)
    }
    deadline = next
  }

  // MARK: - Requests

  private func calls(_ context: IngestContext) -> ReceiverCalls {
    ReceiverCalls(
      isBusy: { self.room.isBusy(context) },
      take: { body, content, listener in
        body.withUnsafeBytes { self.intakes[listener].take($0, as: content, context: context) }
      },
      complain: { self.complain($0, $1, context) }
    )
  }

  private func complain(_ listener: Int, _ text: String, _ context: IngestContext) {
    intakes[listener].complain(text, context: context)
  }
}
