import CNetwork

/// gRPC on the connections that it is given, through libnghttp2, on the ingest thread.
final class GRPCServer {
  /// Of the keys by which the poller tells of its connections; the lower half is the socket.
  static let keyBit: UInt64 = 1 << 33

  private let settings: ReceiverSettings
  private let poller: Poller
  private let room: BodyRoom
  private var connections: [Int32: GRPCConnection] = [:]
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(_ settings: ReceiverSettings, poller: Poller, room: BodyRoom) {
    self.settings = settings
    self.poller = poller
    self.room = room
  }

  /// Takes over a connection of which the first bytes have come.
  func add(_ socket: Int32, listener: Int, now: Int64) {
    guard
      let connection = GRPCConnection(
        socket: socket,
        listener: listener,
        settings: settings,
        room: room,
        now: now
      )
    else { return }
    connections[socket] = connection
    poller.watch(socket, key: Self.key(socket), repeats: true)
  }

  /// Does what a connection of which the poller told asks for.
  func run(_ socket: Int32, now: Int64, _ receiver: ReceiverCalls) {
    guard let connection = connections[socket] else { return }
    let awaited = connection.awaitsRoom
    guard connection.step(now: now, receiver, buffer: &buffer) else { return drop(socket) }
    if connection.awaitsRoom != awaited {
      poller.awaitRoom(socket, key: Self.key(socket), connection.awaitsRoom)
    }
  }

  /// Connections that are not ended.
  var open: [GRPCConnection] { connections.values.filter { !$0.isEnded } }

  /// Ends the connections and calls whose patience is over; when the next one's is.
  func endOverdue(now: Int64) -> Int64? {
    var next: Int64?
    for connection in connections.values where !connection.isEnded {
      if let deadline = connection.endOverdue(now: now) {
        next = min(next ?? deadline, deadline)
      } else {
        drop(connection.socket)
      }
    }
    return next
  }

  /// Says farewell to everybody.
  func finish() {
    for connection in open { connection.leave() }
  }

  private func drop(_ socket: Int32) {
    poller.forget(socket)
    connections.removeValue(forKey: socket)
  }

  private static func key(_ socket: Int32) -> UInt64 {
    keyBit | UInt64(UInt32(bitPattern: socket))
  }
}
