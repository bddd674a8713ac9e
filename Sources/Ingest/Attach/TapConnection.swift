import CNetwork
import CPlatform

/// One connection to a WebSocket, as a collector's remote tap offers it.
///
/// A tap passes on from within the collector's pipeline and waits for whoever reads slowly, so what comes is
/// taken at once and waits in the queue.
struct TapConnection {
  private static let pieceSize = 64 << 10

  let socket: AttachSocket
  let authority: String
  let path: String
  let settings: AttachSettings
  let queue: AttachQueue

  /// Returns never but by an end; `wasUseful` is true once a message has come.
  func read(_ wasUseful: inout Bool) throws(AttachEnd) {
    if let problem = cn_websocket_load() {
      throw AttachEnd(reason: String(cString: problem), isFinal: true)
    }
    guard var messages = WebSocketMessages(limit: settings.messageLimit) else {
      throw AttachEnd(reason: "no memory")
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 64)
    defer { buffer.deallocate() }
    let first = try open(buffer)
    queue.put(.live)
    do throws(AttachEnd) {
      var end = first.withUnsafeBytes { take($0, &messages, &wasUseful) }
      while end == nil {
        let count = try socket.read(into: buffer)
        guard count > 0 else { throw AttachEnd(reason: "closed by the other side") }
        end = take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &messages, &wasUseful)
      }
      if let end { throw end }
    } catch {
      if error.isStop { try? socket.send(messages.farewell(1_001)) }
      if messages.isCut { queue.put(.cut("the connection ended within a message")) }
      throw error
    }
  }

  /// Asks for the WebSocket; what came behind the answer's head.
  private func open(_ buffer: UnsafeMutableRawBufferPointer) throws(AttachEnd) -> [UInt8] {
    let deadline = cp_monotonic_nanoseconds() + settings.connectPatience
    var handshake = WebSocketHandshake(authority: authority, path: path)
    try socket.send(handshake.request)
    while true {
      let count = try socket.read(into: buffer, until: deadline)
      guard count > 0 else { throw AttachEnd(reason: "closed without an answer") }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if let rest = try handshake.take(piece) { return rest }
    }
  }

  /// Passes on what came; the end that it brought, if it did.
  private func take(
    _ bytes: UnsafeRawBufferPointer,
    _ messages: inout WebSocketMessages,
    _ wasUseful: inout Bool
  ) -> AttachEnd? {
    var end: AttachEnd?
    var isUseful = false
    do throws(WebSocketMessages.Violation) {
      try messages.take(bytes) { event in
        guard end == nil else { return }
        switch event {
        case .message(let message):
          isUseful = true
          if !queue.put(.bytes(message)) { end = .stopped }
        case .answer(let frame):
          do throws(AttachEnd) { try socket.send(frame) } catch { end = error }
        case .closed(let reason): end = AttachEnd(reason: reason)
        }
      }
    } catch {
      try? socket.send(messages.farewell(error.code))
      queue.put(.broken(error.text))
      // The message that was broken is counted with it.
      messages.forget()
      end = AttachEnd(reason: "not a WebSocket's: \(error.text)")
    }
    if isUseful { wasUseful = true }
    return end
  }
}
