/// The head of a gRPC call, as far as it decides whether its message is wanted.
struct GRPCHead {
  /// Bytes of names and values at most, and headers at most.
  static let sizeLimit = 32 << 10
  private static let countLimit = 200

  private(set) var method = ""
  private(set) var path = ""
  private(set) var contentType = ""
  private(set) var encoding = ""
  private(set) var authorization = ""
  private var size = 0
  private var count = 0

  /// False when it is too large.
  mutating func add(_ name: String, _ value: String) -> Bool {
    size += name.utf8.count + value.utf8.count + 32
    count += 1
    guard size <= Self.sizeLimit, count <= Self.countLimit else { return false }
    switch name {
    case ":method": method = value
    case ":path": path = value
    case "content-type": contentType = value
    case "grpc-encoding": encoding = value
    case "authorization": authorization = value
    default: break
    }
    return true
  }

  /// What the call brings, or the answer to one that brings nothing.
  func request(_ settings: ReceiverSettings) -> Result<GRPCRequest, GRPCRefusal> {
    guard Self.isGRPC(contentType) else {
      let text = "over HTTP/2 gRPC is received (application/grpc); OTLP/HTTP comes over HTTP/1.1"
      return .failure(GRPCRefusal(GRPCAnswer(status: 415, code: .unimplemented, message: text)))
    }
    guard method == "POST" else {
      let text = "\(method.prefix(20)) is not done; POST is"
      return .failure(GRPCRefusal(GRPCAnswer(status: 405, code: .unimplemented, message: text)))
    }
    if let token = settings.token {
      let isKnown =
        authorization.lowercased().hasPrefix("bearer ")
        && Token.equal(String(authorization.dropFirst(7)), token)
      guard isKnown else { return .failure(.init(.unauthenticated, "a bearer token is needed")) }
    }
    guard let signal = ReceivedSignal(method: path) else {
      let text = "there is no method \(path.prefix(100)); there are OTLP's Export methods"
      return .failure(.init(.unimplemented, text))
    }
    guard let coding = ContentCoding(encoding) else {
      let text = "grpc-encoding has to be gzip, deflate, zstd or identity"
      return .failure(.init(.unimplemented, text))
    }
    return .success(GRPCRequest(signal: signal, coding: encoding.isEmpty ? nil : coding))
  }

  private static func isGRPC(_ type: String) -> Bool {
    let name = type.lowercased().prefix { $0 != ";" && $0 != " " }
    return name == "application/grpc" || name == "application/grpc+proto"
  }
}

/// What a gRPC call brings.
struct GRPCRequest: Equatable {
  var signal: ReceivedSignal
  /// Of a message that says that it is compressed; nil when the head names none.
  var coding: ContentCoding?
}

/// Why a call is not taken.
struct GRPCRefusal: Error, Equatable {
  var answer: GRPCAnswer

  init(_ answer: GRPCAnswer) {
    self.answer = answer
  }

  init(_ code: GRPCCode, _ text: String) {
    answer = .failure(code, text)
  }

  static func tooLarge(_ settings: ReceiverSettings) -> GRPCRefusal {
    let text = "the message is larger than \(settings.bodyLimit) bytes (--max-body)"
    return GRPCRefusal(.resourceExhausted, text)
  }
}

/// The message of a call while its pieces come: a byte that says whether it is compressed, its length, its bytes.
struct GRPCMessage {
  private static let prefixSize = 5

  private var prefix: [UInt8] = []
  private(set) var bytes: [UInt8] = []

  private var length: Int? {
    guard prefix.count == Self.prefixSize else { return nil }
    return prefix[1...].reduce(0) { $0 << 8 | Int($1) }
  }

  private var isWhole: Bool { length.map { bytes.count == $0 } ?? false }

  /// Takes a piece, which ends anywhere; says why there can be no message any more.
  mutating func append(
    _ piece: UnsafeRawBufferPointer,
    _ settings: ReceiverSettings
  ) -> GRPCRefusal? {
    guard !piece.isEmpty else { return nil }
    if isWhole { return GRPCRefusal(.unimplemented, "a call with more than one message") }
    let head = min(Self.prefixSize - prefix.count, piece.count)
    prefix.append(contentsOf: piece[..<head])
    guard let length else { return nil }
    guard prefix[0] <= 1 else {
      return GRPCRefusal(.internalError, "the message begins with \(prefix[0]), not with 0 or 1")
    }
    guard length <= settings.bodyLimit else { return .tooLarge(settings) }
    let count = min(length - bytes.count, piece.count - head)
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[head..<head + count]))
    guard head + count == piece.count else {
      return GRPCRefusal(.unimplemented, "a call with more than one message")
    }
    return nil
  }

  /// The message without its compression, once the sender has sent everything.
  func body(_ coding: ContentCoding?, _ settings: ReceiverSettings) -> Result<[UInt8], GRPCRefusal>
  {
    guard isWhole else {
      return .failure(.init(.internalError, "the call ended before its message did"))
    }
    guard prefix[0] == 1 else { return .success(bytes) }
    guard let coding, coding != .identity else {
      return .failure(.init(.internalError, "a compressed message without a grpc-encoding"))
    }
    do throws(ContentCoding.Failure) {
      return .success(try coding.decoded(bytes, limit: settings.bodyLimit))
    } catch {
      switch error {
      case .tooLarge: return .failure(.tooLarge(settings))
      case .damaged(let text): return .failure(.init(.internalError, text))
      }
    }
  }
}

extension ReceivedSignal {
  /// OTLP's methods of gRPC.
  init?(method: String) {
    switch method {
    case "/opentelemetry.proto.collector.trace.v1.TraceService/Export": self = .traces
    case "/opentelemetry.proto.collector.logs.v1.LogsService/Export": self = .logs
    case "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export": self = .metrics
    case "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export":
      self = .profiles
    default: return nil
    }
  }
}
