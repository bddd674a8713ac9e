import CPlatform
import Foundation
import Model
import Testing

@testable import Ingest

@Suite("Receiving OTLP over HTTP", .timeLimit(.minutes(2)))
struct ReceiverTests {
  private static let json = "application/json"
  private static let protobuf = "application/x-protobuf"

  @Test(
    "a JSON request is answered with an empty object, a protobuf one with nothing, and both show"
  )
  func answers() throws {
    let probe = try ReceiverProbe()
    let client = try probe.client()
    client.post(RequestBodies.json(1))
    let first = try #require(client.answer())
    #expect(first.status == 200)
    #expect(first.text == "{}")
    #expect(first.head.contains("Content-Type: application/json"))
    client.post(RequestBodies.protobuf(2), type: Self.protobuf)
    let second = try #require(client.answer())
    #expect(second.status == 200)
    #expect(second.body.isEmpty)
    #expect(second.head.contains("Content-Type: application/x-protobuf"))
    #expect(probe.spanNames == 2)
    #expect(probe.problems.isEmpty)
  }

  @Test("requests that come together are answered in order on the same connection")
  func pipelined() throws {
    let probe = try ReceiverProbe()
    let client = try probe.client()
    let parts = (0..<3).map { RequestBodies.json($0) }
    let head = { (body: [UInt8]) in
      Array(
        "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
          .utf8
      ) + body
    }
    client.send(parts.flatMap(head))
    #expect((0..<3).map { _ in client.answer()?.status } == [200, 200, 200])
    #expect(probe.spanNames == 3)
  }

  @Test("a body comes in pieces, with and without its length, and may be asked for first")
  func pieces() throws {
    let probe = try ReceiverProbe()
    let body = RequestBodies.json(5)
    let client = try probe.client()
    let head = "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    client.send(head + "Content-Length: \(body.count)\r\nExpect: 100-continue\r\n\r\n")
    #expect(client.answer()?.status == 100)
    for byte in body { client.send([byte]) }
    #expect(client.answer()?.status == 200)
    client.send(head + "Transfer-Encoding: chunked\r\n\r\n")
    let middle = body.count / 2
    for part in [body[..<middle], body[middle...]] {
      client.send(String(part.count, radix: 16) + ";ext=1\r\n")
      client.send(Array(part) + [0x0D, 0x0A])
    }
    client.send("0\r\nTrailer: x\r\n\r\n")
    #expect(client.answer()?.status == 200)
    #expect(probe.spanNames == 2)
  }

  @Test("a span that cannot be taken is told of, the others of its request are taken")
  func partial() throws {
    let probe = try ReceiverProbe()
    let client = try probe.client()
    var body = String(decoding: RequestBodies.json(1), as: UTF8.self)
    let good = String(body.split(separator: "[")[3].dropLast(6))
    body = body.replacingOccurrences(
      of: good,
      with: good + ","
        + good.replacingOccurrences(of: "\"1800000000000000000\"", with: "\"yesterday\"")
    )
    client.post(Array(body.utf8))
    let answer = try #require(client.answer())
    #expect(answer.status == 200)
    #expect(answer.text.hasPrefix("{\"partialSuccess\":{\"rejectedSpans\":\"1\",\"errorMessage\":"))
    #expect(probe.spanNames == 1)
  }

  @Test(
    "what cannot be read is refused with a status in the request's encoding",
    arguments: [(json, RequestBodies.protobuf(1)), (protobuf, RequestBodies.json(1))]
  )
  func malformed(type: String, body: [UInt8]) throws {
    let probe = try ReceiverProbe()
    let client = try probe.client()
    client.post(body, type: type)
    let answer = try #require(client.answer())
    #expect(answer.status == 400)
    if type == Self.json {
      #expect(answer.text.hasPrefix("{\"code\":3,\"message\":\""))
    } else {
      // google.rpc.Status: field 1, INVALID_ARGUMENT.
      #expect(answer.body.starts(with: [0x08, 0x03, 0x12]))
    }
    #expect(client.isEnded())
    #expect(probe.spanNames == 0)
    #expect(probe.problems.count == 1)
  }

  @Test(
    "whatever a body was, the next request is read as if it were the first",
    arguments: [
      [0xFF, 0xFE, 0x7B, 0x00, 0x22, 0x00], [0x7B, 0x00, 0x22, 0x00, 0x61, 0x00],
      Array("[[[[".utf8), Array("{\"resourceSpans\":[{".utf8), Array("[{\"spanId\":\"".utf8),
      [0, 0, 0, 0], Array("<html>".utf8), [0xC3, 0x28, 0x80],
    ] as [[UInt8]]
  )
  func nonsense(body: [UInt8]) throws {
    let probe = try ReceiverProbe()
    let sender = try probe.client()
    sender.post(body)
    #expect(sender.answer() != nil)
    for number in 0..<2 {
      let client = try probe.client()
      client.post(RequestBodies.json(number))
      #expect(client.answer()?.text == "{}")
    }
    #expect(probe.spanNames == 2)
  }

  @Test("lines of problems are counted within their request")
  func lines() throws {
    let probe = try ReceiverProbe()
    for _ in 0..<2 {
      let client = try probe.client()
      client.post(Array("\n\nno JSON\n".utf8))
      #expect(client.answer()?.status == 400)
    }
    let lines = probe.observed().compactMap { event -> UInt64? in
      if case .problem(let problem) = event { problem.line } else { nil }
    }
    #expect(lines == [3, 3])
  }

  @Test("metrics are counted and answered, so that senders do not try again")
  func metrics() throws {
    let probe = try ReceiverProbe()
    let client = try probe.client()
    let point = "{\"dataPoints\":[{\"asInt\":\"1\"},{\"asInt\":\"2\"}]}"
    let metric = "{\"name\":\"m\",\"gauge\":\(point)}"
    let text = "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[\(metric)]}]}]}"
    client.post(Array(text.utf8), path: "/v1/metrics")
    #expect(client.answer()?.status == 200)
    let points = probe.observed().reduce(0) { sum, event in
      if case .counted(.metricPoints, let count, _) = event { sum + count } else { sum }
    }
    #expect(points == 2)
  }

  @Test(
    "a request that comes six times shows once more each time: whose copies they are is the model's"
  )
  func copies() throws {
    let probe = try ReceiverProbe()
    let client = try probe.client()
    for _ in 0..<6 {
      client.post(RequestBodies.protobuf(7), type: Self.protobuf)
      #expect(client.answer()?.status == 200)
    }
    var model = SessionModel()
    model.apply(probe.observed())
    let overview = model.overview()
    #expect(overview.quality.receivedSpans == 6)
    #expect(overview.quality.duplicates == 5)
  }

  @Test("whoever is reset, or leaves in the middle of a body, costs nobody else anything")
  func leaving() throws {
    let probe = try ReceiverProbe()
    for _ in 0..<20 {
      let client = try probe.client()
      client.send("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n")
      client.send("Content-Type: application/json\r\n\r\n{\"resourceSpans\"")
      client.reset()
    }
    let client = try probe.client()
    client.post(RequestBodies.json(1))
    #expect(client.answer()?.status == 200)
    #expect(probe.spanNames == 1)
  }

  @Test("a socket's file is its owner's, replaced when nobody listens, and gone at the end")
  func unixSocket() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("otlp.sock")
    do {
      let probe = try ReceiverProbe(.unix(path: path))
      var status = stat()
      #expect(lstat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      let client = try RawClient(path: path)
      client.post(RequestBodies.json(1))
      #expect(client.answer()?.status == 200)
      #expect(probe.spanNames == 1)
      #expect(throws: ListenFailure.self) { try ListenSocket(.unix(path: path)) }
    }
    #expect(access(path, F_OK) != 0)
    // A receiver that was killed leaves its file.
    RawClient.leaveFile(path)
    #expect(access(path, F_OK) == 0)
    _ = try ListenSocket(.unix(path: path))
  }

  @Test("a port that is taken is named, with a way out")
  func taken() throws {
    let first = try ListenSocket(.tcp(host: "127.0.0.1", port: 0))
    let failure = #expect(throws: ListenFailure.self) { try ListenSocket(first.address) }
    guard case .tcp(_, let port) = first.address else { return }
    #expect(failure?.text.contains("port \(port) is taken") == true)
    #expect(failure?.text.contains("--listen :5318") == true)
  }
}
