import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Misuse of HTTP/2", .timeLimit(.minutes(2)))
struct GRPCMisuseTests {
  private static let second: Int64 = 1_000_000_000
  private static let calm: UInt32 = 11

  /// A healthy sender beside whatever happens.
  private func isServed(_ probe: ReceiverProbe, _ number: Int) throws -> Bool {
    let client = FrameClient(try probe.client())
    client.post(1, FrameClient.message(RequestBodies.protobuf(number)))
    return client.answer(1)?.code == "0"
  }

  @Test("pings that measure the line are answered, one for each piece of data and more")
  func probing() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    for number in 0..<1_000 {
      let stream = Int32(number * 2 + 1)
      client.post(stream, FrameClient.message(RequestBodies.protobuf(number)))
      let payload = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
      client.send(.init(kind: .ping, payload: payload))
      #expect(client.answer(stream)?.code == "0")
      let answer = client.frame(.ping) { $0.payload == payload }
      #expect(answer?.flags == FrameClient.ack)
    }
    #expect(probe.spanNames == 1_000)
  }

  @Test(
    "a flood of frames that bring nothing ends its connection, which is told to calm down",
    arguments: ["ping", "settings", "empty data", "priority", "window update"]
  )
  func flood(_ kind: String) throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    client.send(FrameClient.head(1))
    let frame: FrameClient.Frame =
      switch kind {
      case "ping": .init(kind: .ping, payload: [UInt8](repeating: 0, count: 8))
      case "settings": .init(kind: .settings, payload: FrameClient.settings([(4, 65_535)]))
      case "empty data": .init(kind: .data, stream: 1)
      case "priority": .init(kind: .priority, stream: 1, payload: [0, 0, 0, 0, 16])
      default: .init(kind: .windowUpdate, payload: [0, 0, 0, 1])
      }
    for _ in 0..<10 { client.send(all: [FrameClient.Frame](repeating: frame, count: 1_000)) }
    #expect(client.farewell() == Self.calm)
    #expect(client.isEnded())
    #expect(try isServed(probe, 1))
  }

  @Test("calls that are taken back as fast as they are made end their connection")
  func rapidReset() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    for number in 0..<2_000 {
      let stream = Int32(number * 2 + 1)
      client.send(
        FrameClient.head(stream),
        .init(kind: .reset, stream: stream, payload: [0, 0, 0, 8])
      )
    }
    #expect(client.farewell() != nil)
    #expect(client.isEnded())
    #expect(try isServed(probe, 1))
  }

  @Test("a head without end, in frames or in bytes, ends its connection or its call")
  func endlessHead() throws {
    let probe = try ReceiverProbe()
    let endless = FrameClient(try probe.client())
    let header = FrameClient.block([("x", String(repeating: "a", count: 1_000))])
    endless.send(.init(kind: .headers, stream: 1, payload: FrameClient.block(FrameClient.call())))
    for _ in 0..<2_000 { endless.send(.init(kind: .continuation, stream: 1, payload: header)) }
    #expect(endless.isEnded())
    let huge = FrameClient(try probe.client())
    let more = (0..<300).map { ("x-\($0)", "a") }
    huge.send(FrameClient.head(1, FrameClient.call(more)))
    #expect(huge.answer(1)?.reset != nil)
    huge.post(3, FrameClient.message(RequestBodies.protobuf(1)))
    #expect(huge.answer(3)?.code == "0")
    #expect(try isServed(probe, 2))
    #expect(probe.spanNames == 2)
  }

  @Test("a call that is taken back counts once if it was whole, and not at all if it was not")
  func cancelled() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    let message = FrameClient.message(RequestBodies.protobuf(1))
    let cancel = { (stream: Int32) in
      FrameClient.Frame(kind: .reset, stream: stream, payload: [0, 0, 0, 8])
    }
    client.send(
      all: [FrameClient.head(1)] + FrameClient.data(1, message, ends: false) + [cancel(1)]
    )
    client.send(all: [FrameClient.head(3)] + FrameClient.data(3, message) + [cancel(3)])
    client.post(5, FrameClient.message(RequestBodies.protobuf(2)))
    #expect(client.answer(5)?.code == "0")
    #expect(probe.spanNames == 2)
  }

  @Test("calls, heads and connections that stop halfway end when their patience does")
  func patience() throws {
    let probe = try ReceiverProbe {
      $0.headPatience = Self.second / 5
      $0.bodyPatience = Self.second / 5
      $0.idlePatience = Self.second / 2
    }
    let halfHead = FrameClient(try probe.client())
    halfHead.send(.init(kind: .headers, stream: 1, payload: FrameClient.block([("a", "b")])))
    let halfBody = FrameClient(try probe.client())
    halfBody.send(FrameClient.head(1))
    halfBody.send(all: FrameClient.data(1, [0, 0, 0, 0], ends: false))
    let idle = FrameClient(try probe.client())
    idle.post(1, FrameClient.message(RequestBodies.protobuf(1)))
    #expect(idle.answer(1)?.code == "0")
    #expect(halfHead.isEnded())
    #expect(halfBody.answer(1)?.reset == 8)
    #expect(idle.farewell() == 0)
    #expect(idle.isEnded())
    #expect(probe.spanNames == 1)
  }

  @Test("a client that never reads its answers is ended, and costs nobody else anything")
  func neverReads() throws {
    let probe = try ReceiverProbe { $0.bodyPatience = Self.second / 5 }
    // Nothing may be sent on its calls: their answers wait in the receiver.
    let client = FrameClient(try probe.client(), settings: [(4, 0)])
    client.post(1, FrameClient.message(RequestBodies.protobuf(1)))
    #expect(client.answer(1)?.reset == 8)
    #expect(try isServed(probe, 2))
    #expect(probe.spanNames == 2)
  }

  @Test("bytes that are no frames end the connection; others go on")
  func garbage() throws {
    let probe = try ReceiverProbe()
    let client = FrameClient(try probe.client())
    client.send(.init(kind: .data, stream: 0, payload: [1, 2, 3]))
    #expect(client.farewell() == 1)
    #expect(client.isEnded())
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let raw = try probe.client()
      raw.send(FrameClient.preface + FrameClient.Frame(kind: .settings).bytes)
      raw.send((0..<400).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
    #expect(try isServed(probe, 1))
    #expect(probe.spanNames == 1)
  }

  @Test("at the cap the connection that has been without a call for the longest gives way")
  func cap() throws {
    let probe = try ReceiverProbe { $0.connectionLimit = 8 }
    let working = FrameClient(try probe.client())
    working.send(FrameClient.head(1))
    #expect(working.frame(.settings) { $0.flags == FrameClient.ack } != nil)
    var others: [FrameClient] = []
    for number in 0..<20 {
      let client = FrameClient(try probe.client())
      client.post(1, FrameClient.message(RequestBodies.protobuf(number)))
      #expect(client.answer(1)?.code == "0")
      others.append(client)
    }
    #expect(others[0].isEnded())
    working.send(all: FrameClient.data(1, FrameClient.message(RequestBodies.protobuf(100))))
    #expect(working.answer(1)?.code == "0")
    #expect(probe.spanNames == 21)
  }

  @Test("bodies that come at once may only take so much memory; who comes too late tries again")
  func bodies() throws {
    let probe = try ReceiverProbe {
      $0.bodyLimit = 50_000
      $0.bodiesLimit = 60_000
    }
    let piece = [UInt8](repeating: 0, count: 40_000)
    let first = FrameClient(try probe.client())
    first.send(FrameClient.head(1))
    first.send(all: FrameClient.data(1, FrameClient.message(piece, claims: 45_000), ends: false))
    first.send(.init(kind: .ping, payload: [UInt8](repeating: 7, count: 8)))
    #expect(first.frame(.ping) != nil)
    let second = FrameClient(try probe.client())
    second.send(FrameClient.head(1))
    second.send(all: FrameClient.data(1, FrameClient.message(piece, claims: 45_000), ends: false))
    #expect(second.answer(1)?.code == "14")
    first.send(.init(kind: .reset, stream: 1, payload: [0, 0, 0, 8]))
    #expect(try isServed(probe, 1))
  }
}

@Suite("Calm")
struct CalmTests {
  /// How many spendings in a row are calm, at most `limit`.
  private func count(_ limit: Int, _ spend: () -> Bool) -> Int {
    (0..<limit).prefix { _ in spend() }.count
  }

  @Test("a thousand frames of control at once, a hundred a second after them")
  func tokens() {
    var calm = Calm(now: 0)
    #expect(count(5_000) { calm.control(now: 0) } == 1_000)
    var later = Calm(now: 0)
    #expect(count(1_000) { later.control(now: 0) } == 1_000)
    #expect(count(5_000) { later.control(now: 1_000_000_000) } == 100)
  }

  @Test("data brings two back, a request that is taken back takes ten")
  func costs() {
    var calm = Calm(now: 0)
    #expect(count(5_000) { calm.reset(now: 0) } == 100)
    var fed = Calm(now: 0)
    let fedCount = count(5_000) {
      fed.content()
      let first = fed.control(now: 0)
      return fed.control(now: 0) && first
    }
    #expect(fedCount == 5_000)
  }
}
