import CCompression
import Model
import Testing

@testable import Ingest

@Suite("Heads of HTTP requests")
struct HTTPHeadTests {
  private static func head(
    _ headers: [(String, String)] = [],
    method: String = "POST",
    path: String = "/v1/traces",
    version: String = "HTTP/1.1"
  ) -> HTTPHead {
    let all =
      [("content-type", "application/json"), ("content-length", "10")].filter { standard in
        !headers.contains { $0.0 == standard.0 }
      } + headers
    return HTTPHead(
      method: method,
      path: path,
      version: version,
      header: { name in all.first { $0.0 == name && $0.1 != "absent" }?.1 },
      count: { name in all.count { $0.0 == name && $0.1 != "absent" } }
    )
  }

  private static func status(_ head: HTTPHead, _ settings: ReceiverSettings = .init()) -> UInt32 {
    switch head.request(settings) {
    case .success: 200
    case .failure(let refusal): refusal.answer.status
    }
  }

  @Test(
    "a request is taken or refused by its head",
    arguments: [
      ([], 200), ([("content-type", "application/x-protobuf")], 200),
      ([("content-type", "Application/JSON; charset=utf-8")], 200),
      ([("content-type", "absent")], 415), ([("content-type", "text/plain")], 415),
      ([("content-type", "multipart/form-data")], 415),
      ([("content-encoding", "gzip")], 200), ([("content-encoding", "x-gzip")], 200),
      ([("content-encoding", "identity")], 200), ([("content-encoding", "zstd")], 200),
      ([("content-encoding", "br")], 415), ([("content-encoding", "gzip, gzip")], 415),
      ([("content-length", "absent")], 411),
      ([("content-length", "absent"), ("transfer-encoding", "chunked")], 200),
      ([("content-length", "10"), ("transfer-encoding", "chunked")], 400),
      ([("content-length", "10"), ("content-length", "11")], 400),
      ([("content-length", "-1")], 400), ([("content-length", "ten")], 400),
      ([("content-length", "1000000000000000")], 413),
      ([("content-length", "99999999999999999999")], 413),
      ([("expect", "100-Continue")], 200), ([("expect", "magic")], 417),
      ([("host", "a"), ("host", "b")], 400),
      ([("origin", "http://localhost:3000")], 200), ([("origin", "http://127.0.0.1")], 200),
      ([("origin", "http://[::1]:80")], 200), ([("origin", "https://evil.example")], 403),
      ([("origin", "http://localhost.evil.example")], 403), ([("origin", "null")], 403),
      ([("host", "evil.example")], 200),
    ] as [([(String, String)], UInt32)]
  )
  func headers(headers: [(String, String)], status: UInt32) {
    #expect(Self.status(Self.head(headers)) == status)
  }

  @Test(
    "the path, the method and the version decide first",
    arguments: [
      ("POST", "/v1/logs", "HTTP/1.1", 200), ("POST", "/v1/metrics", "HTTP/1.0", 200),
      ("POST", "/v1development/profiles", "HTTP/1.1", 200),
      ("POST", "http://127.0.0.1:4318/v1/traces", "HTTP/1.1", 200),
      ("POST", "/v1/traces/", "HTTP/1.1", 404), ("POST", "/", "HTTP/1.1", 404),
      ("GET", "/v1/traces", "HTTP/1.1", 405), ("PUT", "/v1/traces", "HTTP/1.1", 405),
      ("OPTIONS", "/v1/traces", "HTTP/1.1", 405), ("POST", "/v1/traces", "HTTP/3.0", 505),
    ] as [(String, String, String, UInt32)]
  )
  func lines(method: String, path: String, version: String, status: UInt32) {
    #expect(Self.status(Self.head(method: method, path: path, version: version)) == status)
  }

  @Test(
    "with a token, senders without it are sent away before their body",
    arguments: [
      ("absent", 401), ("Bearer secret", 200), ("bearer secret", 200), ("Bearer secre", 401),
      ("Bearer secrets", 401), ("Basic secret", 401), ("Bearer ", 401),
    ] as [(String, UInt32)]
  )
  func token(given: String, status: UInt32) {
    var settings = ReceiverSettings()
    settings.token = "secret"
    #expect(Self.status(Self.head([("authorization", given)]), settings) == status)
  }

  @Test(
    "addresses are read as people write them",
    arguments: [
      (":5318", "127.0.0.1:5318"), ("localhost:1", "localhost:1"), ("[::1]:4318", "[::1]:4318"),
      ("0.0.0.0:4318", "0.0.0.0:4318"), ("unix:/tmp/a b.sock", "unix:/tmp/a b.sock"),
      ("unix:", nil), ("4318", nil), ("host:", nil), ("host:x", nil), ("host:70000", nil),
      ("::1:4318", nil), ("host:-1", nil),
    ] as [(String, String?)]
  )
  func addresses(text: String, expected: String?) {
    #expect(ListenAddress(text)?.text == expected)
  }

  @Test(
    "only this machine's addresses are local",
    arguments: [
      ("localhost", true), ("app.localhost", true), ("127.8.0.1", true), ("::1", true),
      ("0.0.0.0", false), ("::", false), ("127.0.0.1.example", false), ("192.168.0.1", false),
      ("127.0.0", false), ("localhost.example", false),
    ]
  )
  func local(host: String, isLocal: Bool) {
    #expect(ListenAddress.tcp(host: host, port: 1).isLocal == isLocal)
  }

  @Test("deflate is read with zlib's header and without, gzip and zstd by their magic numbers only")
  func codings() throws {
    let text = Array(String(repeating: "perftop ", count: 100).utf8)
    // Python's `zlib.compress(b"perftop " * 100)`.
    let zlib: [UInt8] = [
      0x78, 0x9C, 0x2B, 0x48, 0x2D, 0x4A, 0x2B, 0xC9, 0x2F, 0x50, 0x28, 0x18, 0xA5, 0x47, 0xE9,
      0x51,
      0x1A, 0x83, 0x06, 0x00, 0x65, 0xAF, 0x38, 0x90,
    ]
    #expect(try ContentCoding("deflate")?.decoded(zlib, limit: 1_000) == text)
    let raw = Array(zlib.dropFirst(2).dropLast(4))
    #expect(try ContentCoding("deflate")?.decoded(raw, limit: 1_000) == text)
    #expect(throws: ContentCoding.Failure.tooLarge) {
      try ContentCoding("deflate")?.decoded(zlib, limit: 799)
    }
    #expect(try ContentCoding("gzip")?.decoded(CompressedFixtures.gzip(text), limit: 800) == text)
    for name in ["gzip", "zstd", "deflate"] {
      #expect(throws: ContentCoding.Failure.self) {
        try ContentCoding(name)?.decoded(Array("not compressed".utf8), limit: 100)
      }
    }
    #expect(throws: ContentCoding.Failure.self) {
      try ContentCoding("gzip")?.decoded(CompressedFixtures.gzip(text).dropLast(9), limit: 800)
    }
  }

  @Test("a connection is judged by its first bytes, as soon as they suffice")
  func greetings() {
    func greeting(_ text: String) -> Greeting? { Greeting(Array(text.utf8)[...]) }
    #expect(greeting("PO") == nil)
    #expect(greeting("POST /") == .http)
    #expect(greeting("PRI * HTTP/2.0\r\n") == nil)
    #expect(greeting("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == .http2)
    #expect(greeting("PRI * HTTP/1.1\r\n\r\n") == .http)
    #expect(greeting("\r\nPOST / ") == .http)
    #expect(greeting("{\"resourceSpans\"") == .other)
    #expect(greeting(String(repeating: "A", count: 23)) == nil)
    #expect(greeting(String(repeating: "A", count: 24)) == .other)
    #expect(Greeting([0x16]) == nil)
    #expect(Greeting([0x16, 0x03]) == .tls)
  }

  /// Expected bytes: the official classes' `SerializeToString` of the same values.
  @Test("answers are those that the official classes write")
  func answers() {
    let partial = HTTPAnswer.taken(.protobuf, .traces, rejected: 300, problem: "bad")
    #expect(partial.body == [0x0A, 0x08, 0x08, 0xAC, 0x02, 0x12, 0x03, 0x62, 0x61, 0x64])
    let warning = HTTPAnswer.taken(.json, .logs, rejected: 0, problem: "a \"b\"")
    #expect(
      String(decoding: warning.body, as: UTF8.self)
        == #"{"partialSuccess":{"errorMessage":"a \"b\""}}"#
    )
    let failure = HTTPAnswer.failure(400, .invalidArgument, "no", .protobuf)
    #expect(failure.body == [0x08, 0x03, 0x12, 0x02, 0x6E, 0x6F])
    #expect(HTTPAnswer.taken(.protobuf, .traces, rejected: 0, problem: nil).body.isEmpty)
  }
}

@Suite("What senders are told")
struct EndpointTests {
  @Test(
    "the endpoint of an address",
    arguments: [
      ("127.0.0.1:4318", "http://127.0.0.1:4318", "http/protobuf", true),
      ("127.0.0.1:4317", "http://127.0.0.1:4317", "grpc", true),
      ("[::1]:9000", "http://[::1]:9000", "http/protobuf", true),
      ("0.0.0.0:5318", "http://THIS-MACHINE:5318", "http/protobuf", false),
      ("10.0.0.7:4317", "http://10.0.0.7:4317", "grpc", false),
      ("unix:/run/perftop.sock", "unix:///run/perftop.sock", "grpc", true),
    ] as [(String, String, String, Bool)]
  )
  func endpoint(text: String, url: String, name: String, isLocal: Bool) throws {
    let endpoint = try #require(ListenAddress(text)).endpoint(needsToken: false)
    #expect(endpoint.url == url)
    #expect(endpoint.protocolName == name)
    #expect(endpoint.isLocal == isLocal)
  }
}
