import CNetwork
import Foundation
import Testing

@testable import Ingest

@Suite("WebSocket handshake and frames")
struct WebSocketTests {
  init() throws { try #require(cn_websocket_load() == nil) }

  @Test("the accept of a key is that of RFC 6455, section 1.3")
  func accept() {
    #expect(
      WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    )
    // The test's own server agrees.
    #expect(TapServer.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test("keys are 16 random bytes")
  func keys() {
    let keys = (0..<8).map { _ in WebSocketHandshake(authority: "a:1", path: "/").key }
    #expect(Set(keys).count == 8)
    for key in keys { #expect(Data(base64Encoded: key)?.count == 16) }
  }

  @Test("an answer may come in any pieces, and its fields in any case, with frames behind it")
  func pieces() throws {
    let answer = Array(
      ("HTTP/1.1 101 ok\r\nUPGRADE:  WebSocket \r\nconnection: keep-alive, Upgrade\r\n"
        + "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nrest").utf8
    )
    for cut in 0...answer.count {
      var handshake = WebSocketHandshake(
        authority: "a:1",
        path: "/",
        key: "dGhlIHNhbXBsZSBub25jZQ=="
      )
      let first = try take(Array(answer[..<cut]), &handshake)
      let rest = first ?? []
      let second = try first == nil ? take(Array(answer[cut...]), &handshake) : []
      let behind = first == nil ? second : rest + answer[cut...]
      #expect(behind == Array("rest".utf8), "cut at \(cut)")
    }
  }

  @Test("extensions that were not asked for are refused")
  func extensions() {
    var handshake = WebSocketHandshake(authority: "a:1", path: "/")
    let answer = Array(
      (TapServer.answer(to: handshake.key).dropLast(2)
        + "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n").utf8
    )
    #expect(throws: AttachEnd(reason: "wants a WebSocket extension that was not asked for")) {
      try take(answer, &handshake)
    }
  }

  private func take(_ bytes: [UInt8], _ handshake: inout WebSocketHandshake) throws -> [UInt8]? {
    var end: AttachEnd?
    let rest = bytes.withUnsafeBytes { bytes -> [UInt8]? in
      do throws(AttachEnd) { return try handshake.take(bytes) } catch {
        end = error
        return nil
      }
    }
    if let end { throw end }
    return rest
  }

  private func events(_ pieces: [[UInt8]], limit: Int = 1 << 20) throws -> [WebSocketEvent] {
    guard var messages = WebSocketMessages(limit: limit, mask: { 0 }) else { return [] }
    var events: [WebSocketEvent] = []
    var violation: WebSocketMessages.Violation?
    for piece in pieces where violation == nil {
      // The compiler cannot pass a typed error through `withUnsafeBytes`.
      piece.withUnsafeBytes { bytes in
        do throws(WebSocketMessages.Violation) {
          try messages.take(bytes) { events.append($0) }
        } catch { violation = error }
      }
    }
    if let violation { throw violation }
    return events
  }

  @Test("the examples of RFC 6455, section 5.7, are read")
  func examples() throws {
    let hello = Array("Hello".utf8)
    #expect(try events([[0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]]) == [.message(hello)])
    #expect(
      try events([[0x01, 0x03, 0x48, 0x65, 0x6C], [0x80, 0x02, 0x6C, 0x6F]]) == [.message(hello)]
    )
    // With a mask of zeros the answer to the ping is its payload.
    #expect(
      try events([[0x89, 0x05] + hello]) == [.answer([0x8A, 0x85, 0, 0, 0, 0] + hello)]
    )
    let large = [UInt8](repeating: 7, count: 65_536)
    #expect(
      try events([[0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + large]) == [.message(large)]
    )
    #expect(
      try events([[0x82, 0x7E, 0x01, 0x00] + large[..<256]]) == [.message(Array(large[..<256]))]
    )
  }

  @Test("frames may be cut at any byte")
  func splits() throws {
    let body = RequestBodies.json(1)
    let bytes =
      TapServer.frame(Array(body[..<5]), first: 0x01) + TapServer.frame("ping", first: 0x89)
      + TapServer.frame(Array(body[5...]), first: 0x80) + TapServer.frame("x")
      + TapServer.frame([0x03, 0xE8, 0x68, 0x69], first: 0x88)
    let whole = try events([bytes])
    #expect(whole.count == 5)
    #expect(whole[1] == .message(body))
    #expect(whole[4] == .closed("closed by the server: hi"))
    for cut in bytes.indices {
      #expect(try events([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
    }
    #expect(try events(bytes.map { [$0] }) == whole)
  }

  @Test("the limit is that of a message, not of a frame, and what is at it is taken")
  func limit() throws {
    let half = [UInt8](repeating: 1, count: 512 << 10)
    let two = [TapServer.frame(half, first: 0x01), TapServer.frame(half, first: 0x80)]
    #expect(try events(two) == [.message(half + half)])
    let violation = WebSocketMessages.Violation(text: "a message of more than 1 MiB", code: 1_009)
    #expect(throws: violation) {
      try events([
        TapServer.frame(half, first: 0x01), TapServer.frame(half, first: 0x00),
        TapServer.frame([1], first: 0x80),
      ])
    }
  }
}
