import Foundation
import Model
import TestSupport
import Testing

@testable import Ingest

@Suite("Attached streams", .timeLimit(.minutes(2)))
struct AttachStreamTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum Scheme: CaseIterable { case tcp, unix }

  private func server(_ scheme: Scheme, again port: UInt16 = 0) throws -> PeerServer {
    switch scheme {
    case .tcp: try PeerServer(port: port)
    case .unix: try PeerServer(path: folder.path("socket"))
    }
  }

  private func address(_ scheme: Scheme, _ server: PeerServer) -> AttachAddress {
    switch scheme {
    case .tcp: .tcp(host: "127.0.0.1", port: server.port)
    case .unix: .unix(path: folder.path("socket"))
    }
  }

  private static func line(_ number: Int) -> [UInt8] { RequestBodies.json(number) + [0x0A] }

  @Test("JSON lines are read as they come, ledger lines among them", arguments: Scheme.allCases)
  func lines(scheme: Scheme) throws {
    let server = try server(scheme)
    let probe = AttachProbe(address(scheme, server))
    let peer = try server.accept()
    peer.send(Self.line(1) + Self.line(2))
    #expect(probe.wait { $0.spans.count == 2 })
    peer.send(#"{"ts":"2026-01-01T10:00:00.000Z","name":"api.get","ms":1250}"# + "\n")
    #expect(probe.wait { $0.ledger == 1 })
    #expect(probe.isLive)
    #expect(probe.problems(.malformed).isEmpty)
  }

  @Test("length-prefixed protobuf is read, cut anywhere", arguments: Scheme.allCases)
  func protobuf(scheme: Scheme) throws {
    let server = try server(scheme)
    let probe = AttachProbe(address(scheme, server))
    let peer = try server.accept()
    for byte in (1...3).flatMap({ ProtobufBytes.framed(RequestBodies.protobuf($0)) }) {
      peer.send([byte])
    }
    #expect(probe.wait { $0.spans.count == 3 })
  }

  @Test(
    "what the end of a connection cuts counts once, and the next one begins anew as the same source",
    arguments: Scheme.allCases
  )
  func restart(scheme: Scheme) throws {
    var server: PeerServer? = try server(scheme)
    let address = address(scheme, try #require(server))
    let port = try #require(server).port
    let probe = AttachProbe(address)
    let first = try #require(server).accept()
    first.send(Self.line(1) + Self.line(2).prefix(60))
    #expect(probe.wait { $0.spans.count == 1 })
    // The whole server goes, and is refused until it is back.
    server = nil
    first.hangUp()
    #expect(probe.wait { $0.reasons.count >= 2 })
    #expect(probe.problems(.incomplete).count == 1)
    let back = try self.server(scheme, again: port)
    let second = try back.accept()
    // Another encoding: the content is looked at anew.
    second.send(ProtobufBytes.framed(RequestBodies.protobuf(7)))
    #expect(probe.wait { $0.spans.count == 2 && $0.isLive })
    #expect(probe.problems(.incomplete).count == 1)
    #expect(probe.problems(.malformed).isEmpty)
    #expect(probe.sources == 1)
    #expect(probe.reasons.first == "closed by the other side")
    // Places of the second connection lie behind those of the first.
    for span in probe.spans {
      let details = try probe.thread.details(at: span.place).get()
      #expect(details.fields.contains { $0.value == "work" })
    }
  }

  @Test("what the spool kept of several connections gives the same figures")
  func spool() throws {
    let server = try PeerServer()
    let settings = SpoolSettings(folder: folder.path("spool"), limit: 1 << 20)
    let probe = AttachProbe(.tcp(host: "127.0.0.1", port: server.port), spool: settings)
    let first = try server.accept()
    first.send(Self.line(1) + Self.line(2).prefix(60))
    first.hangUp()
    let second = try server.accept()
    second.send(ProtobufBytes.framed(RequestBodies.protobuf(7)))
    second.hangUp()
    let third = try server.accept()
    third.send(Self.line(3))
    #expect(probe.wait { $0.spans.count == 3 })
    probe.end()
    #expect(probe.problems(.incomplete).count == 1)
    let again = SpoolReading.open(folder.path("spool"), decoder: Decoders.make)
    #expect(again.spans.map(\.spanID) == probe.spans.map(\.spanID))
    #expect(again.spans.map(\.place.offset) == probe.spans.map(\.place.offset))
    #expect(again.problems.map(\.kind) == [.incomplete])
  }

  @Test("a socket that is not there yet is tried again until it is", arguments: Scheme.allCases)
  func later(scheme: Scheme) throws {
    let port = try PeerServer().port
    let address: AttachAddress =
      scheme == .tcp
      ? .tcp(host: "127.0.0.1", port: port) : .unix(path: folder.path("socket"))
    let probe = AttachProbe(address)
    #expect(probe.wait { $0.reasons.count >= 3 })
    #expect(probe.reasons[0] == (scheme == .tcp ? "connection refused" : "no such socket"))
    let server = try server(scheme, again: port)
    try server.accept().send(Self.line(1))
    #expect(probe.wait { $0.spans.count == 1 })
  }

  @Test("a host that has no address is tried again, and said to be unknown")
  func unknownHost() {
    let probe = AttachProbe(.tcp(host: "nowhere.invalid", port: 9)) {
      $0.resolve = { _ in "no such name" }
    }
    #expect(probe.wait { $0.reasons.count >= 2 })
    #expect(probe.reasons[0] == "no address of 'nowhere.invalid' is known")
  }

  @Test("bytes of another kind are refused for good, with their name")
  func foreign() throws {
    let server = try PeerServer()
    let probe = AttachProbe(.tcp(host: "127.0.0.1", port: server.port))
    let peer = try server.accept()
    peer.send([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 600))
    #expect(probe.wait { $0.refusal != nil })
    #expect(probe.refusal?.contains("which perftop does not read") == true)
    #expect(peer.isEnded())
    // Nothing is left to be read, so the run ends by itself.
    #expect(!probe.wait { _ in false })
  }

  @Test("the end of a run tells of a source that never was, and takes what has come before")
  func end() throws {
    let server = try PeerServer()
    let probe = AttachProbe(.tcp(host: "127.0.0.1", port: server.port))
    let peer = try server.accept()
    peer.send(Self.line(1) + Self.line(2))
    peer.endSending()
    // The client closes after it has read everything.
    #expect(peer.isEnded())
    probe.end()
    #expect(probe.spans.count == 2)
    #expect(probe.problems(.unreadable).isEmpty)
    let port = try PeerServer().port
    let other = AttachProbe(.tcp(host: "127.0.0.1", port: port))
    #expect(other.wait { !$0.reasons.isEmpty })
    other.end()
    #expect(other.problems(.unreadable) == ["connection refused"])
  }

  @Test("the end of a run waits neither for the system's resolver nor for a server's answer")
  func promptEnd() throws {
    let began = DispatchSemaphore(value: 0)
    let answered = DispatchSemaphore(value: 0)
    let resolving = AttachProbe(.tcp(host: "slow.example", port: 9)) {
      $0.resolve = { _ in
        began.signal()
        answered.wait()
        return "127.0.0.1"
      }
    }
    began.wait()
    resolving.end()
    answered.signal()
    // A server that accepts and says nothing.
    let server = try PeerServer()
    let silent = AttachProbe(.webSocket(host: "127.0.0.1", port: server.port, path: "/"))
    let peer = try server.accept()
    #expect(peer.takeHead() != nil)
    silent.end()
    #expect(peer.isEnded())
    // One that has nothing to say.
    let idle = AttachProbe(.tcp(host: "127.0.0.1", port: server.port))
    let other = try server.accept()
    #expect(idle.wait { $0.isLive })
    idle.end()
    #expect(other.isEnded())
  }

  @Test("waits double up to the longest, less a part, and begin anew after a useful connection")
  func backoff() {
    var settings = AttachSettings()
    settings.jitter = { 0 }
    var backoff = Backoff(settings)
    let seconds = (0..<7).map { _ in backoff.takeDelay() / 1_000_000_000 }
    #expect(seconds == [1, 2, 4, 8, 16, 30, 30])
    backoff.reset()
    #expect(backoff.takeDelay() == 1_000_000_000)
    settings.jitter = { 0.25 }
    var shorter = Backoff(settings)
    #expect(shorter.takeDelay() == 750_000_000)
    #expect((0..<100).allSatisfy { _ in (0...0.2).contains(AttachSettings().jitter()) })
  }
}
