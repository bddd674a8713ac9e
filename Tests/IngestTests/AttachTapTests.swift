import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Attached remote taps", .timeLimit(.minutes(2)))
struct AttachTapTests {
  private func probe(
    _ server: PeerServer,
    _ change: (inout AttachSettings) -> Void = { _ in }
  ) -> AttachProbe {
    AttachProbe(.webSocket(host: "127.0.0.1", port: server.port, path: "/tap?a=b"), change)
  }

  private static let log = """
    {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"x"}}]}]}]}
    """
  private static let metric = """
    {"resourceMetrics":[{"scopeMetrics":[{"metrics":[\
    {"name":"m","gauge":{"dataPoints":[{},{}]}}]}]}]}
    """

  @Test("a tap's messages are read one by one: signals in turn, invalid UTF-8, never a pong")
  func tap() throws {
    let server = try PeerServer()
    let probe = probe(server)
    let peer = try server.accept()
    let head = try TapServer.welcome(peer)
    #expect(head.hasPrefix("GET /tap?a=b HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
    #expect(head.contains("\r\nOrigin: http://localhost\r\n"))
    peer.send(TapServer.frame(RequestBodies.json(1)))
    peer.send(TapServer.frame(Self.log) + TapServer.frame(Self.metric))
    let name = RequestBodies.json(2).flatMap { $0 == UInt8(ascii: "w") ? [0xC3, 0x28] : [$0] }
    peer.send(TapServer.frame(name))
    peer.send(TapServer.frame("", first: 0x82) + TapServer.frame("", first: 0x81))
    peer.send(TapServer.frame(RequestBodies.json(3), first: 0x82))
    peer.send(TapServer.frame(RequestBodies.protobuf(4), first: 0x82))
    #expect(probe.wait { $0.spans.count == 4 })
    #expect(probe.logs == 1)
    #expect(probe.count(of: .metricPoints) == 2)
    #expect(probe.problems(.malformed).isEmpty)
    #expect(probe.sources == 1)
    for span in probe.spans {
      #expect(throws: Never.self) { try probe.thread.details(at: span.place).get() }
    }
  }

  @Test("without an Origin the test's own tap refuses, as real ones do")
  func strictness() throws {
    let server = try PeerServer()
    let client = try RawClient(port: server.port)
    client.send(
      "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    let peer = try server.accept()
    #expect(throws: TapServer.Refused.self) { try TapServer.welcome(peer) }
    #expect(client.answer()?.status == 403)
  }

  @Test(
    "an answer of 4xx is final, with its reason",
    arguments: [
      ("403 Forbidden", "403 Forbidden, clients from here are not let in"),
      (
        "426 Upgrade Required",
        "426 Upgrade Required, another version of WebSocket, or TLS, is asked for"
      ),
      ("404 Not Found", "404 Not Found, there is nothing at this path"),
      ("401 Unauthorized", "401 Unauthorized, a login is asked for, which perftop does not send"),
      ("418 Teapot", "418 Teapot"),
    ]
  )
  func refused(answer: String, reason: String) throws {
    let server = try PeerServer()
    let probe = probe(server)
    let peer = try server.accept()
    #expect(peer.takeHead() != nil)
    peer.send("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n")
    #expect(probe.wait { $0.refusal != nil })
    #expect(probe.refusal == reason)
    // The only source is gone: so is the run.
    #expect(!probe.wait { _ in false })
    #expect(probe.problems(.unreadable) == [reason])
  }

  @Test(
    "any other answer is said, and another attempt made",
    arguments: [
      (
        "HTTP/1.1 301 Moved\r\nLocation: ws://b:1/\r\n\r\n",
        "301 Moved, moved to ws://b:1/: attach to that"
      ),
      (
        "HTTP/1.1 200 OK\r\n\r\n<html>",
        "200 OK, a web server, no WebSocket: is the port the tap's?"
      ),
      ("HTTP/1.1 503 Busy\r\n\r\n", "503 Busy"),
      (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
          + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
        "its Sec-WebSocket-Accept is wrong: no WebSocket server"
      ),
      ("HTTP/1.1 101 Hm\r\n\r\n", "answers 101, but not with a WebSocket"),
      ("\u{0}\u{0}\u{12}\u{4}", "answers in another protocol than HTTP"),
      ("HTTP/1.1 200 OK\r\n", "closed without an answer"),
      (
        "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 20_000),
        "its answer has a head without an end"
      ),
    ]
  )
  func retried(answer: String, reason: String) throws {
    let server = try PeerServer()
    let probe = probe(server)
    let peer = try server.accept()
    #expect(peer.takeHead() != nil)
    peer.send(answer)
    peer.endSending()
    #expect(probe.wait { !$0.reasons.isEmpty })
    #expect(probe.reasons[0] == reason)
    let next = try server.accept()
    try TapServer.welcome(next)
    next.send(TapServer.frame(RequestBodies.json(1)))
    #expect(probe.wait { $0.spans.count == 1 })
  }

  @Test("a server that never answers the handshake is given up")
  func silent() throws {
    let server = try PeerServer()
    let probe = probe(server) { $0.connectPatience = 50_000_000 }
    let peer = try server.accept()
    #expect(peer.takeHead() != nil)
    #expect(probe.wait { $0.reasons.contains("no answer") })
    #expect(peer.isEnded())
  }

  @Test("the frames of a message are joined, a ping between them is answered with a masked pong")
  func fragments() throws {
    let server = try PeerServer()
    let probe = probe(server)
    let peer = try server.accept()
    try TapServer.welcome(peer)
    let body = RequestBodies.json(1)
    peer.send(TapServer.frame(Array(body[..<40]), first: 0x01))
    peer.send(TapServer.frame("one", first: 0x89))
    peer.send(TapServer.frame(Array(body[40..<41]), first: 0x00))
    peer.send(TapServer.frame("", first: 0x89) + TapServer.frame("late", first: 0x8A))
    let pong = try #require(peer.takeFrame())
    #expect(pong.opcode == 0xA)
    #expect(pong.payload == Array("one".utf8))
    let second = try #require(peer.takeFrame())
    #expect(second.payload.isEmpty)
    // Four random bytes each.
    #expect(pong.mask != second.mask)
    peer.send(TapServer.frame(Array(body[41...]), first: 0x80))
    #expect(probe.wait { $0.spans.count == 1 })
  }

  private static let huge: [UInt8] = [0x81, 127, 0x40, 0, 0, 0, 0, 0, 0, 0]

  @Test(
    "what no server may send ends the connection with its reason, and another attempt is made",
    arguments: [
      ([0x81, 0x81, 1, 2, 3, 4, 0x7A], "a masked frame, which only clients send", 1_002),
      ([0xC1, 1, 0x7B], "a frame with reserved bits, of an extension", 1_002),
      ([0x83, 1, 0x7B], "a frame with the reserved opcode 3", 1_002),
      ([0x8B, 0], "a frame with the reserved opcode 11", 1_002),
      (huge + Array("{}".utf8), "a message of more than 64 MiB", 1_009),
      ([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], "a frame of a length that no frame has", 1_002),
      ([0x80, 1, 0x7B], "the end of no message", 1_002),
      ([0x01, 1, 0x7B, 0x81, 1, 0x7B], "a message within another one", 1_002),
      ([0x09, 1, 0x7B], "a frame of a length that no frame has", 1_002),
    ] as [([UInt8], String, Int)]
  )
  func violations(bytes: [UInt8], reason: String, code: Int) throws {
    let server = try PeerServer()
    let probe = probe(server)
    let peer = try server.accept()
    try TapServer.welcome(peer)
    peer.send(TapServer.frame(RequestBodies.json(1)) + bytes)
    #expect(probe.wait { !$0.reasons.isEmpty })
    #expect(probe.reasons[0] == "not a WebSocket's: \(reason)")
    #expect(probe.spans.count == 1)
    #expect(probe.problems(.malformed) == [reason])
    #expect(probe.problems(.incomplete).isEmpty)
    let farewell = try #require(peer.takeFrame())
    #expect(farewell.opcode == 8)
    #expect(farewell.payload == [UInt8(code >> 8), UInt8(code & 0xFF)])
    #expect(peer.isEnded())
    try TapServer.welcome(try server.accept())
  }

  @Test("a goodbye is answered with its code, and another attempt is made")
  func goodbye() throws {
    let server = try PeerServer()
    let probe = probe(server)
    let peer = try server.accept()
    try TapServer.welcome(peer)
    peer.send(TapServer.frame([0x03, 0xE9], first: 0x88))
    let answer = try #require(peer.takeFrame())
    #expect(answer.opcode == 8)
    #expect(answer.payload == [0x03, 0xE9])
    #expect(peer.isEnded())
    #expect(probe.wait { $0.reasons == ["closed by the server: going away"] })
    try TapServer.welcome(try server.accept())
  }

  @Test("a collector that restarts is found again, and a message that it cut counts once")
  func restart() throws {
    var server: PeerServer? = try PeerServer()
    let port = try #require(server).port
    let probe = probe(try #require(server))
    let peer = try #require(server).accept()
    try TapServer.welcome(peer)
    peer.send(TapServer.frame(RequestBodies.json(1)))
    peer.send(Array(TapServer.frame(RequestBodies.json(2)).prefix(99)))
    #expect(probe.wait { $0.spans.count == 1 })
    server = nil
    peer.hangUp()
    #expect(probe.wait { $0.reasons.contains("connection refused") })
    let back = try PeerServer(port: port)
    let next = try back.accept()
    try TapServer.welcome(next)
    next.send(TapServer.frame(RequestBodies.json(2)))
    #expect(probe.wait { $0.spans.count == 2 })
    #expect(probe.problems(.incomplete) == ["the connection ended within a message"])
    #expect(probe.sources == 1)
  }

  @Test("a tap never waits: what came too fast is dropped, the oldest first, and counted")
  func tooFast() throws {
    let server = try PeerServer()
    let mailbox = Mailbox(limit: 64)
    let probe = AttachProbe(
      .webSocket(host: "127.0.0.1", port: server.port, path: "/"),
      mailbox: mailbox
    ) { $0.queueLimit = 4_000 }
    let peer = try server.accept()
    try TapServer.welcome(peer)
    // Nobody takes from the mailbox, which is full after a few.
    for number in 0..<2_000 { peer.send(TapServer.frame(RequestBodies.json(number))) }
    peer.send(TapServer.frame([0x03, 0xE8], first: 0x88))
    // The answer comes after everything was read.
    #expect(peer.takeFrame()?.opcode == 8)
    #expect(probe.wait { !$0.reasons.isEmpty })
    let dropped = probe.count(of: .droppedMessages)
    #expect(dropped > 0)
    #expect(probe.spans.count + dropped == 2_000)
    #expect(probe.spans.last?.spanID == probe.spans.map(\.spanID).max())
  }
}
