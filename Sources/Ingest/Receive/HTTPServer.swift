import CNetwork

/// HTTP/1.1 on the connections that it is given, through libmicrohttpd, on the ingest thread.
final class HTTPServer {
  /// Bytes of a request's head at most.
  private static let headLimit = 32 << 10

  private let settings: ReceiverSettings
  private let room: BodyRoom
  private var http: OpaquePointer?
  private var connections: [Int32: HTTPConnection] = [:]
  /// Set while the server runs.
  private var receiver: ReceiverCalls?
  private var now: Int64 = 0

  /// Fails with a sentence where the library is missing.
  init(_ settings: ReceiverSettings, room: BodyRoom) throws(ListenFailure) {
    self.settings = settings
    self.room = room
    var problem: UnsafePointer<CChar>?
    let calls = cn_http_calls(
      context: Unmanaged.passUnretained(self).toOpaque(),
      part: { HTTPServer.of($0).part($1, $2, $3, $4, $5, $6, $7, $8) },
      began: { HTTPServer.of($0).note($1, .head) },
      ended: { server, handle, state, _ in HTTPServer.of(server).end(handle, state) },
      closed: { HTTPServer.of($0).close($1) }
    )
    http = cn_http_start(calls, Self.headLimit, &problem)
    guard http != nil else {
      throw ListenFailure(text: problem.map { String(cString: $0) } ?? "no memory")
    }
  }

  deinit {
    if let http { cn_http_stop(http) }
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> HTTPServer {
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  }

  /// Readable when there is something to do; nil where the sockets have to be watched themselves.
  var descriptor: Int32? {
    guard let http else { return nil }
    let descriptor = cn_http_descriptor(http)
    return descriptor < 0 ? nil : descriptor
  }

  /// Takes over a connection of which the first bytes have come.
  func add(_ connection: HTTPConnection) {
    guard let http else { return }
    connections[connection.socket] = connection
    // Given back in `close`, which is called in any case.
    let state = Unmanaged.passRetained(connection)
    guard cn_http_add(http, connection.socket, state.toOpaque()) != 0 else {
      if connections.removeValue(forKey: connection.socket) != nil { state.release() }
      return
    }
  }

  /// Does what can be done without waiting; true when there is more to do at once.
  func run(now: Int64, _ receiver: ReceiverCalls) -> Bool {
    guard let http else { return false }
    defer { self.receiver = nil }
    (self.now, self.receiver) = (now, receiver)
    return cn_http_run(http) != 0
  }

  /// Connections that are not ended.
  var open: [HTTPConnection] { connections.values.filter { !$0.isEnded } }

  /// Ends the connections whose patience is over; when the next one's is.
  func endOverdue(now: Int64) -> Int64? {
    var next: Int64?
    for connection in open {
      let deadline = connection.deadline(settings)
      if deadline <= now {
        connection.end(saying: connection.phase == .idle ? nil : "408 Request Timeout")
      } else {
        next = min(next ?? deadline, deadline)
      }
    }
    return next
  }

  // MARK: - Calls of the library

  private func connection(_ handle: OpaquePointer) -> HTTPConnection? {
    guard let http, let state = cn_http_connection_state(http, handle) else { return nil }
    return Unmanaged<HTTPConnection>.fromOpaque(state).takeUnretainedValue()
  }

  private func note(_ handle: OpaquePointer, _ phase: HTTPConnection.Phase) {
    connection(handle)?.enter(phase, at: now)
  }

  private func end(_ handle: OpaquePointer, _ state: UnsafeMutableRawPointer?) {
    if let state { Unmanaged<RequestState>.fromOpaque(state).release() }
    note(handle, .idle)
  }

  private func close(_ state: UnsafeMutableRawPointer?) {
    guard let state else { return }
    let connection = Unmanaged<HTTPConnection>.fromOpaque(state).takeRetainedValue()
    connections.removeValue(forKey: connection.socket)
  }

  /// What is known of a request between two calls: nil once it was answered.
  private final class RequestState {
    var request: HTTPRequest?
    let room: BodyRoom

    init(room: BodyRoom) {
      self.room = room
    }

    deinit { giveBack() }

    func giveBack() {
      if let request { room.giveBack(request.held) }
      request = nil
    }
  }

  private func part(
    _ handle: OpaquePointer,
    _ part: cn_http_part,
    _ method: UnsafePointer<CChar>,
    _ path: UnsafePointer<CChar>,
    _ version: UnsafePointer<CChar>,
    _ bytes: UnsafeRawPointer?,
    _ count: Int,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> Int32 {
    guard let connection = connection(handle) else { return 0 }
    if part == CN_HTTP_HEAD {
      let kept = RequestState(room: room)
      state.pointee = Unmanaged.passRetained(kept).toOpaque()
      var head = head(handle, method, path, version)
      head.isLoopback = connection.isLoopback
      return begin(kept, head, handle, connection)
    }
    guard let kept = state.pointee.map({ Unmanaged<RequestState>.fromOpaque($0) }),
      let request = kept.takeUnretainedValue().request
    else { return 1 }
    if part == CN_HTTP_BODY {
      connection.enter(.body, at: now)
      guard request.body.count + count <= settings.bodyLimit else {
        receiver?.complain(
          connection.listener,
          HTTPRefusal.tooLarge(settings, request.content).text
        )
        // Here the library has no answer but to close.
        HTTPConnection.say("413 Content Too Large", to: connection.socket)
        return 0
      }
      guard room.take(count) else {
        HTTPConnection.say("503 Service Unavailable", to: connection.socket)
        return 0
      }
      request.held += count
      request.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
      return 1
    }
    kept.takeUnretainedValue().giveBack()
    return respond(finish(request, connection), handle)
  }

  private func begin(
    _ state: RequestState,
    _ head: HTTPHead,
    _ handle: OpaquePointer,
    _ connection: HTTPConnection
  ) -> Int32 {
    connection.enter(.body, at: now)
    switch head.request(settings) {
    case .failure(let refusal):
      receiver?.complain(connection.listener, refusal.text)
      return respond(refusal.answer, handle)
    case .success(let request):
      guard receiver?.isBusy() == false else { return respond(.busy(request.content), handle) }
      state.request = request
      return 1
    }
  }

  private func head(
    _ handle: OpaquePointer,
    _ method: UnsafePointer<CChar>,
    _ path: UnsafePointer<CChar>,
    _ version: UnsafePointer<CChar>
  ) -> HTTPHead {
    guard let http else {
      return HTTPHead(method: "", path: "", version: "", header: { _ in nil }, count: { _ in 0 })
    }
    return HTTPHead(
      method: String(cString: method),
      path: String(cString: path),
      version: String(cString: version),
      header: { cn_http_header(http, handle, $0).map { String(cString: $0) } },
      count: { Int(cn_http_header_count(http, handle, $0)) },
      hasNUL: cn_http_has_nul(http, handle) != 0
    )
  }

  private func finish(_ request: HTTPRequest, _ connection: HTTPConnection) -> HTTPAnswer {
    do throws(ContentCoding.Failure) {
      let body = try request.coding.decoded(request.body, limit: settings.bodyLimit)
      return taken(request, body, connection.listener)
    } catch {
      let refusal =
        switch error {
        case .tooLarge: HTTPRefusal.tooLarge(settings, request.content)
        case .damaged(let text): HTTPRefusal(400, .invalidArgument, text, request.content)
        }
      receiver?.complain(connection.listener, refusal.text)
      return refusal.answer
    }
  }

  private func taken(_ request: HTTPRequest, _ body: [UInt8], _ listener: Int) -> HTTPAnswer {
    switch receiver?.take(body, request.content == .json ? .json : .protobuf, listener) {
    case .taken(let rejected, let problem):
      .taken(request.content, request.signal, rejected: rejected, problem: problem)
    case .malformed(let text): .failure(400, .invalidArgument, text, request.content)
    case .notKept, nil: .busy(request.content)
    }
  }

  private func respond(_ answer: HTTPAnswer, _ handle: OpaquePointer) -> Int32 {
    guard let http else { return 0 }
    var headers = ["Content-Type", answer.content.type]
    for (name, value) in answer.headers { headers += [name, value] }
    // Where a body was not what it should be, what follows may be the rest of it.
    if answer.status == 400 { headers += ["Connection", "close"] }
    return CStringList(headers).withPointers { pointers in
      cn_http_respond(http, handle, answer.status, pointers, answer.body, answer.body.count)
    }
  }
}
