import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Calls of gRPC", .timeLimit(.minutes(2)))
struct GRPCReceiverTests {
  private static let logs = "/opentelemetry.proto.collector.logs.v1.LogsService/Export"
  private static let body = RequestBodies.protobuf(1)

  @Test("a call is shown when it is acknowledged, with an empty response and status 0")
  func taken() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    client.post(1, FrameClient.message(Self.body))
    let answer = try #require(client.answer(1))
    #expect(answer.status == "200")
    #expect(answer.headers.first?["content-type"] == "application/grpc")
    #expect(answer.body == [0, 0, 0, 0, 0])
    #expect(answer.headers.count == 2)
    #expect(answer.code == "0")
    #expect(probe.spanNames == 1)
  }

  @Test("a message may come in frames of any size, its head in several, and several calls at once")
  func split() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    let block = FrameClient.block(FrameClient.call())
    client.send(
      .init(kind: .headers, stream: 1, payload: Array(block[..<10])),
      .init(kind: .continuation, stream: 1, payload: Array(block[10..<20])),
      .init(
        kind: .continuation,
        flags: FrameClient.endHeaders,
        stream: 1,
        payload: Array(block[20...])
      )
    )
    let pieces = FrameClient.data(1, FrameClient.message(RequestBodies.protobuf(1)), size: 1)
    let others = FrameClient.data(3, FrameClient.message(RequestBodies.protobuf(2)), size: 3)
    client.send(FrameClient.head(3))
    for index in 0..<max(pieces.count, others.count) {
      if index < pieces.count { client.send(pieces[index]) }
      if index < others.count { client.send(others[index]) }
    }
    #expect(client.answer(1)?.code == "0")
    #expect(client.answer(3)?.code == "0")
    #expect(probe.spanNames == 2)
  }

  @Test("a message of 20 MiB comes through, since the windows are opened again")
  func large() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    // A span whose name is as long as needed, and many more bytes than the first windows have.
    let filler = ProtobufBytes.bytes(100, [UInt8](repeating: 0x61, count: 20 << 20))
    let frames = FrameClient.data(1, FrameClient.message(Self.body + filler))
    client.send(FrameClient.head(1))
    var windows: [Int32: Int] = [0: 65_535, 1: 1 << 20]
    for frame in frames {
      let size = frame.payload.count
      while (windows[0] ?? 0) < size || (windows[1] ?? 0) < size {
        let update = try #require(client.frame(.windowUpdate))
        windows[update.stream, default: 0] += update.payload.reduce(0) { $0 << 8 | Int($1) }
      }
      windows[0, default: 0] -= size
      windows[1, default: 0] -= size
      client.send(frame)
    }
    #expect(client.answer(1)?.code == "0")
    #expect(probe.spanNames == 1)
  }

  @Test("messages may be compressed, each for itself", arguments: ["gzip", "zstd", "identity"])
  func compressed(_ encoding: String) throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    let head = FrameClient.call([("grpc-encoding", encoding)])
    client.post(1, FrameClient.message(Self.body), head)
    let bytes =
      switch encoding {
      case "gzip": CompressedFixtures.gzip(RequestBodies.protobuf(2))
      case "zstd": CompressedFixtures.zstd(RequestBodies.protobuf(2))
      default: RequestBodies.protobuf(2)
      }
    client.post(3, FrameClient.message(bytes, isCompressed: encoding != "identity"), head)
    #expect(client.answer(1)?.code == "0")
    #expect(client.answer(3)?.code == "0")
    #expect(probe.spanNames == 2)
  }

  @Test(
    "logs, metrics and profiles have methods of their own, and an empty message is fine",
    arguments: [
      logs, "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
      "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export",
    ]
  )
  func methods(_ path: String) throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    client.post(1, FrameClient.message([]), FrameClient.call(path: path))
    #expect(client.answer(1)?.code == "0")
    #expect(probe.problems.isEmpty)
  }

  @Test("records that are dropped are told of in the response, which is a success")
  func partial() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    // The start of a varint that never ends, where a span should be.
    let bad = ProtobufBytes.bytes(1, ProtobufBytes.bytes(2, ProtobufBytes.bytes(2, [0xFF])))
    client.post(1, FrameClient.message(Self.body + bad))
    let answer = try #require(client.answer(1))
    #expect(answer.code == "0")
    // ExportTraceServiceResponse.partial_success with rejected_spans 1.
    #expect(answer.body.count > 9)
    #expect(answer.body[0] == 0)
    #expect(answer.body[5] == 0x0A)
    #expect(Array(answer.body[7...8]) == [0x08, 1])
    #expect(probe.spanNames == 1)
  }

  @Test("whatever is wrong with a call has a code of its own, and the next call is fine")
  func refused() throws {
    let probe = try ReceiverProbe { $0.bodyLimit = 100_000 }
    let client = FrameClient(try probe.client())
    let gzip = FrameClient.call([("grpc-encoding", "gzip")])
    let bomb = CompressedFixtures.gzip([UInt8](repeating: 0, count: 1_000_000))
    let message = FrameClient.message(Self.body)
    let cases: [(name: String, code: String, [(String, String)], [UInt8])] = [
      ("no protobuf", "3", FrameClient.call(), FrameClient.message([0x7B, 0x7D])),
      ("another service", "12", FrameClient.call(path: "/a.B/Export"), message),
      (
        "another method", "12",
        FrameClient.call(path: Self.logs.replacingOccurrences(of: "Export", with: "Read")), message
      ),
      ("unknown encoding", "12", FrameClient.call([("grpc-encoding", "br")]), message),
      ("two messages", "12", FrameClient.call(), message + message),
      ("no message", "13", FrameClient.call(), []),
      ("cut prefix", "13", FrameClient.call(), [0, 0, 0]),
      ("cut message", "13", FrameClient.call(), FrameClient.message(Self.body, claims: 500)),
      ("flag 2", "13", FrameClient.call(), [2] + message.dropFirst()),
      (
        "compressed without encoding", "13", FrameClient.call(),
        FrameClient.message(Self.body, isCompressed: true)
      ),
      ("no gzip", "13", gzip, FrameClient.message(Self.body, isCompressed: true)),
      (
        "cut gzip", "13", gzip,
        FrameClient.message(CompressedFixtures.gzip(Self.body).dropLast(9), isCompressed: true)
      ),
      ("bomb", "8", gzip, FrameClient.message(bomb, isCompressed: true)),
    ]
    for (index, (name, code, head, bytes)) in cases.enumerated() {
      let stream = Int32(index * 2 + 1)
      client.post(stream, bytes, head)
      let answer = try #require(client.answer(stream), "\(name)")
      #expect(answer.code == code, "\(name)")
      #expect(answer.status == "200", "\(name)")
      #expect(answer.headers.count == 1, "\(name)")
      #expect(answer.message?.isEmpty == false, "\(name)")
    }
    let last = Int32(cases.count * 2 + 1)
    client.post(last, message)
    #expect(client.answer(last)?.code == "0")
    #expect(probe.spanNames == 1)
    #expect(probe.problems.count == cases.count)
  }

  @Test("a message that claims too much is refused before it comes, and the rest is not wanted")
  func claims() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    client.send(FrameClient.head(1))
    client.send(
      all: FrameClient.data(1, FrameClient.message([1], claims: 0x7FFF_FFFF), ends: false)
    )
    let answer = try #require(client.answer(1))
    #expect(answer.code == "8")
    let reset = client.frame(.reset) { $0.stream == 1 }
    #expect(reset?.payload == [0, 0, 0, 0])
    client.post(3, FrameClient.message(Self.body))
    #expect(client.answer(3)?.code == "0")
  }

  @Test("what is no gRPC is answered with a status of HTTP and a sentence")
  func other() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    client.post(1, Array("{}".utf8), FrameClient.call(type: "application/json"))
    let json = try #require(client.answer(1))
    #expect(json.status == "415")
    #expect(String(decoding: json.body, as: UTF8.self).contains("application/grpc"))
    client.send(FrameClient.head(3, FrameClient.call(method: "GET"), ends: true))
    #expect(client.answer(3)?.status == "405")
    #expect(probe.spanNames == 0)
  }

  @Test("a token is asked for before the message, and compared as a whole")
  func token() throws {
    let probe = try ReceiverProbe { $0.token = "secret" }
    let client = FrameClient(try probe.client())
    client.send(FrameClient.head(1))
    #expect(client.answer(1)?.code == "16")
    client.post(
      3,
      FrameClient.message(Self.body),
      FrameClient.call([("authorization", "Bearer secre")])
    )
    #expect(client.answer(3)?.code == "16")
    client.post(
      5,
      FrameClient.message(Self.body),
      FrameClient.call([("authorization", "bearer secret")])
    )
    #expect(client.answer(5)?.code == "0")
    #expect(probe.spanNames == 1)
  }

  @Test("while nothing can be taken, senders are told before the message to try again in a second")
  func busy() throws {
    let probe = try ReceiverProbe(mailbox: Mailbox(limit: 50))
    let client = FrameClient(try probe.client())
    var acknowledged = 0
    for number in 0..<100 {
      let stream = Int32(number * 2 + 1)
      client.post(stream, FrameClient.message(RequestBodies.protobuf(number)))
      guard client.answer(stream)?.code == "0" else { break }
      acknowledged += 1
    }
    #expect((1..<50).contains(acknowledged))
    client.send(FrameClient.head(301))
    let answer = try #require(client.answer(301))
    #expect(answer.code == "14")
    // google.rpc.RetryInfo{retry_delay{seconds: 1}}: 0A 02 08 01.
    #expect(answer.headers.last?["google.rpc.retryinfo-bin"] == "CgIIAQ")
    let details = try #require(answer.headers.last?["grpc-status-details-bin"])
    let padded = details + String(repeating: "=", count: (4 - details.count % 4) % 4)
    let status = try #require(Data(base64Encoded: padded))
    #expect(status.starts(with: [0x08, 14, 0x12]))
    #expect(status.suffix(6) == Data([0x12, 4, 0x0A, 2, 0x08, 1]))
    #expect(probe.spanNames == acknowledged)
  }

  @Test("HTTP/1 at the port of gRPC is told where to go, and other addresses take both")
  func hint() throws {
    let address = ListenAddress.tcp(host: "127.0.0.1", port: 4317)
    #expect(address.isForGRPC)
    #expect(!ListenAddress.tcp(host: "127.0.0.1", port: 4318).isForGRPC)
    guard let probe = try? ReceiverProbe(address) else {
      // Somebody listens there: nothing can be said.
      return
    }
    let http = try probe.client()
    http.post(RequestBodies.json(1))
    let answer = try #require(http.answer())
    #expect(answer.status == 400)
    #expect(answer.text == "gRPC is received at this port; OTLP/HTTP goes to port 4318\n")
    #expect(http.isEnded())
    let client = FrameClient(try probe.client())
    client.post(1, FrameClient.message(Self.body))
    #expect(client.answer(1)?.code == "0")
    #expect(
      probe.problems == [
        "an HTTP/1 client: gRPC is received at this port; OTLP/HTTP goes to port 4318"
      ]
    )
  }
}
