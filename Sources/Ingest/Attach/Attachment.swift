import CPlatform

/// The thread that keeps a connection: connects, reads, and tries again when it was lost.
final class Attachment: Sendable {
  private struct State {
    var thread: UInt?
    /// Within the system's resolver, which cannot be told to stop.
    var isResolving = false
    var isStopped = false
  }

  /// Bytes of a stream that wait: more would only hide that decoding is slower.
  private static let streamLimit = 4 << 20
  private static let pieceSize = 64 << 10

  let queue: AttachQueue
  private let address: AttachAddress
  private let settings: AttachSettings
  private let stop = StopSignal()
  private let state = Guarded(State())

  init(_ address: AttachAddress, _ settings: AttachSettings) {
    self.address = address
    self.settings = settings
    queue =
      switch address {
      case .webSocket: AttachQueue(limit: settings.queueLimit, overflow: .dropsOldest)
      case .unix, .tcp:
        AttachQueue(limit: min(settings.queueLimit, Self.streamLimit), overflow: .waits)
      }
  }

  /// False when the system has no thread to give.
  func start() -> Bool {
    let body = Unmanaged.passRetained(self)
    var started: UInt = 0
    let error = cp_start_thread(
      &started,
      { Unmanaged<Attachment>.fromOpaque($0).takeRetainedValue().run() },
      body.toOpaque()
    )
    guard error == 0 else {
      body.release()
      return false
    }
    state.withLock { $0.thread = started }
    return true
  }

  /// Ends the connection; waits for the thread, unless that is with the resolver.
  func end() {
    let (thread, isResolving) = state.withLock { state in
      state.isStopped = true
      defer { state.thread = nil }
      return (state.thread, state.isResolving)
    }
    stop.set()
    queue.close()
    guard let thread else { return }
    if isResolving { cp_detach_thread(thread) } else { cp_join_thread(thread) }
  }

  // MARK: - On the thread

  private func run() {
    var backoff = Backoff(settings)
    while !stop.isSet {
      queue.put(.connecting)
      var wasUseful = false
      do throws(AttachEnd) { try connect(&wasUseful) } catch {
        guard !error.isStop else { return }
        if error.isFinal {
          queue.put(.refused(error.reason))
          return
        }
        if wasUseful { backoff.reset() }
        let delay = backoff.takeDelay()
        queue.put(.lost(error.reason, delay: delay))
        rest(delay)
      }
    }
  }

  /// Returns never but by an end.
  private func connect(_ wasUseful: inout Bool) throws(AttachEnd) {
    let patience = settings.connectPatience
    switch address {
    case .unix(let path):
      let socket = try AttachSocket.connect(path: path, patience: patience, stop: stop)
      try readStream(socket, &wasUseful)
    case .tcp(let host, let port):
      try readStream(try socket(host, port), &wasUseful)
    case .webSocket(let host, let port, let path):
      let tap = TapConnection(
        socket: try socket(host, port),
        authority: AttachAddress.authority(host, port),
        path: path,
        settings: settings,
        queue: queue
      )
      try tap.read(&wasUseful)
    }
  }

  private func socket(_ host: String, _ port: UInt16) throws(AttachEnd) -> AttachSocket {
    let goesOn = state.withLock { state in
      state.isResolving = !state.isStopped
      return state.isResolving
    }
    guard goesOn else { throw .stopped }
    let addresses = HostAddresses(host: settings.resolve?(host) ?? host, port: port)
    state.withLock { $0.isResolving = false }
    return try AttachSocket.connect(
      host: host,
      port: port,
      addresses: addresses,
      patience: settings.connectPatience,
      stop: stop
    )
  }

  private func readStream(
    _ socket: AttachSocket,
    _ wasUseful: inout Bool
  ) throws(AttachEnd) {
    queue.put(.live)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      let count = try socket.read(into: buffer)
      guard count > 0 else { throw AttachEnd(reason: "closed by the other side") }
      wasUseful = true
      guard queue.put(.bytes(Array(buffer[..<count]))) else { throw .stopped }
    }
  }

  private func rest(_ nanoseconds: Int64) {
    let deadline = cp_monotonic_nanoseconds() + nanoseconds
    while !stop.isSet {
      let left = deadline - cp_monotonic_nanoseconds()
      guard left > 0 else { return }
      var entry = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, Int32(min((left + 999_999) / 1_000_000, 3_600_000)))
    }
  }
}
