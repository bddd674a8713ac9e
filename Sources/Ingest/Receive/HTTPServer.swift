import CNetwork

/// HTTP/1.1 on the connections that it is given, through libmicrohttpd, on the ingest thread.
final class HTTPServer {
  /// Bytes of a request's head at most.
  private static let headLimit = 32 << 10

  private let settings: ReceiverSettings
  private var http: OpaquePointer?
  private var connections: [Int32: HTTPConnection] = [:]
  /// Takes a request's body; set while the server runs.
  private var take: ((HTTPRequest, [UInt8], _ listener: Int) -> HTTPAnswer)?
  /// Told of what is refused; set while the server runs.
  private var complain: ((_ listener: Int, String) -> Void)?
  private var isBusy: () -> Bool = { false }
  private var now: Int64 = 0

  /// Fails with a sentence where the library is missing.
  init(_ settings: ReceiverSettings) throws(ListenFailure) {
    self.settings = settings
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
  func run(
    now: Int64,
    isBusy: @escaping () -> Bool,
    take: @escaping (HTTPRequest, [UInt8], _ listener: Int) -> HTTPAnswer,
    complain: @escaping (_ listener: Int, String) -> Void
  ) -> Bool {
    guard let http else { return false }
    defer { (self.isBusy, self.take, self.complain) = ({ false }, nil, nil) }
    (self.now, self.isBusy, self.take, self.complain) = (now, isBusy, take, complain)
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
      let kept = RequestState()
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
        complain?(connection.listener, HTTPRefusal.tooLarge(settings, request.content).text)
        // Here the library has no answer but to close.
        HTTPConnection.say("413 Content Too Large", to: connection.socket)
        return 0
      }
      request.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
      return 1
    }
    kept.takeUnretainedValue().request = nil
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
      complain?(connection.listener, refusal.text)
      return respond(refusal.answer, handle)
    case .success(let request):
      guard !isBusy() else { return respond(.busy(request.content), handle) }
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
      return take?(request, body, connection.listener) ?? .busy(request.content)
    } catch {
      let refusal =
        switch error {
        case .tooLarge: HTTPRefusal.tooLarge(settings, request.content)
        case .damaged(let text): HTTPRefusal(400, .invalidArgument, text, request.content)
        }
      complain?(connection.listener, refusal.text)
      return refusal.answer
    }
  }

  private func respond(_ answer: HTTPAnswer, _ handle: OpaquePointer) -> Int32 {
    guard let http else { return 0 }
    var texts = [("Content-Type", answer.content.type)] + answer.headers
    // Where a body was not what it should be, what follows may be the rest of it.
    if answer.status == 400 { texts.append(("Connection", "close")) }
    let strings = texts.flatMap { [$0.0, $0.1] }.map { Array($0.utf8CString) }
    return strings.withPointers { pointers in
      cn_http_respond(http, handle, answer.status, pointers, answer.body, answer.body.count)
    }
  }
}

extension [[CChar]] {
  /// C strings, ended by null.
  fileprivate func withPointers<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    var storage: [CChar] = []
    var starts: [Int] = []
    for string in self {
      starts.append(storage.count)
      storage += string
    }
    return storage.withUnsafeBufferPointer { buffer in
      let pointers = starts.map { start in buffer.baseAddress.map { $0 + start } } + [nil]
      return pointers.withUnsafeBufferPointer { list in
        guard let base = list.baseAddress else {
          return withUnsafePointer(to: UnsafePointer<CChar>?.none, body)
        }
        return body(base)
      }
    }
  }
}
