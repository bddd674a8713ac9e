import CNetwork
import CPlatform

/// How a connection ended, or why there was none.
struct AttachEnd: Error, Equatable {
  var reason: String
  /// Another attempt would end the same way.
  var isFinal = false
  /// The run has ended: nobody needs to be told.
  var isStop = false

  static let stopped = AttachEnd(reason: "", isStop: true)
}

/// A connection, closed when nobody needs it any more; every wait ends when the run does.
final class AttachSocket {
  private let descriptor: Int32
  private let stop: StopSignal
  private var unsent: [UInt8] = []

  /// More than this is not kept for a peer that reads nothing.
  private static let unsentLimit = 64 << 10

  private init(descriptor: Int32, stop: StopSignal) {
    self.descriptor = descriptor
    self.stop = stop
  }

  deinit { close(descriptor) }

  /// Connects to the first address that answers within `patience` nanoseconds.
  static func connect(
    host: String,
    port: UInt16,
    addresses: borrowing HostAddresses,
    patience: Int64,
    stop: StopSignal
  ) throws(AttachEnd) -> AttachSocket {
    var last = AttachEnd(reason: "no address of '\(host)' is known")
    for index in 0..<addresses.count {
      do throws(AttachEnd) {
        return try outcome(of: addresses.connect(index), patience: patience, stop: stop)
      } catch {
        if error.isStop { throw error }
        last = error
      }
    }
    throw last
  }

  static func connect(
    path: String,
    patience: Int64,
    stop: StopSignal
  ) throws(AttachEnd) -> AttachSocket {
    try outcome(of: cn_connect_unix(path), patience: patience, stop: stop)
  }

  private static func outcome(
    of descriptor: Int32,
    patience: Int64,
    stop: StopSignal
  ) throws(AttachEnd) -> AttachSocket {
    guard descriptor >= 0 else { throw AttachEnd(reason: words(-descriptor)) }
    let socket = AttachSocket(descriptor: descriptor, stop: stop)
    let deadline = cp_monotonic_nanoseconds() + patience
    guard try socket.wait(POLLOUT, until: deadline) != 0 else {
      throw AttachEnd(reason: "no answer")
    }
    let error = cn_connect_outcome(descriptor)
    guard error == 0 else { throw AttachEnd(reason: words(error)) }
    return socket
  }

  /// For people, as short as a header needs it.
  private static func words(_ error: Int32) -> String {
    switch error {
    case ECONNREFUSED: "connection refused"
    case ENOENT, ENOTDIR: "no such socket"
    case ENOTSOCK, EPROTOTYPE: "not a socket of this kind"
    case ETIMEDOUT, EHOSTUNREACH: "no answer"
    case ENETUNREACH: "no network"
    case ECONNRESET, EPIPE: "connection reset"
    case EAGAIN: "too many clients wait already"
    default: SystemError(error).text
    }
  }

  /// What `poll` says of the descriptor; 0 when the time is up, which never comes where it is nil.
  private func wait(_ events: Int32, until deadline: Int64?) throws(AttachEnd) -> Int16 {
    while true {
      var timeout: Int32 = -1
      if let deadline {
        let left = deadline - cp_monotonic_nanoseconds()
        guard left > 0 else { return 0 }
        timeout = Int32(min((left + 999_999) / 1_000_000, 3_600_000))
      }
      var entries = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&entries, 2, timeout)
      if stop.isSet { throw .stopped }
      if entries[0].revents != 0 { return entries[0].revents }
    }
  }

  /// Waits for bytes and takes what there is; 0 when the other side has ended.
  ///
  /// Sends meanwhile what waits to be sent.
  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    until deadline: Int64? = nil
  ) throws(AttachEnd) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    while true {
      let events = POLLIN | (unsent.isEmpty ? 0 : POLLOUT)
      let ready = try wait(Int32(events), until: deadline)
      guard ready != 0 else { throw AttachEnd(reason: "no answer") }
      if ready & Int16(POLLOUT) != 0 { try flush() }
      guard ready & ~Int16(POLLOUT) != 0 else { continue }
      let count = cp_read(descriptor, base, buffer.count)
      if count >= 0 { return Int(count) }
      guard count == Int64(-EAGAIN) else {
        throw AttachEnd(reason: Self.words(Int32(truncatingIfNeeded: -count)))
      }
    }
  }

  /// Sends at once what the other side takes, the rest when it does.
  func send(_ bytes: [UInt8]) throws(AttachEnd) {
    guard unsent.count + bytes.count <= Self.unsentLimit else {
      throw AttachEnd(reason: "the other side does not read")
    }
    unsent += bytes
    try flush()
  }

  private func flush() throws(AttachEnd) {
    while !unsent.isEmpty {
      let sent = cn_send(descriptor, unsent, unsent.count)
      if sent == Int64(-EAGAIN) { return }
      guard sent > 0 else {
        throw AttachEnd(reason: Self.words(Int32(truncatingIfNeeded: -sent)))
      }
      unsent.removeFirst(Int(sent))
    }
  }
}

/// The addresses of a host.
struct HostAddresses: ~Copyable {
  private let list: OpaquePointer?
  let count: Int

  /// Asks the system, which may take as long as its resolver's patience.
  init(host: String, port: UInt16) {
    list = cn_resolve(host, port)
    count = list.map { Int(cn_address_count($0)) } ?? 0
  }

  deinit {
    if let list { cn_free_addresses(list) }
  }

  /// A descriptor that is being connected, or the negated error number.
  borrowing func connect(_ index: Int) -> Int32 {
    list.map { cn_connect_tcp($0, Int32(index)) } ?? -EADDRNOTAVAIL
  }
}
