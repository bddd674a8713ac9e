#if os(Linux)
import Foundation
import Glibc
import Testing

@Suite(
  "Attaching the program",
  .enabled(if: Program.path != nil),
  .serialized,
  .timeLimit(.minutes(3))
)
struct AttachCommandTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A report that runs until it is told to end, its answer in a file.
  private func start(_ address: String) throws -> (child: Child, output: String) {
    let output = scratch.path("out.json")
    let descriptor = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let words = ["report", "--attach", address, "--format", "json"]
    // Standard error has its own place: nothing but the answer is in the file.
    let script = "exec \"$@\" 2>/dev/null"
    let child = try Child(
      ["env", "XDG_STATE_HOME=\(scratch.path("state"))", "sh", "-c", script, "sh"]
        + [try #require(Program.path)] + words,
      output: descriptor
    )
    return (child, output)
  }

  private func report(_ output: String) throws -> WrittenReport {
    try WrittenReport(Data(contentsOf: URL(filePath: output)))
  }

  @Test("a stream of lines is reported when the run is ended", arguments: ["tcp", "unix"])
  func streams(scheme: String) throws {
    let server = scheme == "tcp" ? try Listener() : try Listener(path: scratch.path("s"))
    let address = scheme == "tcp" ? "tcp://localhost:\(server.port)" : "unix:\(scratch.path("s"))"
    let (child, output) = try start(address)
    let client = try server.accept()
    for number in 0..<50 { client.send(Data(ledgerLine(number).utf8)) }
    client.send(Data(ledgerLine(50).utf8.prefix(30)))
    client.endSending()
    // The client hangs up once it has read everything.
    #expect(client.readToEnd().isEmpty)
    child.signal(SIGINT)
    #expect(child.end() == 0)
    let report = try report(output)
    #expect(report.quality.received.ledgerEvents == 50)
    #expect(report.quality.incomplete == 1)
    #expect(report.sources.map(\.name) == [address])
    #expect(report.sources.map(\.kind) == ["ledger"])
  }

  @Test("a WebSocket's messages are reported, and its goodbye is answered")
  func webSocket() throws {
    let server = try Listener()
    let (child, output) = try start("ws://127.0.0.1:\(server.port)")
    let client = try server.accept()
    let head = client.readHead()
    #expect(head.contains("\r\nOrigin: http://localhost\r\n"))
    let key = try #require(
      head.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19)
    )
    client.send(Data(try Self.answer(to: String(key)).utf8))
    for number in 0..<20 {
      let line = Data(ledgerLine(number).utf8)
      client.send(Data([0x81, UInt8(line.count)]) + line)
    }
    client.send(Data([0x88, 2, 0x03, 0xE8]))
    // Eight bytes: two of head, four of mask, two of the code.
    #expect(client.readToEnd().prefix(2) == Data([0x88, 0x82]))
    child.signal(SIGTERM)
    #expect(child.end() == 0)
    let report = try report(output)
    #expect(report.quality.received.ledgerEvents == 20)
    #expect(report.quality.malformed == 0)
  }

  /// The answer to a key, its digest by a program that owes ours nothing.
  private static func answer(to key: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c",
      "printf %s \"$1\" | sha1sum | cut -c1-40 | sed 's/../\\\\x&/g' | tr -d '\\n' | xargs -0 printf | base64",
      "sh", key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11",
    ]
    process.standardOutput = pipe
    try process.run()
    let digest = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let accept = String(decoding: digest, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
  }

  @Test("a server that refuses ends the run with 2 and its reason")
  func refused() throws {
    let server = try Listener()
    let address = "ws://127.0.0.1:\(server.port)"
    let answering = Thread {
      guard let client = try? server.accept() else { return }
      _ = client.readHead()
      client.send(Data("HTTP/1.1 403 Forbidden\r\n\r\n".utf8))
    }
    answering.start()
    let result = try Program.run(["report", "--attach", address], in: scratch.url)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "perftop: \(address): 403 Forbidden, clients from here are not let in\n"
    )
  }

  @Test("an address that is none is a usage error that says what is expected")
  func usage() throws {
    let result = try Program.run(["report", "--attach", "wss://a:1"], in: scratch.url)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(
      result.errors
        == "perftop: --attach takes unix:PATH, tcp://HOST:PORT or ws://HOST:PORT[/PATH], not "
        + "'wss://a:1': TLS is not spoken here; a tunnel to ws://localhost:PORT can\n"
    )
  }
}

@Suite(
  "Attaching the dashboard",
  .enabled(if: Tmux.isUsable, "needs tmux and a built perftop"),
  .serialized,
  .timeLimit(.minutes(2))
)
struct AttachDashboardTests {
  @Test("the header says how the connection stands, and q waits for nobody")
  func dashboard() throws {
    let terminal = try Tmux()
    let server = try Listener()
    _ = try terminal.open("--no-spool --attach ws://127.0.0.1:\(server.port)")
    let client = try server.accept()
    _ = client.readHead()
    // The server says nothing: the handshake is still to come.
    try terminal.wait("the state") { $0.contains("… connecting") }
    try terminal.press("q")
    try terminal.wait("the shell") { !$0.contains("connecting") && $0.contains("ready$") }
    let again = try Listener()
    _ = try terminal.open("--no-spool --attach tcp://127.0.0.1:\(again.port)")
    let next = try again.accept()
    try terminal.wait("the connection") { $0.contains("▶ live") }
    next.send(Data(ledgerLine(1).utf8))
    try terminal.wait("what it brought") { $0.contains("api.get") }
    next.endSending()
    try terminal.wait("the loss of it") { $0.contains("closed by the other side") }
    try terminal.press("q")
    try terminal.wait("the shell") { !$0.contains("api.get") && $0.contains("ready$") }
  }
}

/// A socket to be attached to.
private final class Listener: Sendable {
  let port: UInt16
  private let socket: Int32

  init(path: String? = nil) throws {
    socket = Glibc.socket(path == nil ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      if let path {
        var unix = sockaddr_un()
        unix.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &unix.sun_path) { $0.copyBytes(from: path.utf8) }
        bytes.storeBytes(of: unix, as: sockaddr_un.self)
        size = socklen_t(MemoryLayout<sockaddr_un>.size)
      } else {
        var internet = sockaddr_in()
        internet.sin_family = sa_family_t(AF_INET)
        internet.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        bytes.storeBytes(of: internet, as: sockaddr_in.self)
      }
    }
    let (socket, length) = (socket, size)
    let number: UInt16? = withUnsafeMutablePointer(to: &address) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard bind(socket, generic, length) == 0, listen(socket, 4) == 0 else { return nil }
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        getsockname(socket, generic, &size)
        return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          UInt16(bigEndian: $0.pointee.sin_port)
        }
      }
    }
    port = try #require(number)
  }

  deinit { close(socket) }

  func accept() throws -> Client {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 60_000) == 1)
    return Client(socket: Glibc.accept(socket, nil, nil))
  }
}

private final class Client {
  private let handle: FileHandle

  init(socket: Int32) {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    handle = FileHandle(fileDescriptor: socket, closeOnDealloc: true)
  }

  func send(_ data: Data) { try? handle.write(contentsOf: data) }
  func endSending() { shutdown(handle.fileDescriptor, Int32(SHUT_WR)) }
  func readToEnd() -> Data { (try? handle.readToEnd()) ?? Data() }

  /// The head of a request.
  func readHead() -> String {
    var head = ""
    while !head.hasSuffix("\r\n\r\n"), let byte = try? handle.read(upToCount: 1), !byte.isEmpty {
      head += String(decoding: byte, as: UTF8.self)
    }
    return head
  }
}
#endif
