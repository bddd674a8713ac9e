import CPlatform
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A socket that the test listens at and plays the server of, step by step.
final class PeerServer {
  struct Failure: Error {}

  let port: UInt16
  private let socket: Int32

  /// Port 0 is any that is free.
  init(port: UInt16 = 0) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    var on: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    guard Self.with(&address, { bind(socket, $0, $1) }) == 0, listen(socket, 16) == 0 else {
      close(socket)
      throw Failure()
    }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = Self.with(&address) { pointer, _ in
      getsockname(socket, UnsafeMutablePointer(mutating: pointer), &size)
    }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// At the path of a socket.
  init(path: String) throws {
    port = 0
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    unlink(path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    guard Self.with(&address, { bind(socket, $0, $1) }) == 0, listen(socket, 16) == 0 else {
      close(socket)
      throw Failure()
    }
  }

  deinit { close(socket) }

  private static func with<Address, Result>(
    _ address: inout Address,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Waits for the next client.
  func accept() throws -> Peer {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 20_000) == 1 else { throw Failure() }
    let client = Glibc.accept(socket, nil, nil)
    guard client >= 0 else { throw Failure() }
    return Peer(socket: client)
  }
}

/// A client that was accepted.
final class Peer {
  private let socket: Int32
  private var received: [UInt8] = []
  private var isOpen = true

  init(socket: Int32) {
    self.socket = socket
    // A test that fails must not wait for ever.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { hangUp() }

  func hangUp() {
    if isOpen { close(socket) }
    isOpen = false
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { RawSocket.send(bytes, to: socket) }

  /// No more will be sent; what the client says can still be heard.
  func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  private func receiveMore() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &piece, piece.count, 0)
    guard count > 0 else { return false }
    received += piece.prefix(count)
    return true
  }

  /// The next bytes; fewer where the client has ended before.
  func take(_ count: Int) -> [UInt8] {
    while received.count < count, receiveMore() {}
    defer { received.removeFirst(min(count, received.count)) }
    return Array(received.prefix(count))
  }

  /// The head of a request, without its empty line; nil when the client ends before.
  func takeHead() -> String? {
    while true {
      let text = String(decoding: received, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = String(text[..<end.lowerBound])
        received.removeFirst(head.utf8.count + 4)
        return head
      }
      guard receiveMore() else { return nil }
    }
  }

  /// Waits until the client has ended the connection.
  func isEnded() -> Bool {
    while receiveMore() {}
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 0 || errno == ECONNRESET
  }

  /// The next frame of a client: its opcode and payload without the mask; nil where it is none.
  func takeFrame() -> (opcode: UInt8, payload: [UInt8], mask: [UInt8])? {
    let head = take(2)
    guard head.count == 2, head[1] & 0x80 != 0, head[1] & 0x7F < 126 else { return nil }
    let mask = take(4)
    let payload = take(Int(head[1] & 0x7F))
    guard head[0] & 0xF0 == 0x80, mask.count == 4 else { return nil }
    return (head[0] & 0x0F, payload.enumerated().map { $1 ^ mask[$0 % 4] }, mask)
  }
}

/// What a collector's remote tap does with a client.
enum TapServer {
  struct Refused: Error {}

  /// Answers the handshake; throws where the tap refuses, as it does without an `Origin`.
  @discardableResult
  static func welcome(_ peer: Peer) throws -> String {
    guard let head = peer.takeHead() else { throw Refused() }
    let fields = head.components(separatedBy: "\r\n").dropFirst().map {
      $0.components(separatedBy: ": ")
    }
    let field = { (name: String) in fields.first { $0[0].lowercased() == name }?.last }
    guard let origin = field("origin"), URL(string: origin)?.host() != nil else {
      peer.send("HTTP/1.1 403 Forbidden\r\n\r\n")
      throw Refused()
    }
    guard head.hasPrefix("GET /"), field("upgrade") == "websocket",
      field("sec-websocket-version") == "13", let key = field("sec-websocket-key"),
      Data(base64Encoded: key)?.count == 16
    else {
      peer.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      throw Refused()
    }
    peer.send(answer(to: key))
    return head
  }

  static func answer(to key: String) -> String {
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accept(key))\r\n\r\n"
  }

  static func accept(_ key: String) -> String {
    Data(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
      .base64EncodedString()
  }

  /// A server's frame; `first` is the byte with the opcode.
  static func frame(_ payload: [UInt8], first: UInt8 = 0x81) -> [UInt8] {
    let count = payload.count
    let big = (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - $0 * 8)) }
    let length: [UInt8] =
      count < 126 ? [UInt8(count)] : count < 65_536 ? [126] + big[6...] : [127] + big
    return [first] + length + payload
  }

  static func frame(_ text: String, first: UInt8 = 0x81) -> [UInt8] {
    frame(Array(text.utf8), first: first)
  }
}

/// FIPS 180-4, for a server that owes the product nothing.
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - $0 * 8)) }
    let turn = { (word: UInt32, bits: UInt32) in word << bits | word >> (32 - bits) }
    for block in stride(from: 0, to: padded.count, by: 64) {
      var words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(padded[block + word * 4 + $1]) }
      }
      for word in 16..<80 {
        let sum = words[word - 3] ^ words[word - 8] ^ words[word - 14] ^ words[word - 16]
        words.append(turn(sum, 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for word in 0..<80 {
        let (mix, constant): (UInt32, UInt32) =
          switch word {
          case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
          case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
          case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next = turn(a, 5) &+ mix &+ e &+ constant &+ words[word]
        (a, b, c, d, e) = (next, a, turn(b, 30), c, d)
      }
      state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - $0 * 8)) }
    }
  }
}
