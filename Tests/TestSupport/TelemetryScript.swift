package import Model

/// A story told in records, with hand-made values: what decoders would observe of it.
///
/// Times are seconds after 2026-01-01T00:00:00Z. Records keep the order in which they are told; a model
/// can be made from any other order of them.
package struct TelemetryScript {
  package static let zero = Timestamp(seconds: 1_767_225_600)

  package private(set) var definitions: [TelemetryEvent] = []
  package private(set) var records: [TelemetryEvent] = []
  package var source = SourceID(0)
  package var resource = ResourceID.empty
  package var scopeVersion = Symbol.none
  package var sessionID = ""
  /// What the host added to further spans.
  package var attributes = AttributeSetID.none
  private var symbols: [String: Symbol] = [:]
  private var resources = 0
  private var nextSpan: UInt64 = 0x1000
  private var offset: UInt64 = 0

  package init(app: String = "Shop", scopeVersion: String = "1.11.2") {
    addSource("capture.jsonl")
    device("DEVICE-1", app: app)
    self.scopeVersion = symbol(scopeVersion)
  }

  package static func time(_ seconds: Double) -> Timestamp {
    zero.advanced(byNanoseconds: Int64((seconds * 1_000_000_000).rounded()))
  }

  package mutating func symbol(_ text: String) -> Symbol {
    if let known = symbols[text] { return known }
    let symbol = Symbol(UInt32(symbols.count + 1))
    symbols[text] = symbol
    definitions.append(.symbol(symbol, text))
    return symbol
  }

  package mutating func define(_ set: AttributeSetID, _ attributes: [HostAttribute]) {
    definitions.append(.attributes(set, attributes))
  }

  /// Further records come from another source.
  package mutating func addSource(_ name: String, ledgerName: String? = nil, isLive: Bool = false) {
    let count = definitions.count { if case .source = $0 { true } else { false } }
    source = SourceID(UInt16(count))
    definitions.append(
      .source(
        SourceOpened(id: source, name: name, ledgerName: ledgerName ?? name, isLive: isLive)
      )
    )
  }

  /// Further records come from this device.
  package mutating func device(
    _ id: String?,
    app: String = "Shop",
    version: String = "8.42.1 (842103)",
    model: String = "iPhone15,2",
    system: String = "18.5.0"
  ) {
    var resource = Resource(app: symbol(app))
    resource.version = symbol(version)
    if let id { resource.deviceID = symbol(id) }
    resource.deviceModel = symbol(model)
    resource.osName = symbol("iOS")
    resource.osVersion = symbol(system)
    resources += 1
    self.resource = ResourceID(UInt32(resources))
    definitions.append(.resource(self.resource, resource))
  }

  /// A span with the given attributes; returns its id, to tell another copy of it.
  @discardableResult
  package mutating func span(
    _ name: String,
    _ signal: Signal,
    at start: Double,
    seconds: Double,
    subject: String? = nil,
    numbers: [Measurement: UInt32] = [:],
    flags: RecordFlags = [],
    error: String? = nil,
    ok: Bool = false,
    appState: String? = nil,
    id: UInt64? = nil
  ) -> UInt64 {
    var span = SpanRecord(place: place())
    nextSpan += 1
    span.spanID = id ?? nextSpan
    span.traceLow = span.spanID
    span.start = Self.time(start)
    span.end = Self.time(start + seconds)
    span.resource = resource
    span.attributes = attributes
    span.name = symbol(name)
    span.subject = subject.map { symbol($0) } ?? .none
    span.scopeVersion = scopeVersion
    span.sessionID = sessionID.isEmpty ? .none : symbol(sessionID)
    span.signal = signal
    span.flags = flags
    span.status = error != nil ? .error : ok ? .ok : .unset
    span.appState = appState.map { symbol($0) } ?? .none
    span.statusMessage = error.map { symbol($0) } ?? .none
    for (measurement, value) in numbers { span.measurements[measurement] = value }
    span.finalAttributeCount = UInt8(numbers.count)
    span.attributeCount = UInt16(numbers.count + (subject == nil ? 0 : 1))
    span.content = hash(
      "\(name) \(start) \(seconds) \(subject ?? "-") \(error ?? "-") \(ok) \(flags.rawValue) "
        + numbers.map { "\($0.key.rawValue)=\($0.value)" }.sorted().joined(separator: ",")
    )
    records.append(.span(span))
    return span.spanID
  }

  package mutating func startup(at start: Double, total: UInt32 = 1200, prewarmed: Bool = false) {
    span(
      "app-startup",
      .appStartup,
      at: start,
      seconds: Double(total) / 1000,
      numbers: [.primary: total],
      flags: prewarmed ? .prewarmed : []
    )
  }

  package mutating func tti(_ screen: String, at start: Double, _ tti: UInt32, ttfr: UInt32 = 100) {
    span(
      "screen-tti." + screen,
      .screenTTI,
      at: start,
      seconds: Double(tti) / 1000,
      subject: screen,
      numbers: [.primary: tti, .secondary: ttfr]
    )
  }

  package static func frames(
    _ total: UInt32,
    _ dropped: UInt32,
    slow: UInt32 = 0,
    freeze: UInt32 = 0,
    onScreen: UInt32
  ) -> [Measurement: UInt32] {
    [
      .totalFrames: total, .droppedFrames: dropped, .slowFrames: slow, .freezeTime: freeze,
      .onScreenTime: onScreen,
    ]
  }

  /// An app-rendering span that ended cleanly.
  @discardableResult
  package mutating func session(
    at start: Double,
    seconds: Double,
    total: UInt32,
    dropped: UInt32,
    freeze: UInt32 = 0,
    id: UInt64? = nil
  ) -> UInt64 {
    let length = UInt32(seconds * 1000)
    var numbers = Self.frames(total, dropped, freeze: freeze, onScreen: length)
    numbers[.sessionDuration] = length
    return span(
      "app-rendering",
      .appRendering,
      at: start,
      seconds: seconds,
      numbers: numbers,
      id: id
    )
  }

  /// A hang as PerformanceSuite reports it: `at` is the reported start.
  package mutating func hang(
    at start: Double,
    _ duration: UInt32,
    fatal: Bool = false,
    screen: String? = nil
  ) {
    span(
      "app-hang",
      .appHang,
      at: start,
      seconds: Double(duration) / 1000,
      subject: screen,
      numbers: [.primary: duration],
      flags: fatal ? .fatal : .nonFatal
    )
  }

  package mutating func leak(_ className: String, at time: Double, instance: UInt64) {
    var log = LogRecord(place: place())
    log.time = Self.time(time)
    log.resource = resource
    log.attributes = attributes
    log.signal = .leak
    log.subject = symbol(className)
    log.instance = instance
    log.severity = 13
    log.content = hash("\(className) \(time) \(instance)")
    records.append(.log(log))
  }

  /// A ledger line, written at `time`; milliseconds nil for a note.
  package mutating func ledger(
    _ name: String,
    at time: Double,
    _ milliseconds: Int64?,
    _ signal: Signal = .ledgerSpan,
    detail: String? = nil
  ) {
    var line = LedgerEvent(place: place())
    line.time = Self.time(time)
    line.name = symbol(name)
    line.detail = detail.map { symbol($0) } ?? .none
    line.durationNanoseconds = milliseconds.map { $0 * 1_000_000 }
    line.signal = signal
    line.content = hash("\(name) \(time) \(milliseconds ?? -1)")
    records.append(.ledger(line))
  }

  /// Tells the record told last once more.
  package mutating func repeatLast() {
    if let last = records.last { records.append(last) }
  }

  package func model(options: ModelOptions = ModelOptions()) -> SessionModel {
    model(of: records, options: options)
  }

  /// The model after these records of the script, in this order.
  package func model(
    of records: [TelemetryEvent],
    options: ModelOptions = ModelOptions()
  ) -> SessionModel {
    var model = SessionModel(options: options)
    for event in definitions { model.apply(event) }
    model.apply(.arrival(Self.time(86_400)))
    for event in records { model.apply(event) }
    return model
  }

  package var overview: Overview { model().overview() }

  private mutating func place() -> RecordPlace {
    offset += 1000
    return RecordPlace(source: source, offset: offset, length: 900)
  }

  private func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
