import CNetwork
import CPlatform

/// A connection that speaks gRPC over HTTP/2.
final class GRPCConnection: OpenConnection {
  /// Calls at once: senders have few.
  private static let streamLimit: UInt32 = 100
  /// Pieces of 64 KB that are read before other connections have their turn.
  private static let readsAtOnce = 16
  private static let outputSize = 64 << 10

  let socket: Int32
  /// Index of the address that it came to.
  let listener: Int
  private(set) var isEnded = false
  /// There is something to send for which the socket has no room.
  private(set) var awaitsRoom = false
  private let settings: ReceiverSettings
  private let room: BodyRoom
  private var h2: OpaquePointer?
  private var calls: [Int32: GRPCCall] = [:]
  /// Calls that were answered before everything of them had come.
  private var leftovers: [Int32] = []
  private var output: [UInt8] = []
  private var sent = 0
  private var calm: Calm
  private var isCalm = true
  // On the monotonic clock: since when there is no call, a header block comes, or nothing is sent.
  private var quietSince: Int64
  private var headSince: Int64?
  private var stuckSince: Int64?
  /// Since when nothing is sent any more, and what comes is not looked at.
  private var leavingSince: Int64?
  private var now: Int64
  /// Set while the connection does something.
  private var receiver: ReceiverCalls?

  init?(socket: Int32, listener: Int, settings: ReceiverSettings, room: BodyRoom, now: Int64) {
    self.socket = socket
    self.listener = listener
    self.settings = settings
    self.room = room
    self.now = now
    calm = Calm(now: now)
    quietSince = now
    let calls = cn_h2_calls(
      context: Unmanaged.passUnretained(self).toOpaque(),
      frame_began: { GRPCConnection.of($0).frameBegan(isHead: $1 != 0) },
      frame_ended: { GRPCConnection.of($0).frameEnded($1) },
      began: { GRPCConnection.of($0).begin($1) },
      header: { GRPCConnection.of($0).add($1, $2, $3, $4, $5) ? 1 : 0 },
      head: { GRPCConnection.of($0).judge($1) },
      data: { GRPCConnection.of($0).take($1, UnsafeRawBufferPointer(start: $2, count: $3)) },
      ended: { GRPCConnection.of($0).finish($1) },
      closed: { GRPCConnection.of($0).forget($1) }
    )
    h2 = cn_h2_open(calls, Self.streamLimit, UInt32(GRPCHead.sizeLimit))
    guard h2 != nil else { return nil }
  }

  deinit {
    if let h2 { cn_h2_close(h2) }
    for call in calls.values { room.giveBack(call.held) }
    close(socket)
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> GRPCConnection {
    Unmanaged<GRPCConnection>.fromOpaque(context).takeUnretainedValue()
  }

  var idleSince: Int64? { calls.isEmpty ? quietSince : nil }

  var requestSince: Int64? { calls.values.map(\.start).min() }

  func end() {
    leave()
    isEnded = true
    cn_shut_down(socket)
  }

  /// Tells the other side that nothing is taken any more.
  func leave() {
    guard let h2 else { return }
    cn_h2_leave(h2, CN_H2_NO_ERROR)
    _ = flush()
  }

  /// Reads what has come and answers it; false when the connection is over.
  func step(now: Int64, _ receiver: ReceiverCalls, buffer: inout [UInt8]) -> Bool {
    guard let h2 else { return false }
    (self.now, self.receiver) = (now, receiver)
    defer { self.receiver = nil }
    for _ in 0..<Self.readsAtOnce {
      let count = cn_receive(socket, &buffer, buffer.count)
      guard count != Int64(-EAGAIN) else { break }
      guard count > 0 else { return false }
      guard leavingSince == nil else { continue }
      let goesOn = cn_h2_receive(h2, buffer, Int(count)) != 0
      // The library gives up by itself when it owes too many answers.
      if !goesOn || !isCalm { cn_h2_leave(h2, CN_H2_CALM) }
      guard flush() else { return false }
      if !goesOn || cn_h2_goes_on(h2) == 0 { startLeaving() }
    }
    guard leavingSince == nil else { return true }
    guard flush() else { return false }
    if cn_h2_goes_on(h2) == 0 { startLeaving() }
    return true
  }

  /// To close a connection of which something is unread would take back the farewell that was sent.
  private func startLeaving() {
    leavingSince = now
    cn_shut_down_sending(socket)
  }

  /// Ends what takes too long; when to look again, or nil when the connection is over.
  func endOverdue(now: Int64) -> Int64? {
    guard let h2 else { return nil }
    self.now = now
    if let leavingSince {
      let end = leavingSince + settings.farewellPatience
      return end > now ? end : nil
    }
    if calls.isEmpty, quietSince + settings.idlePatience <= now {
      leave()
      return nil
    }
    var next = calls.isEmpty ? quietSince + settings.idlePatience : Int64.max
    next = min(next, headSince.map { $0 + settings.headPatience } ?? .max)
    next = min(next, stuckSince.map { $0 + settings.bodyPatience } ?? .max)
    guard next > now else { return nil }
    var isOverdue = false
    for (stream, call) in calls {
      let patience = min(call.since + settings.bodyPatience, call.start + settings.requestPatience)
      if patience <= now {
        cn_h2_reset(h2, stream, CN_H2_CANCEL)
        isOverdue = true
      } else {
        next = min(next, patience)
      }
    }
    if isOverdue, !flush() { return nil }
    return next
  }

  // MARK: - Sending

  /// Sends what there is as far as the socket takes it; false when the connection is over.
  private func flush() -> Bool {
    guard let h2 else { return false }
    while true {
      while sent < output.count {
        let rest = sent == 0 ? output : Array(output[sent...])
        let count = cn_send(socket, rest, rest.count)
        guard count != Int64(-EAGAIN) else {
          awaitsRoom = true
          stuckSince = stuckSince ?? now
          return true
        }
        guard count > 0 else { return false }
        sent += Int(count)
        stuckSince = nil
      }
      awaitsRoom = false
      sent = 0
      output.removeAll(keepingCapacity: true)
      guard gather(h2) else { return false }
      guard output.isEmpty else { continue }
      // The rest of what was answered early is not wanted; to say so before the answer would take it back.
      guard !leftovers.isEmpty else { return true }
      for stream in leftovers { cn_h2_reset(h2, stream, CN_H2_NO_ERROR) }
      leftovers = []
    }
  }

  private func gather(_ h2: OpaquePointer) -> Bool {
    while output.count < Self.outputSize {
      var bytes: UnsafePointer<UInt8>?
      let count = cn_h2_next(h2, &bytes)
      guard count > 0, let bytes else { return count == 0 }
      output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    return true
  }

  private func answer(_ stream: Int32, _ answer: GRPCAnswer) {
    guard let h2, let call = calls[stream], !call.isAnswered else { return }
    call.isAnswered = true
    room.giveBack(call.takeHeld())
    let body = answer.body
    let sends = CStringList(answer.headers).withPointers { headers in
      guard answer.response != nil else {
        return cn_h2_respond(h2, stream, headers, body, body.count, nil)
      }
      return CStringList(answer.trailers).withPointers {
        cn_h2_respond(h2, stream, headers, body, body.count, $0)
      }
    }
    if sends == 0 {
      cn_h2_reset(h2, stream, CN_H2_CANCEL)
    } else if !call.hasEnded {
      leftovers.append(stream)
    }
  }

  private func refuse(_ stream: Int32, _ refusal: GRPCRefusal) {
    receiver?.complain(listener, refusal.answer.message)
    answer(stream, refusal.answer)
  }

  // MARK: - Calls of the library

  private func frameBegan(isHead: Bool) {
    if isHead, headSince == nil { headSince = now }
  }

  private func frameEnded(_ kind: cn_h2_frame) {
    headSince = nil
    switch kind {
    case CN_H2_CONTENT: calm.content()
    case CN_H2_RESET: isCalm = calm.reset(now: now) && isCalm
    default: isCalm = calm.control(now: now) && isCalm
    }
  }

  private func begin(_ stream: Int32) {
    calls[stream] = GRPCCall(now: now)
  }

  private func add(
    _ stream: Int32,
    _ name: UnsafePointer<CChar>,
    _ nameCount: Int,
    _ value: UnsafePointer<CChar>,
    _ valueCount: Int
  ) -> Bool {
    guard let call = calls[stream], call.request == nil, !call.isAnswered else { return true }
    let (name, value) = (Self.text(name, nameCount), Self.text(value, valueCount))
    guard call.head.add(name, value) else {
      receiver?.complain(listener, "a call whose head is too large")
      return false
    }
    return true
  }

  private static func text(_ bytes: UnsafePointer<CChar>, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private func judge(_ stream: Int32) {
    guard let call = calls[stream] else { return }
    call.since = now
    switch call.head.request(settings) {
    case .failure(let refusal): refuse(stream, refusal)
    case .success(let request):
      call.request = request
      if receiver?.isBusy() != false { answer(stream, .busy) }
    }
  }

  private func take(_ stream: Int32, _ bytes: UnsafeRawBufferPointer) {
    guard let call = calls[stream], !call.isAnswered else { return }
    call.since = now
    guard room.take(bytes.count) else { return answer(stream, .busy) }
    call.held += bytes.count
    if let refusal = call.message.append(bytes, settings) { refuse(stream, refusal) }
  }

  private func finish(_ stream: Int32) {
    guard let call = calls[stream] else { return }
    call.hasEnded = true
    guard !call.isAnswered, let request = call.request, let receiver else { return }
    switch call.message.body(request.coding, settings) {
    case .failure(let refusal): refuse(stream, refusal)
    case .success(let body):
      switch receiver.take(body, .protobuf, listener) {
      case .taken(let rejected, let problem):
        answer(stream, .taken(request.signal, rejected: rejected, problem: problem))
      case .malformed(let text): answer(stream, .failure(.invalidArgument, text))
      case .notKept: answer(stream, .busy)
      }
    }
  }

  private func forget(_ stream: Int32) {
    if let call = calls.removeValue(forKey: stream) { room.giveBack(call.held) }
    leftovers.removeAll { $0 == stream }
    if calls.isEmpty { quietSince = now }
  }
}

/// A call between its first header and the end of its stream.
private final class GRPCCall {
  var head = GRPCHead()
  /// Nil until the head is known and good.
  var request: GRPCRequest?
  var message = GRPCMessage()
  /// Bytes that count in the room for bodies.
  var held = 0
  var isAnswered = false
  /// Everything of it has come.
  var hasEnded = false
  /// On the monotonic clock: when it began, and when something of it came last.
  let start: Int64
  var since: Int64

  init(now: Int64) {
    start = now
    since = now
  }

  /// What it held; its bytes are given up.
  func takeHeld() -> Int {
    defer {
      held = 0
      message = GRPCMessage()
    }
    return held
  }
}
