import Model

/// The value of one attribute as a decoder hands it over.
///
/// Bytes are UTF-8 as the data has it (unescaped, not yet repaired) and valid only during the call.
enum AttributeValue {
  case string(UnsafeRawBufferPointer)
  case bool(Bool)
  case int(Int64)
  case double(Double)
  /// An array, a list of pairs or bytes: its canonical hash (`CanonicalHash`) counts, its text can be made.
  case composite(UInt64, CompositeSource)
  case empty
}

/// Turns the fields of records, whatever their encoding, into events for the telemetry that it owns.
///
/// Decoders call `begin…`, set fields and attributes in any order, and call `end…`; nothing is observed
/// before the end, so a record that turns out to be malformed leaves no trace but its problem. Only
/// definitions of symbols and resources are observed at once.
struct RecordAssembler: ~Copyable {
  var telemetry: Telemetry
  /// The span between `beginSpan` and `endSpan`; decoders set ids, status and parent directly.
  var span = SpanRecord(place: RecordPlace(source: SourceID(0), offset: 0, length: 0))
  let blankSpan = SpanRecord(place: RecordPlace(source: SourceID(0), offset: 0, length: 0))
  /// The log record between `beginLog` and `endLog`; decoders set severity directly.
  var log = LogRecord(place: RecordPlace(source: SourceID(0), offset: 0, length: 0))
  /// The line of the record, for its problems; decoders of lines set it, 0 where lines mean nothing.
  var line: UInt64 = 0

  var symbols: SymbolTable
  var resources: ResourceCache
  let keys = AttributeKeyTable()
  var signals = SignalCache()
  var fields = RecordFields()
  /// What the current resource and scope add to the content of a record.
  var contextHash: UInt64 = 0
  var resourceContent: UInt64 = 0
  var scopeHash: UInt64 = 0
  var scopeVersion = Symbol.none
  var currentResource = ResourceID.empty
  private(set) var pendingResource = Resource(app: .none)
  private var pendingKeys = AttributeKeySet()
  private var pendingCount = 0
  var pendingHeld = HeldAttributes()
  /// Sets of host attributes of PerformanceSuite's records, of what resources have besides `Resource`, and
  /// of other spans and logs.
  var recordSets = AttributeSetTable(base: 0)
  var resourceSets = AttributeSetTable(base: UInt32(AttributeSetTable.limit))
  var otherSets = AttributeSetTable(base: UInt32(2 * AttributeSetTable.limit))
  private var hasAnnouncedEmptyResource = false
  /// Whole batches that wait for company, then the open batch.
  var held: [TelemetryEvent] = []
  /// How many of the held events belong to whole batches.
  private var committed = 0
  private var isBatching = false
  /// The records being read stand before their resource, or their scope, and wait for it in the open batch.
  var lacksResource = false
  var lacksScope = false
  var waiting: [WaitingRecord] = []
  private let handoverSize: Int
  /// What `lose` was told, for whoever has to answer for it.
  private(set) var losses = RecordLosses()
  /// What was told of `SymbolTable.beyond` and `ResourceCache.beyond`.
  private var toldBeyond = (texts: 0, resources: 0)

  /// Beyond the limits, texts and resources are `other`.
  ///
  /// Committed batches are observed together once they hold `handoverSize` events, and at a flush.
  init(
    telemetry: consuming Telemetry,
    limits: TableLimits = TableLimits(),
    handoverSize: Int = 1
  ) {
    self.telemetry = telemetry
    self.handoverSize = handoverSize
    symbols = SymbolTable(bytes: limits.textBytes)
    resources = ResourceCache(limit: limits.resources)
  }

  // MARK: - Batches

  /// Holds records and problems back until `commit` or `discard`; batches do not nest.
  mutating func beginBatch() {
    isBatching = true
  }

  /// Lets what the batch holds be observed, in order, and ends the batch.
  mutating func commit() {
    isBatching = false
    committed = held.count
    if committed >= handoverSize { handOver() }
  }

  /// Forgets what the batch holds and ends the batch.
  mutating func discard() {
    isBatching = false
    lacksResource = false
    lacksScope = false
    waiting.removeAll(keepingCapacity: true)
    held.removeLast(held.count - committed)
  }

  /// Observes an event after those before it, or holds it back within a batch.
  @inline(__always)
  mutating func observe(_ event: TelemetryEvent) {
    if isBatching { held.append(event) } else { observeNow(event) }
  }

  /// As above for the span that has been read, with a copy less.
  @inline(__always)
  mutating func observeSpan() {
    if isBatching { held.append(.span(span)) } else { observeNow(.span(span)) }
  }

  @inline(never)
  private mutating func observeNow(_ event: TelemetryEvent) {
    guard committed > 0 else { return telemetry.observe(event) }
    held.append(event)
    commit()
  }

  /// Observes that something of a source was lost; `line` is 0 where the format has none.
  mutating func lose(
    _ kind: ProblemKind,
    of source: SourceID,
    at offset: UInt64,
    line: UInt64 = 0,
    _ text: String
  ) {
    losses.add(kind, text)
    observe(
      .problem(Problem(source: source, kind: kind, offset: offset, line: line, text: text))
    )
  }

  /// Observes every whole batch and flushes the sinks; not within a batch.
  mutating func flush() {
    handOver()
    telemetry.flush()
  }

  private mutating func handOver() {
    tellBeyond()
    guard committed > 0 else { return }
    telemetry.observe(held)
    held = []
    committed = 0
    if handoverSize > 1 { held.reserveCapacity(handoverSize + handoverSize / 4) }
  }

  /// Counts what was beyond the tables' limits since it was told last.
  private mutating func tellBeyond() {
    let beyond = (texts: symbols.beyond, resources: resources.beyond)
    guard beyond != toldBeyond else { return }
    let (texts, more) = (beyond.texts - toldBeyond.texts, beyond.resources - toldBeyond.resources)
    toldBeyond = beyond
    if texts > 0 {
      telemetry.observe(.counted(.otherTexts, count: texts, source: SourceID(0)))
    }
    if more > 0 {
      telemetry.observe(.counted(.otherResources, count: more, source: SourceID(0)))
    }
  }

  // MARK: - Symbols

  /// The symbol of a name outside of records (ledger names), announced when it is new.
  mutating func symbol(_ bytes: UnsafeRawBufferPointer) -> Symbol {
    intern(bytes, hash: ByteHash.hash(bytes)).symbol
  }

  @inline(__always)
  mutating func intern(
    _ bytes: UnsafeRawBufferPointer,
    hash: UInt64
  ) -> (symbol: Symbol, isTruncated: Bool) {
    let interned = symbols.intern(bytes, hash: hash)
    if let text = interned.newText { telemetry.observe(.symbol(interned.symbol, text)) }
    return (interned.symbol, interned.isTruncated)
  }

  func symbolText(_ text: StaticString) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  // MARK: - Resources and scopes

  /// Makes a resource that was seen before with the very same bytes the current one.
  ///
  /// Returns false when the bytes are new: then decode them between `beginResource` and `endResource`.
  mutating func reuseResource(encoded: UnsafeRawBufferPointer) -> Bool {
    guard let known = resources.find(encoded) else { return false }
    makeCurrent(known.id, content: known.content)
    return true
  }

  mutating func beginResource() {
    pendingResource = Resource(app: .none)
    pendingKeys = []
    pendingCount = 0
    pendingHeld.removeAll()
  }

  /// Adds one attribute; of several with the same key the first counts.
  mutating func resourceAttribute(key: UnsafeRawBufferPointer, value: AttributeValue) {
    let keyHash = ByteHash.hash(key)
    let valueHash = fields.valueHash(value)
    let hash = CanonicalHash.attribute(keyHash: keyHash, valueHash: valueHash)
    resourceAttribute(keys.key(hash: keyHash), key, value, hash: hash)
  }

  /// As above, with what the key's and the value's hashes say.
  mutating func resourceAttribute(
    _ known: AttributeKey?,
    _ key: UnsafeRawBufferPointer,
    _ value: AttributeValue,
    hash: UInt64
  ) {
    pendingCount += 1
    guard let known else {
      pendingResource.content &+= hash
      pendingHeld.hold(key: key, value: value, hash: hash, known: AttributeKeySet())
      return
    }
    guard pendingKeys.insert(AttributeKeySet(known)).inserted else {
      pendingResource.content &+= CanonicalHash.repeated(hash)
      return
    }
    pendingResource.content &+= hash
    switch known {
    case .serviceName: pendingResource.app = resourceSymbol(value)
    case .serviceVersion: pendingResource.version = resourceSymbol(value)
    case .deviceID: pendingResource.deviceID = resourceSymbol(value)
    case .deviceModel: pendingResource.deviceModel = resourceSymbol(value)
    case .osName: pendingResource.osName = resourceSymbol(value)
    case .osVersion: pendingResource.osVersion = resourceSymbol(value)
    case .sessionID: pendingResource.sessionID = resourceSymbol(value)
    default:
      pendingHeld.hold(key: key, value: value, hash: hash, known: AttributeKeySet(known))
    }
  }

  /// Makes the resource current; `encoded` are its bytes for `reuseResource`.
  mutating func endResource(encoded: UnsafeRawBufferPointer) {
    guard pendingCount > 0 else {
      resetResource()
      return
    }
    if !pendingResource.app.isPresent {
      pendingResource.app = symbol(symbolText("unknown_service"))
    }
    pendingResource.attributes = resourceAttributes()
    // Records of resources that are not told apart differ nevertheless.
    let content = pendingResource.content
    let (id, isNew) = resources.identify(&pendingResource)
    if isNew { telemetry.observe(.resource(id, pendingResource)) }
    resources.remember(encoded, id: id, content: content)
    makeCurrent(id, content: content)
  }

  /// The current resource and scope become the empty ones.
  mutating func resetResource() {
    makeCurrent(.empty, content: 0)
  }

  /// Defines the empty resource before the first record that has it.
  mutating func announceEmptyResource() {
    guard !hasAnnouncedEmptyResource else { return }
    hasAnnouncedEmptyResource = true
    let app = symbol(symbolText("unknown_service"))
    telemetry.observe(.resource(.empty, Resource(app: app)))
  }

  /// Makes a resource current that the same assembler had as its current one before.
  mutating func makeCurrent(_ id: ResourceID, content: UInt64) {
    currentResource = id
    resourceContent = content
    setScope(name: nil, version: nil)
  }

  /// Makes a scope current until the next resource; nil is an absent field.
  mutating func setScope(name: UnsafeRawBufferPointer?, version: UnsafeRawBufferPointer?) {
    var known = (version: Symbol.none, hash: UInt64(0))
    if let name { known.hash = CanonicalHash.text(field: 1, name) }
    if let version, version.count > 0 {
      known.version = symbol(version)
      known.hash &+= CanonicalHash.text(field: 2, version)
    }
    setScope(known)
  }

  /// Makes a scope current that was it before, as `scopeVersion` and `scopeHash` had it then.
  @inline(__always)
  mutating func setScope(_ known: (version: Symbol, hash: UInt64)) {
    (scopeVersion, scopeHash) = known
    contextHash = resourceHash &+ scopeHash
  }

  /// The empty resource adds nothing, as before the first resource.
  var resourceHash: UInt64 {
    resourceContent == 0 ? 0 : ByteHash.mix(resourceContent, ByteHash.secret1)
  }

  /// The symbol of a resource attribute, numbers printed; none where it is empty.
  private mutating func resourceSymbol(_ value: AttributeValue) -> Symbol {
    attributeSymbol(value).symbol
  }

  /// As `textSymbol`, for the attribute that is being taken.
  @inline(__always)
  mutating func attributeSymbol(_ value: AttributeValue) -> (symbol: Symbol, isTruncated: Bool) {
    guard case .string(let bytes) = value, bytes.count > 0 else { return textSymbol(value) }
    if fields.textSymbol.isPresent { return (fields.textSymbol, false) }
    let interned = intern(bytes, hash: fields.textHash)
    if !interned.isTruncated { fields.textSymbol = interned.symbol }
    return interned
  }

  /// The symbol of a value as text, numbers printed; none where it is empty or composite.
  mutating func textSymbol(_ value: AttributeValue) -> (symbol: Symbol, isTruncated: Bool) {
    var text: String
    switch value {
    case .string(let bytes):
      guard bytes.count > 0 else { return (.none, false) }
      return intern(bytes, hash: ByteHash.hash(bytes))
    case .bool(let flag): text = flag ? "true" : "false"
    case .int(let number): text = String(number)
    case .double(let number): text = String(number)
    case .composite, .empty: return (.none, false)
    }
    return (text.withUTF8 { symbol(UnsafeRawBufferPointer($0)) }, false)
  }
}
