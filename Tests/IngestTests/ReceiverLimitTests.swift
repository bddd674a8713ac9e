import CCompression
import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Limits of a receiver", .timeLimit(.minutes(2)))
struct ReceiverLimitTests {
  private static let head =
    "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
  private static let second: Int64 = 1_000_000_000

  @Test(
    "a body is refused by its announced length at once, and by its pieces when they are too many"
  )
  func tooLarge() throws {
    let probe = try ReceiverProbe { $0.bodyLimit = 1_000 }
    let announced = try probe.client()
    announced.send(Self.head + "Content-Length: 1001\r\n\r\n")
    #expect(announced.answer()?.status == 413)
    #expect(announced.isEnded())
    let chunked = try probe.client()
    chunked.send(Self.head + "Transfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<5 { chunked.send("100\r\n" + String(repeating: " ", count: 256) + "\r\n") }
    #expect(chunked.answer()?.status == 413)
    #expect(chunked.isEnded())
    try probe.settle()
    #expect(probe.problems.count == 2)
  }

  @Test("what is compressed is refused once more than the limit comes out")
  func bomb() throws {
    let probe = try ReceiverProbe { $0.bodyLimit = 100_000 }
    let client = try probe.client()
    let blanks = [UInt8](repeating: 0x20, count: 10_000_000)
    client.post(CompressedFixtures.gzip(blanks), headers: "Content-Encoding: gzip\r\n")
    let answer = try #require(client.answer())
    #expect(answer.status == 413)
    #expect(answer.text.hasPrefix("{\"code\":8,"))
    client.post(RequestBodies.json(1))
    #expect(client.answer()?.status == 200)
  }

  @Test("connections that say nothing, half a head or half a body end when their patience does")
  func patience() throws {
    let probe = try ReceiverProbe {
      $0.headPatience = Self.second / 5
      $0.bodyPatience = Self.second / 5
      $0.idlePatience = Self.second / 5
    }
    let silent = try probe.client()
    let slowHead = try probe.client()
    slowHead.send("POST /v1/traces HTTP/1.1\r\nHost:")
    let slowBody = try probe.client()
    slowBody.send(Self.head + "Content-Length: 500\r\n\r\n{")
    let idle = try probe.client()
    idle.post(RequestBodies.json(1))
    #expect(idle.answer()?.status == 200)
    for client in [silent, slowHead, slowBody] {
      #expect(client.answer()?.status == 408)
      #expect(client.isEnded())
    }
    #expect(idle.isEnded())
    #expect(probe.spanNames == 1)
  }

  @Test("at the cap the connection that has been without a request for the longest gives way")
  func cap() throws {
    let probe = try ReceiverProbe {
      $0.connectionLimit = 8
      $0.slowAfter = .max / 2
    }
    let busy = try probe.client()
    let body = RequestBodies.json(1)
    busy.send(Self.head + "Content-Length: \(body.count)\r\n\r\n")
    busy.send(Array(body.prefix(10)))
    let first = try probe.client()
    first.post(RequestBodies.json(2))
    #expect(first.answer()?.status == 200)
    var others: [RawClient] = []
    for number in 0..<20 {
      let client = try probe.client()
      client.post(RequestBodies.json(10 + number))
      #expect(client.answer()?.status == 200)
      others.append(client)
    }
    #expect(first.isEnded())
    busy.send(Array(body.dropFirst(10)))
    #expect(busy.answer()?.status == 200)
    #expect(probe.spanNames == 22)
  }

  @Test(
    "many that come at once make as many idle ones give way, a silent one no sooner than its turn"
  )
  func burst() throws {
    let probe = try ReceiverProbe {
      $0.connectionLimit = 8
      $0.slowAfter = .max / 2
    }
    var idle: [RawClient] = []
    for number in 0..<6 {
      let client = try probe.client()
      client.post(RequestBodies.json(number))
      #expect(client.answer()?.status == 200)
      idle.append(client)
    }
    var silent: [RawClient] = []
    for _ in 0..<7 { silent.append(try probe.client()) }
    // Eight may stay: the youngest idle one, and all that said nothing yet.
    for client in silent {
      client.post(RequestBodies.json(10))
      #expect(client.answer()?.status == 200)
    }
    for client in idle.prefix(5) { #expect(client.isEnded()) }
    idle[5].post(RequestBodies.json(20))
    #expect(idle[5].answer()?.status == 200)
  }

  @Test("a thousand connections that do nothing keep nobody from sending")
  func idleCrowd() throws {
    let probe = try ReceiverProbe()
    var crowd: [RawClient] = []
    for number in 0..<1_000 {
      let client = try probe.client()
      if number % 3 == 1 { client.send("POST /v1/tra") }
      crowd.append(client)
      guard number % 100 == 0 else { continue }
      let sender = try probe.client()
      sender.post(RequestBodies.json(number))
      #expect(sender.answer()?.status == 200)
    }
    #expect(probe.spanNames == 10)
    #expect(crowd.count == 1_000)
  }

  /// Begins a request, of which the receiver has seen the head.
  private func begin(_ probe: ReceiverProbe, length: Int) throws -> RawClient {
    let client = try probe.client()
    client.send(Self.head + "Expect: 100-continue\r\nContent-Length: \(length)\r\n\r\n")
    #expect(client.answer()?.status == 100)
    return client
  }

  @Test("slow requests give way, the slowest first, and keep nobody from sending")
  func slowCrowd() throws {
    let probe = try ReceiverProbe {
      $0.connectionLimit = 8
      $0.slowAfter = 0
    }
    let body = RequestBodies.json(10)
    let slow = try (0..<8).map { _ in try begin(probe, length: body.count) }
    let senders = try (0..<3).map { number in
      let sender = try probe.client()
      sender.post(RequestBodies.json(number))
      #expect(sender.answer()?.status == 200)
      return sender
    }
    // The first sender has the place of the slowest, each other one that of the idle one before it.
    #expect(slow[0].isEnded())
    #expect(senders[1].isEnded())
    for client in slow.dropFirst() {
      client.send(body)
      #expect(client.answer()?.status == 200)
    }
  }

  @Test("where every request is young, whoever comes is told to try again")
  func youngCrowd() throws {
    let probe = try ReceiverProbe {
      $0.connectionLimit = 4
      $0.slowAfter = .max / 2
    }
    let body = RequestBodies.json(1)
    let young = try (0..<4).map { _ in try begin(probe, length: body.count) }
    let next = try probe.client()
    #expect(next.answer()?.status == 503)
    for client in young {
      client.send(body)
      #expect(client.answer()?.status == 200)
    }
  }

  @Test("senders are told to try again while nobody takes what came, before their body is read")
  func crowded() throws {
    let probe = try ReceiverProbe(mailbox: Mailbox(limit: 50))
    let client = try probe.client()
    var acknowledged = 0
    for number in 0..<100 {
      client.post(RequestBodies.json(number))
      guard client.answer()?.status == 200 else { break }
      acknowledged += 1
    }
    #expect((1..<50).contains(acknowledged))
    let next = try probe.client()
    next.send(Self.head + "Content-Length: 500\r\n\r\n")
    let answer = try #require(next.answer())
    #expect(answer.status == 503)
    #expect(answer.head.contains("Retry-After: 1"))
    #expect(probe.spanNames == acknowledged)
    let again = try probe.client()
    again.post(RequestBodies.json(200))
    #expect(again.answer()?.status == 200)
    #expect(probe.spanNames == acknowledged + 1)
  }

  @Test("what is acknowledged is in the spool, and is the same when it is opened again")
  func kept() throws {
    let folder = try TemporaryFolder()
    let probe = try ReceiverProbe(spool: SpoolSettings(folder: folder.path("spool")))
    let client = try probe.client()
    for number in 0..<4 {
      let isJSON = number % 2 == 0
      client.post(
        isJSON ? RequestBodies.json(number) : RequestBodies.protobuf(number),
        type: isJSON ? "application/json" : "application/x-protobuf"
      )
      #expect(client.answer()?.status == 200)
    }
    let sink = SpoolReading.open(folder.path("spool"), decoder: Decoders.make)
    let spans = sink.events.count { if case .span = $0 { true } else { false } }
    #expect(spans == 4)
    #expect(probe.spanNames == 4)
  }

  @Test("what cannot be kept is neither acknowledged nor shown")
  func notKept() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    let probe = try ReceiverProbe(spool: SpoolSettings(folder: folder.path("file/spool")))
    let client = try probe.client()
    client.post(RequestBodies.json(1))
    #expect(client.answer()?.status == 503)
    let next = try probe.client()
    next.send(Self.head + "Content-Length: 500\r\n\r\n")
    #expect(next.answer()?.status == 503)
    #expect(probe.spanNames == 0)
  }

  @Test(
    "what is no HTTP is named and sent away",
    arguments: [
      ([0x16, 0x03, 0x01, 0x02, 0x00, 0x01], "https"),
      ([0x00, 0x01, 0x02], "does not speak HTTP"),
      (Array("POST /v1/traces HTTP/1.1\r\nHost: a\0b\r\n\r\n".utf8), "NUL"),
    ] as [([UInt8], String)]
  )
  func foreign(bytes: [UInt8], word: String) throws {
    let probe = try ReceiverProbe()
    let client = try probe.client()
    client.send(bytes)
    #expect(client.isEnded())
    try probe.settle()
    #expect(probe.problems.contains { $0.contains(word) })
  }
}
