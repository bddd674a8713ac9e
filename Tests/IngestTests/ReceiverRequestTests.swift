import Foundation
import Model
import Testing

@testable import Ingest

/// A request as raw bytes, what it is answered, and whether the connection is over then.
struct RawRequest: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var statuses: [Int]
  var isEnded: Bool
  /// Spans that are shown afterwards.
  var spans = 0

  var testDescription: String { name }

  init(_ name: String, _ text: String, _ statuses: [Int], isEnded: Bool = true, spans: Int = 0) {
    self.name = name
    bytes = Array(text.utf8)
    self.statuses = statuses
    self.isEnded = isEnded
    self.spans = spans
  }
}

@Suite("Odd requests over HTTP", .timeLimit(.minutes(2)))
struct ReceiverRequestTests {
  private static let body = String(decoding: RequestBodies.json(1), as: UTF8.self)

  /// A head whose usual lines may be left out or replaced.
  private static func head(
    line: String = "POST /v1/traces HTTP/1.1",
    host: String? = "Host: localhost",
    type: String? = "Content-Type: application/json",
    length: String? = "Content-Length: \(body.utf8.count)",
    _ more: String...
  ) -> String {
    ([line, host, type, length].compactMap(\.self) + more).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static let lengths = [
    RawRequest("two lengths", head("Content-Length: 5") + body, [400]),
    RawRequest(
      "a length and chunks",
      head("Transfer-Encoding: chunked") + "0\r\n\r\n",
      [400]
    ),
    RawRequest("a negative length", head(length: "Content-Length: -5") + body, [400]),
    RawRequest("a length that is text", head(length: "Content-Length: ten") + body, [400]),
    RawRequest("a length of 1e15", head(length: "Content-Length: 1000000000000000"), [413]),
    RawRequest("no length", head(length: nil), [411]),
    RawRequest("a length that is too short", head(length: "Content-Length: 40") + body, [400]),
    RawRequest(
      "a chunk size that is none",
      head(length: "Transfer-Encoding: chunked") + "zz\r\n{}\r\n0\r\n\r\n",
      [400]
    ),
    RawRequest("another expectation", head("Expect: cake"), [417]),
  ]

  private static let versions = [
    RawRequest(
      "HTTP/1.0",
      head(line: "POST /v1/traces HTTP/1.0", host: nil) + body,
      [200],
      spans: 1
    ),
    RawRequest(
      "HTTP/1.0 that goes on",
      head(line: "POST /v1/traces HTTP/1.0", "Connection: keep-alive") + body,
      [200],
      isEnded: false,
      spans: 1
    ),
    RawRequest("HTTP/0.9", "GET /v1/traces\r\n\r\n", [400]),
    RawRequest("HTTP/3.0", head(line: "POST /v1/traces HTTP/3.0") + body, [505]),
    RawRequest("TLS", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}", []),
    RawRequest("no protocol at all", "\u{01}\u{02}\u{03}\u{04}", [400]),
  ]

  private static let heads = [
    RawRequest("70 kB of header", head("X: " + String(repeating: "a", count: 70_000)), [431]),
    RawRequest(
      "70 kB of URL",
      head(line: "POST /" + String(repeating: "a", count: 70_000) + " HTTP/1.1"),
      [414]
    ),
    RawRequest("a NUL in a header", head("X: a\0b") + body, [400]),
    RawRequest("no Host", head(host: nil) + body, [400]),
    RawRequest("the last request", head("Connection: close") + body, [200], spans: 1),
    RawRequest(
      "a whole address",
      head("POST http://localhost/v1/traces HTTP/1.1") + body,
      [200],
      isEnded: false,
      spans: 1
    ),
    RawRequest(
      "a query",
      head(line: "POST /v1/traces?a=b HTTP/1.1") + body,
      [200],
      isEnded: false,
      spans: 1
    ),
    RawRequest("a slash too many", head(line: "POST /v1/traces/ HTTP/1.1") + body, [404]),
    RawRequest("GET", head(line: "GET /v1/traces HTTP/1.1", type: nil, length: nil), [405]),
    RawRequest("OPTIONS", head(line: "OPTIONS /v1/traces HTTP/1.1", type: nil, length: nil), [405]),
    RawRequest("PUT", head(line: "PUT /v1/traces HTTP/1.1") + body, [405]),
    RawRequest("no content type", head(type: nil) + body, [415]),
    RawRequest("plain text", head(type: "Content-Type: text/plain") + body, [415]),
    RawRequest("a form", head(type: "Content-Type: multipart/form-data") + body, [415]),
    RawRequest("brotli", head("Content-Encoding: br") + body, [415]),
    RawRequest("two codings", head("Content-Encoding: gzip, gzip") + body, [415]),
    RawRequest("no gzip", head("Content-Encoding: gzip") + body, [400]),
    RawRequest(
      "identity",
      head("Content-Encoding: identity") + body,
      [200],
      isEnded: false,
      spans: 1
    ),
  ]

  private static let strangers = [
    RawRequest("a page elsewhere", head("Origin: https://example.com") + body, [403]),
    RawRequest(
      "a page here",
      head("Origin: http://localhost:3000") + body,
      [200],
      isEnded: false,
      spans: 1
    ),
    RawRequest("a page's name for here", head(host: "Host: evil.example:4318") + body, [403]),
    RawRequest(
      "a name that begins alike",
      head(host: "Host: localhost.evil.example") + body,
      [403]
    ),
    RawRequest(
      "an address",
      head(host: "Host: [::1]:4318") + body,
      [200],
      isEnded: false,
      spans: 1
    ),
    RawRequest(
      "a container",
      head(host: "Host: host.docker.internal:4318") + body,
      [200],
      isEnded: false,
      spans: 1
    ),
  ]

  @Test(
    "each request has its answer, and disturbs no sender beside it",
    arguments: lengths + versions + heads + strangers
  )
  func answered(_ request: RawRequest) throws {
    let probe = try ReceiverProbe()
    let healthy = try probe.client()
    healthy.post(RequestBodies.json(100))
    #expect(healthy.answer()?.status == 200)
    let client = try probe.client()
    client.send(request.bytes)
    for status in request.statuses {
      let answer = client.answer()
      #expect(answer?.status == status)
      #expect(answer?.head.lowercased().contains("access-control") == false)
    }
    if request.isEnded { #expect(client.isEnded()) }
    healthy.post(RequestBodies.json(101))
    #expect(healthy.answer()?.status == 200)
    #expect(probe.spanNames == 2 + request.spans)
  }

  @Test("a bearer token is demanded before the body, and no name of the machine then")
  func token() throws {
    let probe = try ReceiverProbe { $0.token = "secret" }
    for (header, status) in [
      ("", 401), ("Authorization: Bearer secreT\r\n", 401), ("Authorization: Bearer s\r\n", 401),
      ("Authorization: Bearer secret\r\n", 200),
    ] {
      let client = try probe.client()
      client.post(RequestBodies.json(1), headers: header)
      #expect(client.answer()?.status == status)
    }
    #expect(probe.spanNames == 1)
  }
}
