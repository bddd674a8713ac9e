import Testing

@testable import Ingest

@Suite("Addresses to attach to")
struct AttachAddressTests {
  @Test(
    "each form is read and shown as it is named",
    arguments: [
      ("unix:/tmp/a b", .unix(path: "/tmp/a b"), "unix:/tmp/a b"),
      ("unix:///tmp/a", .unix(path: "/tmp/a"), "unix:/tmp/a"),
      ("unix:relative", .unix(path: "relative"), "unix:relative"),
      ("tcp://localhost:9000", .tcp(host: "localhost", port: 9000), "tcp://localhost:9000"),
      ("tcp://[::1]:9000/", .tcp(host: "::1", port: 9000), "tcp://[::1]:9000"),
      (
        "ws://localhost:12001", .webSocket(host: "localhost", port: 12001, path: "/"),
        "ws://localhost:12001"
      ),
      (
        "WS://10.0.0.7:80/a/b?c=d#e", .webSocket(host: "10.0.0.7", port: 80, path: "/a/b?c=d"),
        "ws://10.0.0.7:80/a/b?c=d"
      ),
      (
        "ws://[fe80::1]:1?x", .webSocket(host: "fe80::1", port: 1, path: "/?x"),
        "ws://[fe80::1]:1/?x"
      ),
    ] as [(String, AttachAddress, String)]
  )
  func forms(text: String, address: AttachAddress, shown: String) throws {
    let read = try AttachAddress(text)
    #expect(read == address)
    #expect(read.text == shown)
  }

  @Test(
    "what is none says what is wrong or was meant",
    arguments: [
      ("unix:", "the path of a socket is missing"),
      ("wss://a:1", "TLS is not spoken here; a tunnel to ws://localhost:PORT can"),
      (
        "http://a:4318",
        "ws://a:4318 for a collector's remote tap; what is sent to perftop needs --listen"
      ),
      ("ws://a", "the port is missing, as in ws://localhost:12001"),
      ("ws://a:", "the port is missing, as in ws://localhost:12001"),
      ("ws://:1", "the host is missing, as in ws://localhost:12001"),
      ("tcp://a:b", "a port is a number from 1 to 65535, not 'b'"),
      ("tcp://a:0", "a port is a number from 1 to 65535, not '0'"),
      ("tcp://a:65536", "a port is a number from 1 to 65535, not '65536'"),
      ("tcp://::1:9", "an IPv6 address stands in brackets, as in [::1]"),
      ("tcp://a:1/b", "a path is for ws:// only"),
      ("ws://me:secret@a:1", "a name and a password are not sent"),
      (
        "ws://a:1/ö",
        "a path of ws:// has no spaces and no letters beyond ASCII: write them as %20"
      ),
      ("ftp://a:1", "ftp:// is none of them"),
      ("localhost:1", "tcp://localhost:1 or ws://localhost:1?"),
      ("telemetry", nil), ("", nil),
    ] as [(String, String?)]
  )
  func errors(text: String, hint: String?) {
    #expect(throws: AttachAddressError(hint)) { try AttachAddress(text) }
  }

  @Test("a path that no socket can have is refused before it is tried")
  func longPath() {
    #expect(throws: AttachAddressError.self) {
      try AttachAddress("unix:/" + String(repeating: "a", count: 103))
    }
    #expect(throws: Never.self) {
      try AttachAddress("unix:/" + String(repeating: "a", count: 102))
    }
  }
}
